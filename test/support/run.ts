// Runs the test files, several at a time, each in a process of its own or after others in one (order.ts says which): a file
// that hangs, crashes or forgets to report is a failure. Arguments narrow the files by a part of their path.
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { availableParallelism, freemem, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { emptyPglite, hasPglite } from "./empty_pglite.ts";
import type { Report } from "./index.ts";
import { byTurn, isShared, isTimed } from "./order.ts";
import { kindOf, type Outcome, Worker } from "./worker.ts";

const wanted = process.argv.slice(2);
const CORES = Math.min(2, availableParallelism());
const root = join(import.meta.dirname, "..");
/** Where there is room in memory, thousands of small files are written and removed there: a tenth of a run is disk otherwise. */
const MEMORY = "/dev/shm";
const ROOM_BYTES = 4 * 1024 ** 3;
function hasRoom(folder: string): boolean {
  if (process.env.TMPDIR !== undefined || !existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > ROOM_BYTES && freemem() > 2 * ROOM_BYTES;
}
/** The temporary folder of every test and of its child processes. */
const scratch = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), "fw-run-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
const temporary = { TMPDIR: scratch, FW_TEST_CACHE: tmpdir() };
/** So many files need more than one process of them, which would each set up PGlite where it has never been. */
const MANY_FILES = 25;

/** Long stories, and MariaDB's turn of others: `npm run soak` runs them. */
const isSoak = process.env.FW_TEST_SOAK !== undefined || wanted.some((part) => part.includes(".soak"));
/** What `npm run soak` holds is run by it, or by name. */
const leftOut = [
  "fixtures",
  "node_modules",
  "bench",
  ...(wanted.some((part) => part.startsWith("soak")) ? [] : ["soak"]),
];

/** Packages of the examples run their tests themselves, as their authors would. */
const isPackage = (name: string): boolean => name.startsWith("fw-") || name === "permits";

function find(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return leftOut.includes(entry.name) || isPackage(entry.name) ? [] : find(path);
    if (entry.name.endsWith(".soak.test.ts") && !isSoak) return [];
    return entry.name.endsWith(".test.ts") ? [path] : [];
  });
}

/** Files that share processes, by what these have to load; the others stay where they are. */
const byKind = (a: string, b: string): number => (isShared(a) && isShared(b) ? kindOf(a).length - kindOf(b).length : 0);

const files = find(root)
  .filter((path) => wanted.length === 0 || wanted.some((part) => path.includes(part)))
  .map((path) => relative(root, path))
  .sort(byTurn)
  .sort(byKind);
const outcomes: Outcome[] = [];
const failedOnly = (outcome: Outcome) => outcome.problem !== undefined || (outcome.report?.failed ?? 0) > 0;

function tell(outcome: Outcome): void {
  outcomes.push(outcome);
  const mark = failedOnly(outcome) ? "FAIL" : "ok  ";
  const { own, children } = outcome.report?.processor ?? { own: 0, children: 0 };
  const times = [outcome.seconds, own, children].map((seconds) => seconds.toFixed(1));
  console.log(
    `${mark} ${outcome.file} (${outcome.report?.passed ?? 0} tests, ${times[0]} s; processor ${times[1]} s, children ${times[2]} s)`,
  );
  if (failedOnly(outcome)) console.log(`${outcome.output}\n${outcome.problem ? `  ${outcome.problem}\n` : ""}`);
}

/** Ends a process. What it exits with after its files have passed is a failure, of the last one. */
async function end(worker: Worker | undefined): Promise<void> {
  if (!worker || worker.isOver) return;
  const exit = await worker.end();
  if (exit === 0) return;
  const problem = `exit ${exit} with no failing test, of a process that ran ${worker.files.join(", ")}`;
  tell({ file: worker.files.at(-1)!, report: undefined, output: worker.output, problem, seconds: 0 });
}

/** Runs files in their order, so many at a time. */
async function runAll(some: readonly string[], workers: number): Promise<void> {
  const queue = [...some];
  const work = async () => {
    let worker: Worker | undefined;
    for (let file = queue.shift(); file; file = queue.shift()) {
      if (!worker?.takes(file)) {
        await end(worker);
        worker = new Worker(file, temporary);
      }
      tell(await worker.run(file));
    }
    await end(worker);
  };
  await Promise.all(Array.from({ length: workers }, work));
}

if (files.length > MANY_FILES && hasPglite()) await emptyPglite();
// Twice as many as there are cores: what waits for a browser, a database or the clock leaves its core to others.
await runAll(
  files.filter((file) => !isTimed(file)),
  CORES * 2,
);
await runAll(files.filter(isTimed), CORES);
const sum = (pick: (report: Report) => number) =>
  outcomes.reduce((total, { report }) => total + (report ? pick(report) : 0), 0);
function grouped(lines: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const line of lines) groups.set(reasonOf(line), [...(groups.get(reasonOf(line)) ?? []), line]);
  return groups;
}
/** What stands in parentheses at the end: why a test was skipped. */
const reasonOf = (line: string): string => /\(([^(]*)\)$/.exec(line)?.[1] ?? "";
const skipped = outcomes.flatMap(({ report }) => report?.skipped ?? []);
const byReason = grouped(skipped);
for (const [reason, lines] of byReason) {
  console.log(`skipped, ${reason}`);
  for (const line of lines) console.log(`  ${line.slice(0, line.lastIndexOf(" ("))}`);
}
const failed = sum((report) => report.failed) + outcomes.filter(({ problem }) => problem !== undefined).length;
const missing = files.filter((file) => !outcomes.some((outcome) => outcome.file === file)).length;
console.log(
  `${sum((report) => report.passed)} passed, ${failed + missing} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}`,
);
process.exitCode = failed + missing > 0 || files.length === 0 ? 1 : 0;
