import { readdirSync } from "node:fs";
import { join } from "node:path";
import { compresses } from "framewright/host";
import { checkOptions, definePlugin, option } from "framewright/kernel";
import { compressedFolder } from "./compressed_folder.ts";
import type {} from "./contract.ts";
import { standardAssets } from "./packages.ts";
import { publicFolder, type ServeFile } from "./public_folder.ts";
import { openAssets, prepare } from "./service.ts";
import { AssetStore } from "./store.ts";

export { compressedFolder } from "./compressed_folder.ts";
export type { AssetResponse, Assets } from "./contract.ts";

/** Options of `assets()`. */
export interface AssetOptions {
  /** The folder of the application's own files, relative to its root; served unchanged. */
  directory?: string;
}

/** Serves style sheets and scripts under URLs that change with their content, compressed by the build; and the public folder. */
export function assets({ directory = "public", ...rest }: AssetOptions = {}) {
  checkOptions("assets", { directory, ...rest }, { directory: option.string });
  return definePlugin({
    name: "assets",
    provides: "assets",
    apply({ hooks, settings, services, registrant }) {
      let files: ServeFile = () => false;
      const { root, env, compress, basePath = "" } = settings;
      const compressed = root === undefined ? undefined : compressedFolder(join(root, "dist"));
      const store = new AssetStore(registrant, { compresses: compress !== "off", compressed });
      const service = openAssets(store, (...request) => files(...request), basePath);
      const report = (message: string, error?: unknown) => services.host?.log.warn({ err: error }, message);
      for (const [name, file] of Object.entries(standardAssets())) service.add(name, file);
      hooks.kernel.contribute.tap("assets", (contribution) => {
        const folder = contribution.folder("assets");
        for (const name of folder === undefined ? [] : readdirSync(folder)) service.add(name, join(folder!, name));
      });
      hooks.kernel.boot.tapPromise("assets", async () => {
        const options = { watch: env !== "production", compresses: compresses(settings), report };
        if (root !== undefined) files = publicFolder(join(root, directory), options);
      });
      if (env === "production") hooks.host?.listening.tap("assets", () => void prepare(store, report));
      return service;
    },
  });
}
