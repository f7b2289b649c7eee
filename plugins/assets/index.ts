import { join } from "node:path";
import { checkOptions, definePlugin, option } from "framewright/kernel";
import { standardAssets } from "./packages.ts";
import { publicFolder, type Serve } from "./public_folder.ts";
import { type Assets, openAssets } from "./service.ts";

export type { AssetResponse } from "./respond.ts";
export type { Assets } from "./service.ts";

declare module "framewright/kernel" {
  interface Slots {
    assets: { service: Assets };
  }
}

export interface AssetOptions {
  /** The application's own files, from its root, served as they are. */
  directory?: string;
}

/** Style sheets and scripts under addresses that change with their content, compressed once; and the public folder. */
export function assets({ directory = "public", ...rest }: AssetOptions = {}) {
  checkOptions("assets", { directory, ...rest }, { directory: option.string });
  return definePlugin({
    name: "assets",
    provides: "assets",
    apply({ hooks, settings, services, registrant }) {
      let files: Serve = () => false;
      const service = openAssets((request, response) => files(request, response), registrant);
      for (const [name, file] of Object.entries(standardAssets())) service.add(name, file);
      hooks.kernel.boot.tapPromise("assets", async () => {
        if (settings.root === undefined) return;
        const report = (message: string, error?: unknown) => services.host?.log.warn({ err: error }, message);
        files = publicFolder(join(settings.root, directory), { watch: settings.env !== "production", report });
      });
      return service;
    },
  });
}
