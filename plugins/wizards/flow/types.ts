import type { SafeHtml } from "framewright/host";
import type { Associations, AttributeName, BaseModel, Query, Rules, Transaction } from "framewright/plugins/database";
import type {
  ChoiceList,
  ChoicesContext,
  FieldContext,
  FieldTypeName,
  FieldTypes,
  InputOptions,
} from "framewright/plugins/fields";
import type { TextContext, WithTexts } from "framewright/plugins/fields/rows";
import type { FieldScope, StagedFile, StepContext } from "../contract/index.ts";

/** The value of each field type once it is filled in; a repeated field is a list, a group an object. */
export interface FieldValues {
  string: string;
  text: string;
  markdown: string;
  email: string;
  url: string;
  tel: string;
  color: string;
  password: string;
  hidden: string;
  uuid: string;
  json: unknown;
  integer: number;
  /** A text, since a number would round it: `"9223372036854775807"`. */
  bigint: string;
  float: number;
  /** An exact text: `"12.34"`. */
  decimal: string;
  /** An exact text: `"12.34"`. */
  money: string;
  boolean: boolean;
  /** `YYYY-MM-DD` */
  date: string;
  /** `HH:MM` or `HH:MM:SS` */
  time: string;
  datetime: Date;
  file: StagedFile;
}
export type FieldType = keyof FieldValues;
/** The types of `f.field(…)`: these, and those of plugins. */
export type AnyFieldType = FieldType | Exclude<FieldTypeName, "select" | "enum" | "radio" | "association" | "binary">;

/** The validation rules of a field without a model; only a model's attribute can be unique. */
export type FieldRules = Omit<Rules, "uniqueness">;
/**
 * Returns what is wrong, as a text or the key of one, or undefined. It is called with null for a field that is empty; `values` are
 * those of the step, group or entry. A parameter may be declared narrower, where the field is required.
 */
type FieldRule<T> = {
  check(value: T | null, values: never, transaction: Transaction): string | undefined | Promise<string | undefined>;
}["check"];
/** What the functions of a field are given: the values of the fields before it in its step, group or entry, and the answers of the steps before. */
export interface StepFieldContext<F, Data> extends FieldContext<BaseModel, F>, Pick<FieldScope, "anchor"> {
  readonly data: Readonly<Partial<Data>>;
}
/** What the functions of a field's label, hint and placeholder are given: the answers of the steps before. */
export interface StepTextContext<Data> extends TextContext, Pick<FieldScope, "anchor"> {
  readonly data: Readonly<Partial<Data>>;
}
/** The same, with the records that may be chosen from. */
export type StepChoicesContext<F, Data> = StepFieldContext<F, Data> & Pick<ChoicesContext, "query">;
/** Where it is false the field is neither shown nor required, and what is sent for it is ignored. */
export type FieldCondition<F, Data, B extends boolean> = (context: StepFieldContext<F, Data>) => B;

/** The presentation and the validation rules of a field. `required` implies `presence`. */
export interface StepFieldOptions<T = unknown, F = {}, Data = {}>
  extends Omit<WithTexts<InputOptions, StepTextContext<Data>>, "as" | "choices" | "condition" | "default">,
    Omit<FieldRules, "custom"> {
  custom?: FieldRule<T> | readonly FieldRule<T>[];
  /** What the input begins with, and the value where nothing is sent; a function is called each time. */
  default?: T | ((context: StepFieldContext<F, Data>) => T | null | undefined);
}
/** Accepts media types (`image/png`, `image/*`) or extensions (`.pdf`), up to so many bytes. */
export type FileFieldOptions = Omit<StepFieldOptions<StagedFile>, "default">;
export interface GroupOptions<F = {}, Data = {}, B extends boolean = boolean> {
  label?: string;
  hint?: string;
  /** Where it is false the fields are neither shown nor required, and what is sent for them is ignored. */
  condition?: FieldCondition<F, Data, B>;
}
export interface RepeatedOptions<F = {}, Data = {}, B extends boolean = boolean> extends GroupOptions<F, Data, B> {
  /** The fewest entries; 0 by default. */
  minimum?: number;
  /** The most entries; 20 by default. */
  maximum?: number;
  /** Whether entries are shown by their first text until they are opened. */
  collapsed?: boolean;
}
export type OptionsOf<W extends AnyFieldType, F, Data> = W extends "file"
  ? FileFieldOptions
  : StepFieldOptions<FilledValue<W>, F, Data>;
type FilledValue<W extends AnyFieldType> = W extends FieldType ? FieldValues[W] : FieldTypes[W];

export type Choices = readonly (string | { readonly value: string; readonly label: string })[];
export type ChoiceOf<C extends Choices> = C[number] extends infer One
  ? One extends { readonly value: infer V extends string }
    ? V
    : One extends string
      ? One
      : never
  : never;

/** What is chosen from: a list, or a function that returns texts, labelled values or records. */
export type ChoicesOf<F, Data, C extends Choices> =
  | C
  | ((context: StepChoicesContext<F, Data>) => ChoiceList | PromiseLike<ChoiceList>);

export type Presence = Rules["presence"] | undefined;
export type RequiredFlag = boolean | undefined;
/** The options that decide whether the field has to be filled in. */
export interface RequiredOptions<P extends Presence, R extends RequiredFlag, F, Data, B extends boolean> {
  presence?: P;
  required?: R;
  condition?: FieldCondition<F, Data, B>;
}
/** An optional field is null when it is empty, and one with a condition when it is not shown. */
export type ValueOrNull<T, P, R, B> = [B] extends [never]
  ? [P] extends [true | object]
    ? T
    : [R] extends [true]
      ? T
      : T | null
  : T | null;
export type FieldValue<W extends AnyFieldType, P, R, B> = W extends "boolean"
  ? boolean
  : ValueOrNull<FilledValue<W>, P, R, B>;
/** A group with a condition is null when it is not shown. */
export type GroupValue<G, B> = [B] extends [never] ? Simplify<G> : Simplify<G> | null;
/** The key of a model's records. */
export type KeyOf<M> = M extends { id: infer K } ? K : number | string;
export type Simplify<T> = { [K in keyof T]: T[K] } & {};

type AssociationOf<M extends BaseModel> = Associations<M>[number];
/** The attributes of a model that `using` can import: columns and money. */
export type Importable<M extends BaseModel> = [M] extends [never]
  ? never
  : string extends AttributeName<M>
    ? string
    : Exclude<AttributeName<M>, AssociationOf<M>>;
/** Not imported unless `fields` names them: attributes that nobody types in, and those that look like credentials. */
type ExcludedByDefault =
  | "id"
  | "created_at"
  | "updated_at"
  | "lock_version"
  | "token"
  | "secret"
  | "hash"
  | `${string}password${string}`
  | `${string}_${"id" | "hash" | "token" | "secret" | "key" | "cents"}`
  | `otp_${string}`;
type ImportedNames<M extends BaseModel, N extends string, X extends string> = [N] extends [never]
  ? Exclude<Importable<M>, ExcludedByDefault | X>
  : N;
/** The imported attributes, with the model's types. */
export type Imported<M extends BaseModel, N extends string, X extends string> = [M] extends [never]
  ? {}
  : { [K in ImportedNames<M, N, X>]: K extends keyof M ? M[K] : unknown };

/** The argument of a condition: the answers of the steps before it, if any. */
export interface ConditionContext<Data> extends StepContext {
  readonly data: Readonly<Partial<Data>>;
}

export interface StepOptions<Data, R extends boolean, M extends BaseModel, N extends string, X extends string> {
  label?: string;
  description?: string;
  /** Whether the step is shown; always, without a condition. */
  condition?: (context: ConditionContext<Data>) => R;
  /** Former keys of the step, so that runs of an earlier release continue. */
  was?: string | readonly string[];
  /** A model to import attributes from, with their types, labels, choices and validations. */
  using?: { new (): M };
  /** Which of the model's attributes; by default all that a person can type in. */
  fields?: readonly N[];
  /** Attributes that are not imported. */
  except?: readonly X[];
}

/** What the content of the review is built from. */
export interface ReviewContext<Data> extends ConditionContext<Data> {
  /** A query; in a scoped portal, within the tenant. */
  query: <M extends BaseModel>(model: { new (): M }) => Query<M>;
}
export interface ReviewOptions<Data> {
  label?: string;
  description?: string;
  /** Whether the answers of all steps are listed, with links to change them; true by default. */
  summary?: boolean;
  /** Shown above the summary: html`<p>${data.company?.name}</p>` escapes what it is given. */
  content?(context: ReviewContext<Data>): SafeHtml | undefined | Promise<SafeHtml | undefined>;
}

/** The answers of a completed run: steps with a condition may be absent. */
export type Answers<Data, Conditional extends keyof Data> = Simplify<
  Omit<Data, Conditional> & Partial<Pick<Data, Conditional>>
>;
