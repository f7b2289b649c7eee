import type { Worker } from "node:cluster";
import { isQuestion, type MetricsAnswer } from "./messages.ts";

/** Shorter than a worker waits. */
const TIMEOUT_MS = 4000;

/**
 * For the supervisor of workers: answers one that was scraped with the sum over all of them. Counters of workers that
 * have ended are not in it. A message that is no such question is ignored; a worker that does not answer in time costs
 * this scrape, not the supervisor: a sum without it would look like a restart.
 * @example cluster.on("message", (worker, message) => void answerMetrics(worker, message))
 */
export async function answerMetrics(worker: Worker, message: unknown): Promise<void> {
  if (!isQuestion(message)) return;
  const answer = (rest: Pick<MetricsAnswer, "text">) => {
    const told: MetricsAnswer = { fw: "metrics", id: message.id, ...rest };
    if (worker.isConnected()) worker.send(told, () => undefined); // one that has just ended waits for nothing
  };
  try {
    answer({ text: await sumOverWorkers() });
  } catch {
    answer({});
  }
}

async function sumOverWorkers(): Promise<string> {
  const { AggregatorRegistry } = await import("prom-client");
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("a worker did not answer in time")), TIMEOUT_MS);
  });
  try {
    return await Promise.race([new AggregatorRegistry().clusterMetrics(), late]);
  } finally {
    clearTimeout(timer);
  }
}
