import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { errors } from "../errors.ts";

/** A program that comes with a database. */
export interface Tool {
  /** Its names, of which the first that is installed is run. */
  readonly names: readonly [string, ...string[]];
  /** How it is installed: "apt-get install postgresql-client". */
  readonly install: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** The file that it reads from, or writes to. */
  readonly input?: string;
  readonly output?: string;
}

/** Runs a program of a database; its failure is the first line that it printed. @throws FW_BACKUP_TOOL */
export async function runTool(tool: Tool): Promise<void> {
  const [from, to] = [openedOr(tool.input, "r"), openedOr(tool.output, "w")];
  try {
    for (const name of tool.names) {
      const child = spawn(name, [...tool.args], { env: tool.env ?? process.env, stdio: [from, to, "pipe"] });
      if (await ended(child)) return;
    }
  } finally {
    for (const opened of [from, to]) if (typeof opened === "number") closeSync(opened);
  }
  throw errors.FW_BACKUP_TOOL(tool.names, tool.install);
}

const openedOr = (file: string | undefined, flags: string): number | "ignore" =>
  file === undefined ? "ignore" : openSync(file, flags, 0o600);

/** False where the program is not installed. */
async function ended(child: ChildProcess): Promise<boolean> {
  let output = "";
  child.stderr?.on("data", (chunk: Buffer) => (output += chunk));
  try {
    const [code, signal] = (await once(child, "close")) as [number | null, string | null];
    if (code === 0) return true;
    throw new Error(output.trim().split("\n")[0] || `${child.spawnfile} ended with ${code ?? signal}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

const TAIL_BYTES = 512;
/** Refuses a dump without its last line, which a program writes when it has written all. @throws FW_RESTORE_FILE */
export function checkDump(file: string, lastLine: string): void {
  const opened = openSync(file, "r");
  try {
    const { size } = fstatSync(opened);
    const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(opened, tail, 0, tail.length, size - tail.length);
    if (!tail.toString("latin1").includes(lastLine))
      throw errors.FW_RESTORE_FILE(file, `it does not end with "${lastLine}": it is cut off, or of another database`);
  } finally {
    closeSync(opened);
  }
}
