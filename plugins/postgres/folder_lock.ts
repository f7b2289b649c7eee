import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { errors } from "./errors.ts";

/** When this process started, in milliseconds: its number may be that of a process which died in a container. */
const startedAt = (): number => Date.now() - process.uptime() * 1000;
const CLOCK_MS = 5000;

interface Holder {
  pid: number;
  startedAt: number;
}

/** Marks a folder as open in this process, and returns what removes the mark. @throws FW_PGLITE_IN_USE */
export function lockFolder(folder: string): () => void {
  const file = `${folder}.pid`;
  const own: Holder = { pid: process.pid, startedAt: startedAt() };
  for (;;) {
    try {
      writeFileSync(file, JSON.stringify(own), { flag: "wx" });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const holder = holderOf(file);
    if (holder && isRunning(holder)) throw errors.FW_PGLITE_IN_USE(folder, holder.pid, file);
    rmSync(file, { force: true });
  }
}

function holderOf(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Holder;
  } catch {
    return undefined; // removed meanwhile, or cut off as its process was killed
  }
}

function isRunning(holder: Holder): boolean {
  if (holder.pid === process.pid) return Math.abs(holder.startedAt - startedAt()) < CLOCK_MS;
  try {
    return process.kill(holder.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // of another user
  }
}
