import type { Transaction } from "objection";
import type { BaseModel, ModelClass } from "../models/model.ts";
import { ModelInfo } from "../models/model_info.ts";
import { refusedMoney } from "../models/money.ts";
import { paramProblem } from "../models/param_key.ts";
import { isExpression, stamp } from "../models/row_format.ts";
import { columnProblem } from "./column_checks.ts";
import { belongsToOf, fieldOf, uniqueColumns } from "./column_names.ts";
import type { Rules } from "./declared_rules.ts";
import { problem } from "./messages.ts";
import { uniqueTextProblem } from "./plain_text.ts";
import { deadReferences, halfReferences, refersToMarked, unusedReferences } from "./references.ts";
import { customProblems, isOversize, valueProblems } from "./rules.ts";
import { uniqueProblem, type Write } from "./uniqueness.ts";
import { type Problem, ValidationError } from "./validation_error.ts";

type Values = Record<string, unknown>;
interface Check extends Write {
  problems: Record<string, Problem[]>;
}
/** What an update finds: the record that it was called on, and the stored ones, which are read when a rule needs them. */
export interface Before {
  old?: BaseModel | undefined;
  stored?: () => Promise<readonly BaseModel[] | undefined>;
}

/**
 * Validates what is about to be written: the whole record on insert, what it changes on update.
 * @throws ValidationError
 */
export async function validate(
  record: BaseModel,
  transaction: Transaction,
  what: "insert" | "update",
  before: Before = {},
): Promise<void> {
  const problems = await problemsOf(record, transaction, what, before);
  if (Object.keys(problems).length > 0) throw new ValidationError(ModelInfo.ofRecord(record).constant, problems);
}

/** As validate, and returns what is wrong instead of throwing it. */
export async function problemsOf(
  record: BaseModel,
  transaction: Transaction,
  what: "insert" | "update",
  { old, stored = async () => undefined }: Before = {},
): Promise<Record<string, Problem[]>> {
  const info = ModelInfo.ofRecord(record);
  const problems: Record<string, Problem[]> = {};
  const values = record as unknown as Values;
  const found = what === "update" && looksFurther(info, values, old) ? await stored() : undefined;
  const check = { info, what, values, transaction, problems };
  checkPlain(check, record);
  if (info.polymorphic.size > 0)
    for (const name of await deadReferences(info, values, transaction)) add(check, name, problem("required"));
  if (refersToMarked(info))
    // most models do not, and each await takes a turn
    for (const name of await unusedReferences(info, values, transaction)) add(check, name, problem("required"));
  if (looksAtWhole(info))
    for (const one of found ?? [old]) await checkWhole({ ...check, stored: one, whole: wholeOf(info, values, one) });
  return problems;
}

/** The problems that the columns and the values' own rules find: all that need neither the database nor the rest of the record. */
export function plainProblems(cls: ModelClass, given: Values, what: "insert" | "update"): Record<string, Problem[]> {
  const record = Object.assign(new cls(), given) as BaseModel;
  const problems: Record<string, Problem[]> = {};
  const info = ModelInfo.ofRecord(record);
  stamp(info, record, what);
  checkPlain({ info, what, values: record as unknown as Values, problems }, record);
  return problems;
}

function checkPlain(check: Given, record: BaseModel): void {
  for (const [name, refused] of Object.entries(refusedMoney(record))) add(check, name, refused);
  checkColumns(check, check.what);
  for (const name of halfReferences(check.info, check.values, check.what)) add(check, name, problem("required"));
  for (const [name, rules] of Object.entries(check.info.class.validations)) checkValue(check, name, rules);
}

/** Whether a rule looks at more than the value that is written. */
const looksAtWhole = ({ class: { validations } }: ModelInfo): boolean => {
  for (const name in validations) if (validations[name]!.uniqueness || validations[name]!.custom) return true;
  return false;
};

/** Whether a rule applies that needs more of the stored record than its id. */
function looksFurther(info: ModelInfo, values: Values, old: BaseModel | undefined): boolean {
  return Object.entries(info.class.validations).some(([name, { custom, uniqueness }]) => {
    if (custom) return true;
    const columns = uniqueness ? uniqueColumns(info, name, uniqueness) : [];
    return columns.some((column) => values[column] !== undefined) && (columns.length > 1 || !old);
  });
}

/** The record as it will be: what is written over what is stored, or over the defaults of the columns. */
function wholeOf(info: ModelInfo, values: Values, stored: BaseModel | undefined): BaseModel {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && !isExpression(value));
  const before: object = stored ?? Object.fromEntries([...info.columns.values()].map((one) => [one.name, one.default]));
  return Object.assign(new info.class(), before, Object.fromEntries(given));
}

function add({ problems }: Pick<Check, "problems">, field: string, found: Problem | undefined): void {
  if (!found) return;
  const list = problems[field] ?? [];
  if (!list.some(({ message }) => message === found.message)) problems[field] = [...list, found];
}

/** The problems that the columns would report, found before they do, in the same texts on every database. */
function checkColumns(check: Pick<Check, "info" | "values" | "problems">, what: "insert" | "update"): void {
  const { info, values } = check;
  for (const column of info.columns.values()) {
    const value = values[column.name];
    if (value === undefined && (what === "update" || column.hasDefault)) continue;
    if (value === null || value === undefined) {
      const isFilled = info.class.slug !== undefined && column.name === info.paramKey;
      if (!column.nullable && !column.primary && !isFilled)
        add(check, fieldOf(info, column.name), emptyProblem(info, column.name));
    } else if (!isExpression(value)) {
      const found =
        info.encrypted.get(column.name)?.problem(value) ??
        columnProblem(column, value, info.enums[column.name]) ??
        uniqueTextProblem(info, column.name, value);
      if (found) add(check, fieldOf(info, column.name), found);
      if (column.name === info.paramKey && column.name !== info.primaryKey)
        add(check, column.name, paramProblem(column, value, info));
    }
  }
}

const emptyProblem = (info: ModelInfo, column: string) => problem(belongsToOf(info, column) ? "required" : "blank");

type Given = Pick<Check, "info" | "what" | "values" | "problems">;

/** The problems that a value's own rules find, where it is written. */
function checkValue(check: Given, name: string, rules: Rules): void {
  const value = check.values[name];
  if ((check.what === "insert" || isGiven(check, name)) && !isExpression(value))
    for (const found of valueProblems(value, rules, presentValue(check, name, value), maxLengthOf(check, name)))
      add(check, name, found);
}

const maxLengthOf = ({ info }: Pick<Check, "info">, name: string): number | undefined =>
  info.columns.get(info.columnsOf(name)[0]!)?.maxLength;

const isGiven = ({ info, values }: Pick<Check, "info" | "values">, name: string): boolean =>
  [name, ...info.columnsOf(name)].some((one) => values[one] !== undefined);

/** The problems that only the whole record shows: uniqueness, and the model's custom rules. */
async function checkWhole(check: Check): Promise<void> {
  for (const [name, rules] of Object.entries(check.info.class.validations)) {
    if (isExpression(check.values[name])) continue;
    if (rules.uniqueness) add(check, name, await uniqueProblem(check, name, rules.uniqueness));
    if (rules.custom && !isOversize(check.values[name], rules, maxLengthOf(check, name)))
      for (const found of await ownProblems(check, name, rules)) add(check, name, found);
  }
}

/** The problems that the custom rules find. Of an attribute that is not written, only those that the stored record does not have already. */
async function ownProblems(check: Check, name: string, rules: Rules): Promise<Problem[]> {
  const { what, whole, stored, transaction } = check;
  const isAsked = what === "insert" || isGiven(check, name);
  if (!isAsked && !stored) return [];
  const said = (record: BaseModel) => customProblems((record as unknown as Values)[name], rules, record, transaction);
  const found = await said(whole);
  if (isAsked || found.length === 0) return found;
  const before = (await said(wholeOf(check.info, {}, stored))).map(({ message }) => message);
  return found.filter(({ message }) => !before.includes(message));
}

/** An association is present when its key is: of several columns those that are written. */
function presentValue({ info, values }: Pick<Check, "info" | "values">, name: string, value: unknown): unknown {
  if (info.associations.get(name)?.kind !== "belongsTo" && !info.polymorphic.has(name)) return value;
  const columns = info.polymorphic.has(name) ? info.columnsOf(name).slice(0, 1) : info.columnsOf(name);
  const given = columns.map((column) => values[column]);
  return given.includes(null) ? value : (given.find((one) => one !== undefined) ?? value);
}
