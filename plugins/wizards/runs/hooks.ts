import { AsyncSeriesHook } from "tapable";
import type { RunInfo, WizardEvent } from "../contract/index.ts";

type RunHook = AsyncSeriesHook<[run: RunInfo]>;

/** The hooks of the slot `wizards`: the moments of a run's last step, and the public event. */
export interface WizardHooks {
  /** The last step was sent, and the row of its run is held. In the step's transaction. */
  locked: RunHook;
  /** It is committed that one request completes the run; the others wait for it. */
  completing: RunHook;
  /** `execute` is about to run. In its transaction. */
  executing: RunHook;
  /** `execute` was done, and its outcome is stored. In its transaction, before the commit. */
  executed: RunHook;
  /** What `execute` wrote, its outcome and the run's end are committed. A tap that throws is a line in the log. */
  completed: RunHook;
  /** Something happened to a run, and is stored: never its answers. A tap that throws is a line in the log. */
  wizard: AsyncSeriesHook<[event: WizardEvent]>;
}

export const openWizardHooks = (): WizardHooks => ({
  locked: new AsyncSeriesHook(["run"]),
  completing: new AsyncSeriesHook(["run"]),
  executing: new AsyncSeriesHook(["run"]),
  executed: new AsyncSeriesHook(["run"]),
  completed: new AsyncSeriesHook(["run"]),
  wizard: new AsyncSeriesHook(["event"]),
});
