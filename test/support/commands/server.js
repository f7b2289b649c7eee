// Runs `fw` command lines one after the other, in one process that has loaded the built framework: loading it takes
// longer than most commands do. Each command finds its environment, folder and application's files as a new process would.
import module from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { entry } from "../../../generators/bin/built.js";
import { initialize, resolve } from "./fresh_modules.js";

const main = pathToFileURL(entry).href;
const runs = new Int32Array(new SharedArrayBuffer(4));
if (typeof module.registerHooks === "function") {
  initialize({ runs });
  module.registerHooks({ resolve }); // the commands register theirs so, which hooks of another thread would not hear of
} else module.register("./fresh_modules.js", import.meta.url, { data: { runs } });
const exit = process.exit.bind(process);
/** What this process itself has open: its pipes, the thread of its loaders and the process of its compiler. */
const own = ["PipeWrap", "ProcessWrap", "MessagePort", "TTYWrap", "Immediate"];
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];

process.on("disconnect", () => exit());
process.on("message", ({ cwd, env, argv, mark }) => void run(cwd, env, argv, mark));

async function run(cwd, env, argv, mark) {
  const run = Atomics.add(runs, 0, 1) + 1;
  let isOver = false;
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv = argv;
  process.exit = (code) => (isOver ? undefined : exit(code)); // at its end, a command that failed ends its process
  await import(`${main}?run=${run}`);
  isOver = true;
  const code = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  process.stdout.removeAllListeners("error");
  for (const signal of signals) process.removeAllListeners(signal);
  for (const stream of [process.stdout, process.stderr]) await new Promise((done) => stream.write(mark, done));
  process.send({ code, isClean: await isClean() });
}

/** Whether nothing is left open; what ends by itself is waited for. */
async function isClean() {
  for (let tries = 0; tries < 20; tries++) {
    if (process.getActiveResourcesInfo().every((kind) => own.includes(kind))) return true;
    await sleep(5);
  }
  return false;
}
