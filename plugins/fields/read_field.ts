import type { ParamValue } from "framewright/host";
import { BaseModel, isBlank, isOversize, ModelInfo, type Rules } from "framewright/plugins/database";
import type { Coerced } from "./coerce.ts";
import { choiceOf, type DeclaredField, defaultOf, type FieldContext } from "./options.ts";
import type { FieldType, ReadBy } from "./types/field_type.ts";
import { standardTypes } from "./types/index.ts";

/** The type of a field that was not resolved at boot: one of the framework's own. */
export const ownType = (as: string): FieldType => standardTypes.get(as) ?? standardTypes.get("string")!;

/** What a field is read by; without a type the framework's own of its name. */
export interface FieldReadBy extends ReadBy {
  readonly type?: FieldType | undefined;
}
type ReadOptions = Pick<DeclaredField, "as" | "accept" | "maximum" | "range" | "currency" | "choices" | "length">;

/** Reads what was sent as a value of a type, and checks it by the type's own rule, unless its length rule or its column refuses it. */
export function readValue(type: FieldType, given: ParamValue, by: ReadBy, rules: Pick<Rules, "length"> = {}): Coerced {
  const read = type.read(given, by);
  if ("problem" in read || isBlank(read.value) || isOversize(read.value, rules, by.column?.maxLength)) return read;
  const said = type.validate(read.value, by);
  return said === true ? read : { problem: said };
}

/** Reads what was sent for a field, from a form and from JSON alike; of one that chooses a record, its key. */
export function readField(field: ReadOptions, given: ParamValue, { type, ...by }: FieldReadBy = {}): Coerced {
  const kind = type ?? ownType(field.as);
  const read = readValue(
    kind,
    given,
    Object.assign({}, by, {
      accept: field.accept,
      maximum: field.maximum,
      range: field.range,
      currency: field.currency,
    }),
    field,
  );
  if ("problem" in read) return read;
  return isListed(field, read.value) ? { value: read.value ?? kind.empty } : { problem: "errors.not_a_choice" };
}

/** Whether a value is one of the choices of a list; those of a function are looked up with the rules. */
export const isListed = ({ choices }: Pick<DeclaredField, "choices">, value: unknown): boolean =>
  isBlank(value) ||
  choices === undefined ||
  typeof choices === "function" ||
  [value].flat().every((one) => choices.some((choice) => choiceOf(choice).value === String(one)));

/** What is read where nothing was sent. A default is converted as what is typed. */
export function readDefault(field: DeclaredField, context: FieldContext, by: FieldReadBy = {}): Coerced {
  const { type = ownType(field.as) } = by;
  const value = defaultOf(field, context, type);
  if (value instanceof Date) return { value: type.column.type === "date" && type.text ? type.text(value) : value };
  if (value instanceof BaseModel) return { value: ModelInfo.keyOf(value) };
  return typeof value === "object" ? { value } : readField(field, value as ParamValue, by);
}

/** A value as JSON is stored of it, in a wizard's run or a job. */
export function toStored({ json, isFile }: FieldType, value: unknown): unknown {
  if (json && !isFile) return json(value);
  return value instanceof Date ? value.toISOString() : value;
}
/** The value of what `toStored` returned. */
export const fromStored = ({ parse, isFile }: FieldType, stored: unknown): unknown =>
  parse && !isFile && stored !== null && stored !== undefined ? parse(stored) : stored;
