import { createHash } from "node:crypto";
import { english, humanize, type Locale, type TimeZone } from "framewright/host";
import type { FieldView } from "./components/index.ts";
import type { DrawnChoices } from "./contract.ts";
import { type DeclaredField, isDynamic, isRequired } from "./options.ts";
import { ownType } from "./read_field.ts";
import type { FieldType } from "./types/field_type.ts";

/** Where a field is in its form, and what it shows. */
export interface FieldState {
  name: string;
  id: string;
  /** The name that is sent: `interaction[reason]`. */
  inputName: string;
  /** Several where several are chosen. */
  value: string | readonly string[] | undefined;
  errors: readonly string[];
  /** The time zone of the person who fills it in. */
  timeZone?: TimeZone | undefined;
  /** Their language, in whose form numbers are entered. */
  locale?: Locale | undefined;
  /** Whether the value is the one that the field begins with; by default whether there is none. */
  isUsual?(): boolean;
}

/** A field as it is drawn, whatever declared it; of the framework's own type of its name, unless another is given. */
export function fieldView(
  field: DeclaredField,
  { name, id, inputName, value, errors, timeZone, locale, isUsual = () => value === undefined }: FieldState,
  type: FieldType = ownType(field.as),
): FieldView {
  const { as, label, hint, placeholder, autocomplete, accept } = field;
  const view: FieldView = {
    name,
    as,
    type,
    id,
    inputName,
    value: type.isFile || type.isSecret ? undefined : value,
    errors,
    label: label ?? humanize(name),
    required: isRequired(field),
  };
  if (timeZone !== undefined) view.timeZone = timeZone;
  if (locale?.numbers.isOwn) view.locale = locale;
  if (hint !== undefined) view.hint = hint;
  if (placeholder !== undefined) view.placeholder = placeholder;
  if (autocomplete !== undefined) view.autocomplete = autocomplete;
  if (type.empty === false) view.checked = typeof value === "string" && ["1", "true", "on", "yes"].includes(value);
  if (field.range) view.range = field.range;
  if (accept) view.attributes = { accept: accept.join(",") };
  const sign = signOf(field, type, locale);
  if (sign) view.sign = sign;
  if (isDynamic(field)) view.slot = "shown";
  if (field.secondary ?? (type.isSecondary || isOrdinal(name, type))) view.secondary = isUsual() ? "closed" : "open";
  return view;
}

/** Whether a field is a number that records are put in order by. */
const isOrdinal = (name: string, { numeric }: FieldType): boolean =>
  numeric && /^(position|sort_order|ordinal)$/.test(name);

/** What is shown beside the input of a number: the currency as the language writes it, or the unit. */
function signOf(
  { as, currency, unit }: DeclaredField,
  { numeric }: FieldType,
  locale: Locale = english,
): FieldView["sign"] {
  if (as === "money" && currency !== undefined) {
    const [before, after] = locale.numbers.around(currency);
    return { before: before.trim(), after: after.trim() };
  }
  return numeric && unit !== undefined ? { before: "", after: unit } : undefined;
}

/** The place of a field that is not shown. */
export const hiddenView = (
  field: DeclaredField,
  { name, id, inputName }: Omit<FieldState, "value" | "errors">,
  type: FieldType,
) => ({
  ...fieldView(field, { name, id, inputName, value: undefined, errors: [] }, type),
  slot: "",
});

/** Adds what may be chosen. `searchUrl`: where all of it is found. */
export function addChoices(view: FieldView, field: DeclaredField, drawn: DrawnChoices | undefined, searchUrl?: string) {
  if (!drawn) return;
  view.choices = drawn.choices;
  if (drawn.groups) view.groups = drawn.groups;
  if (drawn.moreChoices !== undefined) view.moreChoices = drawn.moreChoices;
  if (drawn.isSearched && searchUrl !== undefined) view.searchUrl = searchUrl;
  if (typeof field.choices === "function") view.slot = fingerprint(drawn.choices);
}
const fingerprint = (choices: DrawnChoices["choices"]): string =>
  createHash("sha256")
    .update(JSON.stringify(choices.map(({ value, label }) => [value, label])))
    .digest("base64url")
    .slice(0, 12);
