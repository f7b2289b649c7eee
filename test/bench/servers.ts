import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { compilerFlags, hasCompilerFlags } from "../../generators/support/compiler.ts";
import { writeData } from "./data.ts";
import type { ServingNode } from "./node.ts";
import type { Usage } from "./served.ts";
import type { ServerName } from "./works.ts";

const bench = import.meta.dirname;
const clone = join(bench, "../..");
const entries: Record<ServerName | "page" | "featured", string> = {
  limit: "yardsticks/limit.js",
  by_hand: "yardsticks/by_hand.js",
  fastify: "yardsticks/fastify.js",
  same: "yardsticks/same.js",
  ours: "app/serve.js",
  page: "yardsticks/page.js",
  featured: "app/serve.js",
};

/** A server process with a core and a database of its own. */
export class Server<Name extends string = ServerName> {
  readonly name: Name;
  readonly url: string;
  readonly #process: ChildProcess;

  constructor(name: Name, url: string, process: ChildProcess) {
    this.name = name;
    this.url = url;
    this.#process = process;
  }
  usage(): Promise<Usage> {
    return this.#ask("usage");
  }
  /** Takes back what was written. */
  async reset(): Promise<void> {
    await this.#ask("reset");
  }
  /** Has the server do what it names so; its usage afterwards. */
  task(name: string): Promise<Usage> {
    return this.#ask(name);
  }
  async close(): Promise<void> {
    this.#process.disconnect();
    await once(this.#process, "exit");
  }
  async #ask(what: string): Promise<Usage> {
    const answer = once(this.#process, "message");
    this.#process.send(what);
    return (await answer)[0] as Usage;
  }
}

/** Whether servers and load can be kept on a core each. */
export const pinned = availableParallelism() > 1 && spawnSync("taskset", ["-p", String(process.pid)]).status === 0;

/** Where the servers are, and what runs them. */
export interface Place {
  folder: string;
  node: ServingNode;
}

/** Builds the framework and the servers into a temporary folder, beside the data. */
export function prepare(node: ServingNode): Place {
  run(join(clone, "generators/bin/build.js"));
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "fw-bench-")));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
  run(compiler, "-p", join(bench, "tsconfig.json"), "--outDir", folder);
  cpSync(join(bench, "app"), join(folder, "app"), { recursive: true, filter: (file) => !file.endsWith(".ts") });
  cpSync(join(bench, "yardsticks/views"), join(folder, "yardsticks/views"), { recursive: true });
  writeTables(join(folder, "app/db/migrate"));
  linkPackages(folder);
  writeData(join(folder, "data.sqlite3"));
  if (pinned) spawnSync("taskset", ["-pc", "1", String(process.pid)]);
  return { folder, node };
}

/** The tables of plugins, as their generators write them. */
function writeTables(directory: string): void {
  for (const [at, name] of ["wizards", "jobs", "history", "presence", "webhooks"].entries()) {
    const schema = readFileSync(join(clone, `plugins/${name}/schema.liquid`), "utf8");
    const migration = `export async function up(db) {\n${schema}}\nexport async function down() {}\n`;
    writeFileSync(join(directory, `2026010100000${at + 1}_create_${name}.js`), migration);
  }
}

function linkPackages(folder: string): void {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(clone, join(folder, "node_modules/framewright"));
  for (const name of ["eta", "fastify", "knex", "libsql", "liquidjs", "polka"])
    symlinkSync(join(clone, "node_modules", name), join(folder, "node_modules", name));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
}

function run(script: string, ...args: string[]): void {
  const { status } = spawnSync(process.execPath, [script, ...args], { stdio: "inherit" });
  if (status !== 0) throw new Error(`${script} failed.`);
}

/** What the units of `fw g fw:deploy` and `fw start` set, for all servers alike. */
const asDeployed = { NODE_OPTIONS: "--max-semi-space-size=4", MALLOC_ARENA_MAX: "1" };

/** Starts a server on a copy of the data. `flags` are Node's, `more` further arguments of the server. */
export async function start<Name extends ServerName | "page" | "featured">(
  name: Name,
  { folder, node }: Place,
  flags: readonly string[] = [],
  more: readonly string[] = [],
): Promise<Server<Name>> {
  const file = join(folder, `${name}.sqlite3`);
  for (const part of ["-wal", "-shm"]) rmSync(file + part, { force: true }); // of a server before
  copyFileSync(join(folder, "data.sqlite3"), file);
  const sooner = hasCompilerFlags(node.v8) ? compilerFlags : [];
  const command = [node.path, ...sooner, ...flags, join(folder, entries[name]), file, ...more];
  const [program, ...args] = (pinned ? ["taskset", "-c", "0", ...command] : command) as [string, ...string[]];
  const env = { ...process.env, ...asDeployed, NODE_ENV: "production" };
  const child = spawn(program, args, { env, stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const answer = await Promise.race([once(child, "message"), once(child, "exit").then(() => undefined)]);
  if (!answer) throw new Error(`The server "${name}" did not start.`);
  return new Server(name, `http://127.0.0.1:${(answer[0] as { port: number }).port}`, child);
}
