import type { Transaction } from "objection";
import type { BaseModel } from "./model.ts";
import type { ModelInfo } from "./model_info.ts";
import { markRestored } from "./restored_records.ts";

/**
 * Writes a record as it was stored, by its `$toDatabaseJson()`, with its key and its times; undefined where another record
 * has its key. @throws ValidationError
 */
export async function insertStored(
  { class: cls, table, key, columns }: ModelInfo,
  stored: Readonly<Record<string, unknown>>,
  transaction: Transaction,
): Promise<BaseModel | undefined> {
  const row = Object.fromEntries(Object.entries(stored).filter(([name]) => columns.get(name)?.writer !== "database"));
  const own = Object.fromEntries(key.columns.map((name) => [name, row[name] as number]));
  if (await transaction(table).where(own).first(key.columns[0]!)) return undefined;
  const record = cls.fromDatabaseJson({ ...row }) as unknown as BaseModel;
  markRestored(record);
  await cls.query(transaction).insert(record as never);
  const empty = Object.keys(row).filter((name) => row[name] === null && isFilled(record, name));
  if (empty.length > 0)
    await transaction(table)
      .where(own)
      .update(Object.fromEntries(empty.map((name) => [name, null])));
  return record;
}

/** Whether the model has given a value to a column that had none. */
const isFilled = (record: BaseModel, name: string): boolean =>
  ((record as unknown as Record<string, unknown>)[name] ?? null) !== null;
