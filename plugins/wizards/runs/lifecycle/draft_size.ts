import { isParamObject, type ParamObject, type ParamValue } from "framewright/host";
import type { FieldSpec } from "../../contract/index.ts";
import { referenceName, removeName } from "../../fields/draft_files.ts";

/** Bytes that a step's draft may have. */
export const DRAFT_LIMIT = 262_144;

/** What was typed into a step's fields, to be shown again: of files what the form knows them by, no passwords, nothing that the step doesn't ask for. */
export function draftOf(fields: readonly FieldSpec[], typed: ParamObject): ParamObject {
  const draft = Object.create(null) as ParamObject;
  for (const field of fields) {
    if (field.type === "file") copyFile(field, typed, draft);
    if (!Object.hasOwn(typed, field.name) || field.type === "file" || field.type === "password") continue;
    const value = kept(field, typed[field.name]!);
    if (value !== undefined) draft[field.name] = value;
  }
  return draft;
}

function copyFile({ name }: FieldSpec, typed: ParamObject, draft: ParamObject): void {
  for (const one of [referenceName(name), removeName(name)])
    if (typeof typed[one] === "string") draft[one] = typed[one];
}

function kept(field: FieldSpec, value: ParamValue): ParamValue | undefined {
  if (field.type === "group") return isParamObject(value) ? draftOf(field.fields, value) : undefined;
  if (field.type === "repeated") return entries(field, value);
  return withoutFiles(value) ? value : undefined;
}

function entries(field: FieldSpec, value: ParamValue): ParamValue | undefined {
  const entry = (one: ParamValue): ParamValue =>
    isParamObject(one) ? { ...was(one), ...draftOf(field.fields, one) } : "";
  if (Array.isArray(value)) return value.map(entry);
  if (!isParamObject(value)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([number, one]) => [number, entry(one)]));
}
/** The number of the entry that it was filled with stays with it. */
const was = (entry: ParamObject): ParamObject => (typeof entry._was === "string" ? { _was: entry._was } : {});

const withoutFiles = (value: ParamValue): boolean => {
  if (Array.isArray(value)) return value.every(withoutFiles);
  if (typeof value !== "object" || value === null) return true;
  return isParamObject(value) && Object.values(value).every(withoutFiles);
};

export const sizeOf = (draft: ParamObject): number => Buffer.byteLength(JSON.stringify(draft));
