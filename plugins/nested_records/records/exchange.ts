import { randomUUID } from "node:crypto";
import { type BaseModel, ModelInfo, setAside, type Transaction } from "framewright/plugins/database";
import type { ResourceRequest } from "framewright/plugins/resources";
import { AttributeInvalid, lockRecord } from "framewright/plugins/resources/toolkit";
import { uniqueSets } from "./unique_sets.ts";

type Values = Readonly<Record<string, unknown>>;
/** A row in the order in which rows are written, with the columns that it will have. */
export interface Writing {
  readonly row: ResourceRequest;
  /** Undefined for a new one. */
  readonly record: BaseModel | undefined;
  readonly values: Values;
  readonly path: string;
}
/** A row whose value of a column waits elsewhere while another row takes it. */
interface Parked {
  readonly id: string | number;
  readonly column: string;
  readonly stored: unknown;
  readonly place: unknown;
}

/**
 * Frees what rows have that others are about to take, as where two exchange what has to be unique: each such row has another value
 * of the column, in this transaction, until it is written itself. @throws AttributeInvalid where it can't
 * @returns a function that gives rows their values back that were not written with another; to be called after the writes
 */
export async function freeTaken(
  model: ModelInfo,
  writings: readonly Writing[],
  transaction: Transaction,
): Promise<() => Promise<void>> {
  const parked: Parked[] = [];
  for (const { writing, column } of await conflictsOf(model, writings, transaction))
    parked.push(await park(model, writing, { column, transaction }));
  return async () => {
    for (const { id, column, stored, place } of parked)
      await rowOf(model, id, transaction)
        .where(column, place as null) // null as well
        .update({ [column]: stored });
  };
}

const rowOf = (model: ModelInfo, id: string | number, transaction: Transaction) =>
  transaction(model.table).where(model.primaryKey, id);

/** The rows whose stored values others take that are written before them, and the column that each of them changes. */
async function conflictsOf(model: ModelInfo, writings: readonly Writing[], transaction: Transaction) {
  const changed = writings.map((writing) => changedColumns(writing));
  if (changed.filter((names) => names.size > 0).length < 2 && !writings.some(({ record }) => !record)) return [];
  const found: { writing: Writing; column: string }[] = [];
  for (const columns of await uniqueSets(model, transaction))
    for (const [index, writing] of writings.entries()) {
      const own = columns.filter((column) => changed[index]!.has(column));
      const stored = textOf(columns, writing.record as Values | undefined);
      if (own.length === 0 || stored === undefined) continue;
      const isTaken = writings
        .slice(0, index)
        .some((other) => textOf(columns, { ...(other.record as Values | undefined), ...other.values }) === stored);
      const column = own.find((name) => isParkable(model, name));
      const isParked = found.some((one) => one.writing === writing && one.column === column);
      if (isTaken && column !== undefined && !isParked) found.push({ writing, column });
    }
  return found;
}

const changedColumns = ({ record, values }: Writing): ReadonlySet<string> =>
  new Set(
    record
      ? Object.keys(values).filter((name) => text(values[name]) !== text((record as unknown as Values)[name]))
      : [],
  );
/** Values of columns as one text; undefined where one is missing, which no index compares. */
function textOf(columns: readonly string[], values: Values | undefined): string | undefined {
  const texts = columns.map((column) => text(values?.[column]));
  return values === undefined || texts.includes(undefined) ? undefined : JSON.stringify(texts);
}
/** Databases may compare texts without their case. */
const text = (value: unknown): string | undefined =>
  value === null || value === undefined
    ? undefined
    : value instanceof Date
      ? value.toISOString()
      : String(value).toLowerCase();

const isParkable = (model: ModelInfo, name: string): boolean => {
  const { nullable, type, references } = model.columns.get(name)!;
  return nullable || references !== undefined || ["integer", "bigint", "string", "text", "uuid"].includes(type);
};

interface Parking {
  readonly column: string;
  readonly transaction: Transaction;
}
async function park(
  model: ModelInfo,
  { row, record, path }: Writing,
  { column, transaction }: Parking,
): Promise<Parked> {
  const current = await lockRecord(row, record!, transaction);
  const id = ModelInfo.keyOf(current) as string | number;
  const { [column]: stored } = await rowOf(model, id, transaction).first(column);
  const place = await freeValue(model, column, transaction);
  const seen = { [column]: (current as unknown as Values)[column] };
  setAside(transaction, model.table, id, seen);
  const { found } = row;
  row.found = (read) => Object.assign(found.call(row, read), seen); // so that its version is that of the form
  try {
    await rowOf(model, id, transaction).update({ [column]: place });
  } catch (cause) {
    const errors = { [`${path}.base`]: [row.t("nested_records.not_exchanged")] };
    throw Object.assign(new AttributeInvalid(errors), { cause });
  }
  return { id, column, stored, place };
}

/** A value of a column that no row has; null where that is one. */
async function freeValue(model: ModelInfo, column: string, transaction: Transaction): Promise<unknown> {
  const { nullable, type, references, maxLength } = model.columns.get(column)!;
  if (nullable) return null;
  if (references) {
    const used = transaction(model.table).select(column);
    const free = transaction(references.table).whereNotIn(references.column, used);
    return (await free.first(references.column))?.[references.column] ?? null;
  }
  if (type === "integer" || type === "bigint") {
    const next = transaction.raw("max(??) + 1 as next", [column]);
    return (await transaction(model.table).first(next)).next;
  }
  return type === "uuid" ? randomUUID() : randomUUID().slice(0, maxLength);
}
