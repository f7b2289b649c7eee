import { resolve } from "node:path";
import { checkOptions, definePlugin, option, type Plugin } from "framewright/kernel";
import type {} from "./contract.ts";
import { files } from "./files.ts";

export { attachment, cleanFilename } from "framewright/host";
export type { Storage, StoredFile } from "./contract.ts";
export { isAccepted, sizeText } from "./file_rules.ts";
export { files, type SweptStorage } from "./files.ts";

const HOUR_MS = 3_600_000;

/** Options of `storage()`. */
export interface StorageOptions {
  /** Relative to the application's root, or absolute. */
  directory?: string;
}

/** Stores uploaded files in a directory that no route serves. */
export function storage(options: StorageOptions = {}): Plugin {
  checkOptions("storage", options, { directory: option.string });
  const { directory = "storage/files" } = options;
  return definePlugin({
    name: "storage",
    requires: ["host"],
    provides: "storage",
    apply({ services, settings }) {
      const location = resolve(settings.root, directory);
      const driver = async () => {
        const { FSDriver } = await import("flydrive/drivers/fs");
        return new FSDriver({ location, visibility: "private" });
      };
      const stored = files(driver, location);
      services.host.periodic.add(HOUR_MS, () => stored.sweep());
      return stored;
    },
  });
}
