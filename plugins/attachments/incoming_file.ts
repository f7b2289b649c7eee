import { Readable } from "node:stream";
import { cleanFilename, type UploadedFile, uploadContent, uploadSize } from "framewright/host";
import {
  type ByteRange,
  type FileKind,
  fileKind,
  firstBytes,
  HEAD_BYTES,
  isAcceptedKind,
  type Storage,
  sizeText,
} from "framewright/plugins/storage";
import { ContentCheck } from "./content_check.ts";
import type { Attachment, NewAttachment } from "./contract.ts";
import type { FileField } from "./field_options.ts";
import { UNREAD } from "./move_column.ts";
import { pictureSize } from "./picture_size.ts";

/** A file that is about to be attached, wherever its bytes are; each opening reads it anew. */
export interface IncomingFile {
  readonly filename: string;
  readonly size: number;
  readonly alternative?: string | null;
  /** The key at which the browser has put it by itself, from where it is copied within the storage. */
  readonly pending?: string;
  /** Its bytes; where the storage reads parts, those of the range alone. */
  open(range?: ByteRange): Readable | Promise<Readable>;
}

export const uploadedFile = (file: UploadedFile): IncomingFile => ({
  filename: cleanFilename(file.filename),
  size: uploadSize(file),
  open: () => {
    const content = uploadContent(file);
    return "bytes" in content ? Readable.from([content.bytes], { objectMode: false }) : content.stream;
  },
});

/** What is wrong with a file, as a key of texts. */
export interface FileProblem {
  readonly problem: string;
  readonly vars: Record<string, unknown>;
}

/** Reads what a file is, and what is wrong with it by the rules of its field. */
export async function inspectFile(
  file: IncomingFile,
  { accept, maximum, pixels }: FileField,
): Promise<{ readonly kind: FileKind } | FileProblem> {
  const { filename, size } = file;
  if (maximum !== undefined && size > maximum)
    return { problem: "errors.file_too_large", vars: { size: sizeText(maximum) } };
  const head = await firstBytes(
    await file.open(size > 0 ? { first: 0, last: Math.min(size, HEAD_BYTES) - 1 } : undefined),
  );
  const kind = await fileKind(head, filename);
  if (accept && !(await isAcceptedKind(accept, kind, filename)))
    return { problem: "attachments.errors.kind", vars: {} };
  const picture = pictureSize(head, kind.type);
  if (picture && picture.width * picture.height > pixels)
    return { problem: "attachments.errors.pixels", vars: { megapixels: Math.floor(pixels / 1_000_000) } };
  return { kind };
}

/** Reads all bytes of a file that is stored: its type, their digest, and whether a browser may show it. */
export async function readContent(file: IncomingFile): Promise<Pick<Attachment, "type" | "digest" | "in_place">> {
  const { type } = await fileKind(await firstBytes(await file.open()), file.filename);
  const check = new ContentCheck(type);
  for await (const chunk of (await file.open()) as AsyncIterable<Buffer>) check.add(chunk);
  return { type, digest: check.digest(), in_place: check.isShown };
}

/** What is known of a file whose bytes are stored. */
export type StoredContent = Pick<Attachment, "storage_key" | "name" | "type" | "size" | "digest" | "in_place">;

/** Stores the bytes of a file, which are looked at while they pass. @throws FW_STORAGE_WRITE, FW_STORAGE_AWAY */
export async function storeContent(
  storage: Storage,
  file: IncomingFile,
  { type }: FileKind,
  key?: string,
): Promise<StoredContent> {
  if (file.pending !== undefined && key !== undefined) {
    await storage.direct!.copy(file.pending, key);
    const { filename: name, size } = file;
    return { storage_key: key, name, type, size, digest: UNREAD, in_place: false };
  }
  const check = new ContentCheck(type);
  const stream = check.through(await file.open());
  const stored = await storage.put({ filename: file.filename, type, stream, size: file.size }, { key });
  const { key: storage_key, filename: name, size } = stored;
  return { storage_key, name, type, size, digest: check.digest(), in_place: check.isShown };
}

/** A file that code attaches: its type is read from its first bytes, before the rest is stored. */
export async function storeNew(storage: Storage, file: NewAttachment): Promise<StoredContent> {
  const { incoming, kind } = await openNew(file);
  return storeContent(storage, incoming, kind);
}

/** Reads what a file is that code attaches. */
export async function openNew(file: NewAttachment): Promise<{ incoming: IncomingFile; kind: FileKind }> {
  const filename = cleanFilename(file.filename);
  if (file.bytes) {
    const { bytes } = file;
    const incoming = { filename, size: bytes.length, open: () => Readable.from([bytes], { objectMode: false }) };
    return { incoming, kind: await fileKind(bytes.subarray(0, HEAD_BYTES), filename) };
  }
  const rest = file.stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const chunks: Buffer[] = [];
  for (let size = 0; size < HEAD_BYTES; size += chunks.at(-1)!.length) {
    const next = await rest.next();
    if (next.done) break;
    chunks.push(Buffer.from(next.value));
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield* chunks;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  }
  const kind = await fileKind(Buffer.concat(chunks).subarray(0, HEAD_BYTES), filename);
  return { incoming: { filename, size: file.size, open: () => Readable.from(all()) }, kind };
}
