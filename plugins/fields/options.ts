import type { Tenant } from "framewright/host";
import { type AnyRecord, BaseModel, ModelInfo, type Query, type Rules } from "framewright/plugins/database";
import type { FieldType } from "./types/field_type.ts";
import type { FieldTypeName } from "./types/field_types.ts";

/** How a field is entered and shown. */
export interface FieldOptions {
  /** A type of fields, of the framework's or of a plugin's. */
  as?: FieldTypeName;
  label?: string;
  hint?: string;
  placeholder?: string;
  required?: boolean;
  autocomplete?: string;
  choices?: readonly (string | { value: string; label: string })[];
  /** Tones of a status: `{ published: "success" }`; the rest is neutral. Without it common words have theirs, as "sent" and "failed". */
  tones?: Record<string, "neutral" | "success" | "warning" | "danger" | "info">;
  /** Of an amount of money: its currency, as "EUR", which is shown beside the input and the value. */
  currency?: string;
  /** Of a number: what it counts, as "kg", which is shown beside the input and the value. */
  unit?: string;
  /** Of `as: "range"`: the ends of the slider, and the step between its values; 1 without it. */
  range?: { readonly from: number; readonly to: number; readonly step?: number };
  /** Of a file: `.pdf`, `image/*`, `image/png`. */
  accept?: readonly string[];
  /** Of a file: its most bytes. */
  maximum?: number;
}

/** A choice: its value, which is its label too; a value and a label; or a record, by its key and its label. */
export type ChoiceOption = string | { readonly value: string; readonly label: string } | BaseModel;
/** What is chosen from. */
export type ChoiceList = readonly ChoiceOption[];

/** A choice with its label; of a record its key and its label. */
export function choiceOf(choice: ChoiceOption): { value: string; label: string } {
  if (choice instanceof BaseModel) return { value: String(ModelInfo.keyOf(choice)), label: choice.toLabel() };
  return typeof choice === "string" ? { value: choice, label: choice } : choice;
}

/** What a field's condition and default are given. */
export interface FieldContext<M extends AnyRecord = BaseModel, Values = Record<string, unknown>> {
  /** The record, where there is one: of a wizard, the one that it is anchored to. */
  record: M | undefined;
  /** The values of the fields before this one, as they will be read; null for those that are empty or not shown. */
  values: Readonly<Values>;
  currentUser: unknown;
  currentScopedEntity: Tenant | undefined;
}
/** What choices are found with. */
export interface ChoicesContext<M extends AnyRecord = BaseModel, Values = Record<string, unknown>>
  extends FieldContext<M, Values> {
  /** The records of a model that the person may see: within the tenant, and by the model's policy in this portal. */
  query<T extends BaseModel>(model: { new (): T }): Query<T>;
}

// Declared as methods: what is written for one model's record is taken where any model's is.
type DefaultFunction<M extends AnyRecord, Values> = { of(context: FieldContext<M, Values>): unknown }["of"];
type ChoicesFunction<M extends AnyRecord, Values> = {
  of(context: ChoicesContext<M, Values>): ChoiceList | PromiseLike<ChoiceList>;
}["of"];

/** What is asked for by a field of an interaction, of a wizard's step or of a record's form. */
export interface InputOptions<M extends AnyRecord = BaseModel, Values = Record<string, unknown>>
  extends Omit<FieldOptions, "choices" | "tones"> {
  /** What the form begins with, and the value where nothing is sent; a function is called each time. */
  default?: {} | null | DefaultFunction<M, Values>;
  /** Nothing else is accepted; a function is called each time, and returns texts, labelled values or records. */
  choices?: ChoiceList | ChoicesFunction<M, Values>;
  /**
   * Whether the form has it under "More fields" at its end, closed until somebody needs it; never of a field that has to be filled in.
   * By default fields of types that are so, as json, and numbers called `position`, `sort_order` or `ordinal`.
   */
  secondary?: boolean;
  /** Where it is false the field is neither shown nor required, and what is sent for it is ignored. */
  condition?(context: FieldContext<M, Values>): boolean;
}
/** The rules of a value that no column has. */
export type ValueRules = Omit<Rules, "uniqueness">;

/** A field as the shared parts read it, wherever it was declared. */
export interface DeclaredField extends Omit<InputOptions, "as">, ValueRules {
  /** The name of a type of fields. */
  as: string;
  /** The model whose records are chosen from, of `as: "association"`. */
  model?: { new (): BaseModel };
}

/** Whether what is shown of a field depends on the other fields: its form is brought up to date while it is filled in. */
export const isDynamic = ({ condition, choices }: Pick<InputOptions, "condition" | "choices">): boolean =>
  condition !== undefined || typeof choices === "function";

/** Whether a field has a function that is given the values of the fields before it. */
export const readsOthers = (field: Pick<InputOptions, "condition" | "choices" | "default">): boolean =>
  isDynamic(field) || typeof field.default === "function";

/** Whether a field is shown, by its condition. */
export const isShown = ({ condition }: Pick<InputOptions, "condition">, context: FieldContext): boolean =>
  condition === undefined || condition(context);

/** What a field begins with; what an empty one of its type has, where it declares nothing. */
export function defaultOf(
  { default: given }: Pick<DeclaredField, "default">,
  context: FieldContext,
  { empty }: Pick<FieldType, "empty">,
): unknown {
  const value: unknown = typeof given === "function" ? given(context) : given;
  return value ?? empty;
}

/** Whether a field has to be filled in. */
export const isRequired = ({ required, presence }: Pick<DeclaredField, "required" | "presence">): boolean =>
  Boolean(required || presence);
