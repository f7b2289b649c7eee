import type { ParamValue } from "framewright/host";
import {
  BaseModel,
  type ColumnInfo,
  type ColumnType,
  isBlank,
  type ModelInfo,
  parseId,
} from "framewright/plugins/database";
import { readFile } from "../operations/file_fields.ts";
import { type Coerced, coerceColumn, coerceMoney, coerceReference } from "../operations/read_values.ts";
import { choiceOf, type DeclaredField, defaultOf, type FieldContext } from "./options.ts";

/** The types of columns for what inputs read. */
export const columnTypes: Readonly<Record<string, ColumnType>> = {
  text: "text",
  markdown: "text",
  json: "json",
  integer: "integer",
  bigint: "bigint",
  float: "float",
  decimal: "decimal",
  boolean: "boolean",
  date: "date",
  datetime: "datetime",
  time: "time",
};

/** A value is checked by a column's type, and by nothing else of a column. */
const plainColumn = { name: "", nullable: true, default: undefined, hasDefault: false, primary: false, unique: false };

/** What else a field's value is read by. */
interface ReadBy {
  /** The model's own column, of a field that is imported from one. */
  column?: ColumnInfo | undefined;
  /** The model whose records are chosen from. */
  target?: ModelInfo | undefined;
}

/** Reads what was sent for a field, from a form and from JSON alike; of one that chooses a record, its key. */
export function readField(field: ReadOptions, given: ParamValue, by: ReadBy = {}): Coerced {
  const read = convert(field, given, by);
  return "problem" in read || isListed(field, read.value) ? read : { problem: "errors.not_a_choice" };
}
type ReadOptions = Pick<DeclaredField, "as" | "accept" | "maximum" | "choices">;

/** Whether a value is one of the choices of a list; those of a function are looked up with the rules. */
export const isListed = ({ choices }: Pick<DeclaredField, "choices">, value: unknown): boolean =>
  isBlank(value) ||
  choices === undefined ||
  typeof choices === "function" ||
  choices.some((choice) => choiceOf(choice).value === String(value));

function convert(field: ReadOptions, given: ParamValue, { column, target }: ReadBy): Coerced {
  const { as } = field;
  if (as === "file") return readFile(field, given);
  if (as === "money") return coerceMoney(given);
  if (as === "association") return readKey(given, target);
  const read = coerceColumn(given, column ?? { ...plainColumn, type: columnTypes[as] ?? "string" });
  if ("problem" in read) return read;
  if (as === "boolean") return { value: read.value === true };
  if (as === "json") return { value: withoutForbiddenKeys(read.value) };
  return isShaped(as, read.value) ? read : { problem: "errors.invalid" };
}

/** What is read where nothing was sent. A default is converted as what is typed. */
export function readDefault(field: DeclaredField, context: FieldContext, by: ReadBy = {}): Coerced {
  const value = defaultOf(field, context);
  if (value instanceof Date) return { value: field.as === "date" ? value.toISOString().slice(0, 10) : value };
  if (value instanceof BaseModel) return { value: value.$id() };
  return typeof value === "object" ? { value } : readField(field, value as ParamValue, by);
}

function readKey(given: ParamValue, target: ModelInfo | undefined): Coerced {
  const read = coerceReference(given);
  if ("problem" in read || read.value === null || !target) return read;
  const key = parseId(String(read.value), target.columns.get(target.primaryKey) ?? { type: "integer" });
  return key === undefined ? { problem: "errors.not_a_choice" } : { value: key };
}

const shapes: Readonly<Record<string, RegExp>> = {
  email: /^[^\s@]+@[^\s@]+$/,
  url: /^https?:\/\/[^\s/]+\S*$/i,
  color: /^#[0-9a-f]{6}$/i,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
};
const isShaped = (as: string, value: unknown): boolean =>
  value === null || value === "" || (shapes[as]?.test(String(value)) ?? true);

/** Removes keys that could change a prototype. */
const withoutForbiddenKeys = (value: unknown): unknown =>
  value === null || typeof value !== "object"
    ? value
    : JSON.parse(JSON.stringify(value), (key, entry: unknown) => (forbidden.has(key) ? undefined : entry));
const forbidden = new Set(["__proto__", "constructor", "prototype"]);
