import { readdirSync } from "node:fs";
import { join } from "node:path";
import { compresses } from "framewright/host";
import { checkOptions, definePlugin, option } from "framewright/kernel";
import { compressedFolder } from "./compressed_folder.ts";
import type {} from "./contract.ts";
import { missingClasses } from "./missing_classes.ts";
import { standardAssets, usedStyles, wholeStyles } from "./packages.ts";
import { publicFolder, type ServeFile } from "./public_folder.ts";
import { openAssets, prepare } from "./service.ts";
import { AssetStore } from "./store.ts";

export { compressedFolder } from "./compressed_folder.ts";
export type { AssetResponse, Assets } from "./contract.ts";

/** Options of `assets()`. */
export interface AssetOptions {
  /** The folder of the application's own files, relative to its root; served unchanged. */
  directory?: string;
  /**
   * Of Tabler's style sheet what the framework's pages use, 10 kB with brotli, or the `"whole"` of 56 kB, for templates that
   * use other classes of it; `fw doctor` names those. `"used"` by default.
   */
  tabler?: "used" | "whole";
}

/** Serves style sheets and scripts under URLs that change with their content, compressed by the build; and the public folder. */
export function assets({ directory = "public", tabler = "used", ...rest }: AssetOptions = {}) {
  checkOptions(
    "assets",
    { directory, tabler, ...rest },
    { directory: option.string, tabler: option.oneOf("used", "whole") },
  );
  const used = tabler === "used" ? usedStyles() : undefined;
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
      for (const [name, file] of Object.entries(standardAssets(used ?? wholeStyles()))) service.add(name, file);
      hooks.kernel.contribute.tap("assets", (contribution) => {
        const folder = contribution.folder("assets");
        for (const name of folder === undefined ? [] : readdirSync(folder)) service.add(name, join(folder!, name));
      });
      if (used !== undefined && root !== undefined)
        hooks.host?.examine.tapPromise("assets", async (findings) => {
          for (const [file, classes] of missingClasses(root, used)) findings.push(missing(file, classes));
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

const missing = (file: string, classes: readonly string[]) => ({
  what: "style sheet",
  ok: false,
  detail: `${file} uses ${classes.join(", ")} of Tabler, which the pages of the framework do not use: write assets({ tabler: "whole" }) in plugins.config.ts`,
});
