import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "framewright/kernel";
import type { Delivery, Webhook } from "../contract.ts";
import { type Answer, type SendOptions, send } from "../sending/send.ts";
import { signedHeaders } from "../signature.ts";
import { type OutcomeParts, recordAttempt } from "./outcome.ts";
import type { Payloads } from "./payload.ts";

/** How long a job waits for what it started: a slow receiver takes no place of other jobs for longer. */
const WAIT_MS = 1000;
/** Beyond the time of an attempt until another process takes over. */
const LEASE_MARGIN_MS = 20_000;
/** Webhooks that are looked at in one step. */
const MAX_WEBHOOKS = 50;

export interface DispatcherParts extends OutcomeParts {
  readonly payloads: Payloads;
  readonly sending: SendOptions;
  readonly concurrency: number;
  readonly concurrencyPerWebhook: number;
  readonly log: () => { error(facts: object, text: string): void };
}

/** Sends what is due: so much at a time in this process, and of each webhook, so that a slow receiver delays no other. */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #running = new Map<Delivery, Promise<void>>();
  readonly #stop = new AbortController();
  #filling: Promise<void> = Promise.resolve();

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  /** Starts what is due; resolves when all of it has ended, or after a second while the rest goes on. */
  async run(): Promise<void> {
    await this.#fill();
    const waiting = new AbortController();
    await Promise.race([this.#idle(), sleep(WAIT_MS, undefined, { signal: waiting.signal }).catch(() => undefined)]);
    waiting.abort();
  }

  /** Starts nothing more, and ends what runs: another process does it again. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#filling.catch(() => undefined);
    await this.#idle();
  }

  async #idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.race(this.#running.values());
  }

  #fill(): Promise<void> {
    const filled = this.#filling.catch(() => undefined).then(() => this.#claim());
    this.#filling = filled;
    return filled;
  }

  async #claim(): Promise<void> {
    const { deliveries, concurrency, concurrencyPerWebhook, sending } = this.#parts;
    const seen = new Set<number>();
    while (!this.#stop.signal.aborted && this.#running.size < concurrency) {
      const counts = this.#counts();
      const busy = [...counts].flatMap(([id, count]) => (count >= concurrencyPerWebhook ? [id] : []));
      const due = await deliveries.dueWebhooks([...new Set([...busy, ...seen])], MAX_WEBHOOKS);
      if (due.length === 0) return;
      for (const webhook of due) {
        seen.add(webhook);
        const free = Math.min(concurrencyPerWebhook - (counts.get(webhook) ?? 0), concurrency - this.#running.size);
        if (free <= 0) break;
        const lease = sending.timeoutMs + LEASE_MARGIN_MS;
        for (const one of await deliveries.claim(webhook, free, lease)) this.#start(one);
      }
    }
  }
  #counts(): Map<number, number> {
    const counts = new Map<number, number>();
    for (const { webhook_id } of this.#running.keys()) counts.set(webhook_id, (counts.get(webhook_id) ?? 0) + 1);
    return counts;
  }

  #start(delivery: Delivery): void {
    const work = this.#attempt(delivery)
      .catch((error: unknown) => this.#failed(delivery, error))
      .then(async () => {
        this.#running.delete(delivery);
        if (!this.#stop.signal.aborted) await this.#fill(); // what comes after it
      })
      .catch((error: unknown) => this.#failed(delivery, error))
      .finally(() => this.#running.delete(delivery));
    this.#running.set(delivery, work);
  }
  #failed({ message }: Delivery, error: unknown): void {
    this.#parts.log().error({ webhook: message }, `webhooks: ${messageOf(error)}`);
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const { webhooks, deliveries, payloads, sending } = this.#parts;
    const webhook = await webhooks.findById(delivery.webhook_id);
    if (webhook?.state !== "enabled") return deliveries.finish(delivery, "dead", "disabled");
    const composed = await payloads.compose(webhook, delivery).catch((error: unknown) => {
      this.#failed(delivery, error);
      return undefined;
    });
    if (!composed) return recordAttempt(this.#parts, webhook, delivery, notComposed);
    if ("withheld" in composed) {
      await deliveries.finish(delivery, "withheld", composed.withheld);
      if (composed.withheld === "person" || composed.withheld === "record")
        await webhooks.markWithheld(webhook.id, composed.withheld);
      return;
    }
    const answer = await this.#send(webhook, delivery, composed.body, sending);
    if (answer.failure === "stopped") return deliveries.release(delivery);
    await recordAttempt(this.#parts, webhook, delivery, answer);
  }

  async #send({ id, url }: Webhook, { message }: Delivery, body: string, sending: SendOptions): Promise<Answer> {
    const secrets = await this.#parts.webhooks.secretsOf(id);
    if (secrets.length === 0) return { ...notComposed, failure: "secret" };
    const headers = {
      "content-type": "application/json",
      "user-agent": "Framewright-Webhooks",
      ...signedHeaders(secrets, message, new Date(), body),
    };
    return send(url, headers, body, sending, this.#stop.signal);
  }
}

/** An attempt that ended before anything was sent. */
const notComposed: Answer = { status: undefined, failure: "internal", milliseconds: 0, text: "" };
