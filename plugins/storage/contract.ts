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
/** The slot's service: stores files. */
export interface Storage {
  /** Stores a file under a random key; a temporary one is deleted after some hours. @throws FW_STORAGE_WRITE */
  put(
    file: { filename: string; type: string; bytes: Buffer },
    options?: { readonly temporary?: boolean },
  ): Promise<StoredFile>;
  /** @throws FW_STORAGE_KEY, FW_STORAGE_MISSING */
  bytes(key: string): Promise<Buffer>;
  /** @throws FW_STORAGE_KEY, FW_STORAGE_MISSING */
  stream(key: string): Promise<Readable>;
  exists(key: string): Promise<boolean>;
  /** Does nothing for a file that does not exist. @throws FW_STORAGE_KEY */
  delete(key: string): Promise<void>;
  /** A reply with the file as an attachment: `return this.answer(await storage.download(file))`. @throws HttpError 404 */
  download(file: StoredFile): Promise<Reply>;
}
