import { type ChildProcess, spawn } from "node:child_process";
import { fw, type Ran } from "./support.ts";

/** Runs fw with the settings of an application that is served. @throws unless it exits 0 */
export async function runIn(cwd: string, env: NodeJS.ProcessEnv, words: readonly string[], input = ""): Promise<Ran> {
  const ran = await runPiped(cwd, env, words, input);
  if (ran.code !== 0) throw new Error(`fw ${words.join(" ")} exited ${ran.code}\n${ran.out}${ran.err}`);
  return ran;
}

/** The environment without what a test run sets for itself. */
export function cleanEnv(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { NODE_ENV: _, FW_SOURCE: __, NODE_OPTIONS: ___, ...clean } = process.env;
  return { ...clean, ...more };
}

/** Runs fw and gives it something to read, however it ends. */
export async function runPiped(
  cwd: string,
  env: NodeJS.ProcessEnv,
  words: readonly string[],
  input: string,
): Promise<Ran> {
  const child = spawn(process.execPath, [fw, ...words], { cwd, env });
  const ran: Ran = { code: null, out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => (ran.out += chunk));
  child.stderr.on("data", (chunk: Buffer) => (ran.err += chunk));
  child.stdin.on("error", () => undefined); // who does not read may end first
  child.stdin.end(input);
  ran.code = await new Promise((resolve) => child.once("close", resolve));
  return ran;
}

/** Serves a built application by `fw start`, once it listens. */
export async function startAt(cwd: string, port: number, env: NodeJS.ProcessEnv) {
  const child: ChildProcess = spawn(process.execPath, [fw, "start", `--port=${port}`], { cwd, env });
  let output = "";
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      if (/http:\/\/\S+ \(production\)/.test(output)) resolve();
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", (code) => reject(new Error(`fw start ended with ${code}: ${output}`)));
  });
  return { child, output: () => output };
}
