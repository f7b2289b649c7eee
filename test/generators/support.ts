import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isBuilt } from "../../generators/bin/built.js";
import { isShared, type Ran, runShared } from "../support/commands/index.js";

export type { Ran } from "../support/commands/index.js";

export const fw = join(import.meta.dirname, "../../generators/bin/fw.js");

/** Runs a command without a terminal, as a script would. */
export function runCommand(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<Ran> {
  const child = spawn(command, [...args], { cwd, env: { ...cleanEnv(), ...env }, stdio: ["ignore", "pipe", "pipe"] });
  const ran: Ran = { code: null, out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => (ran.out += chunk));
  child.stderr.on("data", (chunk: Buffer) => (ran.err += chunk));
  return new Promise((resolve, reject) =>
    child.once("error", reject).once("close", (code) => resolve({ ...ran, code })),
  );
}

/** The environment of a command, without what is set for the tests' own process. */
function cleanEnv(): NodeJS.ProcessEnv {
  const { NODE_ENV: _, FW_SOURCE: __, NODE_OPTIONS: ___, ...clean } = process.env;
  return clean;
}

/** Runs fw: commands that write and print in a process that stays, the others each in one of its own. */
export const runFw = (cwd: string, ...args: string[]): Promise<Ran> =>
  isShared(args) ? runShared(fw, args, cwd, cleanEnv()) : spawnFw(cwd, ...args);

/** Runs fw in a process of its own. */
export const spawnFw = (cwd: string, ...args: string[]): Promise<Ran> =>
  runCommand(process.execPath, [fw, ...args], cwd);

/** Runs fw, and fails with all that it said unless it exits 0. */
export const fwOk = async (cwd: string, ...args: string[]): Promise<Ran> => passed(args, await runFw(cwd, ...args));

/** As fwOk, in a process of its own. */
export const spawnOk = async (cwd: string, ...args: string[]): Promise<Ran> =>
  passed(args, await spawnFw(cwd, ...args));

function passed(args: readonly string[], ran: Ran): Ran {
  if (ran.code !== 0) throw new Error(`fw ${args.join(" ")} exited ${ran.code}\n${ran.out}${ran.err}`);
  return ran;
}

/** The words of a command line, without the quotes of a shell and what it takes for a comment. */
export const wordsOf = (line: string): string[] =>
  (line.replace(/\s#.*$/, "").match(/(?:'[^']*'|[^\s'])+/g) ?? []).map((word) => word.replaceAll("'", ""));

/** Type-checks an application, as an editor would. */
export const typeCheck = (app: string): Promise<Ran> =>
  runCommand(process.execPath, [join(app, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.json"], app);

/** What a generated application is type-checked against, and what is packed. */
export async function ensureBuilt(): Promise<void> {
  if (isBuilt()) return;
  const { code, out, err } = await runCommand(process.execPath, [join(fw, "../build.js")], join(fw, ".."));
  if (code !== 0) throw new Error(`the framework does not build\n${out}${err}`);
}

export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "fw-generators-")));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A new application in a temporary folder. */
export async function newApp(name = "shop", ...options: string[]): Promise<string> {
  const folder = temporaryFolder();
  await fwOk(folder, "new", name, ...options);
  return join(folder, name);
}

/** Makes an application use this database in development and in its tests. */
export function useDatabase(app: string, url: string): void {
  const config = join(app, "plugins.config.ts");
  const list = readFileSync(config, "utf8");
  if (/^(?:postgres|pglite):/.test(url) && !list.includes("plugins/postgres"))
    writeFileSync(
      config,
      `import { postgres } from "framewright/plugins/postgres";\n${list.replace("  database(),\n", "$&  postgres(),\n")}`,
    );
  for (const env of ["development", "test"]) {
    const file = join(app, `.env.${env}`);
    writeFileSync(file, `${readFileSync(file, "utf8").replace(/^DATABASE_URL=.*\n?/m, "")}\nDATABASE_URL=${url}\n`);
  }
}

/** Every file by its path with its text; links, records of generators and what is not ours are left out. */
export function snapshot(root: string, below = ""): Record<string, string> {
  const files: Record<string, string> = {};
  for (const name of readdirSync(join(root, below)).sort()) {
    if (["node_modules", "dist", "storage", ".framewright"].includes(name)) continue;
    const path = below ? `${below}/${name}` : name;
    if (statSync(join(root, path)).isDirectory()) Object.assign(files, snapshot(root, path));
    else files[path] = readFileSync(join(root, path), "utf8");
  }
  return files;
}

/** What a line of JavaScript prints in the console of an application. */
export async function inConsole(app: string, values: Record<string, string>, line: string): Promise<string> {
  const { NODE_ENV: _, FW_SOURCE: __, NODE_OPTIONS: ___, ...clean } = process.env;
  const child = spawn(process.execPath, [fw, "console"], { cwd: app, env: { ...clean, ...values } });
  child.stdin.end(`${line}\n`);
  let out = "";
  for await (const chunk of child.stdout) out += chunk;
  return out;
}

/** The rows of a table of an application, as JSON among what its console prints. */
export const rowsOf = (app: string, values: Record<string, string>, table: string): Promise<string> =>
  inConsole(app, values, `console.log(JSON.stringify(await app.kernel.service("database").knex("${table}")))`);
