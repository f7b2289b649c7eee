import { setTimeout as sleep } from "node:timers/promises";
import type { RedisOptions } from "ioredis";
import type { Redis, RedisClient, RunOptions } from "./contract.ts";
import { errors } from "./errors.ts";
import { away, explained, isAway } from "./failures.ts";
import { Outage } from "./outage.ts";

/** Milliseconds that a request waits for Redis. */
export const TIMEOUT_MS = 2000;
const MAX_RECONNECT_MS = 1000;
const REPEAT_MS = 50;

export interface ConnectionOptions {
  url: URL;
  prefix: string;
  log(level: "warn" | "info", message: string): void;
}

/** One lazily opened connection, which is opened again by itself when it is lost. */
export class Connection implements Redis {
  readonly #options: ConnectionOptions;
  #client: Promise<RedisClient> | undefined;
  #isAway = false;
  /** While the connection is lost. */
  #outage: Outage | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  async run<T>(work: (client: RedisClient) => PromiseLike<T>, { isRepeatable = false }: RunOptions = {}): Promise<T> {
    this.#client ??= this.#open();
    const client = await this.#client;
    const until = performance.now() + TIMEOUT_MS;
    for (;;) {
      await this.#outage?.wait(until);
      try {
        return await this.#runOnce(client, work, until - performance.now());
      } catch (error) {
        const known = explained(error, (text) => this.#conceal(text));
        const mayBeBack = performance.now() + REPEAT_MS < until && !this.#outage?.isLong;
        if (!isRepeatable || !isAway(known) || !mayBeBack) throw known;
        await sleep(REPEAT_MS);
      }
    }
  }
  async #runOnce<T>(client: RedisClient, work: (client: RedisClient) => PromiseLike<T>, limit: number): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(away(`no answer within ${TIMEOUT_MS} ms`));
        if (client.status === "ready") client.disconnect(true); // a server that disconnected without notice is not waited for
      }, limit);
    });
    try {
      return await Promise.race([work(client), late]);
    } finally {
      clearTimeout(timer);
    }
  }
  async #open(): Promise<RedisClient> {
    const client = await this.connect();
    client.on("close", () => {
      this.#outage ??= new Outage(TIMEOUT_MS);
    });
    client.on("ready", () => {
      this.#outage?.end();
      this.#outage = undefined;
    });
    return client;
  }

  async connect(options: RedisOptions = {}): Promise<RedisClient> {
    const Redis = await loadClient();
    const client = new Redis(this.#options.url.href, {
      lazyConnect: true,
      connectTimeout: TIMEOUT_MS,
      maxRetriesPerRequest: 0, // a command waits for one attempt to connect, not for as long as Redis is down
      retryStrategy: (attempt) => Math.min(MAX_RECONNECT_MS, 100 * 1.2 ** attempt), // a restart is noticed soon
      reconnectOnError: (error) => error.message.startsWith("READONLY"),
      ...options,
    });
    client.on("error", (error: Error) => this.#lost(error));
    client.on("ready", () => this.#found());
    return client;
  }

  key(name: string): string {
    return this.#options.prefix + name;
  }

  async close(): Promise<void> {
    (await this.#client?.catch(() => undefined))?.disconnect();
  }

  /** Logged once, not for each connection and attempt. */
  #lost(error: Error): void {
    if (this.#isAway) return;
    this.#isAway = true;
    const { message } = explained(error, (text) => this.#conceal(text)) as Error;
    this.#options.log("warn", this.#conceal(message));
  }
  #found(): void {
    if (!this.#isAway) return;
    this.#isAway = false;
    this.#options.log("info", "Redis answers again");
  }

  /** A text without the password, whatever wrote it there. */
  #conceal(text: string): string {
    const { password } = this.#options.url;
    return [password, decodeURIComponent(password)]
      .filter((secret) => secret !== "")
      .reduce((shown, secret) => shown.replaceAll(secret, "…"), text);
  }
}

/** @throws FW_REDIS_PACKAGE */
export async function loadClient(): Promise<new (url: string, options: RedisOptions) => RedisClient> {
  try {
    return (await import("ioredis")).Redis;
  } catch (cause) {
    throw Object.assign(errors.FW_REDIS_PACKAGE(), { cause });
  }
}
