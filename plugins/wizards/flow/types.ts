import type { Associations, AttributeName, BaseModel, Rules } from "framewright/plugins/database";
import type { FieldOptions } from "framewright/plugins/resources";
import type { StagedFile, StepContext } from "../contract/index.ts";

/** What a field of each word holds once it is filled in; a repeated one is a list, a group an object. */
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
  bigint: number;
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
export type FieldWord = keyof FieldValues;

/** What a field without a model is held to; only a model's attribute can be unique. */
export type FieldRules = Omit<Rules, "uniqueness">;
/** How a field of a step is asked for, and what it is held to. `required` is `presence` as well. */
export interface StepFieldOptions<T = unknown> extends Omit<FieldOptions, "as" | "choices">, FieldRules {
  /** What stands in the form as long as nothing was answered. */
  default?: T;
}
export interface FileFieldOptions extends StepFieldOptions<never> {
  /** Media types (`image/png`, `image/*`) or endings (`.pdf`). */
  accept?: readonly string[];
  /** Bytes. */
  maximum?: number;
}
export interface GroupOptions {
  label?: string;
  hint?: string;
}
export interface RepeatedOptions extends GroupOptions {
  /** The fewest entries; 0 unless told. */
  minimum?: number;
  /** The most entries; 20 unless told. */
  maximum?: number;
}
export type OptionsOf<W extends FieldWord> = W extends "file" ? FileFieldOptions : StepFieldOptions<FieldValues[W]>;

export type Choices = readonly (string | { readonly value: string; readonly label: string })[];
export type ChoiceOf<C extends Choices> = C[number] extends infer One
  ? One extends { readonly value: infer V extends string }
    ? V
    : One extends string
      ? One
      : never
  : never;

export type Presence = Rules["presence"] | undefined;
export type Need = boolean | undefined;
/** Reads off an options object whether the field has to be filled in. */
export interface Asked<P extends Presence, R extends Need> {
  presence?: P;
  required?: R;
}
/** A field that may be left empty is null then. */
export type Held<T, P, R> = [P] extends [true | object] ? T : [R] extends [true] ? T : T | null;
export type FieldValue<W extends FieldWord, P, R> = W extends "boolean" ? boolean : Held<FieldValues[W], P, R>;
export type Simplify<T> = { [K in keyof T]: T[K] } & {};

type AssociationOf<M extends BaseModel> = Associations<M>[number];
/** The attributes of a model that `using` can take over: columns and money. */
export type Importable<M extends BaseModel> = [M] extends [never]
  ? never
  : string extends AttributeName<M>
    ? string
    : Exclude<AttributeName<M>, AssociationOf<M>>;
/** What is left out unless `fields` names it: what nobody types in, and what looks like a credential. */
type LeftOut =
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
type Named<M extends BaseModel, N extends string, X extends string> = [N] extends [never]
  ? Exclude<Importable<M>, LeftOut | X>
  : N;
/** The model's own types of what is taken over. */
export type Imported<M extends BaseModel, N extends string, X extends string> = [M] extends [never]
  ? {}
  : { [K in Named<M, N, X>]: K extends keyof M ? M[K] : unknown };

/** What a condition looks at: the answers of the steps before it, as far as there are any. */
export interface ConditionContext<Data> extends StepContext {
  readonly data: Readonly<Partial<Data>>;
}

export interface StepOptions<Data, R extends boolean, M extends BaseModel, N extends string, X extends string> {
  label?: string;
  description?: string;
  /** Whether the step is asked for; without it, it always is. */
  condition?: (context: ConditionContext<Data>) => R;
  /** Former names of the step, so that runs of yesterday go on. */
  was?: string | readonly string[];
  /** A model whose attributes are asked for as the model says: types, labels, choices and validations. */
  using?: { new (): M };
  /** Which of the model's attributes; all that a person can type in unless told. */
  fields?: readonly N[];
  /** Which of them not. */
  except?: readonly X[];
}

/** The answers when all is done: steps with a condition may be absent. */
export type Answers<Data, Conditional extends keyof Data> = Simplify<
  Omit<Data, Conditional> & Partial<Pick<Data, Conditional>>
>;
