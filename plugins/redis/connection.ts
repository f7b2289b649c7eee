import type { RedisOptions } from "ioredis";
import type { Redis, RedisClient } from "./contract.ts";
import { errors } from "./errors.ts";
import { away, explained } from "./failures.ts";

/** Milliseconds that a request waits for Redis. */
export const TIMEOUT_MS = 2000;
const MAX_RECONNECT_MS = 1000;

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

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  async run<T>(work: (client: RedisClient) => PromiseLike<T>): Promise<T> {
    this.#client ??= this.connect();
    const client = await this.#client;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(away(`no answer within ${TIMEOUT_MS} ms`));
        if (client.status === "ready") client.disconnect(true); // a server that is gone without a word is not waited for
      }, TIMEOUT_MS);
    });
    try {
      return await Promise.race([work(client), late]);
    } catch (error) {
      throw explained(error, (text) => this.#conceal(text));
    } finally {
      clearTimeout(timer);
    }
  }

  async connect(options: RedisOptions = {}): Promise<RedisClient> {
    const Redis = await loadClient();
    const client = new Redis(this.#options.url.href, {
      lazyConnect: true,
      connectTimeout: TIMEOUT_MS,
      maxRetriesPerRequest: 0, // a command waits for one attempt to connect, not for as long as Redis is away
      retryStrategy: (attempt) => Math.min(MAX_RECONNECT_MS, 50 * 2 ** Math.min(attempt, 10)),
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
