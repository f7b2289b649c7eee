import type { FieldErrors, Params } from "framewright/host";
import { ModelInfo } from "framewright/plugins/database";
import {
  type ChoicesContext,
  type DeclaredField,
  type FieldSource,
  type FieldType,
  isDynamic,
  isShown,
  problemOf,
  readDefault,
  readField,
} from "framewright/plugins/fields";
import { type RowsSent, readRowsInput, rowsErrors, settleTexts } from "framewright/plugins/fields/rows";
import { type Refused, refusedFiles, standardTypes } from "framewright/plugins/fields/toolkit";
import type { AnyInteractionAttributes } from "../definition/interaction_values.ts";
import { rowsSpec } from "./interaction_rows.ts";

/** An input that is shown, and what its functions are given. */
export interface ShownInput {
  readonly name: string;
  readonly field: DeclaredField;
  readonly type: FieldType;
  readonly target: ModelInfo | undefined;
  readonly context: ChoicesContext;
  /** Of rows and groups: what was sent for them. */
  readonly rows?: RowsSent;
}
/** What was sent for the inputs of an interaction, before their rules. */
export interface InputsWalked {
  /** A value for each input, empty for those that are not shown, and for no other name. */
  readonly values: Record<string, unknown>;
  readonly shown: readonly ShownInput[];
  readonly refused: Readonly<Record<string, Refused>>;
}
/** What was sent for an interaction, and what is wrong with it. */
export interface InputsRead {
  readonly values: Record<string, unknown>;
  readonly errors: FieldErrors;
  /** The inputs that are shown only for what was sent. */
  readonly dynamic: readonly string[];
}

/** Looks a text up; falls back to the English one, as in `request.tOr`. */
type Say = (key: string, english: string, vars?: Record<string, unknown>) => string;

/** The model that an input chooses records of: the one that it names, else that of the association of its name. */
export function targetOf(
  name: string,
  { as, model }: Pick<DeclaredField, "as" | "model">,
  own: ModelInfo,
): ModelInfo | undefined {
  if (as !== "association") return undefined;
  if (model) return ModelInfo.of(model);
  const association = own.associations.get(name);
  return association?.kind === "belongsTo" ? association.target : undefined;
}

/** Reads the inputs in order: each one's condition, default and choices get the values of those before it. */
export function walkInputs(
  attributes: AnyInteractionAttributes,
  sent: Params | undefined,
  { source, own }: { source: FieldSource; own: ModelInfo },
): InputsWalked {
  const values: Record<string, unknown> = {};
  const shown: ShownInput[] = [];
  const refused: Record<string, Refused> = {};
  for (const [name, declared] of Object.entries(attributes)) {
    const field = settleTexts(declared) as DeclaredField;
    const context = source.context({ ...values });
    const type = source.typeOf(field.as);
    values[name] = field.as === "repeated" ? [] : (type.rows?.fromRows([]) ?? type.empty);
    if (!isShown(field, context)) continue;
    const spec = rowsSpec("an interaction", name, field, source.lookups?.fieldTypes ?? standardTypes);
    if (spec) {
      const rows = readRowsInput(spec, sent, source);
      shown.push({ name, field, type, target: undefined, context, rows });
      values[name] = rows.value;
      continue;
    }
    const target = targetOf(name, field, own);
    shown.push({ name, field, type, target, context });
    const by = { target, type };
    const read = sent?.has(name) ? readField(field, sent.get(name)!, by) : readDefault(field, context, by);
    if ("problem" in read) refused[name] = read;
    else values[name] = read.value;
  }
  return { values, shown, refused };
}

/** Reads what was sent, from a form and from JSON alike: converts it, and checks choices and rules. */
export async function readInputs(
  attributes: AnyInteractionAttributes,
  sent: Params,
  by: { source: FieldSource; own: ModelInfo },
  say: Say,
): Promise<InputsRead> {
  const { values, shown, refused } = walkInputs(attributes, sent, by);
  Object.assign(
    refused,
    await refusedFiles(
      shown.map(({ name, field }) => ({ name, input: field })),
      values,
    ),
  );
  const errors: FieldErrors = {};
  for (const { name, field, target, context, rows } of shown) {
    if (rows) {
      Object.assign(errors, await rowsErrors(rows, by.source));
      continue;
    }
    const problems = refused[name]
      ? [problemOf(refused[name])]
      : await by.source.problems(field, target, { value: values[name], context, values });
    if (problems.length > 0) errors[name] = problems.map(({ key, message, vars }) => say(key, message, vars));
  }
  return { values, errors, dynamic: shown.flatMap(({ name, field }) => (isDynamic(field) ? name : [])) };
}
