import type { ParamValue } from "framewright/host";
import { type Display, filled, showText } from "../../components/displays.ts";
import { textInput } from "../../components/inputs.ts";
import { type FieldType, type FieldTypeOptions, type Read, textColumn } from "./field_type.ts";

const plainType = {
  column: textColumn,
  empty: null,
  frame: "label",
  wide: false,
  numeric: false,
  isSecret: false,
  isFile: false,
  needsChoices: false,
  isCached: false,
  readsStored: false,
  byLabel: false,
  isLink: false,
  scaffold: true,
  sample: () => undefined,
} as const;
const isValid = (): true => true;

/**
 * Defines a type of fields, to be added under a name: `services.resources.fieldTypes.add("colour", colour)`.
 * @example
 * const colour = defineFieldType<string>({
 *   coerce: (given) => ({ value: String(given).toLowerCase() }),
 *   validate: (value) => /^#[0-9a-f]{6}$/.test(value) || "is not a colour",
 * });
 */
export function defineFieldType<V>(options: FieldTypeOptions<V>): FieldType<V> {
  const { input = textInput, display = showText, cell = display, json, text, filter = {} } = options;
  const { coerce = plainText as (given: ParamValue) => Read<V>, validate = isValid, readsEmpty = false } = options;
  const described = withoutUndefined(options);
  const read: FieldType<V>["coerce"] = (given, by) => {
    if (given === null || (given === "" && !readsEmpty)) return { value: null };
    return typeof given === "string" && given.includes("\0") ? wrongShape : coerce(given, by);
  };
  const shown = filled(display as Display);
  return Object.freeze({
    ...plainType,
    ...described,
    ...{
      input: input ?? undefined,
      filter: filter === false ? undefined : Object.freeze(filter),
      coerce: read,
      validate,
    },
    ...{ display: shown, cell: cell === display ? shown : filled(cell as Display) },
    json: json && ((value: unknown) => (isAbsent(value) ? null : json(value as V))),
    parse: options.parse ?? (json && ((stored: unknown) => valueRead(read(stored as ParamValue, {})))),
    text: text && ((value: unknown) => text(value as V)),
  });
}

/** An option that is undefined is one that is not given. */
const withoutUndefined = <T extends object>(options: T): T =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
const isAbsent = (value: unknown): boolean => value === null || value === undefined;
const valueRead = <V>(read: Read<V>): V | null => ("value" in read ? read.value : null);
const wrongShape = { problem: "errors.wrong_shape" };

/** A text as it was sent; numbers and booleans of JSON as texts. */
function plainText(given: ParamValue): Read<unknown> {
  if (typeof given === "string") return { value: given.replaceAll("\r\n", "\n") };
  return typeof given === "number" || typeof given === "boolean" ? { value: String(given) } : wrongShape;
}
