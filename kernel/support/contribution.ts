import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { errors } from "../errors.ts";

/** What an applied plugin contributes beside its taps. */
export interface Contribution {
  readonly plugin: string;
  /** The path of a folder in the plugin's `directory`, or undefined where it has none of that name. */
  folder(name: string): string | undefined;
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** The folders of a plugin's directory. @throws FW_PLUGIN_DIRECTORY when it does not exist or has no folder in it, as where a build copied none */
export function contributionOf(plugin: string, directory: string): Contribution {
  if (!isFolder(directory)) throw errors.FW_PLUGIN_DIRECTORY(plugin, directory, "does not exist");
  if (!readdirSync(directory, { withFileTypes: true }).some((entry) => entry.isDirectory()))
    throw errors.FW_PLUGIN_DIRECTORY(plugin, directory, "has no folders");
  return {
    plugin,
    folder(name) {
      const path = join(directory, name);
      return isFolder(path) ? path : undefined;
    },
  };
}
