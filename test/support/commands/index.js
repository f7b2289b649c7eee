// `fw` command lines in a process that stays, for tests of what a command writes and prints. What the process itself
// promises (signals, pipes, a start) is tested in one of its own.
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { isBuilt } from "../../../generators/bin/built.js";
import { compilerFlags } from "../compiler_flags.js";

/** Commands that serve, wait, copy the database or start processes. */
const alone = "dev start serve build console test db:check db:backup db:restore audit:tenancy jobs".split(" ");

/** Module-level: a process of tests has one of these. */
let server;
/** Module-level: sources that were built stay so while tests run. */
let built = false;

/** Whether a command line can run in the process that stays: it is free, and has the built framework. */
export function isShared(args) {
  const isAlone = alone.includes(args[0]) || args.includes("--password-stdin");
  if ((isAlone && !args.includes("--help")) || server?.isBusy || process.env.FW_TEST_SOURCE === "1") return false;
  built ||= isBuilt();
  return built;
}

/** Runs a command line; `program` is the path of fw.js, which the command finds as its own. */
export async function runShared(program, args, cwd, env) {
  server ??= new CommandServer();
  const used = server;
  const ran = await used.run([process.execPath, program, ...args], cwd, env);
  if (used.isOver) server = undefined;
  return ran;
}

class CommandServer {
  isBusy = false;
  isOver = false;
  #child;

  constructor() {
    const { NODE_OPTIONS: _, ...env } = process.env;
    this.#child = fork(join(import.meta.dirname, "server.js"), [], {
      ...{ execArgv: [...compilerFlags()], env, stdio: ["ignore", "pipe", "pipe", "ipc"] },
    });
    process.once("exit", () => this.#child.kill());
  }

  async run(argv, cwd, env) {
    const mark = `\0${randomBytes(8).toString("hex")}\n`;
    this.#hold(true);
    const texts = [this.#child.stdout, this.#child.stderr].map((stream) => textBefore(mark, stream));
    const ended = once(this.#child, "exit").then(([code]) => ({ code, isClean: false }));
    const answered = once(this.#child, "message").then(([answer]) => answer);
    this.#child.send({ argv, cwd, env, mark }, () => undefined); // where it fails, the process has ended
    const { code, isClean } = await Promise.race([ended, answered]);
    const [out, err] = await Promise.all(texts);
    this.#hold(false);
    if (!isClean) this.#end(); // what failed may have left something open
    return { code, out, err };
  }

  #end() {
    this.isOver = true;
    if (this.#child.connected) this.#child.disconnect();
  }

  /** A process that waits for the next command keeps no test alive. */
  #hold(isBusy) {
    this.isBusy = isBusy;
    for (const part of [this.#child, this.#child.channel, this.#child.stdout, this.#child.stderr])
      if (isBusy) part?.ref();
      else part?.unref();
  }
}

/** What a stream writes before a mark, or its end. */
function textBefore(mark, stream) {
  return new Promise((resolve) => {
    const chunks = [];
    const finish = () => {
      stream.off("data", read).off("end", finish);
      resolve(Buffer.concat(chunks).toString("utf8").replace(mark, ""));
    };
    const read = (chunk) => {
      chunks.push(chunk);
      if (Buffer.concat(chunks.slice(-2)).includes(mark)) finish();
    };
    stream.on("data", read).once("end", finish);
  });
}
