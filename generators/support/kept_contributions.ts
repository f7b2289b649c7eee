import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin } from "framewright/kernel";
import type { Command } from "../commands/command.ts";
import { packageDirectory } from "./package.ts";

/** What the help lists of a command. */
export type ListedCommand = Omit<Command, "load">;

/** What an application's plugins contribute to `fw`, as far as it can be cached in a file. */
export interface KeptContributions {
  readonly commands: readonly ListedCommand[];
  /** The framework's generators whose plugins are listed, by their names. */
  readonly generators: readonly string[];
}

/** Loading the plugins takes a second: this is what they contributed, while plugins.config.ts and the installed packages are the same. */
export function keptContributions(root: string): KeptContributions | undefined {
  try {
    const { key, ...kept } = JSON.parse(readFileSync(cacheFile(root), "utf8")) as KeptContributions & { key: string };
    return key === cacheKey(root) ? kept : undefined;
  } catch {
    return undefined; // none, or half written: the plugins are loaded
  }
}

/** Keeps what these plugins of an application contribute. `own` are the framework's generators that belong to plugins. */
export function keepContributions(
  root: string,
  plugins: readonly Plugin[],
  own: Readonly<Record<string, unknown>>,
): void {
  const commands = plugins.flatMap(({ commands = [] }) => commands.map(({ load: _, ...listed }) => listed));
  const generators = plugins.flatMap(({ generators: brought = {} }) =>
    Object.keys(brought).filter((name) => brought[name] === own[name]),
  );
  try {
    mkdirSync(dirname(cacheFile(root)), { recursive: true });
    const written = `${cacheFile(root)}.${process.pid}`;
    writeFileSync(written, JSON.stringify({ key: cacheKey(root), commands, generators }));
    renameSync(written, cacheFile(root));
  } catch {
    // a folder that can't be written: the plugins are loaded each time
  }
}

const cacheFile = (root: string) => join(root, "node_modules/.cache/framewright/contributions.json");

/** A folder and those above: an application in a folder of a project has the project's packages. */
function foldersFrom(root: string): string[] {
  const above = dirname(root);
  return above === root ? [root] : [root, ...foldersFrom(above)];
}

/** Changes with the application's list of plugins, its installed packages and the framework. */
function cacheKey(root: string): string {
  const files = [
    join(root, "plugins.config.ts"),
    ...foldersFrom(root).flatMap((at) => [join(at, "package-lock.json"), join(at, "node_modules/.package-lock.json")]),
    join(packageDirectory, "package.json"),
    join(packageDirectory, "dist/build.json"),
  ];
  const states = files.map((file) => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found ? `${file} ${found.size} ${found.mtimeMs}` : file;
  });
  return createHash("sha256").update(states.join("\n")).digest("hex");
}
