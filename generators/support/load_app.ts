import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Application } from "framewright/host";
import type { Plugin, Settings } from "framewright/kernel";
import type { Database } from "framewright/plugins/database";
import { addConditions } from "../bin/conditions.js";
import { registerTypeScript } from "../bin/typescript.js";
import { errors, usage } from "../errors.ts";
import { ofPlugins } from "../of_plugins.ts";
import { reportRecovered } from "../run_generator.ts";
import { findApplication } from "./find_application.ts";
import { recover } from "./journal.ts";
import { keepContributions } from "./kept_contributions.ts";
import { packageDirectory } from "./package.ts";

/** Module-level: a process registers its loader once. */
let isReady = false;

/** Enables this process to import an application's TypeScript, with a single instance of the framework. `root`: of the application, where it is known. */
export async function loadTypeScript(root?: string): Promise<void> {
  if (isReady) return;
  isReady = true;
  const fromSource = process.env.FW_SOURCE === "1" && import.meta.filename.endsWith(".ts");
  if (!fromSource) {
    if (root !== undefined) await preloadPlugins(root);
    await registerTypeScript(root);
  }
  addConditions({ framework: fromSource });
}

/**
 * Fast path: the framework's plugins that an application lists are loaded before the loader of TypeScript, which looks at each of
 * their imports in another thread. One that fails here fails again, and is reported, where the list itself is loaded.
 */
async function preloadPlugins(root: string): Promise<void> {
  process.setSourceMapsEnabled(true); // as that loader does, so that traces name the framework's sources
  const file = join(root, "plugins.config.ts");
  if (!existsSync(file) || installedPackage(root) !== packageDirectory) return;
  const list = readFileSync(file, "utf8");
  const names = [...list.matchAll(/^import\s(?!type\b)[^;"']*["'](framewright\b[^"']*)["']/gm)].map(
    ([, name]) => name!,
  );
  await Promise.allSettled(names.map((name) => import(name)));
}

/** The folder of the framework that an application imports; undefined where it is not installed. */
function installedPackage(root: string): string | undefined {
  try {
    return dirname(createRequire(join(root, "package.json")).resolve("framewright/package.json"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

/** The application of the working directory. @throws FW_APPLICATION_MISSING */
export function applicationRoot(): string {
  const root = findApplication(process.cwd());
  if (root === undefined) throw usage.FW_APPLICATION_MISSING(process.cwd());
  reportRecovered(recover(root));
  return root;
}

export interface OpenOptions {
  root: string;
  /** development, test or production; NODE_ENV by default. */
  env?: string;
  /** Loads dist/ instead of the TypeScript source. */
  built?: boolean;
  /** Whether `/readyz` reports ready while migrations are pending. */
  allowPending?: boolean;
  /** Whether models may name columns that are missing, as while migrations are pending. */
  anyColumns?: boolean;
  /** Where the log is written: a command's output is on stdout. */
  logTo?: "stdout" | "stderr";
  /** What is added to the plugins that the application lists. */
  extraPlugins?(settings: Settings, listed: readonly Plugin[]): Promise<readonly Plugin[]>;
}

/** Boots an application. Close it, or the process does not exit. */
export async function openApp({
  root,
  env,
  built = false,
  extraPlugins,
  ...options
}: OpenOptions): Promise<Application> {
  if (env !== undefined) process.env.NODE_ENV = env;
  if (!built) await loadTypeScript(root);
  const { Application, openApplication, readSettings } = await import("framewright/host");
  if (!extraPlugins) return openApplication({ root, built, ...options });
  const settings = readSettings({ root });
  const listed = await Application.pluginsOf(root, built);
  const plugins = [...listed, ...(await extraPlugins(settings, listed))];
  return openApplication({ root, built, settings, plugins, ...options });
}

/** Boots the application, calls `work`, and closes it. */
export async function withApp<T>(
  options: Omit<OpenOptions, "root">,
  work: (app: Application) => Promise<T>,
): Promise<T> {
  const app = await openApp({ root: applicationRoot(), logTo: "stderr", ...options });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/**
 * Calls `work` with the database of the application of the working directory, whose classes are not loaded: a model that
 * does not fit its table must not stop what makes it fit.
 */
export async function withDatabase(
  work: (database: Database, settings: Settings) => Promise<void>,
  root = applicationRoot(),
): Promise<void> {
  await loadTypeScript(root);
  const { Application, readSettings } = await import("framewright/host");
  const settings = readSettings({ root });
  const application = new Application(settings, { root, logTo: "stderr" });
  await application.withPlugins(await Application.pluginsOf(root, false), () =>
    work(application.kernel.service("database", "fw"), settings),
  );
}

/** The plugins that an application lists, without those that others replace. Nothing of them is applied. @throws FW_PLUGIN_LIST */
export async function applicationPlugins(root: string): Promise<readonly Plugin[]> {
  await loadTypeScript(root);
  const listed = await importDefault<readonly Plugin[]>(join(root, "plugins.config.ts"));
  if (!Array.isArray(listed)) throw errors.FW_PLUGIN_LIST("plugins.config.ts");
  const plugins = withoutReplaced(listed);
  keepContributions(root, plugins, ofPlugins);
  return plugins;
}

interface Filler {
  provides?: string;
  replaces?: boolean;
}
/** A plugin that another one replaces is left out altogether, as at boot: what it contributed is the other's to bring. */
function withoutReplaced(listed: readonly (Plugin & Filler)[]): Plugin[] {
  const replaced = new Set(listed.filter(({ replaces }) => replaces).map(({ provides }) => provides));
  return listed.filter(({ provides, replaces }) => replaces || provides === undefined || !replaced.has(provides));
}

/** The default export of a file of the application. @throws FW_FILE_MISSING */
export async function importDefault<T>(path: string): Promise<T | undefined> {
  if (!existsSync(path)) throw errors.FW_FILE_MISSING(path);
  const module = (await import(pathToFileURL(path).href)) as { default?: T };
  return module.default;
}
