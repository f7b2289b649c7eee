import type { BaseController, FieldErrors, SafeHtml, Tenant } from "framewright/host";
import type { BaseModel, Query, QueryPlace, Transaction } from "framewright/plugins/database";
import type { FieldSource, FieldTypeTable } from "framewright/plugins/fields";
import type {
  FieldScope as CommonScope,
  FieldSpec,
  FieldValues,
  StagedFile,
  TreeReading,
} from "framewright/plugins/fields/rows";
import type { Success } from "framewright/plugins/resources";

export type { FieldSpec, StagedFile };
/** The stored answers of a step. */
export type StepValues = FieldValues;
/** The answers of all steps, by step key. */
export type Staged = Record<string, StepValues>;
/** The values read from a posted step, with their errors. */
export type StepReading = TreeReading;

export interface StepContext {
  readonly currentUser: unknown;
  readonly currentScopedEntity: Tenant | undefined;
  readonly anchor: BaseModel | undefined;
  /** Portal and tenant of queries; without it, queries are not scoped to a tenant. */
  readonly place?: QueryPlace;
  /** What there is to choose from; without it no record can be chosen. */
  readonly source?: FieldSource;
}
/** What the conditions, defaults and choices of a step's fields are given beside the values of the fields before them. */
export interface FieldScope extends CommonScope {
  readonly anchor: BaseModel | undefined;
  /** The answers of the steps before this one. */
  readonly data: unknown;
}
/** Throws with an error message, errors by field, or both. */
export interface Fail {
  (message: string): never;
  (fields: FieldErrors, message?: string): never;
}
/** The argument of `onSubmit` and `onRollback`; `data` is typed by the flow. */
export interface SubmitContext<Data = unknown> extends StepContext {
  readonly data: Data;
  readonly persisted: Readonly<Record<string, BaseModel>>;
  /** A query; in a scoped portal, within the tenant. */
  query: <M extends BaseModel>(model: { new (): M }) => Query<M>;
  /** A query over all tenants. */
  unscopedQuery: <M extends BaseModel>(model: { new (): M }) => Query<M>;
  /** Creates a record, or updates the one created under this key before; destroyed when the run is cancelled, pruned or expires. */
  persist<M extends BaseModel>(
    key: string,
    model: { new (): M },
    values: Partial<Record<keyof M, unknown>>,
  ): Promise<M>;
  /** The same as the exported `fail`: ends the step and rolls back what it wrote. */
  fail: Fail;
}
/** What the review shows. */
export interface ReviewSpec {
  /** Whether the answers of all steps are listed. */
  readonly summary: boolean;
  readonly content: ((context: ReviewData) => SafeHtml | undefined | Promise<SafeHtml | undefined>) | undefined;
}
export interface ReviewData extends StepContext {
  readonly data: unknown;
  query: <M extends BaseModel>(model: { new (): M }) => Query<M>;
}
export interface StepSpec {
  readonly key: string;
  readonly label: string | undefined;
  readonly description: string | undefined;
  /** The review; undefined for a step that asks for something. */
  readonly review: ReviewSpec | undefined;
  readonly fields: readonly FieldSpec[];
  /** Former names. */
  readonly was: readonly string[];
  readonly condition: ((context: StepContext & { data: unknown }) => boolean) | undefined;
  readonly onSubmit: ((context: SubmitContext) => unknown) | undefined;
  readonly onRollback: ((context: SubmitContext) => unknown) | undefined;
}

/** How wide the pages of a wizard are. */
export type WizardWidth = "narrow" | "normal" | "wide";
/** The options of a wizard with their defaults applied; undefined is what the plugin's options decide. */
export interface WizardMetadata {
  readonly presents: {
    readonly label?: string;
    readonly icon?: string;
    readonly description?: string;
    readonly group?: string;
  };
  readonly anchored: { readonly with?: readonly { new (): BaseModel }[]; readonly via?: string } | undefined;
  readonly concurrencyKey: ((run: StepContext) => unknown) | undefined;
  readonly shared: boolean;
  readonly oneTime: boolean;
  readonly anonymous: boolean;
  readonly navigation: "linear" | "free";
  readonly stepper: boolean;
  readonly onRelaunch: "ask" | "new";
  readonly cleanupAfter: number | "never" | undefined;
  readonly encryptData: boolean | undefined;
  readonly completed: { readonly title?: string; readonly text?: string } | undefined;
  readonly width: WizardWidth | undefined;
}
/** The constructor argument of a wizard. */
export interface WizardContext extends StepContext {
  readonly staged: Staged;
  readonly persisted: Readonly<Record<string, BaseModel>>;
  readonly controller: BaseController;
  readonly transaction: Transaction | undefined;
}
/** Every wizard class, whatever its flow; `Wizard(flow, …)` returns one. */
export interface WizardClass {
  new (context: WizardContext): WizardObject;
  readonly flow: WizardFlow;
  readonly metadata: WizardMetadata;
  readonly name: string;
}
export interface WizardObject {
  readonly data: unknown;
  readonly currentUser: unknown;
  readonly anchor: BaseModel;
  authorize?(): boolean | Promise<boolean>;
  execute(): Promise<Success>;
}
/** What engine and pages need from a flow; `flow/flow_steps.ts` implements it. */
export interface WizardFlow {
  readonly steps: readonly StepSpec[];
  /** Each step's fields and their types, as stored with a run. */
  readonly schema: FlowSchema;
  step(key: string): StepSpec | undefined;
  /** Resolves the types of its fields, for the application that mounts the wizard. @throws FW_WIZARD_FIELD_TYPE */
  bind(types: FieldTypeTable): void;
  /** The steps whose conditions are true for these answers, in order. */
  visible(staged: Staged, context: StepContext): readonly StepSpec[];
  /** What the fields of a step are given: the person who answers, and the answers of the visible steps before it. */
  scope(key: string, staged: Staged, context: StepContext): FieldScope;
  /** The answers as the application reads them: dates as Date, files as StagedFile, unanswered steps absent. */
  data(staged: Staged): unknown;
}
/** `{ company: { name: "string", "invites[].email": "email" } }` */
export type FlowSchema = Record<string, Record<string, string>>;
