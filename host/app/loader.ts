import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { messageOf } from "framewright/kernel";
import { errors } from "../errors.ts";
import type { RouteBlock } from "../routing/route_set.ts";
import type { Constants } from "./constants.ts";
import { type EngineDefinition, type EngineRoutes, isEngineDefinition } from "./mounted_engine.ts";

/** A package of the application, as it is on disk. */
export interface Package {
  readonly name: string;
  readonly directory: string;
  readonly engine: EngineDefinition | undefined;
  readonly routes: EngineRoutes | undefined;
}

/** Loads an application's code, from the sources or from `dist/`. */
export class Loader {
  readonly root: string;
  /** The folder of the code: the root itself, or its `dist`. */
  readonly code: string;

  constructor(root: string, built: boolean) {
    this.root = root;
    this.code = built ? join(root, "dist") : root;
  }

  /** A file by its path without ending, imported; undefined when there is none. @throws FW_FILE_FAILED, FW_IMPORT_RING */
  async file(path: string): Promise<Record<string, unknown> | undefined> {
    const found = [".ts", ".js"].map((ending) => join(this.code, path + ending)).find((file) => existsSync(file));
    return found === undefined ? undefined : this.import(found);
  }

  async import(file: string): Promise<Record<string, unknown>> {
    try {
      return (await import(pathToFileURL(file).href)) as Record<string, unknown>;
    } catch (cause) {
      const cycle = cause instanceof ReferenceError ? importCycle(file, this.code) : undefined;
      const culprit = this.label(this.#culpritOf(cause) ?? file);
      const error = cycle ? errors.FW_IMPORT_RING(cycle) : errors.FW_FILE_FAILED(culprit, messageOf(cause));
      error.cause = cause;
      throw error;
    }
  }

  /** The application's file that threw, by the stack: the files that import it fail with the same error. */
  #culpritOf(cause: unknown): string | undefined {
    const stack = (cause instanceof Error && cause.stack) || "";
    const found = [...stack.matchAll(/(?:file:\/\/)?(\/[^\s:()?]+\.[tj]s)\b/g)].map(([, path]) => decodeURI(path!));
    return found.find((path) => path.startsWith(this.code + sep) && !path.includes(`${sep}node_modules${sep}`));
  }

  /** Adds every file below `<directory>/app/*` as a constant, except `concerns` and `views`. */
  async constants(directory: string, constants: Constants): Promise<void> {
    const app = join(directory, "app");
    const kinds = foldersIn(app).filter((name) => name !== "views");
    const found = kinds.flatMap((kind) => filesBelow(join(app, kind)).map((file) => ({ kind, file })));
    const loaded = await this.#importAll(found.map(({ file }) => file));
    for (const [at, { kind, file }] of found.entries()) {
      const module = loaded[at]!;
      if (module.status === "rejected") throw module.reason;
      if (module.value.default === undefined)
        throw errors.FW_FILE_EXPORT(this.label(file), "one default, named after its path");
      const path = relative(join(app, kind), file).replaceAll(sep, "/");
      constants.add(path, kind, this.label(file), module.value.default);
    }
  }

  /** In parallel, since loading is mostly I/O. */
  async #importAll(files: readonly string[]): Promise<PromiseSettledResult<Module>[]> {
    if (!files.every((file) => file.endsWith(".js"))) return settled(files, (file) => this.import(file));
    const loaded: PromiseSettledResult<Module>[] = [];
    for (let at = 0; at < files.length; at += MAX_TOGETHER) {
      const part = files.slice(at, at + MAX_TOGETHER);
      loaded.push(...((await importTogether(part)) ?? (await settled(part, (file) => this.import(file)))));
    }
    return loaded;
  }

  async packages(): Promise<Package[]> {
    const packages: Package[] = [];
    for (const name of foldersIn(join(this.code, "packages"))) {
      const engine = await this.#engine(name);
      const routes = (await this.file(`packages/${name}/config/routes`))?.default as EngineRoutes | undefined;
      if (routes && routes.engine === undefined) {
        throw errors.FW_FILE_EXPORT(`packages/${name}/config/routes.ts`, "default <Portal>.routes.draw(…)");
      }
      packages.push({ name, directory: join(this.root, "packages", name), engine, routes });
    }
    return packages;
  }

  async mainRoutes(): Promise<RouteBlock | undefined> {
    const module = await this.file("config/routes");
    if (module && typeof (module.default as RouteBlock | undefined)?.draw !== "function") {
      throw errors.FW_FILE_EXPORT("config/routes.ts", "default drawRoutes((routes) => { … })");
    }
    return module?.default as RouteBlock | undefined;
  }

  codeOf(directory: string): string {
    return join(this.code, relative(this.root, directory));
  }
  label(file: string): string {
    return relative(this.code, file).replaceAll(sep, "/").replace(/\.js$/, ".ts");
  }

  async #engine(name: string): Promise<EngineDefinition | undefined> {
    const module = await this.file(`packages/${name}/lib/engine`);
    if (!module) return undefined;
    const engine = Object.values(module).find(isEngineDefinition);
    if (!engine) throw errors.FW_FILE_EXPORT(`packages/${name}/lib/engine.ts`, "a portal made by definePortal");
    return engine;
  }
}

type Module = Record<string, unknown>;
/** Each is an open file at the same time. */
const MAX_TOGETHER = 128;

/**
 * Fast path: files are imported by one module, which Node links and runs at once, in half the time of as many imports.
 * undefined where one of them fails: imported by itself, each reports which and why.
 */
async function importTogether(files: readonly string[]): Promise<PromiseFulfilledResult<Module>[] | undefined> {
  const lines = files.map((file, at) => `import * as m${at} from ${JSON.stringify(pathToFileURL(file).href)};`);
  const code = `${lines.join("\n")}\nexport default [${files.map((_, at) => `m${at}`)}];`;
  try {
    const { default: modules } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    return (modules as Module[]).map((value) => ({ status: "fulfilled", value }));
  } catch {
    return undefined;
  }
}

/** Imports that are pending at a time. Node 20 looks at all of them whenever one is answered, so that a thousand cost a million. */
const MAX_PENDING = 64;

/** As Promise.allSettled, with so many at a time. */
async function settled<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<PromiseSettledResult<R>[]> {
  const results: PromiseSettledResult<R>[] = [];
  const rest = items.entries();
  const take = async () => {
    for (const [at, item] of rest)
      [results[at]] = (await Promise.allSettled([work(item)])) as [PromiseSettledResult<R>];
  };
  await Promise.all(Array.from({ length: MAX_PENDING }, take));
  return results;
}

function foldersIn(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return entry.name === "concerns" ? [] : filesBelow(path);
      return /(?<!\.d|\.test)\.(ts|js)$/.test(entry.name) ? [path] : [];
    });
}

/** The circular import that a file is part of, by the import lines; searched only after loading has failed. */
function importCycle(start: string, root: string): string[] | undefined {
  const path: string[] = [];
  const visit = (file: string): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    path.push(file);
    for (const next of importsOf(file, root)) {
      const cycle = visit(next);
      if (cycle) return cycle;
    }
    path.pop();
    return undefined;
  };
  return visit(start)?.map((file) => relative(root, file));
}

function importsOf(file: string, root: string): string[] {
  const lines = readFileSync(file, "utf8").matchAll(/^\s*(?:import|export)\s(?!type\b)[^"']*["']([.#][^"']+)["']/gm);
  return [...lines]
    .map(([, target]) => (target!.startsWith("#") ? join(root, target!.slice(1)) : resolve(dirname(file), target!)))
    .filter((path) => existsSync(path));
}
