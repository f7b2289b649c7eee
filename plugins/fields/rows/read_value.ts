import type { ParamValue } from "framewright/host";
import { type ColumnInfo, ModelInfo } from "framewright/plugins/database";
import type { Coerced } from "../coerce.ts";
import type { DeclaredField, FieldContext } from "../options.ts";
import { readDefault, readField, toStored } from "../read_field.ts";
import { kindOf } from "./kind.ts";
import type { FieldSpec } from "./spec.ts";

/** Module-level: found by a field's specification, which is a part of a module. */
const declared = new WeakMap<FieldSpec, DeclaredField>();
/** A field as the shared parts read it. */
export function declaredOf(field: FieldSpec): DeclaredField {
  const known = declared.get(field);
  if (known) return known;
  const made = { ...field.options, as: field.type };
  declared.set(field, made);
  return made;
}
export const targetOf = ({ options: { target } }: FieldSpec): ModelInfo | undefined => target && ModelInfo.of(target);

const readBy = (field: FieldSpec) => ({
  column: (field as { readonly column?: ColumnInfo }).column, // of a model's attribute
  target: targetOf(field),
  type: kindOf(field),
});

/** Reads the value of a field that is not a group, a list or a file, as it is stored; or what is wrong with it. */
export const readValue = (field: FieldSpec, given: ParamValue): Coerced =>
  asStored(field, readField(declaredOf(field), given, readBy(field)));

/** What is read where nothing was sent. */
export const readInitial = (field: FieldSpec, context: FieldContext): Coerced =>
  field.options.default === undefined
    ? readValue(field, null)
    : asStored(field, readDefault(declaredOf(field), context, readBy(field)));

const asStored = (field: FieldSpec, read: Coerced): Coerced =>
  "value" in read ? { value: toStored(kindOf(field), read.value) } : read;

export const wrongShape: Coerced = { problem: "errors.wrong_shape" };
