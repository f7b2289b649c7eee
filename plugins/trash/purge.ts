import { type BaseModel, type Database, ModelInfo, type Transaction } from "framewright/plugins/database";
import { childrenOf } from "./children.ts";
import { keyOf, parentsFirst } from "./order.ts";
import { lockDeleted } from "./restore.ts";

/**
 * Deletes a record in the trash from its table, and before it what its deletion took with it. Returns them, itself last.
 * @throws NotRestored where it is not in the trash any more; ValidationError where others refer to it
 */
export async function purgeFromTrash(
  record: BaseModel,
  database: Database,
  transaction: Transaction,
  purging: (records: readonly BaseModel[]) => Promise<void>,
): Promise<BaseModel[]> {
  const found = await lockDeleted(record, database, transaction);
  const tree = new Map([[keyOf(found), found]]);
  for (const one of tree.values()) // those that are added come along
    for (const { model, rule, keysTo } of childrenOf(ModelInfo.ofRecord(one), database.models())) {
      if (rule !== "destroy" || !model.mark) continue;
      const query = database
        .query(model.class, transaction)
        .withDeleted()
        .where(keysTo(one) as never);
      for (const child of (await query.forUpdate()) as unknown as BaseModel[])
        if (!tree.has(keyOf(child))) tree.set(keyOf(child), child);
    }
  const records = parentsFirst([...tree.values()]).reverse();
  await purging(records);
  for (const one of records) await one.$query(transaction).withDeleted().purge();
  return records;
}
