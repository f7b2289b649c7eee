import { providers } from "framewright/host";
import { type FieldTypeTable, inputNames } from "framewright/plugins/fields";
import { type FieldSpec, withKinds } from "framewright/plugins/fields/rows";
import { errors } from "../errors.ts";

/** The fields of a step with their types, at any depth. @throws FW_WIZARD_FIELD_TYPE */
export const withFieldTypes = (step: string, fields: readonly FieldSpec[], types: FieldTypeTable): FieldSpec[] =>
  withKinds(fields, types, ({ name, type }) => {
    const known = inputNames(types);
    return errors.FW_WIZARD_FIELD_TYPE(step, name, type, providers.typeHint(type, known), known);
  });
