import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { sendFor } from "./measure.ts";
import type { ServingNode } from "./node.ts";
import { median } from "./report.ts";
import { type Place, pinned } from "./servers.ts";
import type { Work } from "./works.ts";

const fw = join(import.meta.dirname, "../../generators/bin/fw.js");
/** Of the machine, and not those that this process is kept on. */
const CORES = cpus().length;
const CONNECTIONS = 24;
const COUNTS = [1, 2] as const;
/** What two workers do of what one does, at least, on two cores that are theirs. */
export const LEAST = 1.7;
/** How much of the machine is at work when nothing is left to serve with: the load itself takes the rest. */
const FULL = 0.95;

export interface WorkersResult {
  key: string;
  /** Requests a second of one worker and of two, medians. */
  perSecond: readonly [number, number];
  ratio: number;
  /** How many cores the load took while two workers served. */
  loadCores: number;
  /** The ratio is too small, and not because the load took the processor. */
  isSlow: boolean;
}
interface Served {
  url: string;
  process: ChildProcess;
}

/** `fw start --workers=1` and `--workers=2` of the same application, on all cores, by turns. */
export async function compareWorkers(
  { folder, node }: Place,
  works: readonly Work[],
  how: { rounds: number; seconds: number },
): Promise<WorkersResult[]> {
  const root = writeStarted(folder);
  const served = await Promise.all(
    COUNTS.map((count) => startWorkers(root, node, count, join(folder, `workers${count}.sqlite3`))),
  );
  try {
    const results: WorkersResult[] = [];
    for (const work of works) results.push(await compareWork(work, served, how));
    return results;
  } finally {
    for (const { process: child } of served) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
  }
}

async function compareWork(
  work: Work,
  served: readonly Served[],
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<WorkersResult> {
  const rates: number[][] = [[], []];
  const loads: number[] = [];
  const asks = await Promise.all(served.map(({ url }) => work.ask("ours", url)));
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { url }] of served.entries()) {
      const before = process.cpuUsage();
      const done = await sendFor(url, asks[index]!, seconds, CONNECTIONS);
      const { user, system } = process.cpuUsage(before);
      if (round === 0) continue; // warms up
      rates[index]!.push(done.requests.total / done.duration);
      if (index === 1) loads.push((user + system) / 1e6 / done.duration);
    }
  }
  const [one, two] = rates.map((list) => median(list)) as [number, number];
  const loadCores = median(loads);
  const ratio = two / one;
  const attainable = Math.min(COUNTS[1], CORES * FULL - loadCores);
  return { key: work.key, perSecond: [one, two], ratio, loadCores, isSlow: ratio < Math.min(LEAST, attainable) - 0.1 };
}

/** A folder that `fw start` takes for an application: what was compiled is its build. */
function writeStarted(folder: string): string {
  const root = join(folder, "started");
  mkdirSync(join(root, "config"), { recursive: true });
  writeFileSync(join(root, "plugins.config.ts"), "");
  writeFileSync(join(root, "package.json"), JSON.stringify({ type: "module" }));
  symlinkSync(join(folder, "app"), join(root, "dist"));
  return root;
}

/** Serves a copy of the data that our server left behind: migrated, and with somebody who may sign in. */
async function startWorkers(root: string, node: ServingNode, count: number, file: string): Promise<Served> {
  for (const part of ["", "-wal"])
    if (existsSync(join(root, `../ours.sqlite3${part}`)))
      copyFileSync(join(root, `../ours.sqlite3${part}`), file + part);
  const command = [node.path, fw, "start", "--port=0", `--workers=${count}`];
  const [program, ...args] = (pinned ? ["taskset", "-c", `0-${CORES - 1}`, ...command] : command) as [
    string,
    ...string[],
  ];
  const env = {
    ...process.env,
    NODE_ENV: "production",
    SECRET_KEY_BASE: "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19",
    DATABASE_URL: `sqlite:${file}`,
    ALLOWED_HOSTS: "127.0.0.1",
    LOG_LEVEL: "error",
  };
  const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      const found = /http:\/\/\S+/.exec(String(chunk));
      if (found) resolve(found[0]);
    });
    child.once("exit", (code) => reject(new Error(`fw start --workers=${count} ended with ${code}.`)));
  });
  return { url, process: child };
}

/** The results as a Markdown table, with a sentence for what is wrong. */
export function workersTable(results: readonly WorkersResult[]): string {
  const lines = results.map(
    ({ key, perSecond: [one, two], ratio, loadCores }) =>
      `| ${key} | ${Math.round(one)} | ${Math.round(two)} | ${ratio.toFixed(2)} | ${loadCores.toFixed(2)} |`,
  );
  const slow = results.filter(({ isSlow }) => isSlow);
  return [
    `| Work | requests/s of 1 worker | of 2 | ratio, at least ${LEAST} | cores taken by the load |\n|---|---|---|---|---|`,
    ...lines,
    ...slow.map(({ key, ratio }) => `${key}: two workers do ${ratio.toFixed(2)} times what one does.`),
  ].join("\n");
}
