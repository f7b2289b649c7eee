import { existsSync, readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { TemplateSource, ViewRoot } from "./contract.ts";
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
  /** Versions of files that were found, and of the folders in which one was missing. */
  readonly #versions = new Map<string, string | undefined>();
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

  /** The files of all templates except partials. */
  all(): string[] {
    return this.#names().flatMap((name) => (/(?:^|\/)_[^/]*$/.test(name) ? [] : (this.find(name) ?? [])));
  }

  /** All templates by name, each with the file that is found for it, and those that it takes the place of. */
  sources(): TemplateSource[] {
    return this.#names().flatMap((name) => {
      const file = this.find(name);
      if (file === undefined) return [];
      const replaces = this.candidates([name]).filter((other) => other !== file && existsSync(other));
      return { name, file, ...(replaces.length > 0 && { replaces }) };
    });
  }
  #names(): string[] {
    const paths = this.directories.flatMap((directory) =>
      existsSync(directory) ? readdirSync(directory, { recursive: true, encoding: "utf8" }) : [],
    );
    const names = paths.map((path) =>
      path
        .split(sep)
        .join("/")
        .replace(/\.liquid$/, ""),
    );
    const known = new Set(names.filter((name, index) => paths[index]!.endsWith(".liquid") && TEMPLATE_NAME.test(name)));
    return [...known].sort();
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

  /** Whether a file that was found has changed, or a missing one may have appeared; then clears the recorded versions. */
  hasChanged(): boolean {
    for (const [path, before] of this.#versions) {
      if (versionOf(path) === before) continue;
      this.#versions.clear();
      this.#found.clear();
      return true;
    }
    return false;
  }

  #look(file: string): string | undefined {
    const version = versionOf(file);
    if (version !== undefined) this.#versions.set(file, version);
    else {
      const folder = dirname(file); // one for all the files that are missing in it
      if (!this.#versions.has(folder)) this.#versions.set(folder, settledVersionOf(folder));
    }
    return version;
  }
}

/** Files written within one tick of the file system's clock get the same time. */
const CLOCK_TICK_MS = 20;

/** Differs after each write, also when the modification time is set back; undefined for what is missing or unreadable. */
function versionOf(path: string): string | undefined {
  const found = statOf(path);
  return found && `${found.ino} ${found.size} ${found.ctimeMs} ${found.mtimeMs}`;
}

/** A folder's version; equal to no version while the next change of the folder could get the same time as its last. */
function settledVersionOf(folder: string): string | undefined {
  const version = versionOf(folder);
  const changedAt = statOf(folder)?.ctimeMs ?? 0;
  return Math.abs(Date.now() - changedAt) < CLOCK_TICK_MS ? `unsettled ${version}` : version;
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
