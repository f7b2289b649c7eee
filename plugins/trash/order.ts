import { type BaseModel, type KeyValue, ModelInfo } from "framewright/plugins/database";
import { idOf } from "./children.ts";

/** A record's key among those of all tables. */
export const keyOf = (record: BaseModel): string => idOf(ModelInfo.ofRecord(record), ModelInfo.keyOf(record));

/** The models and keys of what a record refers to. */
export function referredBy(record: BaseModel): [ModelInfo, KeyValue][] {
  const { associations, polymorphic } = ModelInfo.ofRecord(record);
  const found: [ModelInfo, KeyValue | null | undefined][] = [];
  for (const { kind, through, target, key } of associations.values())
    if (kind === "belongsTo" && through === undefined) found.push([target, key.of(record)]);
  for (const { typeColumn, keyColumn, targets } of polymorphic.values()) {
    const target = targets.get(String(Reflect.get(record, typeColumn)));
    if (target) found.push([target, Reflect.get(record, keyColumn) as KeyValue | null]);
  }
  return found.flatMap(([target, value]) => (value === null || value === undefined ? [] : [[target, value]]));
}

/** Records in an order in which each comes after those of them that it refers to; of a circle as they are. */
export function parentsFirst(records: readonly BaseModel[]): BaseModel[] {
  const waiting = new Map(
    records.map((record) => [
      keyOf(record),
      { record, parents: referredBy(record).map(([target, value]) => idOf(target, value)) },
    ]),
  );
  const ordered: BaseModel[] = [];
  while (waiting.size > 0) {
    const isFree = ([key, { parents }]: [string, { parents: readonly string[] }]) =>
      !parents.some((parent) => parent !== key && waiting.has(parent));
    const free = [...waiting].filter(isFree);
    for (const [key, { record }] of free.length > 0 ? free : [...waiting]) {
      ordered.push(record);
      waiting.delete(key);
    }
  }
  return ordered;
}
