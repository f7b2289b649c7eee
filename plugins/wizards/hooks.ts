import { AsyncSeriesHook } from "framewright/kernel";
import type { WizardHooks } from "./contract/index.ts";

export const openWizardHooks = (): WizardHooks => ({
  sent: new AsyncSeriesHook(["step"]),
  locked: new AsyncSeriesHook(["run"]),
  completing: new AsyncSeriesHook(["run"]),
  executing: new AsyncSeriesHook(["run"]),
  executed: new AsyncSeriesHook(["run", "transaction"]),
  completed: new AsyncSeriesHook(["run"]),
  wizard: new AsyncSeriesHook(["event"]),
});
