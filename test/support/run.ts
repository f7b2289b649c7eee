// Runs every test file in a process of its own, several at a time: one application a process, and a file that hangs,
// crashes or forgets to report is a failure. Arguments narrow the files by a part of their path.
import { fork } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { availableParallelism, freemem, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { conditionsFor } from "./built_tests.ts";
import type { Report } from "./index.ts";
import { byTurn, isTimed } from "./order.ts";

const FILE_DEADLINE = Number(process.env.FW_TEST_FILE_DEADLINE ?? 420_000);
const wanted = process.argv.slice(2);
const CORES = Math.min(2, availableParallelism());
const root = join(import.meta.dirname, "..");
const loader = pathToFileURL(join(import.meta.dirname, "loader.js")).href;
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

/** Long stories, and MariaDB's turn of others: `npm run soak` runs them. */
const isSoak = process.env.FW_TEST_SOAK !== undefined || wanted.some((part) => part.includes(".soak"));
/** What `npm run soak` holds is run by it, or by name. */
const leftOut = [
  "fixtures",
  "node_modules",
  "bench",
  ...(wanted.some((part) => part.startsWith("soak")) ? [] : ["soak"]),
];

/** Packages of the examples run their tests themselves, as their authors would (examples/fw_audit). */
const isPackage = (name: string): boolean => name.startsWith("fw-");

function find(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return leftOut.includes(entry.name) || isPackage(entry.name) ? [] : find(path);
    if (entry.name.endsWith(".soak.test.ts") && !isSoak) return [];
    return entry.name.endsWith(".test.ts") ? [path] : [];
  });
}

interface Outcome {
  file: string;
  report: Report | undefined;
  output: string;
  problem: string | undefined;
  seconds: number;
}

function run(file: string): Promise<Outcome> {
  const start = performance.now();
  return new Promise((resolve) => {
    const child = fork(join(import.meta.dirname, "start.ts"), [join(root, file)], {
      execArgv: [...conditionsFor(join(root, file)), "--import", loader, "--no-warnings"],
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      env: { ...process.env, ...temporary, NODE_ENV: "test", FORCE_COLOR: "0" },
    });
    let output = "";
    let report: Report | undefined;
    let timedOut = false;
    child.stdout?.on("data", (chunk: Buffer) => (output += chunk));
    child.stderr?.on("data", (chunk: Buffer) => (output += chunk));
    child.on("message", (message: Report) => (report = message));
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill("SIGKILL");
    }, FILE_DEADLINE);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      const problem = timedOut
        ? `did not end within ${FILE_DEADLINE} ms`
        : report === undefined
          ? `never reported (exit ${code ?? signal})`
          : report.failed === 0 && code !== 0
            ? `exit ${code ?? signal} with no failing test`
            : report.passed + report.failed + report.skipped.length === 0
              ? "holds no test"
              : undefined;
      resolve({ file, report, output, problem, seconds: (performance.now() - start) / 1000 });
    });
  });
}

const files = find(root)
  .filter((path) => wanted.length === 0 || wanted.some((part) => path.includes(part)))
  .map((path) => relative(root, path))
  .sort(byTurn);
const outcomes: Outcome[] = [];
const failedOnly = (outcome: Outcome) => outcome.problem !== undefined || (outcome.report?.failed ?? 0) > 0;

function tell(outcome: Outcome): void {
  outcomes.push(outcome);
  const mark = failedOnly(outcome) ? "FAIL" : "ok  ";
  console.log(`${mark} ${outcome.file} (${outcome.report?.passed ?? 0} tests, ${outcome.seconds.toFixed(1)} s)`);
  if (failedOnly(outcome)) console.log(`${outcome.output}\n${outcome.problem ? `  ${outcome.problem}\n` : ""}`);
}

/** Runs files in their order, so many at a time. */
async function runAll(some: readonly string[], workers: number): Promise<void> {
  const queue = [...some];
  const worker = async () => {
    for (let file = queue.shift(); file; file = queue.shift()) tell(await run(file));
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

// One more than there are cores: what waits for a browser, a database or the clock leaves its core to another.
await runAll(
  files.filter((file) => !isTimed(file)),
  CORES + 1,
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
const missing = files.length - outcomes.length;
console.log(
  `${sum((report) => report.passed)} passed, ${failed + missing} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}`,
);
process.exitCode = failed + missing > 0 || files.length === 0 ? 1 : 0;
