import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Application } from "framewright/host";
import type { GeneratorRegistry, Plugin } from "framewright/kernel";
import { addConditions } from "../bin/conditions.js";
import { errors, usage } from "../errors.ts";
import { sayRecovered } from "../run_generator.ts";
import { findApplication } from "./application.ts";
import { recover } from "./journal.ts";

let isReady = false;

/** Makes this process able to import an application's TypeScript, with one instance of the framework. */
export async function loadTypeScript(root: string): Promise<void> {
  if (isReady) return;
  isReady = true;
  const fromSource = process.env.FW_SOURCE === "1" && import.meta.filename.endsWith(".ts");
  if (!fromSource) {
    await loadFramework(root);
    const { register } = await import("tsx/esm/api");
    register();
  }
  addConditions({ framework: fromSource });
}

/** Imports what the application will, before there is anything between: what makes TypeScript run looks at every module that comes later. */
async function loadFramework(root: string): Promise<void> {
  const path = join(root, "plugins.config.ts");
  const config = existsSync(path) ? readFileSync(path, "utf8") : "";
  const plugins = [...config.matchAll(/["'](framewright\/plugins\/\w+)["']/g)].map(([, name]) => name as string);
  const isThere = (name: string) => import(name).catch(() => undefined); // what is not there is told by who imports it
  await Promise.all(["framewright/host", ...plugins].map(isThere));
}

/** The application of the working directory. @throws FW_APPLICATION_MISSING */
export function applicationRoot(): string {
  const root = findApplication(process.cwd());
  if (root === undefined) throw usage.FW_APPLICATION_MISSING(process.cwd());
  sayRecovered(recover(root));
  return root;
}

export interface OpenOptions {
  root: string;
  /** development, test or production; NODE_ENV unless told. */
  env?: string;
  /** Taken from dist/ instead of the TypeScript source. */
  built?: boolean;
  /** Whether `/readyz` says ready while migrations have not run. */
  allowPending?: boolean;
}

/** Boots an application. Close it, or the process stays. */
export async function openApp({ root, env, built = false, ...options }: OpenOptions): Promise<Application> {
  if (env !== undefined) process.env.NODE_ENV = env;
  if (!built) await loadTypeScript(root);
  const { openApplication } = await import("framewright/host");
  return openApplication({ root, built, ...options });
}

/** Runs work on a booted application, and closes it. */
export async function withApp<T>(
  options: Omit<OpenOptions, "root">,
  work: (app: Application) => Promise<T>,
): Promise<T> {
  const app = await openApp({ root: applicationRoot(), ...options });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/** Asks an application's plugins for their generators: they are applied, and nothing of the application is loaded or connected. */
export async function pluginGenerators(root: string, registry: GeneratorRegistry): Promise<void> {
  await loadTypeScript(root);
  const { Application, readSettings } = await import("framewright/host");
  const plugins = await importDefault<readonly Plugin[]>(join(root, "plugins.config.ts"));
  if (!Array.isArray(plugins)) throw errors.FW_PLUGIN_LIST("plugins.config.ts");
  const application = new Application(readSettings({ root }), { root });
  await application.withPlugins(plugins, () => application.kernel.hooks.generators.call(registry));
}

/** The default export of one of the application's files. @throws FW_FILE_MISSING */
export async function importDefault<T>(path: string): Promise<T | undefined> {
  if (!existsSync(path)) throw errors.FW_FILE_MISSING(path);
  const module = (await import(pathToFileURL(path).href)) as { default?: T };
  return module.default;
}
