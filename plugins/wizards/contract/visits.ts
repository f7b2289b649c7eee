import type { Application, BaseController, FieldErrors, ParamObject, Params } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import type { Notice, Run, RunOutcome } from "./runs.ts";
import type { StepSpec, WizardClass } from "./steps.ts";

/** Where a wizard can be reached; made when routes are drawn. */
export interface Mount {
  readonly wizard: WizardClass;
  /** The wizard's constant. */
  readonly name: string;
  readonly kind: "resource" | "route";
  /** The engine's name; undefined on the main application. */
  readonly owner: string | undefined;
  /** `wizard(key, …)`; undefined for registerWizard. */
  readonly key: string | undefined;
  readonly at: string;
  readonly public: boolean;
  readonly layout: string | undefined;
}
/** One request at a mount, as `pages/entering.ts` hands it to the engine. */
export interface Visit {
  readonly mount: Mount;
  readonly controller: BaseController;
  readonly anchor: BaseModel | undefined;
  /** The base path of this request's wizard: `/admin/posts/3/wizards/configure`. */
  readonly base: string;
  /** Where cancel leads, as the sanitizer left it; only looked at by launch. */
  readonly returnTo: string | undefined;
}

/** What a request came to; `pages/answers.ts` answers each: 303, 422, 404… */
export type Move =
  | { readonly kind: "step"; readonly run: Run; readonly step: string; readonly notices?: readonly Notice[] }
  | {
      readonly kind: "invalid";
      readonly run: Run;
      readonly step: string;
      readonly errors: FieldErrors;
      /** Undefined where nothing was sent of that step: it is shown as it is kept. */
      readonly typed: ParamObject | undefined;
    }
  | { readonly kind: "done"; readonly run: Run; readonly outcome: RunOutcome }
  | { readonly kind: "cancelled"; readonly returnTo: string | undefined }
  | { readonly kind: "busy"; readonly run: Run }
  | { readonly kind: "gone" };

/** What was kept unsent: the run, and what was typed as its form shows it. */
export interface Saved {
  readonly run: Run;
  readonly typed: ParamObject;
}

/** What works on runs; `runs/engine.ts` fills it. Every method recovers and migrates the run that it finds. */
export interface Engine {
  /** Finds or makes the run. `offers`: other open runs of a tokened wizard that was launched again. */
  launch(visit: Visit): Promise<Move>;
  /** The run that a URL names, or that one of its runs which has an id; undefined for none, or somebody else's (404). */
  find(visit: Visit, token: string | undefined, id?: number): Promise<Run | undefined>;
  /** What GET of a step shows: this step, or where to go instead. */
  look(visit: Visit, run: Run, step: string): Promise<Move>;
  advance(visit: Visit, run: Run, step: string, params: Params, direction: "next" | "back" | "cancel"): Promise<Move>;
  /** PUT: keeps what was typed. @throws HttpError 404, 409, 413 */
  autosave(visit: Visit, run: Run, step: string, typed: ParamObject): Promise<Saved>;
  /** Whether the one-time wizard was completed under the visit's key. */
  isCompleted(visit: Visit): Promise<boolean>;
  /** As isCompleted for many anchors at once (rows of a list): the ids that are done. */
  completedAnchors(visit: Visit, anchors: readonly BaseModel[]): Promise<ReadonlySet<string>>;
  /** A person's open runs of one wizard, or of all in this portal and tenant, the latest first. */
  open(controller: BaseController, wizard?: string, limit?: number): Promise<readonly Run[]>;
  /** Steps of a run with what is known of each, for stepper and review. */
  progress(visit: Visit, run: Run): Promise<readonly StepProgress[]>;
  sweep(): Promise<SweepReport>;
  /** Writes a completed run of a one-time wizard where there is none; false where there is. */
  markCompleted(host: Application, mount: Mount, person: Person): Promise<boolean>;
}
/** For whom a one-time wizard counts as completed. */
export interface Person {
  /** The account type of the user: `user`. */
  readonly account: string;
  readonly user: BaseModel;
  /** The tenant, of a wizard in a scoped portal. */
  readonly entity?: BaseModel;
  readonly anchor?: BaseModel;
}
export interface StepProgress {
  readonly step: StepSpec;
  readonly visited: boolean;
  /** Filled and valid. */
  readonly complete: boolean;
  readonly current: boolean;
  /** May be opened from here. */
  readonly reachable: boolean;
}
export interface SweepReport {
  readonly unstarted: number;
  readonly expired: number;
  readonly recovered: number;
  readonly completed: number;
  readonly events: number;
}
