import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ensureBuilt, runCommand, temporaryFolder } from "../generators/support.ts";
import { packFolder } from "../support/packing.ts";

const clone = join(import.meta.dirname, "../..");

/** A package of the examples as its author publishes it, built against the framework's published types. */
export interface Published {
  /** A copy of its sources, with what `npm install` would bring. */
  readonly folder: string;
  /** The file that `npm pack` made of it. */
  readonly archive: string;
  /** What its archive unpacks to. */
  readonly unpacked: string;
}

/** What a package imports besides the framework, by name: a folder. */
export type Packages = Readonly<Record<string, string>>;
/** A package of this repository's own node_modules, for packages that depend on it. */
export const ofClone = (name: string): Packages => ({ [name]: join(clone, "node_modules", name) });

/** Builds and packs a package of this folder. */
export async function publish(name: string, packages: Packages = {}): Promise<Published> {
  await ensureBuilt();
  const folder = temporaryFolder();
  const isOwn = (path: string) => !path.includes("node_modules") && !path.endsWith("/dist");
  cpSync(join(import.meta.dirname, name), folder, { recursive: true, filter: isOwn });
  mkdirSync(join(folder, "node_modules/@types"), { recursive: true });
  symlinkSync(clone, join(folder, "node_modules/framewright"));
  symlinkSync(join(clone, "node_modules/@types/node"), join(folder, "node_modules/@types/node"));
  install(folder, packages); // copies: a linked one would look for the framework beside itself
  const config = existsSync(join(folder, "tsconfig.build.json")) ? "tsconfig.build.json" : "tsconfig.json";
  await must(process.execPath, [join(clone, "node_modules/typescript/bin/tsc"), "-p", config], folder);
  const archive = pack(folder);
  const to = dirname(archive);
  await must("tar", ["-xzf", archive], to);
  return { folder, archive, unpacked: join(to, "package") };
}

/** Packs a folder as `npm publish` does: the path of the file. */
export const pack = (folder: string): string => packFolder(folder, temporaryFolder()).archive;

/** What npm needs besides the packages, where an application has the framework linked: nothing of the network. */
const OFFLINE = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];

/** `npm install` of packed files into an application, or into a folder that becomes one whose framework is linked. */
export async function npmInstall(app: string, archives: readonly string[], ...flags: string[]): Promise<void> {
  const manifest = join(app, "package.json");
  if (!existsSync(manifest))
    writeFileSync(
      manifest,
      JSON.stringify({ private: true, type: "module", dependencies: { framewright: `file:${clone}` } }),
    );
  await must("npm", ["install", ...OFFLINE, ...flags, ...archives], app);
}

/** Runs a command, and fails with all that it printed unless it exits 0. */
export async function must(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, out, err } = await runCommand(command, args, cwd);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} exited ${code}\n${out}${err}`);
  return out;
}

/** An unpacked package, as files of an application. */
export function installed(name: string, unpacked: string): Record<string, string> {
  const paths = readdirSync(unpacked, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = paths.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    files.map((file) => [`node_modules/${name}/${file.slice(unpacked.length + 1)}`, readFileSync(file, "utf8")]),
  );
}

/** Puts packages into an application, or beside a package, as npm would. */
export function install(app: string, packages: Packages): void {
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
