import type { FieldErrors, ParamObject, ParamValue } from "framewright/host";
import { type FieldSpec, isValues } from "framewright/plugins/fields/rows";

/** What a json column has, and how a form has it. */
export interface DocumentShape {
  readonly spec: FieldSpec;
  /** What is stored, as the fields of the form have it. */
  toForm(stored: unknown): unknown;
  /** An object that a program sent, as the fields of the form have it. */
  fromObject(sent: ParamObject): ParamValue;
  /** The other way round. */
  toStored(values: unknown): unknown;
  /** What is wrong with it, beside the rules of its fields, by path below the attribute. */
  problems(values: unknown, t: (key: string) => string): FieldErrors;
}

const none = () => ({});
const listOf = (value: unknown) => (Array.isArray(value) ? value.filter(isValues) : []);

/** A list of objects, or an object. */
export const plainShape = (spec: FieldSpec): DocumentShape => ({
  spec,
  toForm: (stored) => (spec.type === "repeated" ? listOf(stored) : isValues(stored) ? stored : {}),
  fromObject: (sent) => sent,
  toStored: (values) => values,
  problems: none,
});

/** An object of texts, which a form has as rows of two fields. */
export const keyValueShape = (spec: FieldSpec): DocumentShape => ({
  spec,
  toForm: (stored) =>
    isValues(stored)
      ? Object.entries(stored).map(([key, value]) => ({
          key,
          value: typeof value === "string" ? value : JSON.stringify(value),
        }))
      : listOf(stored),
  fromObject: (sent) => Object.entries(sent).map(([key, value]) => ({ key, value })),
  toStored: (rows) => Object.fromEntries(listOf(rows).map(({ key, value }) => [String(key), String(value ?? "")])),
  problems(rows, t) {
    const keys = listOf(rows).map(({ key }) => key);
    const repeated = keys.flatMap((key, index) => (keys.indexOf(key) < index ? [index] : []));
    return Object.fromEntries(repeated.map((index) => [`${index}.key`, [t("nested_records.key_twice")]]));
  },
});

/** The fields of names and values. */
export const keyValueFields: FieldSpec[] = [
  {
    name: "key",
    type: "string",
    options: {
      presence: true,
      length: { maximum: 255 },
      exclusion: ["__proto__", "constructor", "prototype"],
    } as FieldSpec["options"],
    fields: [],
  },
  { name: "value", type: "string", options: {}, fields: [] },
];
