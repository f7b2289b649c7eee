import type { Transaction } from "framewright/plugins/database";
import type { Jobs } from "framewright/plugins/jobs";
import type { Delivery, Webhook } from "../contract.ts";
import { DELIVER } from "../events/recorder.ts";
import type { Answer } from "../sending/send.ts";
import type { DeliveryStore } from "../store/delivery_store.ts";
import type { WebhookStore } from "../store/webhook_store.ts";

export interface OutcomeParts {
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly jobs: Jobs;
  readonly retrySeconds: readonly number[];
  readonly disableAfterMs: number;
  /** A webhook is about to be disabled for what its receiver did: returns what notifies its owner, with a transaction. */
  readonly announce: (webhook: Webhook) => Promise<(transaction: Transaction) => Promise<void>>;
}

/** What an attempt failed with, as its log has it; undefined for a success. */
export function failureOf({ status, failure }: Answer): string | undefined {
  if (failure !== undefined) return failure;
  if (status! >= 200 && status! < 300) return undefined;
  if (status === 410) return "gone";
  return status! >= 300 && status! < 400 ? "redirect" : "status";
}

/** Stores what came of an attempt: the end of the delivery, or when it is tried again. */
export async function recordAttempt(parts: OutcomeParts, webhook: Webhook, delivery: Delivery, answer: Answer) {
  const { webhooks, deliveries } = parts;
  const at = new Date();
  const failure = failureOf(answer);
  const { id: delivery_id, webhook_id, tenant } = delivery;
  const since = webhook.failing_since ?? at;
  const isOver = failure === "gone" || at.getTime() - since.getTime() > parts.disableAfterMs;
  const reason = failure === "gone" ? "gone" : "failing";
  const notify = failure !== undefined && isOver ? await parts.announce({ ...webhook, reason }) : undefined;
  await webhooks.database.transaction(async (transaction) => {
    const { status = null, milliseconds } = answer;
    const owner = await webhooks.ownerOf(webhook_id, transaction);
    const text = owner === webhook.owner_id ? answer.text : ""; // somebody took it over meanwhile
    const own = { delivery_id, webhook_id, tenant, at, status, milliseconds };
    await deliveries.addTry({ ...own, failure: failure ?? null, answer: text === "" ? null : text }, transaction);
    if (failure === undefined) {
      await deliveries.finish(delivery, "delivered", null, transaction);
      await webhooks.markWorking(webhook_id, transaction);
      return;
    }
    await webhooks.markFailing(webhook_id, at, transaction);
    if (notify) {
      await deliveries.finish(delivery, "dead", failure, transaction);
      await deliveries.stop(webhook_id, transaction); // nothing more is sent until somebody enables it again
      if (await webhooks.disable(webhook_id, reason, transaction)) await notify(transaction);
      return;
    }
    const seconds = parts.retrySeconds[delivery.attempts];
    if (seconds === undefined) return deliveries.finish(delivery, "dead", failure, transaction);
    const next = new Date(at.getTime() + seconds * 1000 * (0.8 + 0.4 * Math.random()));
    await deliveries.retry(delivery, next, transaction);
    await parts.jobs.enqueue(DELIVER, {}, { runAt: next, transaction });
  });
}
