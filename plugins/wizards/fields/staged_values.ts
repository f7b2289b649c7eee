import {
  type FieldErrors,
  isParamObject,
  type ParamObject,
  Params,
  type ParamValue,
  type UploadedFile,
} from "framewright/host";
import { isAccepted, type Storage, sizeText } from "framewright/plugins/storage";
import type { FieldSpec, StagedFile, StepSpec, StepValues } from "../contract/index.ts";
import { entriesOf, entryBefore, fromStorage, inEnglish, isBlankEntry, type Say } from "../flow/read_step.ts";
import { isValues, own } from "../flow/values.ts";
import { ADDED } from "./nodes.ts";

/** What came of the files that were sent with a step. */
export interface Staging {
  /** The parameters with stored files in the place of sent ones: for `readStep`. */
  readonly params: Params;
  /** What lies in the storage now; to be deleted again when the step is not kept. */
  readonly stored: readonly StagedFile[];
  /** Why a file was refused; goes before what `readStep` says of the same field. */
  readonly errors: FieldErrors;
}
interface Walk {
  readonly storage: Pick<Storage, "put">;
  readonly say: Say;
  readonly stored: StagedFile[];
  readonly errors: FieldErrors;
}

/**
 * Stores the files that came with a step, under random keys and cleaned names, where its fields take them.
 * @throws FW_STORAGE_WRITE, once what was stored before it is deleted again
 */
export async function stageFiles(
  storage: Pick<Storage, "put" | "delete">,
  step: Pick<StepSpec, "fields">,
  params: Params,
  before: StepValues | undefined,
  say: Say = inEnglish,
): Promise<Staging> {
  const walk: Walk = { storage, say, stored: [], errors: {} };
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
    if (!Object.hasOwn(sent, field.name)) continue;
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

async function stageField(
  walk: Walk,
  field: FieldSpec,
  given: ParamValue,
  before: unknown,
  at: string,
): Promise<ParamValue> {
  if (field.type === "file") return isUpload(given) ? stage(walk, field, given, at) : given;
  if (field.type === "group" && isParamObject(given))
    return stageIn(walk, field.fields, given, isValues(before) ? before : {}, `${at}.`);
  return field.type === "repeated" ? stageEntries(walk, field, given, before, at) : given;
}

/** The entries that are kept, so that each has the number that errors know it by. */
async function stageEntries(walk: Walk, field: FieldSpec, given: ParamValue, before: unknown, at: string) {
  const filled = entriesOf(given)?.filter((entry) => entry[ADDED] === "1" || !isBlankEntry(field, entry, before));
  if (!filled) return given;
  const staged: ParamObject[] = [];
  for (const [index, entry] of filled.entries())
    staged.push(await stageIn(walk, field.fields, entry, entryBefore(entry, before), `${at}.${index}.`));
  return staged;
}

const isUpload = (given: ParamValue): given is UploadedFile =>
  typeof given === "object" && given !== null && "bytes" in given && Buffer.isBuffer(given.bytes);

/** A refused file stays where it is: it reads as no value, and its entry is not taken for a blank one. */
async function stage(walk: Walk, field: FieldSpec, file: UploadedFile, at: string): Promise<ParamValue> {
  const refused = refusal(field, file, walk.say);
  if (refused !== undefined) {
    walk.errors[at] = [refused];
    return file;
  }
  const { key, filename, type, size } = await walk.storage.put({
    filename: file.filename,
    type: file.mimeType,
    bytes: file.bytes,
  });
  const stored: StagedFile = { key, filename, type, size };
  walk.stored.push(stored);
  return { ...stored, [fromStorage]: true } as unknown as ParamValue;
}

function refusal({ options: { accept, maximum } }: FieldSpec, file: UploadedFile, say: Say): string | undefined {
  if (accept && !isAccepted(accept, file)) {
    const types = accept.join(", ");
    return say("wizards.fields.not_accepted", `must be one of ${types}`, { types });
  }
  if (maximum === undefined || file.bytes.length <= maximum) return undefined;
  const size = sizeText(maximum);
  return say("wizards.fields.too_large", `is too large (at most ${size})`, { size });
}
