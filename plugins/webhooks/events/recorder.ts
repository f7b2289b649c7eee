import { createHash } from "node:crypto";
import { beforeCommit, ModelInfo, type OpenChange, type Transaction } from "framewright/plugins/database";
import type { Jobs } from "framewright/plugins/jobs";
import type { Resources } from "framewright/plugins/resources";
import { type DeletedRecords, type RecordTenants, recordName } from "framewright/plugins/scoping";
import type { NewDelivery } from "../contract.ts";
import type { DeliveryStore } from "../store/delivery_store.ts";
import type { Subscription, WebhookStore } from "../store/webhook_store.ts";
import { isSent } from "./names.ts";
import { addEvents, eventsOf, type PendingEvent } from "./pending_events.ts";

/** The job that sends what is due. */
export const DELIVER = "webhooks.deliver";

/** What a transaction has not written yet. */
interface Batch {
  pending: PendingEvent[];
  readonly deleted: DeletedRecords;
}
export interface RecorderParts {
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly tenants: RecordTenants;
  readonly resources: Resources;
  readonly jobs: Jobs;
}

/** Writes what webhooks hear of in the transaction of the change, right before its commit, with the job that sends it. */
export class Recorder {
  readonly #parts: RecorderParts;
  readonly #batches = new WeakMap<Transaction, Batch>();
  #served: ReadonlySet<string> | undefined;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  hear(change: OpenChange): void {
    const { kind, model, record, transaction } = change;
    const name = recordName(model, ModelInfo.keyOf(record));
    if (kind === "deleted") this.#batchOf(transaction).deleted.set(name, record);
    else if (kind === "created") this.#batches.get(transaction)?.deleted.delete(name);
    if (!this.#isServed(model) || !isSent(model)) return;
    const batch = this.#batchOf(transaction);
    batch.pending = addEvents(batch.pending, eventsOf(change, this.#parts.resources));
  }
  /** Something besides a record's change, in its transaction. */
  add(event: PendingEvent, transaction: Transaction): void {
    this.#batchOf(transaction).pending.push(event);
  }

  /** Whether a portal serves a model, or one that it extends: of others nobody can hear. */
  #isServed({ table }: ModelInfo): boolean {
    this.#served ??= new Set(this.#parts.resources.registry.all().map(({ model }) => model.table));
    return this.#served.has(table);
  }

  #batchOf(transaction: Transaction): Batch {
    const known = this.#batches.get(transaction);
    if (known) return known;
    const batch: Batch = { pending: [], deleted: new Map() };
    this.#batches.set(transaction, batch);
    const outer = (transaction as { parentTransaction?: Transaction }).parentTransaction;
    beforeCommit(transaction, async () => (outer ? this.#handOver(batch, outer) : this.#flush(batch, transaction)));
    return batch;
  }

  /** What a transaction within another has comes after what that one had. */
  #handOver(batch: Batch, outer: Transaction): void {
    const target = this.#batchOf(outer);
    target.pending = addEvents(target.pending, batch.pending);
    for (const [name, record] of batch.deleted) target.deleted.set(name, record);
    batch.pending = [];
  }

  async #flush(batch: Batch, transaction: Transaction): Promise<void> {
    const { pending } = batch;
    batch.pending = [];
    if (pending.length === 0) return;
    const { webhooks, deliveries, jobs } = this.#parts;
    const names = [...new Set(pending.flatMap((one) => one.names))];
    const tenants = await this.#tenantsOf(pending, names, batch.deleted, transaction);
    if (!tenants) return;
    const distinct = [...new Set(tenants)].filter((one) => one !== null);
    const heard = await webhooks.subscriptions(names, distinct, transaction);
    const found = pending.flatMap((one, index) => deliveriesOf(one, tenants[index]!, heard));
    if (found.length === 0) return;
    await deliveries.insert(found, transaction);
    await jobs.enqueue(DELIVER, {}, { transaction });
  }

  /** The tenant of each; undefined where nobody hears of them. What has to be read for it is read only where somebody may. */
  async #tenantsOf(
    pending: readonly PendingEvent[],
    names: readonly string[],
    deleted: DeletedRecords,
    transaction: Transaction,
  ): Promise<(string | null)[] | undefined> {
    const { tenants, webhooks } = this.#parts;
    const known = pending.map(({ record, tenant }) => (record ? tenants.known(record) : (tenant ?? null)));
    const open = pending.flatMap(({ record }, index) =>
      known[index] === undefined ? [{ record: record!, index }] : [],
    );
    if (open.length > 0) {
      if (!(await webhooks.isHeard(names, transaction))) return undefined;
      const found = await tenants.of(
        open.map(({ record }) => record),
        deleted,
        transaction,
      );
      for (const [at, { index }] of open.entries()) known[index] = found[at] ?? null;
    }
    return known as (string | null)[];
  }
}

/** One for each webhook that hears of it, by whichever of its names. */
function deliveriesOf(one: PendingEvent, tenant: string | null, heard: readonly Subscription[]): NewDelivery[] {
  const by = new Map<number, Subscription>();
  for (const subscription of heard) {
    const isOwn = subscription.tenant === null || subscription.tenant === tenant;
    const isHere = one.portal === undefined || one.portal === subscription.portal;
    if (isOwn && isHere && one.names.includes(subscription.name) && !by.has(subscription.webhook_id))
      by.set(subscription.webhook_id, subscription);
  }
  return [...by.values()].map(({ webhook_id, tenant: own, name }) => ({
    webhook_id,
    tenant: own,
    event: name,
    model: one.model,
    record: one.key,
    details: one.details,
    lane: laneOf(webhook_id, one.lane),
  }));
}

/** What is sent to one webhook in order. */
export const laneOf = (webhook: number, about: string): string =>
  createHash("sha256")
    .update(JSON.stringify([webhook, about]))
    .digest("hex");
