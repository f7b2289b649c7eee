import type { BaseModel } from "framewright/plugins/database";
import type { InputOptions, ValueRules } from "../options.ts";
import type { FieldTypeTable } from "../types/field_type.ts";
import type { FieldTypeName } from "../types/field_types.ts";
import { withKinds } from "./kind.ts";
import type { FieldSpec } from "./spec.ts";

/** A field of rows or of a group. */
export interface RowField extends Omit<InputOptions, "as">, ValueRules {
  /** A type of fields; "repeated" and "group" have fields of their own. */
  as: FieldTypeName | "repeated" | "group";
  /** Of `as: "association"`: the model to choose from. */
  model?: { new (): BaseModel };
  fields?: RowFields;
  /** Of `as: "repeated"`: the fewest rows, and whether they are shown by their labels until they are opened. */
  minimum?: number;
  collapsed?: boolean;
}
/** The fields of rows or of a group, by name. */
export type RowFields = Readonly<Record<string, RowField>>;

/** What is wrong with a declared field, by its path; `as` is the name of a type that is unknown. */
export type RefuseField = (path: string, why: string, as?: string) => Error;

/** Declared fields with their types: all of them can be stored as JSON, and entered. */
export function declaredSpecs(fields: RowFields, types: FieldTypeTable, refuse: RefuseField): FieldSpec[] {
  const specs = withKinds(named(fields), types, ({ name, type }) => refuse(name, "is of an unknown type", type));
  check(specs, "", refuse);
  return specs;
}

const named = (fields: RowFields): FieldSpec[] => Object.entries(fields).map(([name, field]) => specOf(name, field));

/** A declared field as it is read and drawn. */
export function specOf(name: string, { as, model, fields = {}, ...options }: RowField): FieldSpec {
  const own = model ? { ...options, target: model } : options;
  return { name, type: as, options: own as FieldSpec["options"], fields: named(fields) };
}

function check(specs: readonly FieldSpec[], path: string, refuse: RefuseField): void {
  for (const { name, kind, fields } of specs) {
    const at = `${path}${name}`;
    if (!/^[a-zA-Z]\w*$/.test(name)) throw refuse(at, "has no name of letters, digits and underscores");
    if (kind?.isFile) throw refuse(at, "is a file");
    if (kind?.isSecret) throw refuse(at, "is a secret");
    if (kind && !kind.input) throw refuse(at, "is of a type without an input");
    check(fields, `${at}.`, refuse);
  }
}
