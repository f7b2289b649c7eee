import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Command } from "../commands/command.ts";
import { packageDirectory } from "./package.ts";

/** What the help lists of a command. */
export type ListedCommand = Omit<Command, "load">;

/** For the help, which needs no code: the commands of plugins as kept while plugins.config.ts and the installed packages are the same. */
export async function listedPluginCommands(root: string): Promise<readonly ListedCommand[]> {
  return keptCommands(root) ?? (await import("./plugin_commands.ts")).pluginCommands(root);
}

const cacheFile = (root: string) => join(root, "node_modules/.cache/framewright/commands.json");
interface Kept {
  key: string;
  commands: readonly ListedCommand[];
}

function keptCommands(root: string): readonly ListedCommand[] | undefined {
  try {
    const { key, commands: found } = JSON.parse(readFileSync(cacheFile(root), "utf8")) as Kept;
    return key === cacheKey(root) ? found : undefined;
  } catch {
    return undefined; // none, or half written: the plugins tell
  }
}

/** Keeps the commands of an application's plugins for the help. */
export function keepCommands(root: string, found: readonly Command[]): void {
  const listed = found.map(({ load: _, ...rest }) => rest);
  try {
    mkdirSync(dirname(cacheFile(root)), { recursive: true });
    writeFileSync(cacheFile(root), JSON.stringify({ key: cacheKey(root), commands: listed } satisfies Kept));
  } catch {
    // a folder that can't be written: the help loads the plugins each time
  }
}

/** Changes with the application's list of plugins, its installed packages and the framework. */
function cacheKey(root: string): string {
  const files = [
    join(root, "plugins.config.ts"),
    join(root, "package-lock.json"),
    join(root, "node_modules/.package-lock.json"),
    join(packageDirectory, "package.json"),
    join(packageDirectory, "dist/build.json"),
  ];
  const states = files.map((file) => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found ? `${file} ${found.size} ${found.mtimeMs}` : file;
  });
  return createHash("sha256").update(states.join("\n")).digest("hex");
}
