import { isUploadedFile, type UploadedFile, uploadContent } from "framewright/host";
import type { FieldTypeTable } from "framewright/plugins/fields";
import type { AnyInteractionAttributes } from "framewright/plugins/resources";
import type { Storage, StoredFile } from "framewright/plugins/storage";
import type { RunContent } from "./content.ts";

/** For how long a file is retained where nothing deletes it: a run may wait for its job. */
const HOURS_KEPT = 7 * 24;

/** The names of an interaction's inputs that are files. */
export const fileNames = (attributes: AnyInteractionAttributes, types: FieldTypeTable): string[] =>
  Object.entries(attributes).flatMap(([name, { as }]) => (types.get(as)?.isFile ? name : []));

/** Stores the files among the values of a run, for its job. @throws FW_STORAGE_WRITE, once what was stored before is deleted */
export async function carryFiles(
  storage: Storage | undefined,
  values: Readonly<Record<string, unknown>>,
): Promise<Record<string, StoredFile>> {
  const carried: Record<string, StoredFile> = {};
  try {
    for (const [name, value] of Object.entries(values)) {
      if (!isUploadedFile(value)) continue;
      const file = { filename: value.filename, type: value.mimeType, ...uploadContent(value) };
      carried[name] = await storage!.put(file, { temporary: true, hours: HOURS_KEPT });
    }
  } catch (error) {
    await dropFiles(storage, carried);
    throw error;
  }
  return carried;
}

/** The files of a run as its interaction gets them; undefined where one is not stored any more. */
export async function openFiles(
  storage: Storage | undefined,
  { files = {} }: RunContent,
): Promise<Record<string, UploadedFile> | undefined> {
  const opened: Record<string, UploadedFile> = {};
  for (const [name, { key, filename, type }] of Object.entries(files)) {
    if (!storage || !(await storage.exists(key))) return undefined;
    opened[name] = { filename, mimeType: type, bytes: await storage.bytes(key) };
  }
  return opened;
}

/** Deletes the files of a run that has ended; one that can't be deleted is by and by, as a temporary one. */
export async function dropFiles(
  storage: Storage | undefined,
  files: Readonly<Record<string, StoredFile>> | undefined,
): Promise<void> {
  for (const { key } of Object.values(files ?? {})) await storage?.delete(key).catch(() => undefined);
}
