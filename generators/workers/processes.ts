import cluster, { type Worker } from "node:cluster";
import { existsSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { errors } from "../errors.ts";
import { isForOthers, isReady, isScrape } from "./messages.ts";

/** How long a worker may take to boot before it is ended. */
const BOOT_MS = 120_000;

/** A process that serves, and at which address. */
export interface Serving {
  worker: Worker;
  url: string;
}

/**
 * Starts a process that runs this one's command, and resolves once it serves.
 * @throws FW_WORKER_BOOT when it ends before, or takes more than two minutes
 */
export async function fork(index: number, count: number, started: (worker: Worker) => void): Promise<Serving> {
  cluster.setupPrimary(place);
  const worker = cluster.fork({ FW_WORKER: `${index}/${count}` });
  started(worker);
  const timer = setTimeout(() => worker.process.kill("SIGKILL"), BOOT_MS);
  try {
    return await new Promise((resolve, reject) => {
      worker.on("message", (message: unknown) => {
        if (isReady(message)) resolve({ worker, url: message.url });
        else if (isScrape(message)) void answerScrape(worker, message);
        else if (isForOthers(message)) sendToOthers(worker, message);
      });
      worker.once("exit", () => reject(errors.FW_WORKER_BOOT(index, endedWith(worker))));
      worker.once("error", reject);
    });
  } finally {
    clearTimeout(timer);
  }
}

/** A worker that is scraped for metrics returns those of all workers. */
async function answerScrape(worker: Worker, message: unknown): Promise<void> {
  const { answerMetrics } = await import("framewright/plugins/metrics/cluster");
  await answerMetrics(worker, message);
}

function sendToOthers(sender: Worker, message: object): void {
  for (const worker of Object.values(cluster.workers ?? {}))
    if (worker && worker !== sender && worker.isConnected()) worker.send(message, () => undefined);
}

/** Signals a worker to end, and ends it after some milliseconds; whether it ended by itself. */
export async function retire(worker: Worker, ask: () => void, milliseconds: number): Promise<boolean> {
  if (worker.isDead()) return true;
  const exit = new Promise((resolve) => worker.once("exit", resolve));
  const timer = setTimeout(() => worker.process.kill("SIGKILL"), milliseconds);
  ask();
  await exit;
  clearTimeout(timer);
  return worker.process.signalCode !== "SIGKILL";
}

/** How a worker ended: "SIGKILL", "exit code 1". */
export const endedWith = ({ process: { signalCode, exitCode } }: Worker): string =>
  signalCode ?? `exit code ${exitCode}`;

/**
 * Where workers are started. When the folder was reached by a symbolic link, as of a current release, the link is preserved: a
 * reload then starts what it points to by then.
 */
function placeOf(here: string, linked: string | undefined): { cwd: string; exec: string } {
  const command = process.argv[1] ?? "";
  if (linked === undefined || linked === here || !existsSync(linked) || realpathSync(linked) !== here)
    return { cwd: here, exec: command };
  const path = relative(here, realpathSync(command));
  return { cwd: linked, exec: path.startsWith("..") ? command : join(linked, path) };
}
const place = placeOf(process.cwd(), process.env.PWD);
