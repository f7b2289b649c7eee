import { randomUUID } from "node:crypto";
import { readSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { messageOf } from "framewright/kernel";
import { errors } from "../errors.ts";

/** A file that came with a form. */
export interface UploadedFile {
  /** As the sender named it, without a path. */
  readonly filename: string;
  /** As the sender claimed it. */
  readonly mimeType: string;
  /** All of it; of a large file each look reads it anew, from the disk. */
  readonly bytes: Buffer;
  /** Bytes; without it `bytes.length`. */
  readonly size?: number;
  /** The bytes as they are read, for files of any size; undefined where they are in memory. */
  stream?(): Readable;
}

/** Bytes of a file up to which it stays in memory. */
const MAX_MEMORY_BYTES = 65_536;
const CHUNK_BYTES = 65_536;
const RETRY_AFTER_SECONDS = 5;
const EMPTY = Buffer.alloc(0);

/** A file whose bytes lie on the disk until its request is answered. */
class SpooledFile implements UploadedFile {
  readonly filename: string;
  readonly mimeType: string;
  readonly size: number;
  readonly #handle: FileHandle;
  #bytes: WeakRef<Buffer> | undefined;

  constructor(claimed: Pick<UploadedFile, "filename" | "mimeType">, handle: FileHandle, size: number) {
    this.filename = claimed.filename;
    this.mimeType = claimed.mimeType;
    this.#handle = handle;
    this.size = size;
  }
  get bytes(): Buffer {
    const known = this.#bytes?.deref();
    if (known) return known;
    const bytes = Buffer.alloc(this.size);
    for (let at = 0; at < this.size; ) {
      const count = readSync(this.#handle.fd, bytes, at, this.size - at, at);
      if (count === 0) break;
      at += count;
    }
    this.#bytes = new WeakRef(bytes);
    return bytes;
  }
  stream(): Readable {
    return Readable.from(this.#chunks(), { objectMode: false });
  }
  /** By its own reads: a stream of the handle would close it when it is left early. */
  async *#chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < this.size; ) {
      const { bytesRead, buffer } = await this.#handle.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }
}

/** The large files of one request: they have no name on the disk, so that nothing of them outlives the process. */
export class UploadSpool {
  readonly #handles: FileHandle[] = [];
  readonly #named: string[] = [];
  #isClosed = false;

  /** Reads the bytes of a part as they come: those of a small file into memory, of a larger one to the disk. */
  async read(claimed: Pick<UploadedFile, "filename" | "mimeType">, stream: Readable): Promise<UploadedFile> {
    const chunks: Buffer[] = [];
    let [size, handle]: [number, FileHandle | undefined] = [0, undefined];
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      chunks.push(chunk);
      if (!handle && size <= MAX_MEMORY_BYTES) continue;
      try {
        handle ??= await this.#open();
        await handle.appendFile(Buffer.concat(chunks));
      } catch (error) {
        throw unavailable(error);
      }
      chunks.length = 0;
    }
    if (handle) return new SpooledFile(claimed, handle, size);
    return { ...claimed, bytes: size === 0 ? EMPTY : Buffer.concat(chunks) };
  }
  /** What the request brought is needed no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#handles.length === 0 && this.#named.length === 0) return;
    await Promise.all(this.#handles.splice(0).map((handle) => handle.close().catch(() => undefined)));
    await Promise.all(this.#named.splice(0).map((path) => rm(path, { force: true }).catch(() => undefined)));
  }

  async #open(): Promise<FileHandle> {
    const path = join(tmpdir(), `fw-upload-${randomUUID()}`);
    const handle = await open(path, "wx+", 0o600);
    this.#handles.push(handle);
    await rm(path).catch(() => this.#named.push(path)); // Windows may keep the name until it is closed
    if (this.#isClosed) await this.close();
    return handle;
  }
}

/** A full disk, or a folder that is not there: the request may succeed later. */
const unavailable = (error: unknown): Error =>
  Object.assign(errors.FW_UPLOAD_SPOOL(tmpdir(), messageOf(error)), { status: 503, retryAfter: RETRY_AFTER_SECONDS });

/** Whether a value is a file that came with a form. JSON can't pass for one: it brings no Buffer. */
export const isUploadedFile = (value: unknown): value is UploadedFile =>
  value instanceof SpooledFile ||
  (typeof value === "object" && value !== null && "bytes" in value && Buffer.isBuffer(value.bytes));

/** The bytes of a file, without reading them. */
export const uploadSize = (file: UploadedFile): number => file.size ?? file.bytes.length;

/** What is stored of a file: its bytes where they are in memory, else a stream of them and their number. */
export const uploadContent = (file: UploadedFile): { bytes: Buffer } | { stream: Readable; size: number } =>
  file.stream && file.size !== undefined ? { stream: file.stream(), size: file.size } : { bytes: file.bytes };
