import type { Knex } from "knex";
import type { Transaction } from "objection";
import type { BaseModel, ModelClass } from "../models/model.ts";
import { ModelInfo } from "../models/model_info.ts";
import { refusedMoney } from "../models/money.ts";
import { paramProblem } from "../models/param_key.ts";
import { isExpression, stamp } from "../models/row_format.ts";
import { whereEqualIgnoringCase } from "../queries/case_insensitive.ts";
import { columnProblem } from "./column_checks.ts";
import { belongsToOf, columnOf, fieldOf, uniqueColumns } from "./column_names.ts";
import { problem } from "./messages.ts";
import { deadReferences, halfReferences } from "./references.ts";
import { lengthProblem, listProblem, numberProblem } from "./rules.ts";
import { type Problem, ValidationError } from "./validation_error.ts";

interface Own {
  /** The model's own text instead of the usual one. */
  message?: string;
}
export interface LengthRule extends Own {
  minimum?: number;
  maximum?: number;
  is?: number;
}
export interface NumberRule extends Own {
  greaterThan?: number;
  greaterThanOrEqualTo?: number;
  lessThan?: number;
  lessThanOrEqualTo?: number;
  onlyInteger?: boolean;
}
export type ListRule = readonly unknown[] | ({ in: readonly unknown[] } & Own);
/** Returns what is wrong, or undefined. `record` is the whole record as it will be. */
export type CustomRule = (
  value: never,
  record: never,
  transaction: Transaction,
) => string | undefined | Promise<string | undefined>;

/** The rules of an attribute. All but presence and acceptance let an empty value pass. */
export interface Rules {
  presence?: boolean | Own;
  length?: LengthRule;
  format?: { with: RegExp } & Own;
  numericality?: boolean | NumberRule;
  inclusion?: ListRule;
  exclusion?: ListRule;
  uniqueness?: boolean | ({ scope?: string | readonly string[] } & Own);
  acceptance?: boolean | Own;
  custom?: CustomRule | readonly CustomRule[];
}
export const ruleNames = [
  "presence",
  "length",
  "format",
  "numericality",
  "inclusion",
  "exclusion",
  "uniqueness",
  "acceptance",
  "custom",
] as const satisfies readonly (keyof Rules)[];

type Values = Record<string, unknown>;
interface Check {
  info: ModelInfo;
  what: "insert" | "update";
  /** What is written. */
  values: Values;
  /** The record as it will be. */
  whole: BaseModel;
  /** The record as it is stored; undefined for a new one. */
  stored: BaseModel | undefined;
  transaction: Transaction;
  problems: Record<string, Problem[]>;
}
/** What an update finds: the record that it was called on, and the stored ones, which are read when a rule needs them. */
export interface Before {
  old?: BaseModel | undefined;
  stored?: () => Promise<readonly BaseModel[] | undefined>;
}

/** Whether a value counts as absent: null, undefined, or text of white space alone. */
export const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === "string" && value.trim() === "");

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
        info.encrypted.get(column.name)?.problem(value) ?? columnProblem(column, value, info.enums[column.name]);
      if (found) add(check, fieldOf(info, column.name), found);
      if (column.name === info.paramKey && column.name !== info.primaryKey)
        add(check, column.name, paramProblem(column, value, info.reservedParams));
    }
  }
}

const emptyProblem = (info: ModelInfo, column: string) => problem(belongsToOf(info, column) ? "required" : "blank");

type Given = Pick<Check, "info" | "what" | "values" | "problems">;

/** The problems that a value's own rules find, where it is written. */
function checkValue(check: Given, name: string, rules: Rules): void {
  const value = check.values[name];
  if ((check.what === "insert" || isGiven(check, name)) && !isExpression(value))
    for (const found of valueProblems(value, rules, presentValue(check, name, value))) add(check, name, found);
}

const isGiven = ({ info, values }: Pick<Check, "info" | "values">, name: string): boolean =>
  values[name] !== undefined || values[columnOf(info, name)] !== undefined;

/** The problems that only the whole record shows: uniqueness, and the model's custom rules. */
async function checkWhole(check: Check): Promise<void> {
  for (const [name, rules] of Object.entries(check.info.class.validations)) {
    if (isExpression(check.values[name])) continue;
    if (rules.uniqueness) add(check, name, await uniqueProblem(check, name, rules.uniqueness));
    if (rules.custom) for (const found of await ownProblems(check, name, rules)) add(check, name, found);
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

/** The problems that a value's own rules find: all but uniqueness and the custom ones. `present` replaces it for presence. */
export function valueProblems(value: unknown, rules: Rules, present: unknown = value): Problem[] {
  const found: (Problem | undefined)[] = [];
  if (rules.presence && isBlank(present)) found.push(problem("blank", {}, own(rules.presence)));
  if (rules.acceptance && value !== true && value !== "1" && value !== 1)
    found.push(problem("accepted", {}, own(rules.acceptance)));
  if (!isBlank(value)) found.push(...filledProblems(value, rules));
  return found.filter((one) => one !== undefined);
}

function* filledProblems(value: unknown, rules: Rules): Iterable<Problem | undefined> {
  if (rules.length) yield lengthProblem(value, rules.length);
  if (rules.format && !matches(rules.format.with, value)) yield problem("invalid", {}, rules.format.message);
  if (rules.numericality) yield numberProblem(value, rules.numericality);
  if (rules.inclusion) yield listProblem("inclusion", value, rules.inclusion);
  if (rules.exclusion) yield listProblem("exclusion", value, rules.exclusion);
}

/** The problems that the custom rules find; they may query the database in the transaction. */
export async function customProblems(
  value: unknown,
  { custom = [] }: Rules,
  record: object,
  transaction: Transaction | undefined,
): Promise<Problem[]> {
  const found: Problem[] = [];
  for (const rule of [custom].flat() as CustomRule[]) {
    const text = await rule(value as never, record as never, transaction as Transaction);
    if (text !== undefined) found.push({ key: "errors.custom", vars: {}, message: text });
  }
  return found;
}

/** An association is present when its key is. */
function presentValue({ info, values }: Pick<Check, "info" | "values">, name: string, value: unknown): unknown {
  const association = info.associations.get(name);
  if (association?.kind === "belongsTo") return values[association.foreignKey] ?? value;
  const polymorphic = info.polymorphic.get(name);
  return polymorphic ? (values[polymorphic.keyColumn] ?? value) : value;
}

const own = (rule: boolean | Own): string | undefined => (typeof rule === "object" ? rule.message : undefined);

/** A sticky or global expression keeps its place between tests. */
function matches(pattern: RegExp, value: unknown): boolean {
  pattern.lastIndex = 0;
  return pattern.test(String(value));
}

async function uniqueProblem(check: Check, name: string, rule: NonNullable<Rules["uniqueness"]>) {
  const { info, whole, stored, transaction } = check;
  const [column, ...scope] = uniqueColumns(info, name, rule) as [string, ...string[]];
  if (check.what === "update" && ![column, ...scope].some((one) => check.values[one] !== undefined)) return undefined;
  const values = whole as unknown as Values;
  if (isBlank(values[column])) return undefined;
  const query = transaction(info.table);
  for (const one of [column, ...scope]) {
    if (values[one] === null || values[one] === undefined) query.whereNull(one);
    else whereStored(query, info, one, values[one], transaction);
  }
  const id = (check.values.id ?? stored?.$id()) as number | undefined;
  if (id !== undefined) query.whereNot("id", id);
  return (await query.first("id")) ? problem("taken", {}, own(rule)) : undefined;
}

/** Narrows to the rows that have a value, as its column stores it. */
function whereStored(query: Knex.QueryBuilder, info: ModelInfo, column: string, value: unknown, knex: Knex): void {
  const cipher = info.encrypted.get(column);
  if (cipher) query.whereIn(column, [...cipher.candidates(value)]);
  else whereEqualIgnoringCase(query, column, (info.encoders.get(column)?.(value) ?? value) as string | number, knex);
}

/** The uniqueness that these columns are held to, whatever their order: the attribute that declares it, and its own text. */
export function uniquenessOf(
  info: ModelInfo,
  columns: readonly string[],
): { name: string; message?: string } | undefined {
  const wanted = [...columns].sort().join(" ");
  for (const [name, { uniqueness }] of Object.entries(info.class.validations)) {
    if (!uniqueness || uniqueColumns(info, name, uniqueness).sort().join(" ") !== wanted) continue;
    const message = own(uniqueness);
    return { name, ...(message === undefined ? {} : { message }) };
  }
  return undefined;
}
