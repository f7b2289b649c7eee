import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { ViewRoot } from "./contract.ts";
import { errors } from "./errors.ts";

const RANKS = ["application", "portal", "plugin", "framework"];
const TEMPLATE_NAME = /^[a-z0-9_]+(?:\/[a-z0-9_]+)*$/;

/** The folders of views in the search order of a portal. */
export function directoriesFor(roots: readonly ViewRoot[], portal: string | undefined): string[] {
  const usable = roots.filter((root) => root.rank !== "portal" || root.portal === portal);
  return [...usable]
    .sort((a, b) => RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank))
    .map(({ directory }) => directory)
    .filter((directory, index, all) => all.indexOf(directory) === index);
}

/** Refuses anything but a plain name: user input must never choose a file. @throws FW_VIEW_NAME */
export function checkName(name: string): void {
  if (!TEMPLATE_NAME.test(name)) throw errors.FW_VIEW_NAME(name);
}

/** Adds the underscore of a partial: "posts/row" → "posts/_row". */
export const partialName = (name: string): string => name.replace(/[^/]+$/, "_$&");

/** Finds templates in search order, and records file versions so that development notices changes. */
export class TemplateFinder {
  readonly directories: readonly string[];
  readonly #seen = new Map<string, string | undefined>();
  readonly #found = new Map<string, string | undefined>();

  constructor(directories: readonly string[]) {
    this.directories = directories;
  }

  /** The paths of these names' files, in search order. */
  candidates(names: readonly string[]): string[] {
    return names.flatMap((name) => this.directories.map((directory) => join(directory, `${name}.liquid`)));
  }

  /** @throws FW_VIEW_NAME */
  find(name: string): string | undefined {
    if (!this.#found.has(name)) {
      checkName(name); // cached names have passed it
      const found = this.candidates([name]).find((file) => this.#look(file) !== undefined);
      this.#found.set(name, found);
    }
    return this.#found.get(name);
  }

  /** All templates except partials. */
  all(): string[] {
    const names = this.directories.flatMap((directory) =>
      existsSync(directory) ? readdirSync(directory, { recursive: true, encoding: "utf8" }) : [],
    );
    const pages = names.filter((name) => /(?:^|[\\/])[a-z0-9][a-z0-9_]*\.liquid$/.test(name));
    const known = new Set(pages.map((name) => name.slice(0, -".liquid".length).split(sep).join("/")));
    return [...known].sort().flatMap((name) => this.find(name) ?? []);
  }

  /** @throws FW_VIEW_MISSING with the paths that were searched */
  resolve(name: string): string {
    const file = this.find(name);
    if (file === undefined) throw errors.FW_VIEW_MISSING([name], this.candidates([name]));
    return file;
  }

  read(file: string): string {
    this.#look(file);
    return readFileSync(file, "utf8");
  }

  /** A folder's path relative to its root, so that "./row" is searched in every root and can be overridden. */
  nameOf(directory: string): string {
    const root = this.directories.find((candidate) => directory === candidate || directory.startsWith(candidate + sep));
    return root === undefined ? "" : relative(root, directory).split(sep).join("/");
  }

  /** Whether a file that was read has changed, or a missing one appeared; then clears the recorded versions. */
  hasChanged(): boolean {
    for (const [file, before] of this.#seen) {
      if (fileVersion(file) === before) continue;
      this.#seen.clear();
      this.#found.clear();
      return true;
    }
    return false;
  }

  #look(file: string): string | undefined {
    const version = fileVersion(file);
    this.#seen.set(file, version);
    return version;
  }
}

/** Differs after each write, also when the modification time is set back. */
function fileVersion(file: string): string | undefined {
  try {
    const { ino, size, ctimeMs, mtimeMs } = statSync(file);
    return `${ino} ${size} ${ctimeMs} ${mtimeMs}`;
  } catch {
    return undefined; // missing or unreadable
  }
}
