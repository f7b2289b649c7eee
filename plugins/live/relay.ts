import cluster from "node:cluster";
import type { Redis, RedisClient } from "framewright/plugins/redis";
import type { Message } from "./contract.ts";

const CHANNEL = "live";
/** What workers of one machine send each other by their supervisor begins with this. */
const KIND = "live";

interface Parts {
  readonly redis: Redis | undefined;
  receive(message: Message): void;
  /** Messages may have been missed. */
  missed(): void;
}

/**
 * Carries messages to the other processes: by Redis to all of an application, without it by the supervisor to the other
 * workers of this machine. What can't be carried is lost: pages look again when they are opened or seen.
 */
export class Relay {
  readonly #parts: Parts;
  readonly #sender = `${process.pid}.${Math.random().toString(36).slice(2)}`;
  #subscriber: RedisClient | undefined;
  readonly #onMessage = (given: unknown) => {
    const { fw, message } = (given ?? {}) as { fw?: unknown; message?: Message };
    if (fw === KIND && message) this.#parts.receive(message);
  };

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Receives from now on what other processes send. */
  async open(): Promise<void> {
    const { redis, receive, missed } = this.#parts;
    if (!redis) {
      if (cluster.isWorker) process.on("message", this.#onMessage);
      return;
    }
    const client = await redis.connect({ maxRetriesPerRequest: null });
    this.#subscriber = client;
    let isAgain = false;
    client.on("ready", () => {
      if (isAgain) missed();
      isAgain = true;
    });
    client.on("message", (_channel, text) => {
      const { sender, message } = JSON.parse(text) as { sender: string; message: Message };
      if (sender !== this.#sender) receive(message);
    });
    await client.subscribe(redis.key(CHANNEL));
  }

  async send(message: Message): Promise<void> {
    const { redis } = this.#parts;
    const text = () => JSON.stringify({ sender: this.#sender, message });
    if (redis)
      await redis.run((client) => client.publish(redis.key(CHANNEL), text())).catch(() => undefined); // it logs itself that Redis is down
    else if (cluster.isWorker && process.connected) process.send?.({ fw: KIND, message });
  }

  close(): void {
    process.off("message", this.#onMessage);
    this.#subscriber?.disconnect();
  }
}
