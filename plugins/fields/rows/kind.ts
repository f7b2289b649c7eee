import { ownType } from "../read_field.ts";
import type { FieldType, FieldTypeTable, ValueRows } from "../types/field_type.ts";
import type { FieldSpec } from "./spec.ts";

/** The type of a field: as the application resolved it, else the framework's own of its name. */
export const kindOf = (field: Pick<FieldSpec, "type" | "kind">): FieldType => field.kind ?? ownType(field.type);

/** Whether a field has fields of its own, and no type. */
export const hasFields = ({ type }: Pick<FieldSpec, "type">): boolean => type === "group" || type === "repeated";

/** Whether a field of a type, by its name, has fields of its own: rows and groups, and types whose values are entered as rows. */
export const isNested = (type: string, types: FieldTypeTable): boolean =>
  hasFields({ type }) || types.get(type)?.rows !== undefined;

/** The fields with their types, at any depth; `refuse` returns the error of one whose type is unknown. */
export const withKinds = (
  fields: readonly FieldSpec[],
  types: FieldTypeTable,
  refuse: (field: FieldSpec) => Error,
): FieldSpec[] =>
  fields.map((field) => {
    if (hasFields(field)) return { ...field, fields: withKinds(field.fields, types, refuse) };
    const kind = types.get(field.type);
    if (kind?.rows) return { ...field, type: "repeated", rows: kind.rows, fields: rowFields(kind.rows, types, refuse) };
    if (kind) return { ...field, kind };
    throw refuse(field);
  });

const rowFields = ({ fields }: ValueRows, types: FieldTypeTable, refuse: (field: FieldSpec) => Error): FieldSpec[] =>
  withKinds(
    Object.entries(fields).map(([name, { as, ...options }]) => ({ name, type: as, options, fields: [] }) as FieldSpec),
    types,
    refuse,
  );
