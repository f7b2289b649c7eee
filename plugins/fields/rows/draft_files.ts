import { createHash } from "node:crypto";
import { isParamObject, type ParamObject } from "framewright/host";
import { kindOf } from "./kind.ts";
import { fromStorage, rowsOf } from "./read_tree.ts";
import type { FieldSpec, StagedFile } from "./spec.ts";
import { isStagedFile } from "./values.ts";

/** Files by the reference that forms use; the storage key is never sent to a browser. */
export type FilesByReference = Readonly<Record<string, StagedFile>>;

/** The key of a draft's files in the draft; no field can have this name. */
const FILES_KEY = "_files";
/** The hidden input beside a file input: the reference of the draft's file. */
export const referenceName = (name: string): string => `_file_${name}`;
export const removeName = (name: string): string => `_remove_${name}`;

const referenceOf = ({ key }: StagedFile): string => createHash("sha256").update(key).digest("base64url").slice(0, 22);
const own = <T>(object: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  object && Object.hasOwn(object, name) ? object[name] : undefined;
const fileByReference = (files: FilesByReference, reference: unknown): StagedFile | undefined =>
  typeof reference === "string" ? own(files, reference) : undefined;

/** The files that are stored with a draft. */
export const filesOfDraft = (draft: ParamObject | undefined): FilesByReference => {
  const files = own(draft, FILES_KEY);
  return isParamObject(files) ? (files as unknown as FilesByReference) : {};
};
export const withFiles = (draft: ParamObject, files: FilesByReference): ParamObject =>
  Object.keys(files).length > 0 ? { ...draft, [FILES_KEY]: files as unknown as ParamObject } : draft;

/** The draft's file that the input of a field refers to. */
export const draftFileAt = (
  typed: ParamObject | undefined,
  name: string,
  files: FilesByReference,
): StagedFile | undefined => fileByReference(files, own(typed, referenceName(name)));

type FileChange = (place: ParamObject, name: string, draft: ParamObject | undefined) => void;
/** A copy in which `change` was applied to each object with a file field. Entries of lists have no draft: their indices change. */
function mapFileFields(
  fields: readonly FieldSpec[],
  tree: ParamObject,
  draft: ParamObject | undefined,
  change: FileChange,
): ParamObject {
  const copy = { ...tree };
  for (const field of fields) {
    const { name, type, fields: inner } = field;
    const [value, before] = [own(copy, name), own(draft, name)];
    if (kindOf(field).isFile) change(copy, name, draft);
    else if (type === "group" && isParamObject(value ?? before))
      copy[name] = mapFileFields(
        inner,
        isParamObject(value) ? value : {},
        isParamObject(before) ? before : undefined,
        change,
      );
    else if (type === "repeated" && value !== undefined)
      copy[name] = rowsOf(value, field.rows)?.map((entry) => mapFileFields(inner, entry, undefined, change)) ?? value;
  }
  return copy;
}

/** The sent input, with the draft's files where no new one was chosen, as if they had been sent again. */
export function withDraftFiles(
  fields: readonly FieldSpec[],
  sent: ParamObject,
  draft: ParamObject | undefined,
): ParamObject {
  const files = filesOfDraft(draft);
  if (Object.keys(files).length === 0) return sent;
  return mapFileFields(fields, sent, draft, (place, name, before) => {
    const reference = own(place, referenceName(name)) ?? own(before, referenceName(name));
    const file = fileByReference(files, reference);
    if (!file) return;
    place[referenceName(name)] = reference!;
    const given = own(place, name);
    const isChosen = given !== undefined && given !== null && given !== "";
    if (!isChosen && place[removeName(name)] !== "1")
      place[name] = { ...file, [fromStorage]: true } as unknown as ParamObject;
  });
}

/** The input with stored files replaced by their references, and those files by reference. */
export function withFileReferences(
  fields: readonly FieldSpec[],
  staged: ParamObject,
  draft: ParamObject | undefined,
): { typed: ParamObject; files: FilesByReference } {
  const before = filesOfDraft(draft);
  const files: Record<string, StagedFile> = {};
  const typed = mapFileFields(fields, staged, undefined, (place, name) => {
    const given: unknown = own(place, name);
    const isStored = isStagedFile(given) && fromStorage in given;
    const file = isStored ? pickFile(given) : fileByReference(before, own(place, referenceName(name)));
    delete place[name];
    delete place[referenceName(name)];
    if (!file) return;
    files[referenceOf(file)] = file;
    place[referenceName(name)] = referenceOf(file);
  });
  return { typed, files };
}
const pickFile = ({ key, filename, type, size }: StagedFile): StagedFile => ({ key, filename, type, size });
