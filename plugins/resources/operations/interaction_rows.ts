import { providers } from "framewright/host";
import type { ModelInfo } from "framewright/plugins/database";
import { type FieldTypeTable, inputNames } from "framewright/plugins/fields";
import {
  declaredSpecs,
  type FieldSpec,
  fieldAt,
  isNested,
  type RowField,
  targetOf,
} from "framewright/plugins/fields/rows";
import { errors } from "../errors.ts";

/** The fields of an input of an interaction that has some. @throws FW_INTERACTION_INPUT */
export function rowsSpec(
  interaction: string,
  name: string,
  field: { as: string },
  types: FieldTypeTable,
): FieldSpec | undefined {
  if (!isNested(field.as, types)) return undefined;
  const refuse = (path: string, why: string, as?: string) => {
    const hint = as === undefined ? "" : providers.typeHint(as, inputNames(types), types.has(as)).trim();
    const type = as === undefined ? "" : `: "${as}"${hint && ` (${hint})`}`;
    const what = path === name ? "" : `the field "${path}", which `;
    return errors.FW_INTERACTION_INPUT(interaction, name, `as: "${field.as}", and ${what}${why}${type}`);
  };
  const [spec] = declaredSpecs({ [name]: field as RowField }, types, refuse);
  if (spec!.fields.length === 0) throw refuse(name, "no fields");
  return spec;
}

/** The model whose records a field of rows chooses from, by its path in the form: `visits.0.owner`. */
export function rowTarget(
  attributes: Readonly<Record<string, { as: string }>>,
  path: string,
  types: FieldTypeTable,
): ModelInfo | undefined {
  const [name = "", ...rest] = path.split(".");
  const spec = Object.hasOwn(attributes, name) ? rowsSpec("an interaction", name, attributes[name]!, types) : undefined;
  const field = spec && rest.length > 0 ? fieldAt(spec.fields, rest.join(".")) : undefined;
  return field && !field.options.choices ? targetOf(field) : undefined;
}
