import type { Application, BaseController, FieldErrors, ParamObject, Params } from "framewright";
import type { BaseModel, Query, Rules, Transaction } from "framewright/plugins/database";
import type { FieldOptions, Outcome } from "framewright/plugins/resources";

/** What is kept of a step: text, numbers, booleans, ISO times, files as `StagedFile`, groups as objects, repeated ones as lists. */
export type StepValues = Record<string, unknown>;
/** All steps' answers by the step's key. */
export type Staged = Record<string, StepValues>;

/** A file that was sent with a step: it lies in the slot `storage` until the run is done with it. */
export interface StagedFile {
  readonly key: string;
  readonly filename: string;
  readonly type: string;
  /** Bytes. */
  readonly size: number;
}

/** A field of a step, as `steps().step(…, (f) => …)` said it. */
export interface FieldSpec {
  readonly name: string;
  /** A key of resources' `inputs`, or "group", "repeated". */
  readonly type: string;
  readonly options: FieldOptions &
    Rules & {
      readonly default?: unknown;
      readonly accept?: readonly string[];
      readonly maximum?: number;
      readonly minimum?: number;
    };
  /** The fields of a group or of one repeated entry. */
  readonly fields: readonly FieldSpec[];
  /** The model attribute that it was taken from by `using`. */
  readonly model?: string;
}

export interface StepContext {
  readonly currentUser: unknown;
  readonly currentScopedEntity: unknown;
  readonly anchor: BaseModel | undefined;
}
/** What `onSubmit` and `onRollback` are handed; `data` is typed by the flow. */
export interface SubmitContext<Data = unknown> extends StepContext {
  readonly data: Data;
  readonly persisted: Readonly<Record<string, BaseModel>>;
  query: <M extends BaseModel>(model: { new (): M }) => Query<M>;
  /** Makes a record, or changes the one that was made under this key before; destroyed when the run is cancelled, pruned or expires. */
  persist<M extends BaseModel>(
    key: string,
    model: { new (): M },
    values: Partial<Record<keyof M, unknown>>,
  ): Promise<M>;
  /** Stops the step: what it wrote is undone, the form is shown with what is said. */
  fail(fields: FieldErrors | string): never;
}
export interface StepSpec {
  readonly key: string;
  readonly label: string | undefined;
  readonly description: string | undefined;
  readonly review: boolean;
  readonly fields: readonly FieldSpec[];
  /** Former names. */
  readonly was: readonly string[];
  readonly condition: ((context: StepContext & { data: unknown }) => boolean) | undefined;
  readonly onSubmit: ((context: SubmitContext) => unknown) | undefined;
  readonly onRollback: ((context: SubmitContext) => unknown) | undefined;
}

/** How a wizard's runs are told apart: the options after their defaults. */
export interface WizardFacts {
  readonly presents: { readonly label?: string; readonly icon?: string; readonly description?: string };
  readonly anchored: { readonly with?: readonly { new (): BaseModel }[]; readonly via?: string } | undefined;
  readonly concurrencyKey: ((run: StepContext) => unknown) | undefined;
  readonly oneTime: boolean;
  readonly anonymous: boolean;
  readonly navigation: "linear" | "free";
  readonly stepper: boolean;
  readonly onRelaunch: "ask" | "new";
  readonly cleanupAfter: number | "never" | undefined;
  readonly encryptData: boolean;
  readonly completed: { readonly title?: string; readonly text?: string } | undefined;
  readonly width: "narrow" | "normal" | "wide";
}
/** "tokened": a row each launch, named by the URL's token; "keyed": one open row a key; "guest": one open row a browser session. */
export type RunKind = "tokened" | "keyed" | "guest";

/** What a wizard object is made with. */
export interface WizardContext extends StepContext {
  readonly staged: Staged;
  readonly persisted: Readonly<Record<string, BaseModel>>;
  readonly controller: BaseController;
  readonly transaction: Transaction | undefined;
}
/** The face of every wizard class, whatever its flow (A: wizard.ts makes them). */
export interface WizardClass {
  new (context: WizardContext): WizardObject;
  readonly flow: FlowFace;
  readonly facts: WizardFacts;
  readonly name: string;
}
export interface WizardObject {
  readonly data: unknown;
  readonly currentUser: unknown;
  readonly anchor: BaseModel;
  authorize?(): boolean | Promise<boolean>;
  execute(): Promise<Outcome>;
}
/** What engine and pages ask of a flow (A: flow/flow.ts). */
export interface FlowFace {
  readonly steps: readonly StepSpec[];
  /** Each step's fields and their types, as it is stored with a run. */
  readonly schema: FlowSchema;
  step(key: string): StepSpec | undefined;
  /** The steps whose conditions hold for these answers, in their order. */
  visible(staged: Staged, context: StepContext): readonly StepSpec[];
  /** The answers as the application reads them: dates as Date, files as StagedFile, unfilled steps absent. */
  data(staged: Staged): unknown;
}
/** `{ company: { name: "string", "invites[].email": "email" } }` */
export type FlowSchema = Record<string, Record<string, string>>;

/** What a submission of a step said (A: flow/reading.ts `readStep`). */
export interface StepRead {
  readonly values: StepValues;
  readonly errors: FieldErrors;
}
/** Files that came along are put into the storage slot first by `stageFiles`; then it is values only. */
export type ReadStep = (step: StepSpec, params: Params, before: StepValues | undefined) => StepRead;
/** Rules of the fields, the model's where it was imported, each error under its field (`invites.0.email`). */
export type CheckStep = (step: StepSpec, values: StepValues, context: StepContext) => Promise<FieldErrors>;

export type RunState = "in_progress" | "completing" | "completed";
/** A run as hooks and pages see it; never its answers. */
export interface RunInfo {
  readonly id: number;
  /** The wizard's constant: `OnboardOrganizationWizard`. */
  readonly wizard: string;
  readonly kind: RunKind;
  readonly state: RunState;
  readonly cursor: string;
  readonly portal: string | undefined;
  readonly anchorType: string | undefined;
  readonly anchorId: string | undefined;
  readonly scopeGid: string | undefined;
  readonly startedAt: Date | undefined;
  readonly updatedAt: Date;
}
/** A run with what is in it, as one request works on it (B: runs/run.ts). */
export interface Run extends RunInfo {
  readonly staged: Staged;
  /** What was typed and not sent, by step. */
  readonly drafts: Record<string, ParamObject>;
  readonly visited: readonly string[];
  readonly persisted: readonly {
    readonly key: string;
    readonly step: string;
    readonly model: string;
    readonly id: string;
  }[];
  readonly schema: FlowSchema;
  readonly version: number;
  readonly token: string | undefined;
  readonly returnTo: string | undefined;
  readonly outcome: RunOutcome | undefined;
  /** What the person has to be told on the next page: texts of en.json with their variables. */
  readonly notices: readonly Notice[];
}
export interface RunOutcome {
  /** Where it led: a path that was checked, or undefined for the completed page. */
  readonly location: string | undefined;
  readonly message: string | undefined;
}
export interface Notice {
  readonly text: string;
  readonly vars?: Record<string, unknown>;
}

/** Where a wizard can be reached; C makes one a mount at boot. */
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
/** One request at a mount; C makes it, the engine does the rest. */
export interface Visit {
  readonly mount: Mount;
  readonly controller: BaseController;
  readonly anchor: BaseModel | undefined;
  /** The base path of this request's wizard: `/admin/posts/3/wizards/configure`. */
  readonly base: string;
  /** Where cancel leads, as the sanitizer left it; only looked at by launch. */
  readonly returnTo: string | undefined;
}

/** What a request came to; C answers each: 303, 422, 404… */
export type Move =
  | { readonly kind: "step"; readonly run: Run; readonly step: string; readonly notices?: readonly Notice[] }
  | {
      readonly kind: "invalid";
      readonly run: Run;
      readonly step: string;
      readonly errors: FieldErrors;
      readonly typed: ParamObject;
    }
  | { readonly kind: "done"; readonly run: Run; readonly outcome: RunOutcome }
  | { readonly kind: "cancelled"; readonly returnTo: string | undefined }
  | { readonly kind: "busy"; readonly run: Run }
  | { readonly kind: "gone" };

/** The engine (B: runs/engine.ts). Every method recovers and migrates the run that it finds. */
export interface Engine {
  /** Finds or makes the run (S4.4 launch rules 1, 2). `offers`: other open runs of a tokened wizard that was launched again. */
  launch(visit: Visit): Promise<Move>;
  /** The run that a URL names, or that one of its runs which has an id; undefined for none, or somebody else's (404). */
  find(visit: Visit, token: string | undefined, id?: number): Promise<Run | undefined>;
  /** What GET of a step shows: this step, or where to go instead. */
  look(visit: Visit, run: Run, step: string): Promise<Move>;
  advance(visit: Visit, run: Run, step: string, params: Params, direction: "next" | "back" | "cancel"): Promise<Move>;
  /** PUT: keeps what was typed. @throws HttpError 404, 409, 413 */
  autosave(visit: Visit, run: Run, step: string, typed: ParamObject): Promise<void>;
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

/** Public event (S6). */
export interface WizardEvent {
  readonly kind:
    | "launched"
    | "submitted"
    | "completed"
    | "failed"
    | "cancelled"
    | "expired"
    | "migrated"
    | "pruned"
    | "recovered";
  readonly run: RunInfo;
  readonly step: string | undefined;
}

/** Whose a run is: an account type, or another mode of authentication, and an id of it. */
export interface RunOwner {
  readonly type: string;
  readonly id: string;
}
export interface RunFilter {
  readonly wizard?: string;
  readonly portal?: string;
  readonly scopeGid?: string;
  readonly limit?: number;
}

/** The slot `wizardStore`: rows of runs. The standard filler keeps them in the database (B: store/). */
export interface WizardStore {
  /** Inserts; false when another run holds the same claim. */
  insert(row: RunRow): Promise<number | false>;
  byClaim(claims: readonly string[]): Promise<RunRow | undefined>;
  /** The runs of many claims at once. */
  byClaims(claims: readonly string[]): Promise<RunRow[]>;
  /** The latest run under an identity, completed ones included: for replay. */
  latest(identities: readonly string[]): Promise<RunRow | undefined>;
  byId(id: number): Promise<RunRow | undefined>;
  /** Works on the row while nobody else does; in the application's own transaction where the store has one. */
  locked<T>(id: number, work: (row: RunRow | undefined, transaction: Transaction) => Promise<T>): Promise<T>;
  /** Updates where `version` (and what else is given) still holds; true when it did. */
  update(id: number, where: Partial<RunRow>, change: Partial<RunRow>, transaction?: Transaction): Promise<boolean>;
  delete(id: number, transaction?: Transaction): Promise<boolean>;
  /** The runs that a person has begun and not ended, the latest first; 100 unless told. */
  open(owner: RunOwner, filter: RunFilter): Promise<RunRow[]>;
  /** A person's tokened runs of a wizard that were launched and never begun: the ids of those after the latest ones. */
  unbegun(owner: RunOwner, wizard: string, after: number): Promise<number[]>;
  /** Removes those of these runs that nobody has begun, and says how many. */
  forget(ids: readonly number[]): Promise<number>;
  due(what: "unstarted" | "expired" | "stale" | "completed", before: Date, limit: number): Promise<RunRow[]>;
  record(event: EventRow, transaction?: Transaction): Promise<void>;
  trail(runId: number): Promise<EventRow[]>;
  sweepEvents(before: Date, limit: number): Promise<number>;
  /** Takes the lease until an instant; false when another holder has it. */
  lease(name: string, holder: string, until: Date): Promise<boolean>;
}
/** A row of `framewright_wizard_runs`; texts are JSON, sealed where the wizard says `encryptData` or asks for a password. */
export interface RunRow {
  id?: number;
  wizard: string;
  kind: RunKind;
  state: RunState;
  /** Digest of the key, the guest or the token; kept for replay after the claim is free. */
  identity: string;
  /** The same while the run is the one of its key (unique); null once another may be launched. */
  claim: string | null;
  token: string | null;
  owner_type: string | null;
  owner_id: string | null;
  anchor_type: string | null;
  anchor_id: string | null;
  scope_gid: string | null;
  portal: string | null;
  /** The mount's base path, where the run is gone on with. */
  base: string;
  cursor: string;
  visited: string;
  data: string | null;
  drafts: string | null;
  persisted: string | null;
  schema_map: string;
  return_to: string | null;
  outcome: string | null;
  attempt: string | null;
  completing_at: Date | null;
  version: number;
  started_at: Date | null;
  expires_at: Date | null;
  created_at: Date;
  updated_at: Date;
  completed_at: Date | null;
}
export interface EventRow {
  id?: number;
  run_id: number;
  wizard: string;
  kind: string;
  step: string | null;
  actor_type: string | null;
  actor_id: string | null;
  /** JSON; names of steps, never values. */
  detail: string | null;
  at: Date;
}
