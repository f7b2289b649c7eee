import type { Readable } from "node:stream";
import type { Reply } from "framewright/host";

declare module "framewright/kernel" {
  interface Slots {
    storage: { service: Storage };
  }
}

/** A stored file, as the application keeps it in a row or a run; its bytes are stored under `key`. */
export interface StoredFile {
  readonly key: string;
  /** Sanitized: without a path, safe to show. */
  readonly filename: string;
  /** As the sender claimed it. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
}
/** A file to store whose bytes are in memory. */
export interface NewBytes {
  readonly filename: string;
  readonly type: string;
  readonly bytes: Buffer;
  readonly stream?: never;
}
/** A file to store as its bytes come: little of it is in memory at a time. */
export interface NewStream {
  readonly filename: string;
  readonly type: string;
  readonly stream: Readable;
  /** How many bytes will come. A file of more or less is not stored. */
  readonly size: number;
  readonly bytes?: never;
}
/** How a file is stored. */
export interface PutOptions {
  /** It is deleted after some hours. */
  readonly temporary?: boolean;
  /** How many hours a temporary file is retained at least; some by default. */
  readonly hours?: number;
  /** The key to store it under, of `newKey`: not with `temporary`. */
  readonly key?: string | undefined;
}
/** How long a link is valid. */
export interface LinkOptions {
  /** Seconds, from 1 to 604,800; 300 by default. */
  readonly expiresIn?: number;
}
/** A part of a file: the positions of its first and its last byte. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}
/** A form that a browser sends to the storage: these fields, and after them the file, as `file`. */
export interface UploadForm {
  /** The key under which the file is stored. */
  readonly key: string;
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}
/** Files that browsers send to the storage by themselves. */
export interface DirectUploads {
  /**
   * Signs a form for one file of exactly so many bytes, above zero. Its file is a temporary one, which is deleted after some hours.
   * @example const { key, url, fields } = await storage.direct.form({ size: 48_211, expiresIn: 600 })
   * @throws FW_STORAGE_EXPIRY, FW_STORAGE_AWAY (503)
   */
  form(limits: { readonly size: number } & LinkOptions): Promise<UploadForm>;
  /** The bytes of a stored file; undefined where there is none. @throws FW_STORAGE_KEY, FW_STORAGE_AWAY (503) */
  size(key: string): Promise<number | undefined>;
  /** Copies a file to a key of `newKey`; its bytes stay in the storage. @throws FW_STORAGE_KEY, FW_STORAGE_MISSING, FW_STORAGE_AWAY (503) */
  copy(from: string, to: string): Promise<void>;
}
/** The slot's service: stores files. */
export interface Storage {
  /**
   * Stores a file under a random key, or that of `newKey`; a temporary one is deleted after some hours, or those that are requested.
   * @example storage.put({ filename: "film.mp4", type: "video/mp4", stream: createReadStream(path), size })
   * @throws FW_STORAGE_WRITE, FW_STORAGE_AWAY (503), FW_STORAGE_KEY, FW_STORAGE_SIZE where the stream has other than `size` bytes
   */
  put(file: NewBytes | NewStream, options?: PutOptions): Promise<StoredFile>;
  /**
   * A key under which nothing is stored yet. A caller that notes it before `put` finds the bytes again where the process is killed in
   * between. A storage may lack it: then keys are those that `put` returns.
   * @example const key = storage.newKey?.(); await note(key); await storage.put(file, { key })
   */
  newKey?(): string;
  /** @throws FW_STORAGE_KEY, FW_STORAGE_MISSING, FW_STORAGE_AWAY (503) */
  bytes(key: string): Promise<Buffer>;
  /** The whole file, or a part of it, of which no more is read. @throws FW_STORAGE_KEY, FW_STORAGE_MISSING, FW_STORAGE_AWAY (503) */
  stream(key: string, range?: ByteRange): Promise<Readable>;
  /** @throws FW_STORAGE_AWAY (503) */
  exists(key: string): Promise<boolean>;
  /** Does nothing for a file that does not exist. @throws FW_STORAGE_KEY, FW_STORAGE_AWAY (503) */
  delete(key: string): Promise<void>;
  /** A reply with the file as an attachment: `return this.answer(await storage.download(file))`. @throws HttpError 404 */
  download(file: StoredFile): Promise<Reply>;
  /**
   * An address from which anybody who has it downloads the file, as an attachment, until it expires: check your policy first.
   * @example return this.redirectTo(await storage.link(record.film, { expiresIn: 60 }), { external: true })
   * @throws FW_STORAGE_KEY, FW_STORAGE_LINKS where the storage has no links, FW_STORAGE_EXPIRY
   */
  link(file: StoredFile, options?: LinkOptions): Promise<string>;
  /** Absent where browsers send files to the application alone. */
  readonly direct?: DirectUploads;
}
