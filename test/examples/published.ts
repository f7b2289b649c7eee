import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, runCommand, temporaryFolder } from "../generators/support.ts";

// A package as its author publishes it: compiled against the framework's published types alone, packed, and unpacked.

const clone = join(import.meta.dirname, "../..");

/** What a package imports besides the framework, by name: a folder. */
export type Installed = Readonly<Record<string, string>>;
/** Packages of this repository's own node_modules, for the packages that depend on them. */
export const ofClone = (name: string): Installed => ({ [name]: join(clone, "node_modules", name) });

async function must(command: string, args: readonly string[], cwd: string): Promise<void> {
  const { code, out, err } = await runCommand(command, args, cwd);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} exited ${code}\n${out}${err}`);
}

/** Builds and packs a package of this folder; returns the folder that its archive unpacks to. */
export async function publish(name: string, installed: Installed = {}): Promise<string> {
  await ensureBuilt();
  const folder = temporaryFolder();
  cpSync(join(import.meta.dirname, name), folder, {
    recursive: true,
    filter: (path) => !path.includes("node_modules"),
  });
  mkdirSync(join(folder, "node_modules/@types"), { recursive: true });
  symlinkSync(clone, join(folder, "node_modules/framewright"));
  symlinkSync(join(clone, "node_modules/@types/node"), join(folder, "node_modules/@types/node"));
  install(folder, installed); // copies: a linked one would look for the framework beside itself
  await must(process.execPath, [join(clone, "node_modules/typescript/bin/tsc"), "-p", "."], folder);
  const to = temporaryFolder();
  await must("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", to, folder], to);
  await must("tar", ["-xzf", readdirSync(to).find((file) => file.endsWith(".tgz"))!], to);
  return join(to, "package");
}

/** Puts packages into an application, or beside a package, as npm would. */
export function install(app: string, packages: Installed): void {
  for (const [name, path] of Object.entries(packages))
    cpSync(path, join(app, "node_modules", name), { recursive: true, dereference: true });
}

const COMMENT = /\/\*\*?.*?\*\/|(?<=^|\s)\/\/[^\n]*/gs;

/** The source of a package of this folder, all of it, without comments. */
export const sourceOf = (name: string): string =>
  readdirSync(join(import.meta.dirname, name, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8").replace(COMMENT, ""))
    .join("\n");

/** What no author should need: casts, any, and errors of types that are silenced. */
export const CAST = /\bas (?!const\b)[\w{[(]|\bany\b|@ts-/;
