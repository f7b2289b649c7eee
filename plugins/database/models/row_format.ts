import { randomUUID } from "node:crypto";
import { suggest } from "framewright/kernel";
import type { Transaction } from "objection";
import { unavailable } from "../drivers/unavailable.ts";
import { errors } from "../errors.ts";
import type { Convert } from "./codec.ts";
import type { BaseModel } from "./model.ts";
import type { ModelInfo } from "./model_info.ts";

type Row = Record<string, unknown>;

/** Decodes a row of the database into the values of a record; in place, for every row read. */
export function parseRow({ decoders, class: { ignoredColumns } }: ModelInfo, row: Row): Row {
  for (const column of ignoredColumns) Reflect.deleteProperty(row, column);
  for (let index = 0; index < decoders.length; index++) {
    const [column, decode] = decoders[index]!;
    const value = row[column];
    if (value !== null && value !== undefined) row[column] = decode(value, row);
  }
  return row;
}

/**
 * Encodes the values of a record into a row.
 * @throws FW_COLUMN_UNKNOWN, FW_TABLE_MISSING
 */
export function formatRow(info: ModelInfo, record: Row): Row {
  if (!info.known) throw unavailable(errors.FW_DATABASE_AWAY("it was unavailable at boot"), undefined);
  if (!info.exists) throw errors.FW_TABLE_MISSING(info.table, info.constant);
  const row: Row = {};
  for (const [name, value] of Object.entries(record)) {
    if (info.columns.has(name)) row[name] = encode(value, info.encoders.get(name));
    else if (!info.virtual.has(name) && !name.startsWith("#")) {
      // "#…" is objection's own, in graphs
      throw errors.FW_COLUMN_UNKNOWN(info.constant, name, suggest(name, [...info.columns.keys(), ...info.virtual]));
    }
  }
  return row;
}

function encode(value: unknown, convert: Convert | undefined): unknown {
  return convert && value !== null && value !== undefined && !isExpression(value) ? convert(value) : value;
}

/** Something that becomes SQL: raw(), ref(), a query. */
export function isExpression(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return "toKnexRaw" in value || "toSQL" in value || "isObjectionQueryBuilderBase" in value;
}

/** Defaults, timestamps and the version, as far as the table has them. */
export function stamp(info: ModelInfo, record: BaseModel, what: "insert" | "update"): void {
  const row = record as unknown as Row;
  const now = new Date();
  if (what === "insert") {
    for (const [name, value] of Object.entries(info.class.defaults))
      row[name] ??= typeof value === "function" ? value() : ownCopy(value);
    if (info.inheritance) row[info.inheritance.column] ??= info.constant;
    if (info.hasUuid) row[info.primaryKey] ??= randomUUID();
    if (isStamp(info, "created_at")) row.created_at ??= now;
    if (info.isVersioned) row.lock_version ??= 0;
    if (isStamp(info, "updated_at")) row.updated_at ??= now;
  } else if (isStamp(info, "updated_at")) row.updated_at = now;
}

/** Whether a column of that name takes a moment: in a table that was there before it may be anything. */
function isStamp({ columns }: ModelInfo, name: string): boolean {
  const column = columns.get(name);
  return column !== undefined && (column.type === "datetime" || column.type === "date") && !column.writer;
}

/** Each record has a list or an object of its own. */
const ownCopy = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !isExpression(value) ? structuredClone(value) : value;

/** Counts the version up in the database itself, so that no update is lost between reading and writing. */
export function nextVersion(info: ModelInfo, record: BaseModel, transaction: Transaction): void {
  if (info.isVersioned)
    (record as unknown as Row).lock_version = transaction.raw("coalesce(??, 0) + 1", ["lock_version"]);
}
