import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { errors } from "../errors.ts";
import type { PluginShape } from "./plugin_shape.ts";

/** What an applied plugin contributes beside its taps. */
export interface Contribution {
  readonly plugin: string;
  /** Whether the application chose the name, by `as`. */
  readonly isInstance: boolean;
  /**
   * The path of a folder in the plugin's `directory`, or undefined where it has none of that name. Of a plugin that is listed
   * several times the first one contributes it.
   */
  folder(name: string): string | undefined;
  /** As `folder`, for each of the plugin's instances. */
  folderOfEach(name: string): string | undefined;
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** The folders of a plugin's directory. @throws FW_PLUGIN_DIRECTORY when it does not exist or has no folder in it, as where a build copied none */
export function contributionOf(
  { name: plugin, instanceOf }: Pick<PluginShape, "name" | "instanceOf">,
  directory: string,
  isFirst: boolean,
): Contribution {
  if (!isFolder(directory)) throw errors.FW_PLUGIN_DIRECTORY(plugin, directory, "does not exist");
  if (!readdirSync(directory, { withFileTypes: true }).some((entry) => entry.isDirectory()))
    throw errors.FW_PLUGIN_DIRECTORY(plugin, directory, "has no folders");
  const folderOfEach = (name: string) => {
    const path = join(directory, name);
    return isFolder(path) ? path : undefined;
  };
  const folder = (name: string) => (isFirst ? folderOfEach(name) : undefined);
  return { plugin, isInstance: instanceOf !== undefined, folder, folderOfEach };
}
