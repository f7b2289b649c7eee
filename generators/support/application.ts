import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suggest } from "framewright/kernel";
import { usage } from "../errors.ts";
import type { Changes } from "./changes.ts";
import { camelize, constantOf, demodulize, pathOf, singularize, underscore } from "./names.ts";

/** A model, known from its file's path; the file is not imported. */
export interface ModelFile {
  /** As in Blogging::Post. */
  constant: string;
  /** As in packages/blogging/app/models/blogging/post.ts. */
  path: string;
  /** The feature package that contains it; undefined in the main application. */
  package: string | undefined;
}

/** The name of the application outside of its packages. */
export const MAIN_APP = "main_app";
/** A package as it is spelled on disk: AdminPortal and admin-portal are admin_portal. */
export const packageName = (given: string): string => underscore(given.replaceAll(/[\s-]+/g, "_"));

/** An application's files, as generators read them: those on disk, and those that a generator has drafted. */
export class ApplicationFiles {
  readonly root: string;
  readonly #drafts: Changes | undefined;

  constructor(root: string, drafts?: Changes) {
    this.root = root;
    this.#drafts = drafts;
  }

  has(path: string): boolean {
    return this.#drafts ? this.#drafts.exists(path) : existsSync(join(this.root, path));
  }

  packages(): string[] {
    return this.#directories("packages").sort();
  }

  portals(): string[] {
    return this.packages().filter((name) => this.has(`packages/${name}/lib/engine.ts`));
  }

  /** The account types, by the files of their plugins. */
  accounts(): string[] {
    const names = this.#files("app/authlib").map((name) => /^(\w+)_authlib_plugin\.ts$/.exec(name)?.[1]);
    return names.filter((name) => name !== undefined).sort();
  }

  /** @throws FW_ACCOUNT_UNKNOWN */
  account(name: string): string {
    const known = this.accounts();
    if (!known.includes(name)) throw usage.FW_ACCOUNT_UNKNOWN(name, suggest(name, known));
    return name;
  }

  models(): ModelFile[] {
    const of = (base: string, owner: string | undefined): ModelFile[] =>
      this.#sourcesBelow(base).map((path) => ({
        constant: constantOf(path),
        path: `${base}/${path}`,
        package: owner,
      }));
    return [
      ...of("app/models", undefined),
      ...this.packages().flatMap((name) => of(`packages/${name}/app/models`, name)),
    ];
  }

  /** Takes Blogging::Post, blogging/post and, as scaffolds do, blogging/posts. `fix` ends the error. @throws FW_RESOURCE_UNKNOWN */
  model(name: string, fix?: string): ModelFile {
    const constant = camelize(pathOf(name));
    const models = this.models();
    const singular = camelize(singularize(pathOf(name)));
    const named = (wanted: string) => models.find((model) => model.constant === wanted);
    const found = named(constant) ?? named(singular);
    if (found) return found;
    const known = models.map((model) => model.constant);
    const short = suggest(constant, known.map(demodulize)); // Post may mean Blogging::Post
    throw usage.FW_RESOURCE_UNKNOWN(
      name,
      known,
      suggest(constant, known) ?? known.find((full) => demodulize(full) === short),
      fix,
    );
  }

  /** The model that `name` is in a feature package, or by its whole name: Post in blogging is Blogging::Post. @throws FW_RESOURCE_UNKNOWN, FW_PACKAGE_UNKNOWN */
  modelIn(name: string, dest: string | undefined): ModelFile {
    const owner = dest === undefined ? undefined : this.destination(dest);
    const path = pathOf(name);
    return this.model(owner === undefined || path.startsWith(`${owner}/`) ? name : `${owner}/${path}`);
  }

  /** Takes admin_portal, admin and AdminPortal. @throws FW_PORTAL_UNKNOWN */
  portal(name: string): string {
    const known = this.portals();
    const found = this.portalNamed(name);
    if (found === undefined)
      throw usage.FW_PORTAL_UNKNOWN(name, known, suggest(name, known) ?? suggest(`${name}_portal`, known));
    return found;
  }

  /** The portal that admin_portal, admin and AdminPortal name, if there is one. */
  portalNamed(name: string): string | undefined {
    const wanted = packageName(name);
    return this.portals().find((portal) => portal === wanted || portal === `${wanted}_portal`);
  }

  /** A feature package (blogging, Blogging), or undefined for main_app. @throws FW_PACKAGE_UNKNOWN */
  destination(name: string): string | undefined {
    const wanted = packageName(name);
    if (wanted === MAIN_APP) return undefined;
    const known = this.packages().filter((owner) => !this.portals().includes(owner));
    if (!known.includes(wanted)) throw usage.FW_PACKAGE_UNKNOWN(name, known, suggest(wanted, [...known, MAIN_APP]));
    return wanted;
  }

  /** Another file that defines the class of a path, such as app/models/post.ts: classes of all folders share their names. */
  twinOf(path: string): string | undefined {
    const within = /^(?:packages\/[^/]+\/)?app\/[^/]+\/(.+\.ts)$/.exec(path)?.[1];
    if (within === undefined) return undefined;
    const bases = ["app", ...this.packages().map((name) => `packages/${name}/app`)];
    return bases
      .flatMap((base) => this.#directories(base).map((kind) => `${base}/${kind}/${within}`))
      .find((other) => other !== path && this.has(other));
  }

  /** All migration files. */
  migrations(): string[] {
    const directory = ["db/migrate", ...this.packages().map((name) => `packages/${name}/db/migrate`)];
    return directory.flatMap((path) => this.#files(path).map((name) => `${path}/${name}`));
  }

  read(path: string): string {
    return this.#drafts?.read(path) ?? readFileSync(join(this.root, path), "utf8").replaceAll("\r\n", "\n");
  }

  #directories(path: string): string[] {
    const drafted = this.#drafted(path).flatMap((rest) => (rest.includes("/") ? [rest.split("/")[0]!] : []));
    return [...new Set([...entriesOf(join(this.root, path), "isDirectory"), ...drafted])];
  }
  #files(path: string): string[] {
    const drafted = this.#drafted(path).filter((rest) => !rest.includes("/"));
    const present = entriesOf(join(this.root, path), "isFile");
    return [...new Set([...present.filter((name) => !this.#drafts?.isHidden(`${path}/${name}`)), ...drafted])];
  }
  /** The drafted files below a folder, relative to it. */
  #drafted(path: string): string[] {
    const paths = this.#drafts?.paths() ?? [];
    return paths.filter((file) => file.startsWith(`${path}/`)).map((file) => file.slice(path.length + 1));
  }
  #sourcesBelow(directory: string, prefix = ""): string[] {
    const here = prefix === "" ? directory : `${directory}/${prefix.slice(0, -1)}`;
    const own = this.#files(here).filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"));
    const nested = this.#directories(here).filter((name) => name !== "concerns");
    return [
      ...own.map((name) => prefix + name),
      ...nested.flatMap((name) => this.#sourcesBelow(directory, `${prefix}${name}/`)),
    ].sort();
  }
}

/** The import path of a file of the application: #app/models/post.ts. */
export const importPath = (path: string): string => `#${path}`;

const entriesOf = (path: string, kind: "isDirectory" | "isFile"): string[] =>
  existsSync(path)
    ? readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry[kind]() ? [entry.name] : []))
    : [];
