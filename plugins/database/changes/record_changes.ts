import { announce } from "framewright/host";
import type { KeyedHook } from "framewright/kernel";
import type { Knex } from "knex";
import type { Transaction } from "objection";
import { errors } from "../errors.ts";
import type { BaseModel, ModelClass } from "../models/model.ts";
import { ModelInfo, oncePerColumns } from "../models/model_info.ts";
import { declaredForPlugins } from "../models/needed_plugins.ts";
import { isRestored } from "../models/restored_records.ts";
import { type Inserting, insertOf } from "../queries/insert_many.ts";
import { inTransaction, transactionsOf } from "../transactions/transactions_of.ts";
import { Cascades } from "./cascades.ts";
import { type Change, type ChangedBy, type Creation, changedColumns, type OpenChange } from "./change.ts";
import { CommitQueue } from "./commit_queue.ts";
import { writeConflicting } from "./conflicts.ts";
import { isConflicting, storedBefore, storedNow, type Writing, writeKindOf } from "./writing.ts";

/** The hooks that hear of changes, by the classes of their records. */
export interface ChangeHooks {
  creating: KeyedHook<Function, [creation: Creation]>;
  changing: KeyedHook<Function, [change: OpenChange]>;
  changed: KeyedHook<Function, [change: Change]>;
}
export interface ChangeParts {
  hooks: ChangeHooks;
  by(): ChangedBy | undefined;
  log(): Parameters<typeof announce>[3]["log"];
  /** A plugin listens to changes: their author is noted from now on. */
  used(): void;
}

const watching = Symbol("framewright.changes");
const deleting = Symbol("framewright.deletions");
type Watched = { [watching]?: RecordChanges | undefined; [deleting]?: RecordChanges | undefined };

/** What reports the changes of a model; undefined where nothing listens, and writing takes its usual path. */
export const changesOf = (cls: object): RecordChanges | undefined => (cls as Watched)[watching];

/** What reports what deleting a record of a model does, to it or to others by the rules of foreign keys. */
export const deletionsOf = (cls: object): RecordChanges | undefined => (cls as Watched)[deleting];

/** Reports to plugins what becomes of stored records: in the transaction that changes them, and after its commit. */
export class RecordChanges {
  readonly #parts: ChangeParts;
  readonly #queue: CommitQueue<Change>;
  #cascades = new Cascades<ModelInfo, BaseModel>([], () => false, nameOf);
  /** The records that are reported while deletions of a transaction run. */
  readonly #reported = new WeakMap<Transaction, Set<Set<string>>>();

  constructor(parts: ChangeParts) {
    this.#parts = parts;
    this.#queue = new CommitQueue((changes) => this.#announce(changes));
  }

  /** Watches those of the models that something is tapped for; all taps are there by then. @throws FW_CHANGE_MODEL */
  watch(models: readonly ModelInfo[]): void {
    const { creating, changing, changed } = this.#parts.hooks;
    for (const [key, [plugin = "a plugin"]] of [...creating.keys(), ...changing.keys(), ...changed.keys()])
      if (!ModelInfo.own(key) && !isDeclaredByModels(key))
        throw errors.FW_CHANGE_MODEL(plugin, (key as { name?: string }).name ?? String(key));
    const isHeard = (info: ModelInfo) => [creating, changing, changed].some((hook) => hook.isUsedFor(keysOf(info)));
    this.#cascades = new Cascades(models, isHeard, nameOf);
    for (const info of models) {
      const watched = info.class as Watched;
      watched[watching] = isHeard(info) ? this : undefined;
      watched[deleting] = watched[watching] ?? (this.#cascades.reaches(info.table) ? this : undefined);
      if (watched[deleting]) this.#parts.used();
    }
  }

  /** Runs a query, and reports what it writes. Outside of a transaction it gets one. */
  async around<T>(query: Writing, run: () => Promise<T>): Promise<T> {
    const kind = writeKindOf(query);
    if (kind === undefined) return run();
    const knex = query.knex();
    if (!knex.isTransaction) return inTransaction<T>(query);
    if (isConflicting(query)) {
      const [record] = insertOf(query as unknown as Inserting)?.models ?? [];
      return (await writeConflicting(query, ModelInfo.of(query.modelClass()), record)) as T;
    }
    if (kind === "deleted") return this.#aroundDeletion(query, knex as Transaction, run);
    const before = kind === "created" ? [] : await storedBefore(query);
    const result = await run();
    await this.#reportAll(await changesBy(kind, query, before, result), knex as Transaction);
    return result;
  }

  /** Deletes, and reports the records first, then what the database's own rules did to others. */
  async #aroundDeletion<T>(query: Writing, transaction: Transaction, run: () => Promise<T>): Promise<T> {
    const before = await storedBefore(query);
    const cascaded = await this.#cascades.collect(ModelInfo.of(query.modelClass()), before, transaction);
    const reported = new Set<string>();
    const result = await this.#noting(transaction, reported, run);
    await this.#reportAll(before.map(deletionOf), transaction);
    for (const [model, records] of cascaded) {
      const others = records.filter((record) => !reported.has(nameOf(record)));
      await this.#reportWritten(model, others, transaction);
    }
    return result;
  }
  async #noting<T>(transaction: Transaction, reported: Set<string>, run: () => Promise<T>): Promise<T> {
    const open = this.#reported.get(transaction) ?? new Set();
    this.#reported.set(transaction, open.add(reported));
    try {
      return await run();
    } finally {
      open.delete(reported);
    }
  }
  /** Reports what became of rows past their model. */
  async #reportWritten(model: ModelInfo, before: readonly BaseModel[], transaction: Transaction): Promise<void> {
    const now = await storedNow(model, before, transaction);
    const gone = before.filter((record) => !now.has(String(ModelInfo.keyOf(record))));
    await this.#reportAll([...gone.map(deletionOf), ...updatesOf(before, now)], transaction);
  }

  /** Writes rows past their model, and reports it; `where` finds them. Outside of a transaction it gets one. */
  async aroundRows(
    model: ModelInfo,
    where: Readonly<Record<string, unknown>>,
    connection: Knex,
    write: (connection: Knex) => PromiseLike<number>,
  ): Promise<number> {
    if (!connection.isTransaction)
      return transactionsOf(connection)((transaction) => this.aroundRows(model, where, transaction, write));
    const transaction = connection as Transaction;
    const query = model.class.query(transaction).where(where as never);
    const before = (await query.forUpdate()) as unknown as BaseModel[];
    const cascaded = await this.#cascades.collect(model, before, transaction);
    const count = await write(transaction);
    await this.#reportWritten(model, before, transaction);
    for (const [other, records] of cascaded) await this.#reportWritten(other, records, transaction);
    return count;
  }

  /** Reports what was written past the model. */
  async reportUpdates(before: readonly BaseModel[], model: ModelInfo, transaction: Transaction): Promise<void> {
    await this.#reportAll(updatesOf(before, await storedNow(model, before, transaction)), transaction);
  }

  /** A record is about to be created: plugins complete its columns. */
  async creating(model: ModelInfo, record: BaseModel, transaction: Transaction): Promise<void> {
    const { creating } = this.#parts.hooks;
    if (!isRestored(record)) await creating.promiseFor(keysOf(model), { model, record, transaction });
  }

  /** Reports a record that was created in a transaction; undefined where all of it was reported at once. */
  created(record: BaseModel, transaction: Transaction): Promise<void> | undefined {
    return this.report(changeOf("created", record, undefined), transaction);
  }

  /** Reports one change in its transaction, and after the commit; undefined where all of it was reported at once. */
  report(found: Omit<Change, "by">, transaction: Transaction): Promise<void> | undefined {
    const change: Change = { ...found, by: this.#parts.by() };
    for (const reported of this.#reported.get(transaction) ?? []) reported.add(nameOf(change.record));
    const waiting = this.#parts.hooks.changing.promiseFor(keysOf(change.model), { ...change, transaction });
    const heard = () => this.#queue.add(transaction as unknown as Knex.Transaction, change);
    if (waiting) return waiting.then(heard);
    heard();
    return undefined;
  }
  async #reportAll(changes: readonly Omit<Change, "by">[], transaction: Transaction): Promise<void> {
    for (const change of changes) {
      const waiting = this.report(change, transaction);
      if (waiting) await waiting;
    }
  }

  /** Resolves when all has heard of what a transaction committed. */
  heard(transaction: object): Promise<void> {
    return this.#queue.done(transaction);
  }

  async #announce(changes: readonly Change[]): Promise<void> {
    const { hooks, log } = this.#parts;
    for (const change of changes)
      for (const hook of hooks.changed.hooksFor(keysOf(change.model)))
        await announce(hook, "database.changed", change, { log: log() });
  }
}

const nameOf = (record: BaseModel): string => `${ModelInfo.ofRecord(record).table} ${ModelInfo.keyOf(record)}`;
/** A model's class and those that it extends, and the classes of what they declare for plugins. */
const keysOf = oncePerColumns(({ lineage }): Function[] => {
  const classes = lineage.map(({ class: cls }) => cls as unknown as Function);
  return [...classes, ...classes.flatMap((cls) => declaredForPlugins(cls).map(([, value]) => value.constructor))];
});
const isDeclaredByModels = (key: object): boolean =>
  (key as { isDeclaredByModels?: unknown }).isDeclaredByModels === true;

async function changesBy(
  kind: Change["kind"],
  query: Writing,
  before: readonly BaseModel[],
  result: unknown,
): Promise<Omit<Change, "by">[]> {
  if (kind === "created") return createdBy(query, result).map((record) => changeOf(kind, record, undefined));
  return updatesOf(before, await storedNow(ModelInfo.of(query.modelClass()), before, query.knex() as Transaction));
}

function updatesOf(before: readonly BaseModel[], now: ReadonlyMap<string, BaseModel>): Omit<Change, "by">[] {
  return before.flatMap((old) => {
    const record = now.get(String(ModelInfo.keyOf(old)));
    const change = record && changeOf("updated", record, old);
    return change && change.changed.length > 0 ? [change] : [];
  });
}

const deletionOf = (record: BaseModel): Omit<Change, "by"> => changeOf("deleted", record, record);

function changeOf(kind: Change["kind"], record: BaseModel, before: BaseModel | undefined): Omit<Change, "by"> {
  const model = ModelInfo.ofRecord(record);
  return {
    kind,
    model,
    record,
    before,
    changed: changedColumns(model, before, kind === "deleted" ? undefined : record),
    ...(kind === "created" && isRestored(record) ? { isRestored: true } : {}),
  };
}

/** The records that a query has inserted: what it returns of them, where that is more than their count. */
function createdBy(query: Writing, result: unknown): BaseModel[] {
  const returned = recordsIn(result, query.modelClass());
  return returned.length > 0
    ? returned
    : recordsIn(insertOf(query as unknown as Inserting)?.models, query.modelClass());
}
const recordsIn = (result: unknown, cls: ModelClass): BaseModel[] =>
  [result].flat().filter((one): one is BaseModel => one instanceof (cls as unknown as typeof BaseModel));
