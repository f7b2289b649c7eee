import type { Problem } from "./validation_error.ts";

/** The English texts of what can be wrong with a value; the catalogue has them under `errors.<key>`. */
export const messages = {
  blank: "can't be blank",
  too_short: "is too short (at least {{count}} characters)",
  too_long: "is too long (at most {{count}} characters)",
  wrong_length: "is the wrong length (should be {{count}} characters)",
  invalid: "is invalid",
  not_a_number: "is not a number",
  not_an_integer: "must be a whole number",
  greater_than: "must be greater than {{count}}",
  greater_than_or_equal_to: "must be greater than or equal to {{count}}",
  less_than: "must be less than {{count}}",
  less_than_or_equal_to: "must be less than or equal to {{count}}",
  too_many_decimals: "has at most {{count}} decimal places",
  too_many_digits: "has more than {{count}} significant digits, which this database does not store exactly",
  inexact_number: "has more digits than a number keeps: send it as a text",
  invisible_character: "has an invisible character ({{character}})",
  compatibility_character: "has {{character}}: write {{plain}}",
  out_of_range: "is out of range",
  inclusion: "is not included in the list",
  exclusion: "is reserved",
  not_a_param: "may only have letters from a to z, digits, - and _",
  not_a_label:
    "must be 1 to 63 lower-case letters from a to z, digits and hyphens, without a hyphen at either end or two in the third and fourth place",
  taken: "has already been taken",
  accepted: "must be accepted",
  required: "must be chosen",
  not_a_date: "is not a date",
  not_a_datetime: "is not a date and time",
  not_a_boolean: "must be true or false",
  not_money: "must be an amount, such as 12.50",
  refused: "A rule of the database refuses this.",
  referenced: "can't be deleted: other records refer to it",
  referred: "can't be changed: other records refer to it",
} as const;
export type MessageKey = keyof typeof messages;

/** A problem in English; a model's own text replaces it, also where the catalogue has the problem's key. */
export function problem(key: MessageKey, vars: Record<string, unknown> = {}, own?: string): Problem {
  const text = own ?? messages[key];
  const message = text.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => String(vars[name] ?? whole));
  return { key: own === undefined ? `errors.${key}` : keyOf(own), vars, message };
}

/** A model's own text, as a problem; it may be the key of a text of the application, as `rentals.overlap`. */
export const ownProblem = (text: string): Problem => ({ key: keyOf(text), vars: {}, message: text });

const keyOf = (text: string): string => (/^[\w-]+(\.[\w-]+)+$/.test(text) ? text : "errors.custom");
