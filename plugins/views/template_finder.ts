import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { errors } from "./errors.ts";

export interface ViewRoot {
  directory: string;
  rank: "application" | "portal" | "plugin" | "framework";
  /** The portal whose package this is; only with the rank "portal". */
  portal?: string;
}

const RANKS = ["application", "portal", "plugin", "framework"];
const NAME = /^[a-z0-9_]+(?:\/[a-z0-9_]+)*$/;

/** The folders of views in the order in which one portal looks into them. */
export function directoriesFor(roots: readonly ViewRoot[], portal: string | undefined): string[] {
  const usable = roots.filter((root) => root.rank !== "portal" || root.portal === portal);
  return [...usable]
    .sort((a, b) => RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank))
    .map(({ directory }) => directory)
    .filter((directory, index, all) => all.indexOf(directory) === index);
}

/** @throws FW_VIEW_NAME: what a person sent must never pick a template */
export function checkName(name: string): void {
  if (!NAME.test(name)) throw errors.FW_VIEW_NAME(name);
}

/** The part of a path that holds the partial's underscore: "posts/row" -> "posts/_row". */
export const partialName = (name: string): string => name.replace(/[^/]+$/, "_$&");

/** Finds templates in their look-up order, and remembers what it saw so that development notices a change. */
export class Finder {
  readonly directories: readonly string[];
  readonly #seen = new Map<string, string | undefined>();
  readonly #found = new Map<string, string | undefined>();

  constructor(directories: readonly string[]) {
    this.directories = directories;
  }

  /** Where the files of these names would be, in the order of looking. */
  candidates(names: readonly string[]): string[] {
    return names.flatMap((name) => this.directories.map((directory) => join(directory, `${name}.liquid`)));
  }

  /** @throws FW_VIEW_NAME */
  find(name: string): string | undefined {
    if (!this.#found.has(name)) {
      checkName(name); // what was found before passed it
      const found = this.candidates([name]).find((file) => this.#look(file) !== undefined);
      this.#found.set(name, found);
    }
    return this.#found.get(name);
  }

  /** Every template that can be found, but for partials. */
  all(): string[] {
    const names = this.directories.flatMap((directory) =>
      existsSync(directory) ? readdirSync(directory, { recursive: true, encoding: "utf8" }) : [],
    );
    const pages = names.filter((name) => /(?:^|[\\/])[a-z0-9][a-z0-9_]*\.liquid$/.test(name));
    const known = new Set(pages.map((name) => name.slice(0, -".liquid".length).split(sep).join("/")));
    return [...known].sort().flatMap((name) => this.find(name) ?? []);
  }

  /** @throws FW_VIEW_MISSING listing where it looked */
  resolve(name: string): string {
    const file = this.find(name);
    if (file === undefined) throw errors.FW_VIEW_MISSING([name], this.candidates([name]));
    return file;
  }

  read(file: string): string {
    this.#look(file);
    return readFileSync(file, "utf8");
  }

  /** The name of a folder inside its root, so that "./row" is looked up in every root and can be overridden. */
  nameOf(directory: string): string {
    const root = this.directories.find((candidate) => directory === candidate || directory.startsWith(candidate + sep));
    return root === undefined ? "" : relative(root, directory).split(sep).join("/");
  }

  /** Whether a file that was read changed, or one that was missing appeared; then it starts to remember anew. */
  changed(): boolean {
    for (const [file, before] of this.#seen) {
      if (versionOf(file) === before) continue;
      this.#seen.clear();
      this.#found.clear();
      return true;
    }
    return false;
  }

  #look(file: string): string | undefined {
    const version = versionOf(file);
    this.#seen.set(file, version);
    return version;
  }
}

/** Differs when a file was written, whatever time of modification it carries. */
function versionOf(file: string): string | undefined {
  try {
    const { ino, size, ctimeMs, mtimeMs } = statSync(file);
    return `${ino} ${size} ${ctimeMs} ${mtimeMs}`;
  } catch {
    return undefined; // there is none, or nothing that could be read
  }
}
