// A process that runs test files, one after the other.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { conditionsFor } from "./built_tests.ts";
import { compilerFlags } from "./compiler_flags.js";
import type { Report } from "./index.ts";
import { isShared, isTimed } from "./order.ts";

const FILE_DEADLINE = Number(process.env.FW_TEST_FILE_DEADLINE ?? 420_000);
/** What a process of 25 files leaves in its temporary folders takes a slow machine seconds to remove. */
const EXIT_DEADLINE = 60_000;
/** A process that ran so many files, or needs so much memory, takes no more: modules of applications are never unloaded. */
const MAX_FILES = 25;
const MAX_BYTES = 1100 * 1024 ** 2;
const loader = pathToFileURL(join(import.meta.dirname, "loader.js")).href;
const folder = join(import.meta.dirname, "..");

export interface Outcome {
  file: string;
  report: Report | undefined;
  output: string;
  problem: string | undefined;
  seconds: number;
}

/** What files of one process have in common: the flags that it is started with. */
export const kindOf = (file: string): string => conditionsFor(join(folder, file)).join(" ");

/** What measures times is compiled as it is where applications run. */
const flagsFor = (file: string): readonly string[] => (isTimed(file) ? [] : compilerFlags());

export class Worker {
  /** What it ran, named from test/ on; the last one last. */
  readonly files: string[] = [];
  /** What it has printed since its last file began. */
  output = "";
  /** Whether it was ended, and its exit code looked at. */
  isOver = false;
  readonly #kind: string;
  readonly #child: ChildProcess;
  readonly #closed: Promise<string | number>;
  #memory = 0;

  /** `file`: one that it shall run; `env`: more of its environment. */
  constructor(file: string, env: NodeJS.ProcessEnv) {
    this.#kind = kindOf(file);
    this.#child = fork(join(import.meta.dirname, "start.ts"), [], {
      execArgv: [...flagsFor(file), ...conditionsFor(join(folder, file)), "--import", loader, "--no-warnings"],
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      env: { ...process.env, ...env, NODE_ENV: "test", FORCE_COLOR: "0" },
    });
    this.#closed = once(this.#child, "close").then(([code, signal]) => code ?? signal);
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on("data", (chunk: Buffer) => (this.output += chunk));
  }

  /** Whether it can run a file, after those that it ran. */
  takes(file: string): boolean {
    const isFree = this.files.length < MAX_FILES && this.#memory < MAX_BYTES && [...this.files, file].every(isShared);
    return this.#child.connected && isFree && kindOf(file) === this.#kind;
  }

  /** Runs a file, named from test/ on. The process ends with a file that fails, or is the only one that it may run. */
  async run(file: string): Promise<Outcome> {
    const start = performance.now();
    const before = this.files.length > 0 ? `  in the process of ${this.files.join(", ")}\n` : "";
    this.files.push(file);
    this.output = "";
    const [report, timedOut] = await this.#reportOn(file);
    this.#memory = report?.memory ?? 0;
    let problem = timedOut ? `did not end within ${FILE_DEADLINE} ms` : problemIn(report);
    if (!isShared(file) || problem !== undefined || report!.failed > 0) {
      const exit = await this.end();
      if (report === undefined && !timedOut) problem = `never reported (exit ${exit})`;
      else if (report?.failed === 0 && exit !== 0) problem ??= `exit ${exit} with no failing test`;
    }
    const seconds = (performance.now() - start) / 1000;
    return { file, report, problem, output: this.output + before, seconds };
  }

  async #reportOn(file: string): Promise<[report: Report | undefined, timedOut: boolean]> {
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      this.#child.kill("SIGKILL");
    }, FILE_DEADLINE);
    const reported = once(this.#child, "message").then(([report]) => report as Report);
    this.#child.send(join(folder, file), () => undefined); // where it fails, the process has ended
    const report = await Promise.race([reported, this.#closed.then(() => undefined)]);
    clearTimeout(timer);
    return [report, timedOut];
  }

  /** Ends the process, and returns its exit code, or the signal that ended it. */
  async end(): Promise<string | number> {
    this.isOver = true;
    if (this.#child.connected) this.#child.send("", () => undefined); // a channel that is closed at this side never emits "close"
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), EXIT_DEADLINE);
    const exit = await this.#closed;
    clearTimeout(timer);
    return exit;
  }
}

function problemIn(report: Report | undefined): string | undefined {
  if (report === undefined) return "never reported";
  if (report.failed === 0 && report.exit !== 0) return `exit ${report.exit} with no failing test`;
  const isEmpty = report.passed + report.failed + report.skipped.length === 0;
  return isEmpty && process.env.FW_TEST_DATABASES === undefined ? "holds no test" : undefined; // of one database it may hold none
}
