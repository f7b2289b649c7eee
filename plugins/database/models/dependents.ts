import type { Transaction } from "objection";
import { changesOf } from "../changes/record_changes.ts";
import { problem } from "../validation/messages.ts";
import { ValidationError } from "../validation/validation_error.ts";
import { whereOfClass } from "./inheritance.ts";
import type { BaseModel } from "./model.ts";
import { type AssociationInfo, ModelInfo } from "./model_info.ts";
import { keysTo } from "./polymorphic.ts";

/** Module-level: found by a transaction, and freed with it: the records that it is deleting, with those that depend on them. */
const underway = new WeakMap<Transaction, Set<string>>();

const destroyedWith = ({ associations }: ModelInfo): AssociationInfo[] =>
  [...associations.values()].filter(({ dependent, through }) => dependent && !through);
/** The foreign keys by which records of a model can refer to themselves, with the columns of them that can be emptied. */
const ownReferences = ({ columns, foreignKeys, table, key }: ModelInfo) =>
  foreignKeys.flatMap((reference) => {
    const emptied = reference.columns.filter((name) => columns.get(name)?.nullable && !key.columns.includes(name));
    return reference.table === table && emptied.length > 0 ? [{ ...reference, emptied }] : [];
  });

/** Whether a deletion is more than one statement, which are done together. */
export const deletesMore = (info: ModelInfo): boolean =>
  destroyedWith(info).length > 0 || ownReferences(info).length > 0;

/** Does what `dependent:` declares, before the record itself is deleted. One that refers to itself is none of its dependents. */
export async function destroyDependents(record: BaseModel, transaction: Transaction): Promise<void> {
  const info = ModelInfo.ofRecord(record);
  await forgetItself(record, info, transaction);
  const associations = destroyedWith(info);
  if (associations.length === 0) return;
  const records = underway.get(transaction) ?? new Set();
  underway.set(transaction, records.add(keyOf(record)));
  try {
    for (const association of associations) await destroy(association, record, transaction);
  } finally {
    records.delete(keyOf(record));
  }
}

const keyOf = (record: BaseModel): string => `${ModelInfo.ofRecord(record).table} ${record.$id()}`;

/** The columns that are emptied of records that lose what they refer to. */
const nullified = ({ emptied, of }: AssociationInfo): string[] => [...emptied, ...(of ? [of.column] : [])];

/** MariaDB deletes no row that refers to itself. */
async function forgetItself(record: BaseModel, info: ModelInfo, transaction: Transaction): Promise<void> {
  const values = record as unknown as Record<string, string | number | undefined>;
  for (const { columns, to, emptied } of ownReferences(info)) {
    const own = columns.map((column, at) => [column, values[to[at]!]] as const);
    if (own.some(([column, value]) => value === undefined || String(values[column] ?? value) !== String(value)))
      continue;
    const found = info.key.where(transaction(info.table), ModelInfo.keyOf(record)!).where(Object.fromEntries(own));
    await found.update(Object.fromEntries(emptied.map((column) => [column, null])));
  }
}

async function destroy(association: AssociationInfo, record: BaseModel, transaction: Transaction): Promise<void> {
  const { target, dependent, model } = association;
  const keys = keysTo(association, record);
  const related = () => {
    const query = target.class.query(transaction).where(keys as never);
    return target.mark ? query.withDeleted() : query; // what is out of use refers to the record as well
  };
  if (dependent === "nullify") {
    const nothing = Object.fromEntries(nullified(association).map((column) => [column, null]));
    const changes = changesOf(target.class);
    const before = changes ? ((await related().forUpdate()) as unknown as BaseModel[]) : [];
    await whereOfClass(transaction(target.table).where(keys), target).update(nothing);
    await changes?.reportUpdates(before, target, transaction);
  } else if (dependent === "restrict") {
    if (await related().first()) throw new ValidationError(model.constant, { base: [problem("referenced")] });
  } else if (target.mark) {
    await target.mark.purge((await related()) as unknown as BaseModel[], transaction);
  } else {
    const isUnderway = (one: BaseModel) => underway.get(transaction)?.has(keyOf(one));
    for (const one of (await related()) as unknown as BaseModel[])
      if (!isUnderway(one)) await one.$query(transaction).delete();
  }
}
