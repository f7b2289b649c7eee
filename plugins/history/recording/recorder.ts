import {
  type BaseModel,
  beforeCommit,
  ModelInfo,
  type OpenChange,
  type Transaction,
} from "framewright/plugins/database";
import {
  changesParent,
  type DeletedRecords,
  type RecordTenants,
  recordName,
  tenantDependsOn,
} from "framewright/plugins/scoping";
import type { HistoryKind } from "../contract.ts";
import type { HistoryStore, WrittenEntry } from "../store.ts";
import { associatedLabels, labelNames, type Unlabelled } from "./associated_labels.ts";
import { keyName, meansOf } from "./means.ts";
import { copyWithout, labelOf, personOf, withoutSecrets } from "./person.ts";
import { changesOf } from "./values.ts";

/** Entries, and bytes of their changes, of one statement. */
const MAX_ENTRIES = 250;
const MAX_BYTES = 1_000_000;

/** An entry that is about to be written; of its tenant, whose is looked for. */
interface Pending {
  readonly entry: WrittenEntry;
  readonly record: BaseModel;
  /** The record as it was, where it may have been another tenant's. */
  readonly before: BaseModel | undefined;
  tenant: string | null | undefined;
  /** Undefined where the entry has its label already. */
  readonly unlabelled: Unlabelled | undefined;
}
/** What a transaction has not written yet. */
interface Batch {
  pending: Pending[];
  readonly deleted: DeletedRecords;
}

export interface RecorderParts {
  readonly store: HistoryStore;
  readonly tenants: RecordTenants;
  isRecorded(model: ModelInfo): boolean;
  secretsOf(model: ModelInfo): ReadonlySet<string>;
}

/** Writes an entry for each change, in the transaction of the change: many in one statement, before the commit. */
export class Recorder {
  readonly #parts: RecorderParts;
  readonly #batches = new WeakMap<Transaction, Batch>();
  readonly #withoutValues = new WeakSet<Transaction>();

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  /** The entries of this transaction have no values: what it changes is erased. */
  leaveOutValues(transaction: Transaction): void {
    this.#withoutValues.add(transaction);
  }
  #isErasure(transaction: Transaction): boolean {
    for (let open: Transaction | undefined = transaction; open; open = outerOf(open))
      if (this.#withoutValues.has(open)) return true;
    return false;
  }

  hear(change: OpenChange): void {
    const { model, record, transaction } = change;
    const batch = this.#batchOf(transaction);
    const name = recordName(model, ModelInfo.keyOf(record));
    if (change.kind === "deleted") batch.deleted.set(name, record);
    else if (batch.deleted.size > 0) batch.deleted.delete(name);
    const before = change.kind === "updated" && changesParent(model, change.changed) ? change.before : undefined;
    if (before) this.#forgetTenants(transaction, model);
    const found = this.#parts.isRecorded(model) ? this.#entryOf(change) : undefined;
    if (!found) return;
    batch.pending.push({ ...found, record, before, tenant: this.#knownTenant(record, before) });
  }

  /** A record of a model belongs to another one now: whose was what belongs to it is not known any more. */
  #forgetTenants(transaction: Transaction, model: ModelInfo): void {
    for (let open: Transaction | undefined = transaction; open; open = outerOf(open))
      for (const one of this.#batches.get(open)?.pending ?? [])
        if (tenantDependsOn(ModelInfo.ofRecord(one.record), model)) one.tenant ??= null;
  }

  /** Of a record that moves that of both, as far as both are known by themselves. */
  #knownTenant(record: BaseModel, before: BaseModel | undefined): string | null | undefined {
    const { tenants } = this.#parts;
    const now = tenants.known(record);
    const earlier = before ? tenants.known(before) : now;
    if (now === undefined || earlier === undefined) return undefined;
    return now === earlier ? now : null;
  }

  #batchOf(transaction: Transaction): Batch {
    const known = this.#batches.get(transaction);
    if (known) return known;
    const batch: Batch = { pending: [], deleted: new Map() };
    this.#batches.set(transaction, batch);
    const outer = outerOf(transaction);
    beforeCommit(transaction, async () => (outer ? this.#handOver(batch, outer) : this.#flush(batch, transaction)));
    return batch;
  }

  /** What a transaction within another has recorded comes after what that one had. */
  #handOver(batch: Batch, outer: Transaction): void {
    const target = this.#batchOf(outer);
    for (const one of batch.pending) target.pending.push(one);
    for (const [name, record] of batch.deleted) target.deleted.set(name, record);
    batch.pending = [];
  }

  /** Undefined for a change of nothing but timestamps. */
  #entryOf(change: OpenChange): Pick<Pending, "entry" | "unlabelled"> | undefined {
    const { kind, model, record, by, transaction } = change;
    const isErasure = this.#isErasure(transaction);
    const secrets = isErasure ? new Set(model.columns.keys()) : this.#parts.secretsOf(model);
    const { changes, json } = changesOf(change, secrets);
    if (kind === "updated" && Object.keys(changes).length === 0) return undefined;
    const isUnlabelled = !isErasure && labelNames(model).length > 0;
    const entry = {
      at: new Date(),
      kind: kindOf(change),
      model: model.constant,
      record: String(ModelInfo.keyOf(record) ?? ""),
      label: isUnlabelled ? "" : labelOf(withoutSecrets(record, secrets), model),
      person: personOf(by?.user),
      actor: personOf(by?.actor),
      portal: by?.portal ?? null,
      means: meansOf(by),
      source: by?.wizard ?? by?.job ?? keyName() ?? null,
      tenant: null,
      json,
    };
    return { entry, unlabelled: isUnlabelled ? { model, copy: copyWithout(record, secrets) } : undefined };
  }

  async #flush(batch: Batch, transaction: Transaction): Promise<void> {
    const { pending } = batch;
    batch.pending = [];
    for (let start = 0; start < pending.length; ) {
      const end = endOfStatement(pending, start);
      const part = pending.slice(start, end);
      await this.#findTenants(part, batch.deleted, transaction);
      await this.#findLabels(part, batch.deleted, transaction);
      for (const { entry, tenant } of part) entry.tenant = tenant ?? null;
      await this.#parts.store.insert(
        part.map(({ entry }) => entry),
        transaction,
      );
      start = end;
    }
  }

  /** Labels that other records are part of: read before the commit, for many entries at once. */
  async #findLabels(pending: readonly Pending[], deleted: DeletedRecords, transaction: Transaction): Promise<void> {
    const open = pending.flatMap(({ entry, unlabelled }) => (unlabelled ? [[entry, unlabelled] as const] : []));
    if (open.length === 0) return;
    const secretsOf = (model: ModelInfo) => this.#parts.secretsOf(model);
    const source = { transaction, deleted, secretsOf };
    const labels = await associatedLabels(
      open.map(([, unlabelled]) => unlabelled),
      source,
    );
    open.forEach(([entry], index) => {
      entry.label = labels[index]!;
    });
  }

  /** An entry of a record that moves from one tenant to another is neither's. */
  async #findTenants(pending: readonly Pending[], deleted: DeletedRecords, transaction: Transaction): Promise<void> {
    const open = pending.filter(({ tenant }) => tenant === undefined);
    if (open.length === 0) return;
    const records = open.flatMap(({ record, before }) => [record, before ?? record]);
    const found = await this.#parts.tenants.of(records, deleted, transaction);
    open.forEach((one, index) => {
      const [now, earlier] = [found[2 * index] ?? null, found[2 * index + 1] ?? null];
      one.tenant = now === earlier ? now : null;
    });
  }
}

function endOfStatement(pending: readonly Pending[], start: number): number {
  let bytes = 0;
  for (let end = start; end < pending.length; end++) {
    bytes += pending[end]!.entry.json.length;
    if (end - start === MAX_ENTRIES || (bytes > MAX_BYTES && end > start)) return end;
  }
  return pending.length;
}

const outerOf = (transaction: Transaction): Transaction | undefined =>
  (transaction as { parentTransaction?: Transaction }).parentTransaction;
const kindOf = ({ kind, isRestored }: OpenChange): HistoryKind => (isRestored ? "restored" : kind);
