import { decimalText } from "../models/codec.ts";
import { type MessageKey, problem } from "./messages.ts";
import type { Problem } from "./validation_error.ts";
import type { LengthRule, ListRule, NumberRule } from "./validations.ts";

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
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) return problem("not_a_number", {}, options.message);
  if (options.onlyInteger && !/^[+-]?\d+$/.test(text)) return problem("not_an_integer", {}, options.message);
  for (const [option, key, holds] of comparisons) {
    const limit = options[option] as number | undefined;
    if (limit !== undefined && !holds(Number(text), limit)) return problem(key, { count: limit }, options.message);
  }
  return undefined;
}

export function listProblem(key: "inclusion" | "exclusion", value: unknown, rule: ListRule): Problem | undefined {
  const { in: list, message } = "in" in rule ? rule : { in: rule, message: undefined };
  return list.includes(value) === (key === "inclusion") ? undefined : problem(key, {}, message);
}
