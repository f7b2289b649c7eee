import { type TimeZone, zoneOf } from "framewright/host";
import { suggest } from "framewright/kernel";
import type { BaseModel, Knex, ModelInfo, OpenChange, Transaction } from "framewright/plugins/database";
import { type CounterKey, nextValue, nextValueBesides } from "./counters.ts";
import { errors } from "./errors.ts";
import type { NumberedColumn } from "./numbered.ts";

/** Numbers of rows that were numbered otherwise, which are passed over one by one. */
const MAX_TAKEN = 1000;

/** Where a record is numbered. */
export interface NumberingPlace {
  /** The zone whose calendar counts unless the model or the record sets one. */
  readonly zone: TimeZone;
  /** The connection beside the transaction, for numbers that may have gaps. */
  besides?(): Knex | undefined;
  readonly moment?: Date;
}
type Row = BaseModel & Record<string, unknown>;

/** Gives a new record its number; one that code has given it stays. @throws FW_NUMBERS_TAKEN, FW_NUMBERS_TABLE */
export async function assignNumber(
  numbered: NumberedColumn,
  { model, record, transaction }: Pick<OpenChange, "model" | "record" | "transaction">,
  { zone: usual, besides, moment = new Date() }: NumberingPlace,
): Promise<void> {
  const row = record as Row;
  const { column } = numbered;
  if ((row[column] ?? "") !== "") return;
  row[column] = await inTurn(transaction, async () => {
    const zone = (await zoneFor(numbered, model, row, transaction)) ?? usual;
    return nextNumber({ numbered, model, row, transaction, besides: besides?.(), zone, moment });
  });
}

/** Module-level: found by a transaction, and freed with it: the last number that was requested in it. */
const asked = new WeakMap<Transaction, Promise<unknown>>();

/** Records that are inserted by one statement are prepared side by side: each waits for the one before it. */
function inTurn<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
  const turn = (asked.get(transaction) ?? Promise.resolve()).catch(() => undefined).then(work);
  asked.set(transaction, turn);
  return turn;
}

interface Numbering {
  readonly numbered: NumberedColumn;
  readonly model: ModelInfo;
  readonly row: Row;
  readonly transaction: Transaction;
  readonly besides: Knex | undefined;
  readonly zone: TimeZone;
  readonly moment: Date;
}

async function nextNumber(numbering: Numbering): Promise<string> {
  const { numbered, model, row, transaction, besides, zone, moment } = numbering;
  const { column, format } = numbered;
  const { table } = model;
  const within = Object.fromEntries(scopeColumns(numbered, model).map((name) => [name, row[name] ?? null]));
  const scope = JSON.stringify(Object.values(within).map((value) => (value === null ? null : String(value))));
  const key: CounterKey = { table_name: table, column_name: column, scope, period: format.periodAt(moment, zone) };
  const rows = () => {
    const query = transaction(table);
    for (const [name, value] of Object.entries(within))
      if (value === null) query.whereNull(name);
      else query.where(name, value as string);
    return query;
  };
  const begin = async () => {
    const prefix = format.prefixAt(moment, zone).replaceAll(/[\\%_]/g, "_");
    const found = (await rows().where(column, "like", `${prefix}%`).select(column)) as Record<string, unknown>[];
    return found.reduce((most, one) => Math.max(most, format.read(String(one[column]), moment, zone) ?? 0), 0);
  };
  for (let tries = 0; ; tries++) {
    const value =
      numbered.mayHaveGaps && besides
        ? await nextValueBesides(besides, key, begin)
        : await nextValue(transaction, key, begin);
    const text = format.write(value, moment, zone);
    const [taken] = await rows().where(column, text).limit(1).select(column);
    if (!taken) return text;
    if (tries >= MAX_TAKEN) throw errors.FW_NUMBERS_TAKEN(table, column, text);
  }
}

/** The columns of the scope: those that it names, and the keys of its associations. @throws FW_NUMBERS_SCOPE */
export function scopeColumns(
  { column, scope }: NumberedColumn,
  { columns, associations, constant }: ModelInfo,
): readonly string[] {
  return scope.flatMap((name) => {
    const association = associations.get(name);
    if (association?.kind === "belongsTo") return association.key.columns;
    if (columns.has(name)) return name;
    throw errors.FW_NUMBERS_SCOPE(constant, column, name, suggest(name, [...columns.keys(), ...associations.keys()]));
  });
}

/** The zone that the model names, or that the record has which the scope leads to. */
async function zoneFor(
  { zone, scope }: NumberedColumn,
  { associations }: ModelInfo,
  row: Row,
  transaction: Transaction,
): Promise<TimeZone | undefined> {
  if (zone !== undefined) return zoneOf(typeof zone === "string" ? zone : zone(row));
  for (const name of scope) {
    const association = associations.get(name);
    const key = association?.key.of(row);
    if (!association || key === null || key === undefined || !association.target.columns.has("time_zone")) continue;
    const { table, key: own } = association.target;
    const found = (await own.where(transaction(table), key).first("time_zone")) as { time_zone?: unknown } | undefined;
    return zoneOf(found?.time_zone);
  }
  return undefined;
}
