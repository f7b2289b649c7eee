import { readdirSync } from "node:fs";
import { join } from "node:path";
import { checkOptions, definePlugin, option } from "framewright/kernel";
import type {} from "./contract.ts";
import { standardAssets } from "./packages.ts";
import { publicFolder, type ServeFile } from "./public_folder.ts";
import { openAssets } from "./service.ts";

export type { AssetResponse, Assets } from "./contract.ts";

/** Options of `assets()`. */
export interface AssetOptions {
  /** The folder of the application's own files, relative to its root; served unchanged. */
  directory?: string;
}

/** Serves style sheets and scripts under URLs that change with their content, compressed once; and the public folder. */
export function assets({ directory = "public", ...rest }: AssetOptions = {}) {
  checkOptions("assets", { directory, ...rest }, { directory: option.string });
  return definePlugin({
    name: "assets",
    provides: "assets",
    apply({ hooks, settings, services, registrant }) {
      let files: ServeFile = () => false;
      const service = openAssets((request, response) => files(request, response), registrant);
      for (const [name, file] of Object.entries(standardAssets())) service.add(name, file);
      hooks.kernel.contribute.tap("assets", (contribution) => {
        const folder = contribution.folder("assets");
        for (const name of folder === undefined ? [] : readdirSync(folder)) service.add(name, join(folder!, name));
      });
      hooks.kernel.boot.tapPromise("assets", async () => {
        if (settings.root === undefined) return;
        const report = (message: string, error?: unknown) => services.host?.log.warn({ err: error }, message);
        files = publicFolder(join(settings.root, directory), { watch: settings.env !== "production", report });
      });
      return service;
    },
  });
}
