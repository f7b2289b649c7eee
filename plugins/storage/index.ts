import { resolve } from "node:path";
import type { Readable } from "node:stream";
import type { Reply } from "framewright/host";
import { checkOptions, definePlugin, option, type Plugin } from "framewright/kernel";
import { files } from "./files.ts";

export { isAccepted, sizeText } from "./file_rules.ts";
export { attachment, cleanFilename } from "./filenames.ts";
export { files, type SweptStorage } from "./files.ts";

const HOUR_MS = 3_600_000;

/** A file as the application keeps it, in a row or a run: its bytes lie under `key`. */
export interface StoredFile {
  readonly key: string;
  /** Without a path, fit to be shown. */
  readonly filename: string;
  /** As the sender claimed it. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
}
/** Where files are kept. */
export interface Storage {
  /** Keeps a file under a random key; a temporary one for some hours, and nobody has to delete it. @throws FW_STORAGE_WRITE */
  put(
    file: { filename: string; type: string; bytes: Buffer },
    options?: { readonly temporary?: boolean },
  ): Promise<StoredFile>;
  /** @throws FW_STORAGE_KEY, FW_STORAGE_MISSING */
  bytes(key: string): Promise<Buffer>;
  /** @throws FW_STORAGE_KEY, FW_STORAGE_MISSING */
  stream(key: string): Promise<Readable>;
  exists(key: string): Promise<boolean>;
  /** A file that is not there is none to delete. @throws FW_STORAGE_KEY */
  delete(key: string): Promise<void>;
  /** Answers with the file as an attachment: `return this.answer(await storage.download(file))`. @throws HttpError 404 */
  download(file: StoredFile): Promise<Reply>;
}
declare module "framewright/kernel" {
  interface Slots {
    storage: { service: Storage };
  }
}

export interface StorageOptions {
  /** From the application's root, or absolute. */
  directory?: string;
}

/** Files that people sent, in a directory that no route serves. */
export function storage(options: StorageOptions = {}): Plugin {
  checkOptions("storage", options, { directory: option.string });
  const { directory = "storage/files" } = options;
  return definePlugin({
    name: "storage",
    requires: ["host"],
    provides: "storage",
    apply({ services, hooks, settings, onClose }) {
      const location = resolve(settings.root, directory);
      const driver = async () => {
        const { FSDriver } = await import("flydrive/drivers/fs");
        return new FSDriver({ location, visibility: "private" });
      };
      const stored = files(driver, location);
      let timer: NodeJS.Timeout | undefined;
      hooks.host.listening.tap("storage", () => {
        const failed = (error: unknown) =>
          services.host.log.warn({ err: error }, "temporary files could not be deleted");
        timer = setInterval(() => void stored.sweep().catch(failed), HOUR_MS).unref();
      });
      onClose(() => clearInterval(timer));
      return stored;
    },
  });
}
