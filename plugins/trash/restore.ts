import { type BaseModel, type Database, ModelInfo, type Transaction } from "framewright/plugins/database";
import { takeIntoUse } from "framewright/plugins/database/marks";
import { idOf } from "./children.ts";
import { BATCH, type Deleted, inUse } from "./columns.ts";
import { keyOf, parentsFirst, referredBy } from "./order.ts";

/** A record is not restored: the key of a text below `resource.trash.reasons`. */
export class NotRestored extends Error {
  readonly reason: "gone" | "parent";
  constructor(reason: "gone" | "parent") {
    super(`not restored: ${reason}`);
    this.reason = reason;
  }
}

/** A record in the trash, locked. @throws NotRestored */
export async function lockDeleted(record: BaseModel, database: Database, transaction: Transaction): Promise<BaseModel> {
  const { key, class: cls } = ModelInfo.ofRecord(record);
  const query = database.query(cls, transaction).onlyDeleted();
  const found = await key.where(query, ModelInfo.keyOf(record)!).forUpdate().first();
  if (!found) throw new NotRestored("gone");
  return found as unknown as BaseModel;
}

/**
 * Takes a record out of the trash, with all that went there with it: what others refer to first. Returns them, itself first.
 * @throws NotRestored; ValidationError where another record has a value by now that must be unique
 */
export async function restoreFromTrash(
  record: BaseModel,
  database: Database,
  transaction: Transaction,
): Promise<BaseModel[]> {
  const found = await lockDeleted(record, database, transaction);
  const members = await batchOf(found, database, transaction);
  const own = new Set(members.map(keyOf));
  if ((await parentsInTrash(found, transaction)).length > 0) throw new NotRestored("parent");
  for (const one of members)
    if ((await parentsInTrash(one, transaction)).some((parent) => !own.has(parent))) throw new NotRestored("parent");
  for (const one of parentsFirst(members)) await takeIntoUse([one], inUse, transaction);
  return [members.find((one) => keyOf(one) === keyOf(found))!, ...members.filter((one) => keyOf(one) !== keyOf(found))];
}

/** All that went to the trash with a record, and the record. */
async function batchOf(record: BaseModel, database: Database, transaction: Transaction): Promise<BaseModel[]> {
  const batch = (record as unknown as Deleted)[BATCH];
  if (batch === null) return [record];
  const members: BaseModel[] = [];
  const tables = new Set<string>();
  for (const found of database.models()) {
    const model = found.lineage.at(-1)!;
    if (!model.mark || tables.has(model.table)) continue;
    tables.add(model.table);
    const query = database.query(model.class, transaction).onlyDeleted();
    const rows = await query.where({ [`${model.table}.${BATCH}`]: batch } as never).forUpdate();
    members.push(...(rows as unknown as BaseModel[]));
  }
  return members;
}

/** The records in the trash that a record refers to. One that refers to itself is none. */
async function parentsInTrash(record: BaseModel, transaction: Transaction): Promise<string[]> {
  const found: string[] = [];
  for (const [target, value] of referredBy(record)) {
    const { mark, table, key, primaryKey } = target;
    if (!mark || idOf(target, value) === keyOf(record)) continue;
    const query = key.where(transaction(table), value).whereNotNull(`${table}.${mark.column}`);
    if (await query.first(primaryKey)) found.push(idOf(target, value));
  }
  return found;
}
