import type { Knex } from "knex";
import type { BaseModel } from "../models/model.ts";
import type { ModelInfo, PolymorphicInfo } from "../models/model_info.ts";

type Values = Record<string, unknown>;
type Key = number | string;

/** Reads the records that a polymorphic association leads to, one query for each model; null where there is none any more. */
export async function loadPolymorphic(
  { name, typeColumn, keyColumn, targets }: PolymorphicInfo,
  records: readonly BaseModel[],
  knex?: Knex,
): Promise<void> {
  const keys = new Map<string, Set<Key>>();
  for (const record of records) {
    const { [typeColumn]: type, [keyColumn]: key } = record as unknown as Values;
    if (typeof type === "string" && key !== null && key !== undefined)
      keys.set(type, (keys.get(type) ?? new Set()).add(key as Key));
  }
  const found = new Map<string, Map<string, BaseModel>>();
  for (const [type, wanted] of keys) {
    const target = targets.get(type);
    if (target) found.set(type, await recordsByKey(target, wanted, knex));
  }
  for (const record of records) {
    const values = record as unknown as Values;
    values[name] = found.get(String(values[typeColumn]))?.get(String(values[keyColumn])) ?? null;
  }
}

async function recordsByKey(target: ModelInfo, keys: Set<Key>, knex?: Knex): Promise<Map<string, BaseModel>> {
  const { class: cls, table, primaryKey } = target;
  const query = cls.query(knex as never).whereIn(`${table}.${primaryKey}`, [...keys] as number[]);
  const { labelAssociations } = cls;
  if (labelAssociations.length > 0) query.withGraphFetched(`[${labelAssociations.join(", ")}]`);
  const records = (await query) as unknown as BaseModel[];
  return new Map(records.map((record) => [String(record.$id()), record]));
}
