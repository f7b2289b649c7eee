import { providers } from "framewright/host";
import { type FieldTypeTable, inputNames } from "framewright/plugins/fields";
import { type FieldSpec, hasFields, withKinds } from "framewright/plugins/fields/rows";
import { errors } from "../errors.ts";

/** The fields of a step with their types, at any depth. @throws FW_WIZARD_FIELD_TYPE */
export function withFieldTypes(step: string, fields: readonly FieldSpec[], types: FieldTypeTable): FieldSpec[] {
  const refuse = ({ name, type }: FieldSpec) => {
    const known = inputNames(types);
    const hint = providers.typeHint(type, known, types.has(type));
    return errors.FW_WIZARD_FIELD_TYPE(step, name, type, hint, known);
  };
  const kinds = withKinds(fields, types, refuse);
  checkEntered(kinds, refuse);
  return kinds;
}

/** A step asks for what can be entered. */
function checkEntered(fields: readonly FieldSpec[], refuse: (field: FieldSpec) => Error): void {
  for (const field of fields) {
    if (hasFields(field)) checkEntered(field.fields, refuse);
    else if (!field.kind?.input) throw refuse(field);
  }
}
