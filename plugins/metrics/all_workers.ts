import cluster from "node:cluster";
import { serviceUnavailable } from "framewright/host";
import type { Registry } from "prom-client";
import { isAnswer } from "./messages.ts";

type Client = typeof import("prom-client");

/** Longer than the supervisor waits for its workers. */
const TIMEOUT_MS = 5000;

interface Waiting {
  resolve(text: string): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

/** The metrics of this process; below a supervisor those of all its workers, which it adds up. */
export class WorkerMetrics {
  readonly #registry: Registry;
  readonly #waiting = new Map<number, Waiting>();
  readonly #onMessage = (message: unknown) => this.#received(message);
  #asked = 0;

  constructor({ AggregatorRegistry }: Client, registry: Registry) {
    this.#registry = registry;
    if (!cluster.isWorker) return;
    AggregatorRegistry.setRegistries([registry]);
    new AggregatorRegistry(); // answers the supervisor's question from now on
    process.on("message", this.#onMessage);
  }

  /** @throws HttpError 503 when the supervisor does not answer in time */
  text(): Promise<string> {
    if (!cluster.isWorker || !process.send || !process.connected) return this.#registry.metrics();
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      const fail = () => {
        this.#waiting.delete(id);
        reject(serviceUnavailable());
      };
      this.#waiting.set(id, { resolve, reject, timer: setTimeout(fail, TIMEOUT_MS) });
      process.send?.({ fw: "metrics", id });
    });
  }
  close(): void {
    process.off("message", this.#onMessage);
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(serviceUnavailable());
    }
    this.#waiting.clear();
  }

  #received(message: unknown): void {
    if (!isAnswer(message)) return;
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    this.#waiting.delete(message.id);
    clearTimeout(waiting.timer);
    if (message.text === undefined) waiting.reject(serviceUnavailable());
    else waiting.resolve(message.text);
  }
}
