import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Application, openApplication, readSettings } from "framewright";
import type { Plugin } from "framewright/kernel";
import { passwords } from "framewright/plugins/passwords";
import { Client } from "../testing/client.ts";
import { driverPlugins, testedDatabases } from "./databases.ts";

export interface TestApp {
  readonly root: string;
  readonly application: Application;
  readonly url: string;
  /** A request that follows no redirect by itself. */
  request(path: string, init?: RequestInit): Promise<Response>;
  client(): Client;
  close(): Promise<void>;
}

/** Writes files into a new temporary folder that can import the framework; keys are paths, values their text. */
export function writeApp(files: Record<string, string>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "fw-test-")));
  const clone = join(import.meta.dirname, "../..");
  mkdirSync(join(root, "node_modules"));
  symlinkSync(clone, join(root, "node_modules/framewright"));
  const imports = { "#packages/*.ts": "./packages/*.ts", "#app/*.ts": "./app/*.ts" };
  addFiles(root, { "package.json": JSON.stringify({ name: "test-app", type: "module", imports }), ...files });
  process.once("exit", () => rmSync(root, { recursive: true, force: true }));
  return root;
}

export function addFiles(root: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), path === "plugins.config.ts" ? withDrivers(text) : text);
  }
}

/** A list of plugins with those of drivers, where tests run on a server of PostgreSQL: commands in other processes read it. */
export function withDrivers(list: string): string {
  if (!testedDatabases().includes("postgres") || list.includes("postgres()") || !list.includes("definePlugins(["))
    return list;
  if (!/\bdatabase\(|framewright\/plugins\.config/.test(list)) return list;
  const listed = list.replace("definePlugins([", "$&postgres(), ");
  return `import { postgres } from "framewright/plugins/postgres";\n${listed}`;
}

/** Boots an application from files, on a port of its own. */
export async function bootApp(
  files: Record<string, string>,
  { values = {}, plugins }: { values?: Record<string, string>; plugins?: readonly Plugin[] } = {},
): Promise<TestApp> {
  const root = writeApp(files);
  return openApp(root, { values, ...(plugins ? { plugins } : {}) });
}

/**
 * Passwords as most stories need them: a hash of the costs that people get takes 50 ms, and a file has dozens of sign-ins.
 * FW_TEST_HASHES=real keeps those costs.
 */
const withCheapHashes = (plugin: Plugin): Plugin =>
  plugin.name === "passwords" && !("replaces" in plugin) && process.env.FW_TEST_HASHES !== "real"
    ? passwords({ memory: 64, iterations: 1 })
    : plugin;

/** The switches of a run of all tests with the slower paths: see test/soak.ts. */
const switches = (): Record<string, string> =>
  Object.fromEntries(
    ["FW_VIEWS_COMPILE", "FW_DATABASE_FAST"].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** `plugins`: instead of those of its list; `more`: beside them. */
export async function openApp(
  root: string,
  {
    values = {},
    plugins,
    more = [],
  }: { values?: Record<string, string>; plugins?: readonly Plugin[]; more?: readonly Plugin[] } = {},
): Promise<TestApp> {
  const settings = readSettings({
    root,
    values: {
      NODE_ENV: "test",
      SECRET_KEY_BASE: "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19",
      ...switches(),
      ...values,
    },
  });
  const drivers = await driverPlugins(values.DATABASE_URL);
  const listed = (plugins ?? (await Application.pluginsOf(root, false))).map(withCheapHashes);
  const missing = drivers.filter(({ name }) => !listed.some((one) => one.name === name));
  const application = await openApplication({ root, settings, plugins: [...listed, ...missing, ...more] });
  const { url } = await application.listen(0, "127.0.0.1");
  return {
    root,
    application,
    url,
    request: (path, init = {}) => fetch(url + path, { redirect: "manual", ...init }),
    client: () => new Client(url),
    close: () => application.close(),
  };
}
