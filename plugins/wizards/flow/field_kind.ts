import { suggest } from "framewright/kernel";
import { type FieldType, type FieldTypeTable, inputNames, ownType } from "framewright/plugins/fields";
import type { FieldSpec } from "../contract/index.ts";
import { errors } from "../errors.ts";

/** The type of a field: as the application resolved it, else the framework's own of its name. */
export const kindOf = (field: Pick<FieldSpec, "type" | "kind">): FieldType => field.kind ?? ownType(field.type);

/** Whether a field has fields of its own, and no type. */
export const hasFields = ({ type }: Pick<FieldSpec, "type">): boolean => type === "group" || type === "repeated";

/** The fields with their types, at any depth. @throws FW_WIZARD_FIELD_TYPE */
export const withKinds = (step: string, fields: readonly FieldSpec[], types: FieldTypeTable): FieldSpec[] =>
  fields.map((field) => {
    if (hasFields(field)) return { ...field, fields: withKinds(step, field.fields, types) };
    const kind = types.get(field.type);
    if (kind) return { ...field, kind };
    const known = inputNames(types);
    throw errors.FW_WIZARD_FIELD_TYPE(step, field.name, field.type, suggest(field.type, known), known);
  });
