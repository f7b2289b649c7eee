import type { AsyncSeriesHook } from "framewright/kernel";
import { messageOf } from "framewright/kernel";
import {
  asUnavailable,
  type BaseModel,
  type Database,
  ModelInfo,
  type Transaction,
} from "framewright/plugins/database";
import { isStoredFile } from "framewright/plugins/fields/toolkit";
import { isFileField, type Resources } from "framewright/plugins/resources";
import type { Storage } from "framewright/plugins/storage";
import { DELETED_AT } from "./columns.ts";
import { deleterNow } from "./deleter.ts";
import type { Purging, Trash } from "./index.ts";
import { purgeFromTrash } from "./purge.ts";
import { Removal } from "./remove.ts";
import { restoreFromTrash } from "./restore.ts";

/** Records that a sweep reads at once, and those that it purges of one model at most. */
const BATCH_SIZE = 100;
const MAX_PURGED = 5000;
const DAY_MS = 86_400_000;

interface Parts {
  readonly database: Database;
  readonly resources: Resources;
  readonly storage: Storage | undefined;
  readonly purging: AsyncSeriesHook<[purging: Purging]>;
  /** After how many days records are purged; undefined for never. */
  readonly days: number | undefined;
  log(): { error(details: object, text: string): void };
}
interface Limits {
  readonly until?: number;
  readonly by?: string;
}

/** The trash of an application. */
export class TrashService implements Trash {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }
  get days(): number | undefined {
    return this.#parts.days;
  }

  restore(record: BaseModel, limits: Limits = {}): Promise<BaseModel[]> {
    const { database } = this.#parts;
    return database.transaction((transaction) => restoreFromTrash(record, database, transaction), limits);
  }

  async purge(record: BaseModel, limits: Limits = {}): Promise<void> {
    const { database, purging } = this.#parts;
    const purged = await database.transaction(
      (transaction) =>
        purgeFromTrash(record, database, transaction, (records) => purging.promise({ records, transaction })),
      limits,
    );
    for (const one of purged) await this.#removeFiles(one);
  }

  /** Deletes rows with what they belong to, in its transaction: those in use go to the trash before, so that plugins hear of it. */
  async purgeWith(records: readonly BaseModel[], transaction: Transaction): Promise<void> {
    const { database, purging } = this.#parts;
    const isUsed = (record: BaseModel) => Reflect.get(record, DELETED_AT) === null;
    await new Removal(database, transaction, deleterNow()).run(records.filter(isUsed));
    for (const record of records)
      await purgeFromTrash(record, database, transaction, (all) =>
        purging.promise({ records: all, transaction }),
      ).catch((error: unknown) => {
        if (!isGone(error)) throw error; // it went with another of them
      });
  }

  async purgeExpired(now: Date = new Date()): Promise<number> {
    const { days, database } = this.#parts;
    if (days === undefined) return 0;
    const before = new Date(now.getTime() - days * DAY_MS);
    let count = 0;
    for (const model of database.models()) if (model.mark) count += await this.#purgeOf(model, before);
    return count;
  }

  async #purgeOf(model: ModelInfo, before: Date): Promise<number> {
    const { database, log } = this.#parts;
    const column = `${model.table}.${DELETED_AT}`;
    const left: string[] = []; // what others refer to is tried again by the next sweep
    let count = 0;
    while (count < MAX_PURGED && left.length < BATCH_SIZE) {
      const query = database
        .query(model.class)
        .onlyDeleted()
        .where(column, "<", before as never);
      const found = (await query.orderBy(column).limit(BATCH_SIZE)) as unknown as BaseModel[];
      const due = found.filter((record) => !left.includes(String(ModelInfo.keyOf(record))));
      if (due.length === 0) break;
      for (const record of due)
        try {
          await this.purge(record);
          count++;
        } catch (error) {
          if ((asUnavailable(error) as { status?: number }).status === 503) throw error;
          left.push(String(ModelInfo.keyOf(record)));
          if (!isGone(error)) log().error({ err: error }, `a record stays in the trash: ${messageOf(error)}`);
        }
    }
    return count;
  }

  /** The files that its columns have; one that can't be deleted changes nothing of what was done. */
  async #removeFiles(record: BaseModel): Promise<void> {
    const { resources, storage, log } = this.#parts;
    const { lineage } = ModelInfo.ofRecord(record);
    const keys = new Set<string>();
    for (const registration of resources.registry.all()) {
      if (!lineage.includes(registration.model)) continue;
      for (const name of registration.definition.inputs.keys()) {
        const value: unknown = isFileField(registration.attribute(name)) ? Reflect.get(record, name) : undefined;
        if (isStoredFile(value)) keys.add(value.key);
      }
    }
    for (const key of keys)
      await storage?.delete(key).catch((error: unknown) => {
        log().error({ err: error }, `the file ${key} could not be deleted: ${messageOf(error)}`);
      });
  }
}

const isGone = (error: unknown): boolean => (error as { reason?: unknown }).reason === "gone";
