import {
  type BaseController,
  type FieldErrors,
  isParamObject,
  type ParamObject,
  uploadContent,
  uploadSize,
} from "framewright/host";
import { messageOf } from "framewright/kernel";
import type { Storage, StoredFile } from "framewright/plugins/storage";
import type { KeptFileView } from "./components/types.ts";
import { isFile } from "./file_fields.ts";
import { sealerOf } from "./sealer.ts";

/** A form that asks for files: what it is among all forms, the key of its values, and the names of its files. */
export interface FileForm {
  readonly form: string;
  readonly key: string;
  readonly names: readonly string[];
}

export const keptName = (name: string): string => `_kept_${name}`;
export const removeName = (name: string): string => `_remove_${name}`;
/** The names that a field's value is sent under. */
export const fieldNames = (name: string): string[] => [name, keptName(name), removeName(name)];

/**
 * Puts the files that came with the last try where no other was chosen, in the request's own parameters, so that all who
 * read them find a file there. Returns the errors of files that are not stored any more.
 */
export async function restoreFiles(controller: BaseController, file: FileForm): Promise<FieldErrors> {
  const errors: FieldErrors = {};
  const values = valuesOf(controller, file);
  if (!values) return errors;
  for (const name of file.names) {
    const sealed = values[keptName(name)];
    if (typeof sealed !== "string" || sealed === "") continue;
    const isReplaced = isFile(values[name]) || values[removeName(name)] === "1";
    const found = isReplaced ? undefined : await read(controller, file, name, sealed);
    if (found) values[name] = found;
    else delete values[keptName(name)];
    if (!found && !isReplaced) errors[name] = [controller.t("errors.file_expired")];
  }
  return errors;
}

async function read(controller: BaseController, file: FileForm, name: string, sealed: string) {
  const text = sealerOf(controller, "kept file").open(sealed, boundTo(controller, file, name));
  const storage = storageOf(controller);
  if (text === undefined || !storage) return undefined;
  const { key, filename, type } = JSON.parse(text) as StoredFile;
  if (!(await storage.exists(key))) return undefined;
  return { filename, mimeType: type, bytes: await storage.bytes(key) };
}

/** Keeps the files that came with a form that is shown again, but for those that were refused themselves. */
export async function keepFiles(
  controller: BaseController,
  file: FileForm,
  errors: FieldErrors,
): Promise<ReadonlyMap<string, KeptFileView>> {
  const kept = new Map<string, KeptFileView>();
  const [values, storage] = [valuesOf(controller, file), storageOf(controller)];
  if (!values || !storage || !controller.currentUser) return kept; // guests would fill the storage
  for (const name of file.names) {
    const given = values[name];
    if (!isFile(given) || errors[name]) continue;
    const { filename, mimeType: type } = given;
    const before = values[keptName(name)];
    const sent = { filename, type, ...uploadContent(given) };
    const sealed = typeof before === "string" ? before : await keep(controller, storage, sent, file, name);
    if (sealed !== undefined) kept.set(name, { filename, size: uploadSize(given), sealed });
  }
  return kept;
}

async function keep(
  controller: BaseController,
  storage: Storage,
  given: Parameters<Storage["put"]>[0],
  file: FileForm,
  name: string,
): Promise<string | undefined> {
  try {
    const stored = await storage.put(given, { temporary: true });
    return sealerOf(controller, "kept file").seal(JSON.stringify(stored), boundTo(controller, file, name));
  } catch (error) {
    controller.request.application.log.error({ err: error }, `a file of a form could not be kept: ${messageOf(error)}`);
    return undefined; // the form is shown all the same, and asks for the file again
  }
}

/** The values of a form in the request. */
function valuesOf({ params }: BaseController, { key, names }: FileForm): ParamObject | undefined {
  const values = names.length > 0 ? params.get(key) : undefined;
  return isParamObject(values) ? (values as ParamObject) : undefined;
}

/** Good for the same input of the same form in the same browser. */
const boundTo = ({ request }: BaseController, { form }: FileForm, name: string): string =>
  JSON.stringify([request.session.id, form, name]);

export const storageOf = ({ request: { kernel } }: BaseController): Storage | undefined =>
  kernel.has("storage") ? kernel.service("storage") : undefined;
