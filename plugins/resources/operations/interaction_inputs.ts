import type { FieldErrors, Params, ParamValue, UploadedFile } from "framewright/host";
import { type ColumnType, customProblems, type Problem, type Rules, valueProblems } from "framewright/plugins/database";
import type { ActionContext } from "../definition/actions.ts";
import type { FieldOptions } from "../definition/definition.ts";
import { readFile } from "./file_fields.ts";
import { coerceColumn, coerceMoney } from "./read_values.ts";

export type InputChoices = readonly (string | { value: string; label: string })[];

/** The input of one value of an interaction, and the rules of the value. */
export interface InteractionInput extends Omit<FieldOptions, "choices" | "tones">, Omit<Rules, "uniqueness"> {
  /** A type of `inputs`; the value that `execute` gets is of this type, from a form and from JSON alike. */
  as: string;
  /** What the form begins with, and the value where nothing is sent; a function is called each time. */
  default?: unknown;
  /** Nothing else is accepted; a function is called each time. */
  choices?: InputChoices | ((context: ActionContext) => InputChoices | Promise<InputChoices>);
}

/** The inputs of an interaction, by name. */
export type InteractionAttributes = Readonly<Record<string, InteractionInput>>;

interface ValueTypes {
  integer: number;
  bigint: number;
  float: number;
  datetime: Date;
  json: unknown;
  file: UploadedFile;
}
type ValueOf<I> = I extends { as: "boolean" }
  ? boolean
  :
      | (I extends { as: infer A extends keyof ValueTypes } ? ValueTypes[A] : string)
      | (I extends { required: true } ? never : null);

/** The values of an interaction's inputs, written down `as const`: `Interaction<Post, InteractionValues<typeof attributes>>`. */
export type InteractionValues<A extends InteractionAttributes> = { readonly [N in keyof A]: ValueOf<A[N]> };

/** What was sent for an interaction: a value for each of its inputs and for no other name, and what is wrong. */
export interface InputsRead {
  readonly values: Record<string, unknown>;
  readonly errors: FieldErrors;
}

/** Looks a text up; the English one stands in for it, as in `request.tOr`. */
type Say = (key: string, english: string, vars?: Record<string, unknown>) => string;

/** Reads what was sent, from a form and from JSON alike: converts it, and checks choices and rules. */
export async function readInputs(
  attributes: InteractionAttributes,
  sent: Params,
  context: ActionContext,
  say: Say,
): Promise<InputsRead> {
  const values: Record<string, unknown> = {};
  const problems: Record<string, Problem[]> = {};
  for (const [name, input] of Object.entries(attributes)) {
    const read = sent.has(name) ? readInput(input, sent.get(name)!) : readDefault(input, context);
    values[name] = "problem" in read ? null : read.value;
    problems[name] = "problem" in read ? [problemOf(read)] : [];
  }
  for (const [name, input] of Object.entries(attributes)) {
    if (problems[name]!.length > 0) continue;
    const rules = await rulesOf(input, context);
    problems[name] = [
      ...valueProblems(values[name], rules),
      ...(await customProblems(values[name], rules, values, undefined)),
    ];
  }
  const wrong = Object.entries(problems).filter(([, list]) => list.length > 0);
  const texts = wrong.map(([name, list]) => [name, list.map(({ key, message, vars }) => say(key, message, vars))]);
  return { values, errors: Object.fromEntries(texts) as FieldErrors };
}

const problemOf = ({ problem, vars = {} }: { problem: string; vars?: Record<string, unknown> }): Problem => ({
  key: problem,
  vars,
  message: problem.replace("errors.", "").replaceAll("_", " "),
});

/** What an input begins with. */
export function defaultOf({ as, default: given }: InteractionInput, context: ActionContext): unknown {
  const value: unknown = typeof given === "function" ? given(context) : given;
  return value ?? (as === "boolean" ? false : null);
}

/** A default is of the type that is typed. */
function readDefault(input: InteractionInput, context: ActionContext): Read {
  const value = defaultOf(input, context);
  if (value instanceof Date) return { value: input.as === "date" ? value.toISOString().slice(0, 10) : value };
  return typeof value === "object" ? { value } : readInput(input, value as ParamValue);
}

/** The choices of an input; undefined where anything may be given. */
export async function choicesOf({ choices }: InteractionInput, context: ActionContext) {
  const given = typeof choices === "function" ? await choices(context) : choices;
  return given?.map((choice) => (typeof choice === "string" ? { value: choice, label: choice } : choice));
}

async function rulesOf(input: InteractionInput, context: ActionContext): Promise<Rules> {
  const choices = await choicesOf(input, context);
  const inclusion = choices?.map(({ value }) => value);
  const presence = input.presence ?? input.required === true;
  return { ...input, ...(presence ? { presence } : {}), ...(inclusion && !input.inclusion ? { inclusion } : {}) };
}

type Read = { value: unknown } | { problem: string; vars?: Record<string, unknown> };

function readInput(input: InteractionInput, given: ParamValue): Read {
  if (input.as === "file") return readFile(input, given);
  if (input.as === "money") return coerceMoney(given);
  const read = coerceColumn(given, { ...column, type: columnTypes[input.as] ?? "string" });
  if ("problem" in read) return read;
  if (input.as === "boolean") return { value: read.value === true };
  return isShaped(input, read.value) ? read : { problem: "errors.invalid" };
}

/** A value is checked by a column's type, and by nothing else of a column. */
const column = { name: "", nullable: true, default: undefined, hasDefault: false, primary: false, unique: false };
/** The types of columns for what inputs read. */
export const columnTypes: Readonly<Record<string, ColumnType>> = {
  text: "text",
  markdown: "text",
  json: "json",
  integer: "integer",
  bigint: "bigint",
  float: "float",
  decimal: "decimal",
  boolean: "boolean",
  date: "date",
  datetime: "datetime",
  time: "time",
};

const shapes: Readonly<Record<string, RegExp>> = {
  email: /^[^\s@]+@[^\s@]+$/,
  url: /^https?:\/\/[^\s/]+\S*$/i,
  color: /^#[0-9a-f]{6}$/i,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
};
const isShaped = ({ as }: InteractionInput, value: unknown): boolean =>
  value === null || (shapes[as]?.test(String(value)) ?? true);
