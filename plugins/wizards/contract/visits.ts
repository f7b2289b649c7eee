import type { Application, BaseController, FieldErrors, ParamObject, Params } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import type { Notice, Run, RunOutcome } from "./runs.ts";
import type { StepSpec, WizardClass } from "./steps.ts";

/** Where a wizard can be reached; created when routes are drawn. */
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
/** One request at a mount, as `pages/open_request.ts` passes it to the engine. */
export interface Visit {
  readonly mount: Mount;
  readonly controller: BaseController;
  readonly anchor: BaseModel | undefined;
  /** The base path of this request's wizard: `/admin/posts/3/wizards/configure`. */
  readonly base: string;
  /** Where cancel leads, a safe path; only read by launch. */
  readonly returnTo: string | undefined;
}

/** The result of an operation on a run; `pages/replies.ts` turns each kind into a response: 303, 422, 404… */
export type StepResult =
  | { readonly kind: "step"; readonly run: Run; readonly step: string; readonly notices?: readonly Notice[] }
  | {
      readonly kind: "invalid";
      readonly run: Run;
      readonly step: string;
      readonly errors: FieldErrors;
      /** Undefined where nothing was sent for that step: its form shows the stored answers. */
      readonly typed: ParamObject | undefined;
    }
  | { readonly kind: "done"; readonly run: Run; readonly outcome: RunOutcome }
  | { readonly kind: "cancelled"; readonly returnTo: string | undefined }
  | { readonly kind: "busy"; readonly run: Run }
  | { readonly kind: "gone" };

/** What a step's form is sent for; "review" saves it and returns to the review, or to the first step that it lacks. */
export type Direction = "next" | "back" | "review" | "cancel";

/** A saved draft: the run, and the input as its form shows it. */
export interface SavedDraft {
  readonly run: Run;
  readonly typed: ParamObject;
}

/** Which of a person's open runs are listed. */
export interface OpenRunsFilter {
  /** The wizard's constant. */
  readonly wizard?: string | undefined;
  /** The record that the runs are anchored to. */
  readonly anchor?: BaseModel | undefined;
  readonly limit?: number | undefined;
}

/** All operations on runs; `runs/engine.ts` implements it. Every method recovers and migrates the run that it finds. */
export interface RunEngine {
  /** Finds or creates the run. */
  launch(visit: Visit): Promise<StepResult>;
  /** The run at a URL, or the one of its runs with this id; undefined for none, or another person's (404). */
  find(visit: Visit, token: string | undefined, id?: number): Promise<Run | undefined>;
  /** What GET of a step shows: this step, or a redirect. */
  resolveStep(visit: Visit, run: Run, step: string): Promise<StepResult>;
  advance(visit: Visit, run: Run, step: string, params: Params, direction: Direction): Promise<StepResult>;
  /** PUT: saves a draft. @throws HttpError 404, 409, 413 */
  autosave(visit: Visit, run: Run, step: string, typed: ParamObject): Promise<SavedDraft>;
  /** Whether the one-time wizard is completed for the visit's key. */
  isCompleted(visit: Visit): Promise<boolean>;
  /** isCompleted for many anchors (the rows of a list): the ids that are completed. */
  completedAnchors(visit: Visit, anchors: readonly BaseModel[]): Promise<ReadonlySet<string>>;
  /** A person's open runs in this portal and tenant, the latest first; all, or those of a wizard or a record. */
  openRuns(controller: BaseController, filter?: OpenRunsFilter): Promise<readonly Run[]>;
  /** The run with this id at the visit's mount, if the person launched it or its key is the visit's (404 otherwise). */
  findOwn(visit: Visit, id: number): Promise<Run | undefined>;
  /** The visible steps of a run with the state of each, for stepper and review. */
  progress(visit: Visit, run: Run): Promise<readonly StepProgress[]>;
  sweep(): Promise<SweepReport>;
  /** Inserts a completed run of a one-time wizard; false where there is one. */
  markCompleted(host: Application, mount: Mount, person: Person): Promise<boolean>;
}
/** The person for whom a one-time wizard is marked as completed. */
export interface Person {
  /** The account type of the user: `user`. */
  readonly account: string;
  readonly user: BaseModel;
  /** The tenant, for a wizard in a scoped portal. */
  readonly entity?: BaseModel;
  readonly anchor?: BaseModel;
}
export interface StepProgress {
  readonly step: StepSpec;
  readonly visited: boolean;
  /** Filled and valid. */
  readonly complete: boolean;
  readonly current: boolean;
  /** The person may open it now; other steps redirect. */
  readonly reachable: boolean;
}
export interface SweepReport {
  readonly unstarted: number;
  readonly expired: number;
  readonly recovered: number;
  readonly completed: number;
  readonly events: number;
}
