import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Application } from "framewright/host";
import type { GeneratorRegistry, Plugin } from "framewright/kernel";
import { addConditions } from "../bin/conditions.js";
import { errors, usage } from "../errors.ts";
import { reportRecovered } from "../run_generator.ts";
import { findApplication } from "./application.ts";
import { recover } from "./journal.ts";

let isReady = false;

/** Enables this process to import an application's TypeScript, with a single instance of the framework. */
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

/** Imports the framework before tsx is registered: tsx would process every module that is loaded later. */
async function loadFramework(root: string): Promise<void> {
  const path = join(root, "plugins.config.ts");
  const config = existsSync(path) ? readFileSync(path, "utf8") : "";
  const plugins = [...config.matchAll(/["'](framewright\/plugins\/\w+)["']/g)].map(([, name]) => name as string);
  const preload = (name: string) => import(name).catch(() => undefined); // the application's own import reports a missing plugin
  await Promise.all(["framewright/host", ...plugins].map(preload));
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
}

/** Boots an application. Close it, or the process does not exit. */
export async function openApp({ root, env, built = false, ...options }: OpenOptions): Promise<Application> {
  if (env !== undefined) process.env.NODE_ENV = env;
  if (!built) await loadTypeScript(root);
  const { openApplication } = await import("framewright/host");
  return openApplication({ root, built, ...options });
}

/** Boots the application, calls `work`, and closes it. */
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

/** Collects the generators of an application's plugins: applies the plugins, but loads nothing of the application and opens no connection. */
export async function pluginGenerators(root: string, registry: GeneratorRegistry): Promise<void> {
  await loadTypeScript(root);
  const { Application, readSettings } = await import("framewright/host");
  const plugins = await importDefault<readonly Plugin[]>(join(root, "plugins.config.ts"));
  if (!Array.isArray(plugins)) throw errors.FW_PLUGIN_LIST("plugins.config.ts");
  const application = new Application(readSettings({ root }), { root });
  await application.withPlugins(plugins, () => application.kernel.hooks.generators.call(registry));
}

/** The default export of a file of the application. @throws FW_FILE_MISSING */
export async function importDefault<T>(path: string): Promise<T | undefined> {
  if (!existsSync(path)) throw errors.FW_FILE_MISSING(path);
  const module = (await import(pathToFileURL(path).href)) as { default?: T };
  return module.default;
}
