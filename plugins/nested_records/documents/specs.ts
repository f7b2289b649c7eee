import { suggest } from "framewright/kernel";
import { type FieldTypeTable, inputNames } from "framewright/plugins/fields";
import { type FieldSpec, withKinds } from "framewright/plugins/fields/rows";
import type { DocumentField, DocumentFields } from "../declarations.ts";
import { errors } from "../errors.ts";

/** The declared fields of a json column. @throws FW_ROWS_FIELD, FW_ROWS_FIELD_TYPE */
export function specsOf(definition: string, fields: DocumentFields, types: FieldTypeTable): FieldSpec[] {
  const specs = withKinds(named(fields), types, ({ name, type }) =>
    errors.FW_ROWS_FIELD_TYPE(definition, name, type, suggest(type, inputNames(types))),
  );
  check(definition, specs, "");
  return specs;
}

const named = (fields: DocumentFields): FieldSpec[] =>
  Object.entries(fields).map(([name, field]) => specOf(name, field));

function specOf(name: string, { as, model, fields = {}, ...options }: DocumentField): FieldSpec {
  const own = model ? { ...options, target: model } : options;
  return { name, type: as, options: own as FieldSpec["options"], fields: named(fields) };
}

function check(definition: string, specs: readonly FieldSpec[], path: string): void {
  for (const { name, kind, fields } of specs) {
    const at = `${path}${name}`;
    const refuse = (why: string) => errors.FW_ROWS_FIELD(definition, at, why);
    if (!/^[a-zA-Z][\w]*$/.test(name)) throw refuse("has no name of letters, digits and underscores");
    if (kind?.isFile) throw refuse("is a file");
    if (kind?.isSecret) throw refuse("is a secret");
    if (kind && !kind.input) throw refuse("is of a type without an input");
    check(definition, fields, `${at}.`);
  }
}
