import type { Problem } from "framewright/plugins/database";
import type { FieldContext } from "../options.ts";
import type { FieldSource } from "../source.ts";
import type { ValueRows } from "../types/field_type.ts";
import { countProblem } from "./read_tree.ts";
import { declaredOf, targetOf } from "./read_value.ts";
import { DEFAULT_MAX_ROWS, type FieldScope, type FieldSpec, type FieldValues } from "./spec.ts";
import { isValues, own, readable, readableField, walkFields } from "./values.ts";

/** What is found out about values, by the paths of their fields. */
export interface TreeCheck {
  readonly found: Record<string, Problem[]>;
  readonly scope: FieldScope;
  readonly source: FieldSource;
}

/** Checks stored values by the rules and choices of their fields; those of a model's attributes are the model's to check. */
export async function checkTree(
  check: TreeCheck,
  fields: readonly FieldSpec[],
  values: FieldValues,
  path = "",
): Promise<void> {
  const record = readable(fields, values);
  for (const [field, context] of shownFields(fields, values, check.scope)) {
    const at = `${path}${field.name}`;
    const value = own(values, field.name);
    if (field.type === "group") await checkTree(check, field.fields, isValues(value) ? value : {}, `${at}.`);
    else if (field.type === "repeated") await checkRows(check, field, value, at);
    else if (!field.model)
      check.found[at] = await check.source.problems(declaredOf(field), targetOf(field), {
        value: record[field.name],
        context: Object.assign({}, context, { query: check.source.query }),
        values: record,
      });
  }
}

/** The fields whose conditions are true for stored values, with what their functions are given. */
function shownFields(
  fields: readonly FieldSpec[],
  values: FieldValues,
  scope: FieldScope,
): [FieldSpec, FieldContext][] {
  const shown: [FieldSpec, FieldContext][] = [];
  walkFields(fields, scope, (field, context, isShown) => {
    if (isShown) shown.push([field, context]);
    return own(values, field.name);
  });
  return shown;
}

async function checkRows(check: TreeCheck, field: FieldSpec, value: unknown, at: string): Promise<void> {
  const rows = Array.isArray(value) ? value.filter(isValues) : [];
  const { minimum = 0, maximum = DEFAULT_MAX_ROWS } = field.options;
  if (rows.length < minimum) check.found[at] = [countProblem("few", minimum)];
  if (rows.length > maximum) check.found[at] = [countProblem("many", maximum)];
  for (const [index, row] of rows.entries()) await checkTree(check, field.fields, row, `${at}.${index}.`);
  if (field.rows) await checkValue(check, field, field.rows, rows, at);
}

/** The rules of a value that is entered as rows, and those rows that have the key of one before them. */
async function checkValue(
  { found, source }: TreeCheck,
  field: FieldSpec,
  { key }: ValueRows,
  rows: readonly FieldValues[],
  at: string,
): Promise<void> {
  const keys = rows.map((row) => own(row, key));
  for (const [index, one] of keys.entries())
    if (one !== null && keys.indexOf(one) < index) found[`${at}.${index}.${key}`] = [REPEATED];
  const value = rows.length === 0 ? null : readableField(field, rows);
  const values = { [field.name]: value };
  const problems = await source.problems(declaredOf(field), undefined, { value, context: source.context({}), values });
  if (problems.length > 0) found[at] = [...(found[at] ?? []), ...problems];
}
const REPEATED: Problem = { key: "form.rows.twice", vars: {}, message: "is there twice" };
