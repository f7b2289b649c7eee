import type { Transaction } from "objection";
import { decimalText } from "../models/codec.ts";
import type { CustomRule, LengthRule, ListRule, NumberRule, Own, Rules } from "./declared_rules.ts";
import { type MessageKey, ownProblem, problem } from "./messages.ts";
import type { Problem } from "./validation_error.ts";

/** Characters as people count them: an emoji is one, not two. */
export const lengthOf = (value: unknown): number =>
  typeof value === "string" ? [...value].length : Array.isArray(value) ? value.length : String(value).length;

export function lengthProblem(value: unknown, { minimum, maximum, is, message }: LengthRule): Problem | undefined {
  const length = lengthOf(value);
  if (minimum !== undefined && length < minimum) return problem("too_short", { count: minimum }, message);
  if (maximum !== undefined && length > maximum) return problem("too_long", { count: maximum }, message);
  if (is !== undefined && length !== is) return problem("wrong_length", { count: is }, message);
  return undefined;
}

/** Whether a text is a number without an exponent, as `1`, `-1.50`, `.5` or `1.`. */
export const isDecimal = (text: string): boolean => /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text);

type Comparison = [option: keyof NumberRule, key: MessageKey, holds: (value: number, limit: number) => boolean];
const comparisons: readonly Comparison[] = [
  ["greaterThan", "greater_than", (value, limit) => value > limit],
  ["greaterThanOrEqualTo", "greater_than_or_equal_to", (value, limit) => value >= limit],
  ["lessThan", "less_than", (value, limit) => value < limit],
  ["lessThanOrEqualTo", "less_than_or_equal_to", (value, limit) => value <= limit],
];

export function numberProblem(value: unknown, rule: true | NumberRule): Problem | undefined {
  const options: NumberRule = rule === true ? {} : rule;
  const text = decimalText(value);
  if (!isDecimal(text)) return problem("not_a_number", {}, options.message);
  if (options.onlyInteger && !/^[+-]?\d+$/.test(text)) return problem("not_an_integer", {}, options.message);
  for (const [option, key, holds] of comparisons) {
    const limit = options[option] as number | undefined;
    if (limit !== undefined && !holds(Number(text), limit)) return problem(key, { count: limit }, options.message);
  }
  return undefined;
}

export function listProblem(key: "inclusion" | "exclusion", value: unknown, rule: ListRule): Problem | undefined {
  const { in: list, message } = "in" in rule ? rule : { in: rule, message: undefined };
  const isWrong = (one: unknown) => list.includes(one) !== (key === "inclusion");
  return (Array.isArray(value) ? value.some(isWrong) : isWrong(value)) ? problem(key, {}, message) : undefined;
}

/** Whether a value counts as absent: null, undefined, or text of white space alone. */
export const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === "string" && value.trim() === "");

/**
 * The problems that a value's own rules find: all but uniqueness and the custom ones. `present` replaces it for presence;
 * `maxLength`: the characters that its column takes.
 */
export function valueProblems(value: unknown, rules: Rules, present: unknown = value, maxLength?: number): Problem[] {
  const found: (Problem | undefined)[] = [];
  if (rules.presence && isBlank(present)) found.push(problem("blank", {}, messageOf(rules.presence)));
  if (rules.acceptance && value !== true && value !== "1" && value !== 1)
    found.push(problem("accepted", {}, messageOf(rules.acceptance)));
  if (!isBlank(value)) found.push(...filledProblems(value, rules, maxLength));
  return found.filter((one) => one !== undefined);
}

/** Whether a text has more characters than its column or its length rule takes. No pattern and no custom rule runs on it: they may take quadratic time. */
export const isOversize = (value: unknown, { length }: Rules, maxLength = Number.POSITIVE_INFINITY): boolean =>
  typeof value === "string" && lengthOf(value) > Math.min(maxLength, length?.maximum ?? length?.is ?? maxLength);

function* filledProblems(value: unknown, rules: Rules, maxLength?: number): Iterable<Problem | undefined> {
  if (rules.length) yield lengthProblem(value, rules.length);
  if (rules.format && !isOversize(value, rules, maxLength) && !matches(rules.format.with, value))
    yield problem("invalid", {}, rules.format.message);
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
    if (text !== undefined) found.push(ownProblem(text));
  }
  return found;
}

/** The text that a rule has instead of the usual one. */
export const messageOf = (rule: boolean | Own): string | undefined =>
  typeof rule === "object" ? rule.message : undefined;

/** A sticky or global expression keeps its place between tests. */
function matches(pattern: RegExp, value: unknown): boolean {
  pattern.lastIndex = 0;
  return pattern.test(String(value));
}
