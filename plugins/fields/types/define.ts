import { isParamObject, type ParamValue } from "framewright/host";
import { type Display, filled, showText } from "../components/displays.ts";
import { textInput } from "../components/inputs.ts";
import { type FieldType, type FieldTypeOptions, type Read, textColumn } from "./field_type.ts";

const plainType = {
  column: textColumn,
  empty: null,
  frame: "label",
  wide: false,
  numeric: false,
  isSecret: false,
  isFile: false,
  isList: false,
  needsChoices: false,
  isCached: false,
  readsStored: false,
  byLabel: false,
  isLink: false,
  isSecondary: false,
  scaffold: true,
  sample: () => undefined,
} as const;
const isValid = (): true => true;

/** Values that are no plain texts are created by the type itself. */
type MakesValues<V> = [string] extends [V]
  ? unknown
  : Required<Pick<FieldTypeOptions<V>, "coerce">> | Required<Pick<FieldTypeOptions<V>, "read">>;

/**
 * Defines a type of fields, to be added under a name: `services.resources.fieldTypes.add("colour", colour)`.
 * @example
 * const colour = defineFieldType<string>({
 *   coerce: (text) => ({ value: text.toLowerCase() }),
 *   validate: (value) => /^#[0-9a-f]{6}$/.test(value) || "is not a colour",
 * });
 */
export function defineFieldType<V>(options: FieldTypeOptions<V> & MakesValues<V>): FieldType<V> {
  const { input = textInput, display = showText, cell = display, json, parse, text, filter = {} } = options;
  const { coerce, coerceDocument, read = readerOf({ coerce, coerceDocument }), validate = isValid, ...rest } = options;
  const shown = filled(display as Display);
  return Object.freeze({
    ...plainType,
    ...withoutUndefined(rest),
    ...{ read, validate, input: input ?? undefined, filter: filter === false ? undefined : Object.freeze(filter) },
    ...{ display: shown, cell: cell === display ? shown : filled(cell as Display) },
    json: json && ((value: unknown) => (isAbsent(value) ? null : json(value as V))),
    parse: parse ?? (json && ((stored: unknown) => valueRead(read(stored as ParamValue, {})))),
    text: text && ((value: unknown) => text(value as V)),
  });
}

/** An option that is undefined is one that is not given. */
const withoutUndefined = <T extends object>(options: T): T =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
const isAbsent = (value: unknown): boolean => value === null || value === undefined;
const valueRead = <V>(read: Read<V>): V | null => ("value" in read ? read.value : null);
const wrongShape = { problem: "errors.wrong_shape" };

type Coercions<V> = { [K in "coerce" | "coerceDocument"]: FieldTypeOptions<V>[K] | undefined };
/** Reads by `coerce` and `coerceDocument`, whatever was sent. */
function readerOf<V>({ coerce, coerceDocument }: Coercions<V>): FieldType<V>["read"] {
  const ofText = coerce ?? ((text: string) => ({ value: text as V }));
  return (given, by) => {
    if (given === null || given === "") return { value: null };
    if (Array.isArray(given) || isParamObject(given)) return coerceDocument?.(given, by) ?? wrongShape;
    if (typeof given === "object") return wrongShape; // a file
    const text = String(given).replaceAll("\r\n", "\n");
    return text.includes("\0") ? wrongShape : ofText(text, by);
  };
}
