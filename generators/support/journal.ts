import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { errors } from "../errors.ts";

/** One file that a transaction replaces; `before` is absent when the file is new. */
export interface Replacement {
  path: string;
  before?: string;
  after: string;
}
interface Entry {
  path: string;
  /** The files with the new and the old text, relative to the root. */
  staged: string;
  kept?: string;
}
interface Journal {
  pid: number;
  directory: string;
  entries: Entry[];
  /** Directories that did not exist before, outermost first. */
  createdDirectories: string[];
}

const journalPath = (root: string) => join(root, ".fw", "journal.json");

/** Called between the steps of a commit; tests kill the process there. */
export type CommitObserver = (step: "staged" | "journaled" | "renamed" | "done", path?: string) => void;

/** Replaces all files or none. The next `recover` rolls back an interrupted call. */
export function replaceAll(root: string, files: readonly Replacement[], observe: CommitObserver = () => {}): void {
  const createdDirectories = missingDirectories(root, [".fw", ...files.map(({ path }) => dirname(path))]);
  const directory = join(".fw", `transaction-${process.pid}`);
  mkdirSync(join(root, directory), { recursive: true });
  try {
    const entries = files.map((file, index) => stage(root, directory, file, index));
    observe("staged");
    writeJournal(root, { pid: process.pid, directory, entries, createdDirectories });
    observe("journaled");
    for (const { path, staged } of entries) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      try {
        renameSync(join(root, staged), join(root, path));
      } catch (cause) {
        throw Object.assign(errors.FW_WRITE_FAILED(path, (cause as Error).message), { cause });
      }
      observe("renamed", path);
    }
    rmSync(journalPath(root)); // committed
    observe("done");
  } catch (error) {
    rollBack(root);
    throw error;
  } finally {
    rmSync(join(root, directory), { recursive: true, force: true });
    removeIfEmpty(join(root, ".fw"));
  }
}

/** Rolls back the changes of an interrupted `fw`. Returns the restored paths. */
export function recover(root: string): string[] {
  removeLeftovers(root);
  if (!existsSync(journalPath(root))) return [];
  const { pid } = readJournal(root);
  if (pid !== process.pid && isAlive(pid)) throw errors.FW_FILES_LOCKED(pid);
  return rollBack(root);
}

/** Removes the staged files of processes that died before their journal was written. */
function removeLeftovers(root: string): void {
  const home = join(root, ".fw");
  if (!existsSync(home) || existsSync(journalPath(root))) return;
  for (const name of readdirSync(home)) {
    const pid = /^transaction-(\d+)$/.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) rmSync(join(home, name), { recursive: true, force: true });
  }
  removeIfEmpty(home);
}

function rollBack(root: string): string[] {
  if (!existsSync(journalPath(root))) return [];
  const { pid, directory, entries, createdDirectories } = readJournal(root);
  if (pid !== process.pid && isAlive(pid)) return []; // another process's
  const renamed = entries.filter(({ staged }) => !existsSync(join(root, staged)));
  for (const { path, kept } of renamed) {
    if (kept === undefined) rmSync(join(root, path), { force: true });
    else if (existsSync(join(root, kept))) renameSync(join(root, kept), join(root, path));
  }
  rmSync(journalPath(root));
  rmSync(join(root, directory), { recursive: true, force: true });
  for (const path of [...createdDirectories].reverse()) removeIfEmpty(join(root, path));
  return renamed.map(({ path }) => path);
}

function stage(root: string, directory: string, { path, before, after }: Replacement, index: number): Entry {
  const staged = join(directory, `${index}.new`);
  writeDurably(join(root, staged), after);
  if (before === undefined) return { path, staged };
  const kept = join(directory, `${index}.old`);
  writeDurably(join(root, kept), before);
  return { path, staged, kept };
}

/** The journal is also the lock: it is renamed into place, and only when there is none. */
function writeJournal(root: string, journal: Journal): void {
  const draft = join(root, journal.directory, "journal.json");
  writeDurably(draft, JSON.stringify(journal));
  if (existsSync(journalPath(root))) throw errors.FW_FILES_LOCKED(readJournal(root).pid);
  renameSync(draft, journalPath(root));
}

const readJournal = (root: string) => JSON.parse(readFileSync(journalPath(root), "utf8")) as Journal;

function writeDurably(path: string, text: string): void {
  const file = openSync(path, "w");
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function missingDirectories(root: string, paths: readonly string[]): string[] {
  const missing = new Set<string>();
  for (const path of paths) {
    for (let at = path; at !== "." && !existsSync(join(root, at)); at = dirname(at)) missing.add(at);
  }
  return [...missing].sort();
}

function removeIfEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // not empty, or missing
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
