import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Changes } from "../support/changes.ts";

export const CONFIG = "plugins.config.ts";
const LAYOUT = /^packages\/[^/]+\/app\/views\/layouts\/resource\.liquid$/;

/** A place that the upgrade is about. */
export interface UpgradeNote {
  /** The plugin that the place needs by now. */
  capability: string;
  file: string;
  line: number;
  /** What is of an earlier release there; of what is left for a person with what to write. */
  text: string;
  isLeft: boolean;
  /** The command of `fw` that does it. */
  command?: readonly string[];
}

/** A step takes an application from an earlier release to this one. It reads files as text, and changes what it is sure of. */
export type UpgradeStep = (upgrade: Upgrade) => void;

/** The upgrade of an application while it is put together: nothing is written, and nothing of the application is loaded. */
export class Upgrade {
  readonly root: string;
  readonly changes: Changes;
  readonly notes: UpgradeNote[] = [];

  readonly #sources: readonly string[] | undefined;

  /** `sources` are the files to read; by default all with code of the application. */
  constructor(root: string, sources?: readonly string[]) {
    this.root = root;
    this.#sources = sources;
    this.changes = new Changes(root);
  }

  /** A place that the upgrade rewrites. `at` is the position in the text before. */
  rewrites(capability: string, file: string, at: number, text: string): void {
    this.#note(capability, file, at, text, false);
  }

  /** A place that is left for a person. */
  leaves(capability: string, file: string, at: number, text: string): void {
    this.#note(capability, file, at, text, true);
  }

  /** A place for which a command of `fw` has to run. */
  runs(capability: string, file: string, at: number, text: string, command: readonly string[]): void {
    this.#note(capability, file, at, text, false, command);
  }

  /** The files with code of the application, by their paths. */
  sources(): readonly string[] {
    if (this.#sources) return this.#sources;
    const folders = ["app", "packages", "lib", "config", "test", "db"];
    const config = existsSync(join(this.root, CONFIG)) ? [CONFIG] : [];
    return [...config, ...folders.flatMap((folder) => sourcesBelow(this.root, folder))];
  }

  /** The sources, templates and texts of the application, by their paths, and its package.json. */
  files(): readonly string[] {
    const others = ["app", "packages", "config"].flatMap((folder) => filesBelow(this.root, folder));
    const texts = others.filter((path) => /\.(?:liquid|json)$/.test(path));
    return [...this.sources(), ...texts, ...(existsSync(join(this.root, "package.json")) ? ["package.json"] : [])];
  }

  /** The layouts of portals, by their paths. */
  layouts(): readonly string[] {
    if (this.#sources) return this.#sources.filter((path) => LAYOUT.test(path));
    const packages = join(this.root, "packages");
    if (!existsSync(packages)) return [];
    const paths = readdirSync(packages)
      .sort()
      .map((name) => `packages/${name}/app/views/layouts/resource.liquid`);
    return paths.filter((path) => existsSync(join(this.root, path)));
  }

  #note(
    capability: string,
    file: string,
    at: number,
    text: string,
    isLeft: boolean,
    command?: readonly string[],
  ): void {
    const line = (this.changes.read(file) ?? "").slice(0, at).split("\n").length;
    this.notes.push({ capability, file, line, text, isLeft, ...(command && { command }) });
  }
}

const sourcesBelow = (root: string, folder: string): string[] =>
  filesBelow(root, folder).filter((path) => /(?<!\.d)\.[cm]?tsx?$/.test(path));

function filesBelow(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ["node_modules", "dist"].includes(entry.name) ? [] : filesBelow(root, path);
    return entry.isFile() ? [path] : [];
  });
}
