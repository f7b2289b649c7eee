import { ModelInfo, type Transaction } from "framewright/plugins/database";
import { assignNumber, type NumberingPlace } from "./assign.ts";
import { numberedOf } from "./numbered.ts";

const BATCH = 200;

/** Numbers the rows of a model that have no number, the oldest first, each in the year of its `created_at`; resolves with how many. */
export async function numberExisting(
  model: { new (): never } | Function,
  transaction: Transaction,
  place: Pick<NumberingPlace, "zone" | "besides">,
): Promise<number> {
  const info = ModelInfo.of(model);
  const { class: cls, primaryKey, table } = info;
  let count = 0;
  for (const numbered of numberedOf(cls))
    for (;;) {
      const query = cls
        .query(transaction)
        .where((one) => void one.whereNull(numbered.column).orWhere(numbered.column, ""));
      const records = await query.orderBy(`${table}.${primaryKey}`).limit(BATCH);
      if (records.length === 0) break;
      for (const record of records) {
        const { created_at } = record as { created_at?: unknown };
        const moment = created_at instanceof Date ? created_at : new Date();
        await assignNumber(numbered, { model: info, record: record as never, transaction }, { ...place, moment });
        const value = (record as unknown as Record<string, unknown>)[numbered.column];
        await transaction(table)
          .where(primaryKey, record.$id() as number)
          .update({ [numbered.column]: value });
        count++;
      }
    }
  return count;
}
