import { isParamObject, type ParamObject, type ParamValue } from "framewright/host";
import {
  DESTROY_MARKER,
  isRemovedRow,
  kindOf,
  referenceName,
  removeName,
  rowsOf,
} from "framewright/plugins/fields/rows";
import type { FieldSpec } from "../../contract/index.ts";

/** The largest draft of a step that is stored. */
export const MAX_DRAFT_BYTES = 262_144;

/** The input of a step's fields, to be shown again: files as references, no passwords, no undeclared fields. */
export function draftOf(fields: readonly FieldSpec[], typed: ParamObject): ParamObject {
  const draft = Object.create(null) as ParamObject;
  for (const field of fields) {
    const { isFile, isSecret } = kindOf(field);
    if (isFile) copyFile(field, typed, draft);
    if (!Object.hasOwn(typed, field.name) || isFile || isSecret) continue;
    const value = draftValue(field, typed[field.name]!);
    if (value !== undefined) draft[field.name] = value;
  }
  return draft;
}

function copyFile({ name }: FieldSpec, typed: ParamObject, draft: ParamObject): void {
  for (const one of [referenceName(name), removeName(name)])
    if (typeof typed[one] === "string") draft[one] = typed[one];
}

function draftValue(field: FieldSpec, value: ParamValue): ParamValue | undefined {
  if (field.type === "group") return isParamObject(value) ? draftOf(field.fields, value) : undefined;
  if (field.type === "repeated") return entries(field, (field.rows && rowsOf(value, field.rows)) ?? value);
  return withoutFiles(value) ? value : undefined;
}

function entries(field: FieldSpec, value: ParamValue): ParamValue | undefined {
  const entry = (one: ParamValue): ParamValue =>
    isParamObject(one) ? { ...markers(one), ...draftOf(field.fields, one) } : "";
  if (Array.isArray(value)) return value.map(entry);
  if (!isParamObject(value)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([number, one]) => [number, entry(one)]));
}
/** An entry keeps the index of the stored entry that it was filled from, and whether it is to be removed. */
const markers = (entry: ParamObject): ParamObject => ({
  ...(typeof entry._was === "string" ? { _was: entry._was } : {}),
  ...(isRemovedRow(entry) ? { [DESTROY_MARKER]: "1" } : {}),
});

const withoutFiles = (value: ParamValue): boolean => {
  if (Array.isArray(value)) return value.every(withoutFiles);
  if (typeof value !== "object" || value === null) return true;
  return isParamObject(value) && Object.values(value).every(withoutFiles);
};

export const byteSize = (draft: ParamObject): number => Buffer.byteLength(JSON.stringify(draft));
