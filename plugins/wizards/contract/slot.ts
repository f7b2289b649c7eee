import type { BaseController, FieldErrors, ParamObject } from "framewright/host";
import type { AsyncSeriesHook } from "framewright/kernel";
import type { Transaction } from "framewright/plugins/database";
import type { Mounts } from "../mounts/mount.ts";
import type { Notice, RunInfo, WizardEvent } from "./runs.ts";
import type { StepSpec, StepValues, WizardClass, WizardWidth } from "./steps.ts";
import type { WizardStore } from "./store.ts";
import type { Person, RunEngine } from "./visits.ts";

declare module "framewright/kernel" {
  interface Slots {
    wizards: { service: Wizards; hooks: WizardHooks };
    wizardStore: { service: WizardStore };
  }
}

/** The slot's service. */
export interface Wizards {
  /** Creates, finds, advances and sweeps runs. */
  readonly engine: RunEngine;
  /** How wide the pages are of a wizard that does not set it. */
  readonly width: WizardWidth;
  /** Where wizards can be reached. */
  readonly mounts: Mounts;
  /**
   * Marks a one-time wizard as completed for a person, for seeds and imports: `markCompleted(OnboardWizard, { account:
   * "user", user, entity })`, in every portal that mounts it. False where they have a run already. @throws FW_WIZARD_MARK
   */
  markCompleted(wizard: WizardClass, person: Person): Promise<boolean>;
}

type RunHook = AsyncSeriesHook<[run: RunInfo]>;

/** A step that was sent, before it is read. */
export interface SentStep {
  readonly run: RunInfo;
  readonly step: StepSpec;
  readonly controller: BaseController;
  /** What was sent, by the names of inputs. A tap may replace a value, as by one with a mark that no request can forge. */
  readonly sent: ParamObject;
  /** The stored answers of the step. */
  readonly before: Readonly<StepValues>;
  /** Why fields are refused, in place of what reading them finds: messages by the name of the field. */
  readonly errors: FieldErrors;
  /**
   * What has to follow, by the name of the field: where nothing else is wrong, the step is shown again with the notice, filled in
   * and without an error; programs that send JSON are answered 422 with it.
   */
  readonly pending: Record<string, Notice>;
}

/** The hooks of the slot `wizards`: a step that was sent, the stages of a run's last step, and the public event. */
export interface WizardHooks {
  /** A step that may be submitted was sent, with "next" or "review"; before it is read, and outside of transactions. */
  sent: AsyncSeriesHook<[step: SentStep]>;
  /** The last step was submitted and the run's row is locked. Inside the step's transaction. */
  locked: RunHook;
  /** It is committed that one request completes the run; the others wait for it. */
  completing: RunHook;
  /** Before `execute`, inside its transaction. */
  executing: RunHook;
  /** After `execute`, its outcome is stored; inside its transaction, before the commit: what is written in it is committed with the run's end. */
  executed: AsyncSeriesHook<[run: RunInfo, transaction: Transaction]>;
  /** After the commit of `execute`, its outcome and the run's end. An error in a tap is logged. */
  completed: RunHook;
  /** After a change of a run is stored; carries no answers. An error in a tap is logged. */
  wizard: AsyncSeriesHook<[event: WizardEvent]>;
}
