import type { Transaction } from "objection";
import { columnProblem } from "./column_checks.ts";
import { problem } from "./messages.ts";
import type { BaseModel } from "./model.ts";
import { type AssociationInfo, ModelInfo } from "./model_info.ts";
import { refusedMoney } from "./money.ts";
import { lengthProblem, listProblem, numberProblem } from "./rules.ts";
import { type Problem, ValidationError } from "./validation_error.ts";
import { isExpression } from "./writing.ts";

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
/** Returns what is wrong, or undefined. */
export type CustomRule = (
  value: never,
  record: never,
  transaction: Transaction,
) => string | undefined | Promise<string | undefined>;

/** What an attribute is held to. All but presence and acceptance let an empty value pass. */
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
  record: BaseModel;
  values: Values;
  old: Values | undefined;
  transaction: Transaction;
  problems: Record<string, Problem[]>;
}

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
  old?: BaseModel,
): Promise<void> {
  const problems = await problemsOf(record, transaction, what, old);
  if (Object.keys(problems).length > 0) throw new ValidationError(ModelInfo.ofRecord(record).constant, problems);
}

/** As validate, and returns what is wrong instead of throwing it. */
export async function problemsOf(
  record: BaseModel,
  transaction: Transaction,
  what: "insert" | "update",
  old?: BaseModel,
): Promise<Record<string, Problem[]>> {
  const info = ModelInfo.ofRecord(record);
  const check: Check = {
    info,
    record,
    values: record as unknown as Values,
    old: old as Values | undefined,
    transaction,
    problems: {},
  };
  for (const [name, refused] of Object.entries(refusedMoney(record))) add(check, name, refused);
  checkColumns(check, what);
  for (const [name, rules] of Object.entries(info.class.validations)) {
    const value = check.values[name];
    if ((what === "insert" || value !== undefined) && !isExpression(value)) await checkRules(check, name, value, rules);
  }
  return check.problems;
}

function add({ problems }: Check, field: string, found: Problem | undefined): void {
  if (!found) return;
  const list = problems[field] ?? [];
  if (!list.some(({ message }) => message === found.message)) problems[field] = [...list, found];
}

/** What the columns themselves refuse, said before they do, in the same words on every database. */
function checkColumns(check: Check, what: "insert" | "update"): void {
  const { info, values } = check;
  for (const column of info.columns.values()) {
    const value = values[column.name];
    if (value === undefined && (what === "update" || column.hasDefault)) continue;
    if (value === null || value === undefined) {
      if (!column.nullable && !column.primary) add(check, fieldOf(info, column.name), emptyProblem(info, column.name));
    } else if (!isExpression(value))
      add(check, fieldOf(info, column.name), columnProblem(column, value, info.enums[column.name]));
  }
}

/** The field that people know a column by: the association for a foreign key, the amount for cents. */
export function fieldOf(info: ModelInfo, column: string): string {
  const money = Object.entries(info.money).find(([, cents]) => cents === column);
  return money?.[0] ?? belongsToOf(info, column)?.name ?? column;
}

function belongsToOf(info: ModelInfo, column: string): AssociationInfo | undefined {
  return [...info.associations.values()].find(({ kind, foreignKey }) => kind === "belongsTo" && foreignKey === column);
}

const emptyProblem = (info: ModelInfo, column: string) => problem(belongsToOf(info, column) ? "required" : "blank");

async function checkRules(check: Check, name: string, value: unknown, rules: Rules): Promise<void> {
  for (const found of valueProblems(value, rules, presentValue(check, name, value))) add(check, name, found);
  if (rules.uniqueness && !isBlank(value)) add(check, name, await uniqueProblem(check, name, value, rules.uniqueness));
  for (const found of await customProblems(value, rules, check.record, check.transaction)) add(check, name, found);
}

/** What a value's own rules say of it: all but uniqueness and the custom ones. `present` stands in for it where presence is asked. */
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

/** What the custom rules say; the transaction is theirs to ask the database in. */
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
function presentValue({ info, values }: Check, name: string, value: unknown): unknown {
  const association = info.associations.get(name);
  return association?.kind === "belongsTo" ? (values[association.foreignKey] ?? value) : value;
}

const own = (rule: boolean | Own): string | undefined => (typeof rule === "object" ? rule.message : undefined);

/** A sticky or global expression keeps its place between tests. */
function matches(pattern: RegExp, value: unknown): boolean {
  pattern.lastIndex = 0;
  return pattern.test(String(value));
}

async function uniqueProblem(check: Check, name: string, value: unknown, rule: NonNullable<Rules["uniqueness"]>) {
  const { info, values, old, transaction } = check;
  const scope = typeof rule === "object" ? [rule.scope ?? []].flat() : [];
  const query = transaction(info.table).where(name, encoded(info, name, value));
  for (const column of scope) {
    const key = info.associations.get(column)?.foreignKey ?? column;
    const given = values[key] ?? old?.[key] ?? null;
    if (given === null) query.whereNull(key);
    else query.where(key, encoded(info, key, given));
  }
  const id = values.id ?? old?.id;
  if (id !== undefined) query.whereNot("id", id as number);
  return (await query.first("id")) ? problem("taken", {}, own(rule)) : undefined;
}

const encoded = (info: ModelInfo, column: string, value: unknown) =>
  (info.encoders.get(column)?.(value) ?? value) as string | number;
