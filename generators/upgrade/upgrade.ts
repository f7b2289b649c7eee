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

  /** The files with code of the application, by their paths. */
  sources(): readonly string[] {
    if (this.#sources) return this.#sources;
    const folders = ["app", "packages", "lib", "config", "test", "db"];
    const config = existsSync(join(this.root, CONFIG)) ? [CONFIG] : [];
    return [...config, ...folders.flatMap((folder) => sourcesBelow(this.root, folder))];
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

  #note(capability: string, file: string, at: number, text: string, isLeft: boolean): void {
    const line = (this.changes.read(file) ?? "").slice(0, at).split("\n").length;
    this.notes.push({ capability, file, line, text, isLeft });
  }
}

function sourcesBelow(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ["node_modules", "dist"].includes(entry.name) ? [] : sourcesBelow(root, path);
    return entry.isFile() && /(?<!\.d)\.[cm]?tsx?$/.test(entry.name) ? [path] : [];
  });
}
