import { type BaseController, type UploadedFile, uploadContent, uploadSize } from "framewright/host";
import { type BaseModel, ModelInfo } from "framewright/plugins/database";
import { sealerOf } from "framewright/plugins/fields/toolkit";
import { tenantKey } from "framewright/plugins/portals";
import type { ResourceRequest } from "framewright/plugins/resources";
import type { ByteRange, Storage } from "framewright/plugins/storage";
import type { Attachment } from "./contract.ts";
import type { IncomingFile } from "./incoming_file.ts";

/** A file that came with a form that is shown again: the browser gets its name and size alone. */
export interface KeptFile {
  readonly sealed: string;
  readonly filename: string;
  readonly size: number;
  readonly alternative: string | null;
}
type SealedFile = readonly [
  key: string,
  filename: string,
  size: number,
  alternative: string | null,
  /** Of a file that the browser sent to the storage by itself: until when it may be attached, once. */
  until?: number,
];
/** Less than temporary files stay. */
const UPLOAD_MS = 5 * 3_600_000;

/** Keeps a file for the next try of a form, in the same browser. */
export async function keepFile(
  controller: BaseController,
  storage: Storage,
  file: UploadedFile,
  place: string,
): Promise<KeptFile> {
  const content = { filename: file.filename, type: "application/octet-stream", ...uploadContent(file) };
  const { key, filename } = await storage.put(content, { temporary: true });
  return sealFile(controller, [key, filename, uploadSize(file), null], place);
}

/** A file of another record, of which a new one gets a copy. */
export const copyOfFile = (controller: BaseController, file: Attachment, place: string): KeptFile =>
  sealFile(controller, [file.storage_key, file.name, file.size, file.alternative], place);

/** What represents in a form a file that the browser sends to the storage by itself. */
export const sealUpload = (
  controller: BaseController,
  { key, filename, size }: { key: string; filename: string; size: number },
  place: string,
): string => sealFile(controller, [key, filename, size, null, Date.now() + UPLOAD_MS], place).sealed;

function sealFile(controller: BaseController, file: SealedFile, place: string): KeptFile {
  const [, filename, size, alternative] = file;
  const sealed = sealer(controller).seal(JSON.stringify(file), boundTo(controller, place));
  return { sealed, filename, size, alternative };
}

/** What is known of a kept file; undefined where it is not of this form and browser. */
export function openKept(
  controller: BaseController,
  sealed: string,
  place: string,
): (KeptFile & { key: string; isDirect: boolean }) | undefined {
  const text = sealer(controller).open(sealed, boundTo(controller, place));
  if (text === undefined) return undefined;
  const [key, filename, size, alternative, until] = JSON.parse(text) as SealedFile;
  if (until !== undefined && until < Date.now()) return undefined;
  return { sealed, key, filename, size, alternative, isDirect: until !== undefined };
}

/** A kept file to attach; undefined where it is not stored any more. */
export async function readKept(
  controller: BaseController,
  storage: Storage,
  sealed: string,
  place: string,
): Promise<IncomingFile | undefined> {
  const kept = openKept(controller, sealed, place);
  if (!kept || !(await storage.exists(kept.key))) return undefined;
  const { key, filename, size, alternative, isDirect } = kept;
  if (isDirect && !storage.direct) return undefined; // it was signed before the storage was configured anew
  const file = { filename, size, alternative, open: (range?: ByteRange) => storage.stream(key, range) };
  return isDirect ? { ...file, pending: key } : file;
}

const sealer = (controller: BaseController) => sealerOf(controller, "kept attachment");
/** Good for the same input of the same form in the same browser. */
const boundTo = ({ request }: BaseController, place: string): string => JSON.stringify([request.session.id, place]);

/** What the files of a form are kept for: the field of a record, or of a new one, in its tenant. */
export const placeOf = (
  { registration, currentScopedEntity }: ResourceRequest,
  name: string,
  record: BaseModel | undefined,
): string =>
  JSON.stringify([
    ...[registration.owner ?? "", registration.constant, name],
    ...[record ? String(ModelInfo.keyOf(record)) : null, tenantKey(currentScopedEntity)],
  ]);
