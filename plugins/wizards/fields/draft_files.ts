import { createHash } from "node:crypto";
import { isParamObject, type ParamObject } from "framewright/host";
import type { FieldSpec, StagedFile } from "../contract/index.ts";
import { entriesOf, fromStorage } from "../flow/read_step.ts";
import { isStagedFile } from "../flow/values.ts";

/** Files by what a form knows them by: never by their place in the storage. */
export type Files = Readonly<Record<string, StagedFile>>;

/** Where the files of a step's draft lie in it: no field can have the name. */
const FILES = "_files";
/** The hidden input beside a file's: which of the draft's files stands there. */
export const referenceName = (name: string): string => `_file_${name}`;
export const removeName = (name: string): string => `_remove_${name}`;

const referenceOf = ({ key }: StagedFile): string => createHash("sha256").update(key).digest("base64url").slice(0, 22);
const own = <T>(object: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  object && Object.hasOwn(object, name) ? object[name] : undefined;
const known = (files: Files, reference: unknown): StagedFile | undefined =>
  typeof reference === "string" ? own(files, reference) : undefined;

/** The files that are kept with what was typed, as long as the step itself is not. */
export const filesOfDraft = (draft: ParamObject | undefined): Files => {
  const files = own(draft, FILES);
  return isParamObject(files) ? (files as unknown as Files) : {};
};
export const withFiles = (draft: ParamObject, files: Files): ParamObject =>
  Object.keys(files).length > 0 ? { ...draft, [FILES]: files as unknown as ParamObject } : draft;

/** The file that a typed form stands for at a field, as the draft has it. */
export const fileTyped = (typed: ParamObject | undefined, name: string, files: Files): StagedFile | undefined =>
  known(files, own(typed, referenceName(name)));

type Change = (place: ParamObject, name: string, draft: ParamObject | undefined) => void;
/** A copy in which each place of a file was changed. Entries of lists move about: no draft is known to be theirs. */
function eachFile(
  fields: readonly FieldSpec[],
  tree: ParamObject,
  draft: ParamObject | undefined,
  change: Change,
): ParamObject {
  const copy = { ...tree };
  for (const { name, type, fields: inner } of fields) {
    const [value, before] = [own(copy, name), own(draft, name)];
    if (type === "file") change(copy, name, draft);
    else if (type === "group" && isParamObject(value ?? before))
      copy[name] = eachFile(
        inner,
        isParamObject(value) ? value : {},
        isParamObject(before) ? before : undefined,
        change,
      );
    else if (type === "repeated" && value !== undefined)
      copy[name] = entriesOf(value)?.map((entry) => eachFile(inner, entry, undefined, change)) ?? value;
  }
  return copy;
}

/** What was sent, with the draft's files where none was chosen: as if they had been sent again. */
export function withDraftFiles(
  fields: readonly FieldSpec[],
  sent: ParamObject,
  draft: ParamObject | undefined,
): ParamObject {
  const files = filesOfDraft(draft);
  if (Object.keys(files).length === 0) return sent;
  return eachFile(fields, sent, draft, (place, name, before) => {
    const reference = own(place, referenceName(name)) ?? own(before, referenceName(name));
    const file = known(files, reference);
    if (!file) return;
    place[referenceName(name)] = reference!;
    const given = own(place, name);
    const isChosen = given !== undefined && given !== null && given !== "";
    if (!isChosen && place[removeName(name)] !== "1")
      place[name] = { ...file, [fromStorage]: true } as unknown as ParamObject;
  });
}

/** What was typed, with stored files named by what a form knows them by, and those files. */
export function referring(
  fields: readonly FieldSpec[],
  staged: ParamObject,
  draft: ParamObject | undefined,
): { typed: ParamObject; files: Files } {
  const before = filesOfDraft(draft);
  const files: Record<string, StagedFile> = {};
  const typed = eachFile(fields, staged, undefined, (place, name) => {
    const given: unknown = own(place, name);
    const isStored = isStagedFile(given) && fromStorage in given;
    const file = isStored ? cleanOf(given) : known(before, own(place, referenceName(name)));
    delete place[name];
    delete place[referenceName(name)];
    if (!file) return;
    files[referenceOf(file)] = file;
    place[referenceName(name)] = referenceOf(file);
  });
  return { typed, files };
}
const cleanOf = ({ key, filename, type, size }: StagedFile): StagedFile => ({ key, filename, type, size });
