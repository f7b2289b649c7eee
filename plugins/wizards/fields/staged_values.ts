import {
  type FieldErrors,
  isParamObject,
  isUploadedFile,
  type ParamObject,
  Params,
  type ParamValue,
  type UploadedFile,
  uploadContent,
  uploadSize,
} from "framewright/host";
import {
  ADDED_MARKER,
  fromStorage,
  isBlankRow,
  isValues,
  keptRow,
  kindOf,
  own,
  rowsOf,
  type TranslateOr,
  untranslated,
} from "framewright/plugins/fields/rows";
import { isAccepted, isAcceptedUpload, type Storage, sizeText } from "framewright/plugins/storage";
import type { FieldScope, FieldSpec, StagedFile, StepSpec, StepValues } from "../contract/index.ts";
import { nobody } from "../flow/read_step.ts";

/** The result of storing the files that were sent with a step. */
export interface Staging {
  /** The parameters, with stored files in place of the uploads; for `readStep`. */
  readonly params: Params;
  /** The stored files; to be deleted again when the step is not stored. */
  readonly stored: readonly StagedFile[];
  /** Why files were refused; overrides the errors of `readStep` for the same field. */
  readonly errors: FieldErrors;
}
interface Walk {
  readonly storage: Pick<Storage, "put">;
  readonly translate: TranslateOr;
  readonly scope: FieldScope;
  readonly stored: StagedFile[];
  readonly errors: FieldErrors;
}

/**
 * Stores the files that were sent with a step and that its fields accept, under random keys and sanitized names.
 * @throws FW_STORAGE_WRITE, after deleting the files stored before it
 */
export async function stageFiles(
  storage: Pick<Storage, "put" | "delete">,
  step: Pick<StepSpec, "fields">,
  params: Params,
  before: StepValues | undefined,
  { translate = untranslated, scope = nobody }: { translate?: TranslateOr; scope?: FieldScope } = {},
): Promise<Staging> {
  const walk: Walk = { storage, translate, scope, stored: [], errors: {} };
  try {
    const staged = await stageIn(walk, step.fields, params.toObject(), before ?? {}, "");
    return { params: new Params(staged, "wizard"), stored: walk.stored, errors: walk.errors };
  } catch (error) {
    for (const { key } of walk.stored) await storage.delete(key).catch(() => undefined);
    throw error;
  }
}

async function stageIn(
  walk: Walk,
  fields: readonly FieldSpec[],
  sent: ParamObject,
  before: StepValues,
  path: string,
): Promise<ParamObject> {
  const staged: ParamObject = { ...sent };
  for (const field of fields) {
    if (!Object.hasOwn(sent, field.name) || !mayHaveFiles(field)) continue;
    staged[field.name] = await stageField(
      walk,
      field,
      sent[field.name]!,
      own(before, field.name),
      `${path}${field.name}`,
    );
  }
  return staged;
}

const mayHaveFiles = (field: FieldSpec): boolean =>
  field.type === "group" || field.type === "repeated" || kindOf(field).isFile === true;

async function stageField(
  walk: Walk,
  field: FieldSpec,
  given: ParamValue,
  before: unknown,
  at: string,
): Promise<ParamValue> {
  if (kindOf(field).isFile) return isUploadedFile(given) ? storeFile(walk, field, given, at) : given;
  if (field.type === "group" && isParamObject(given))
    return stageIn(walk, field.fields, given, isValues(before) ? before : {}, `${at}.`);
  return field.type === "repeated" ? stageEntries(walk, field, given, before, at) : given;
}

/** Drops blank entries first, so that indices match those in the errors. */
async function stageEntries(walk: Walk, field: FieldSpec, given: ParamValue, before: unknown, at: string) {
  const filled = rowsOf(given, field.rows)?.filter(
    (entry) => entry[ADDED_MARKER] === "1" || !isBlankRow(field, entry, before, walk.scope),
  );
  if (!filled) return given;
  const staged: ParamObject[] = [];
  for (const [index, entry] of filled.entries())
    staged.push(await stageIn(walk, field.fields, entry, keptRow(entry, before), `${at}.${index}.`));
  return staged;
}

/** Stores an accepted file. A refused one stays an upload: it reads as no value, and its entry doesn't count as blank. */
async function storeFile(walk: Walk, field: FieldSpec, file: UploadedFile, at: string): Promise<ParamValue> {
  const refused = await refusalMessage(field, file, walk.translate);
  if (refused !== undefined) {
    walk.errors[at] = [refused];
    return file;
  }
  const { key, filename, type, size } = await walk.storage.put({
    filename: file.filename,
    type: file.mimeType,
    ...uploadContent(file),
  });
  const stored: StagedFile = { key, filename, type, size };
  walk.stored.push(stored);
  return { ...stored, [fromStorage]: true } as unknown as ParamValue;
}

async function refusalMessage(
  { options: { accept, maximum } }: FieldSpec,
  file: UploadedFile,
  translate: TranslateOr,
): Promise<string | undefined> {
  if (maximum !== undefined && uploadSize(file) > maximum) {
    const size = sizeText(maximum);
    return translate("wizards.fields.too_large", `is too large (at most ${size})`, { size });
  }
  if (!accept || (isAccepted(accept, file) && (await isAcceptedUpload(accept, file)))) return undefined;
  const types = accept.join(", ");
  return translate("wizards.fields.not_accepted", `must be one of ${types}`, { types });
}
