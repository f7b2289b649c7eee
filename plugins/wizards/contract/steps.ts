import type { BaseController, FieldErrors } from "framewright/host";
import type { BaseModel, Query, QueryPlace, Rules, Transaction } from "framewright/plugins/database";
import type { FieldOptions, Success } from "framewright/plugins/resources";

/** What is kept of a step: text, numbers, booleans, ISO times, files as `StagedFile`, groups as objects, repeated ones as lists. */
export type StepValues = Record<string, unknown>;
/** All steps' answers by the step's key. */
export type Staged = Record<string, StepValues>;
/** A posted step as its fields took it, with what was wrong about it. */
export interface StepRead {
  readonly values: StepValues;
  readonly errors: FieldErrors;
}

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
  /** Where queries are handed out; without it nothing says that there are tenants. */
  readonly place?: QueryPlace;
}
/** Says what is wrong, as a text, by field, or both; it never returns. */
export interface Fail {
  (message: string): never;
  (fields: FieldErrors, message?: string): never;
}
/** What `onSubmit` and `onRollback` are handed; `data` is typed by the flow. */
export interface SubmitContext<Data = unknown> extends StepContext {
  readonly data: Data;
  readonly persisted: Readonly<Record<string, BaseModel>>;
  /** In a scoped portal it stays within the tenant. */
  query: <M extends BaseModel>(model: { new (): M }) => Query<M>;
  /** The same, of all tenants. */
  unscopedQuery: <M extends BaseModel>(model: { new (): M }) => Query<M>;
  /** Makes a record, or changes the one that was made under this key before; destroyed when the run is cancelled, pruned or expires. */
  persist<M extends BaseModel>(
    key: string,
    model: { new (): M },
    values: Partial<Record<keyof M, unknown>>,
  ): Promise<M>;
  /** The same as the `fail` that is exported: ends the step, and what it wrote is undone. */
  fail: Fail;
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
  readonly shared: boolean;
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
/** What a wizard object is made with. */
export interface WizardContext extends StepContext {
  readonly staged: Staged;
  readonly persisted: Readonly<Record<string, BaseModel>>;
  readonly controller: BaseController;
  readonly transaction: Transaction | undefined;
}
/** The face of every wizard class, whatever its flow; `Wizard(flow, …)` makes them. */
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
  execute(): Promise<Success>;
}
/** What engine and pages ask of a flow; `flow/flow_steps.ts` fills it. */
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
