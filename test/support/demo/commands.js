import { spawn } from "node:child_process";
import { join } from "node:path";
import { styleText } from "node:util";
import { isShared, runShared } from "../commands/index.js";

export const fw = join(import.meta.dirname, "../../../generators/bin/fw.js");
export const say = (line) => console.log(line);
export const sayError = (line) => console.error(line);
const dim = (text) => (process.stdout.isTTY ? styleText("dim", text) : text);

/** Runs `fw`, where it can in a process that stays; what it says is shown when it fails. */
export async function run(cwd, args) {
  const start = performance.now();
  const env = { ...process.env, NODE_ENV: "development" };
  const { code, output } = isShared(args) ? await runHere(cwd, args, env) : await runAlone(cwd, args, env);
  const command = `fw ${args.map(quoted).join(" ")}`;
  if (code !== 0) throw new Error(`${output}\n${command} failed (exit ${code}).`);
  say(`${command} ${dim(`${((performance.now() - start) / 1000).toFixed(1)} s`)}`);
}

async function runHere(cwd, args, env) {
  const { code, out, err } = await runShared(fw, args, cwd, env);
  return { code, output: out + err };
}

async function runAlone(cwd, args, env) {
  const child = spawn(process.execPath, [fw, ...args], { cwd, stdio: ["ignore", "pipe", "pipe"], env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const code = await new Promise((done) => child.once("close", done));
  return { code, output };
}

const quoted = (word) => (/[?{}]/.test(word) ? `'${word}'` : word);
