import { type Context, suite, type Test } from "uvu";
import { processorSeconds } from "./processor_time.ts";

export * as assert from "uvu/assert";
export { reasonToSkip, requireOrSkip } from "./requirements.ts";

/** A test file's report to the runner; a file that sends none has failed. */
export interface Report {
  passed: number;
  failed: number;
  skipped: string[];
  /** What the process would exit with. */
  exit: number;
  /** What the process has in memory, in bytes. */
  memory: number;
  /** Processor seconds of the file: the first of a process has its start. */
  processor: { own: number; children: number };
}

const noReport = (): Report => ({
  ...{ passed: 0, failed: 0, skipped: [], exit: 0, memory: 0 },
  processor: { own: 0, children: 0 },
});
let before = { own: 0, children: 0 };
let groups: { run(): void; pending(): number }[] = [];
let report = noReport();
const TEST_DEADLINE = Number(process.env.FW_TEST_DEADLINE ?? 60_000);

type Body = (context: Context) => void | Promise<void>;
interface It {
  (sentence: string, body: Body, within?: number): void;
  /** Runs the body, or records by name that it can't run here. `reason` is undefined when it can. `within`: milliseconds. */
  unless(reason: string | undefined, sentence: string, body: Body, within?: number): void;
}
interface Around {
  before: Test["before"];
  after: Test["after"];
}

/**
 * A group of tests, each a sentence and a story. Unlike uvu's bare `suite` it runs itself, gives every test a
 * deadline, counts a failing `before` as a failure, and reports to the runner.
 */
export function describe(subject: string, define: (it: It, around: Around) => void): void {
  const group = suite(subject);
  let pending = 0;
  const it = ((sentence: string, body: Body, within: number = TEST_DEADLINE) => {
    pending++;
    group(sentence, async (context) => {
      try {
        await withDeadline(sentence, within, async () => body(context));
        report.passed++;
      } catch (error) {
        report.failed++;
        throw error;
      } finally {
        pending--;
      }
    });
  }) as It;
  it.unless = (reason, sentence, body, within) => {
    if (reason === undefined) it(sentence, body, within);
    else report.skipped.push(`${subject}: ${sentence} (${reason})`);
  };
  define(it, { before: loud(subject, group.before), after: group.after });
  groups.push({ run: group.run, pending: () => pending });
}

/** uvu says that a `before` failed, and not why. */
const loud = (subject: string, before: Test["before"]): Test["before"] => {
  const wrap = (body: Body) => async (context: Context) => {
    try {
      await body(context);
    } catch (error) {
      console.error(`before "${subject}":`, error);
      throw error;
    }
  };
  return Object.assign((body: Body) => before(wrap(body)), { each: before.each }) as Test["before"];
};

async function withDeadline(sentence: string, within: number, body: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`"${sentence}" took over ${within} ms`)), within);
  });
  try {
    await Promise.race([body(), deadline]);
  } finally {
    clearTimeout(timer);
  }
}

let started = false;
let reported = false;
/** Whether `start` will be called: the file is run by the runner, and not by itself. */
let isAwaited = false;
let watch: NodeJS.Timeout | undefined;

/** Forgets the file before, where one process runs several in turn: its groups, its report, and what uvu keeps of it. */
export function begin(): void {
  groups = [];
  report = noReport();
  [started, reported, isAwaited] = [false, false, true];
  Object.assign(globalThis, { UVU_QUEUE: [[null]] });
  process.exitCode = undefined;
}

/**
 * Runs the groups, once the file has been read to its end, awaits included: uvu would run again what it has run, each
 * time that it is given more. The runner calls it; a file that is run by itself starts when nothing else is left to do.
 */
export function start(): void {
  if (started) return;
  started = true;
  for (const { run } of groups) run();
  watchForLeftovers();
}

const MAX_LEFTOVER_SECONDS = 30;
const leftovers = (): string => [...new Set(process.getActiveResourcesInfo())].join(", ");

/** Ends a file whose tests have all run and which something that they opened keeps alive: a server of a failed test. */
function watchForLeftovers(): void {
  let seconds = 0;
  watch = setInterval(() => {
    seconds = groups.every(({ pending }) => pending() === 0) ? seconds + 1 : 0;
    if (seconds < MAX_LEFTOVER_SECONDS) return;
    clearInterval(watch);
    console.log(
      `  a test left something open for ${MAX_LEFTOVER_SECONDS} s, a server or a child process (${leftovers()}): close it in a finally`,
    );
    report.failed += 1;
    sendReport();
    setTimeout(() => process.exit(1), 500);
  }, 1000);
  watch.unref();
}

process.on("beforeExit", () => {
  if (!started && !isAwaited && groups.length > 0) {
    start();
    return;
  }
  if (!started && isAwaited && !reported) {
    console.log("  the file was not read to its end: an await outside its tests never settles");
    report.failed++;
  }
  sendReport();
});

function sendReport(): void {
  if (reported) return;
  reported = true;
  clearInterval(watch);
  for (const { pending } of groups) report.failed += pending(); // what never ran has failed: its `before` did
  if (report.failed > 0) process.exitCode = 1;
  report.exit = Number(process.exitCode ?? 0);
  report.memory = process.memoryUsage.rss();
  const { own, children } = processorSeconds();
  report.processor = { own: own - before.own, children: children - before.children };
  before = { own, children };
  if (process.send) process.send(report, () => process.channel?.ref());
  else for (const line of report.skipped) console.log(`skipped ${line}`);
}

/** Asserts that `run` throws or rejects with the code, and returns the error for a look at its message. */
export async function throwsCode(code: string, run: () => unknown): Promise<Error & { code: string }> {
  try {
    await run();
  } catch (error) {
    const thrown = error as Error & { code?: string };
    if (thrown.code === code) return thrown as Error & { code: string };
    throw new Error(`expected ${code}, got ${thrown.code ?? thrown.name}: ${thrown.message}`, { cause: error });
  }
  throw new Error(`expected ${code}, and nothing was thrown`);
}
