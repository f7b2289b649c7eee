import { ExactSum, exactAverage, RowReader } from "framewright/plugins/database";
import type { ResourceController, TotalKind } from "framewright/plugins/resources";
import { applyList, type ListRequest, listContextOf } from "framewright/plugins/resources/toolkit";
import type { Knex } from "knex";

interface TotalledColumn {
  column: string;
  kind: TotalKind;
}

/** A list of more rows has no totals: a database would read all of them for each page. */
export const MAX_TOTALLED_ROWS = 100_000;

/**
 * Totals of columns over all rows of a list that match, of what the person may see, to the digit; undefined for too many rows,
 * as a value for one that is not known exactly.
 */
export async function readTotals(
  controller: ResourceController,
  list: ListRequest,
  totals: readonly TotalledColumn[],
): Promise<readonly unknown[] | undefined> {
  const { registration, resources } = controller;
  const query = controller.visibleRecords(resources.database.replicaFor(controller.request));
  applyList(query, list, registration, listContextOf(controller));
  if (list.within) query.where((rows) => void list.within!(rows as never));
  const { table } = registration.model;
  const columns = totals.map(({ column }, index) => `${table}.${column} as fw_${index}`);
  const knex = query.knex();
  const rows = query
    .select(...columns)
    .limit(MAX_TOTALLED_ROWS + 1)
    .toKnexQuery();
  const readers = totals.map((total, index) => reader(controller, total, index));
  const wanted = readers.flatMap(({ select }) => select);
  const [found] = (await knex
    .from(rows.as("fw_rows") as never)
    .select(knex.raw("count(*) as ??", ["fw_count"]), ...wanted)) as Record<string, unknown>[];
  if (!found || Number(found.fw_count) > MAX_TOTALLED_ROWS) return undefined;
  return readers.map(({ read }) => read(found));
}

interface TotalReader {
  select: Knex.Raw[];
  read(row: Row): unknown;
}
type Row = Record<string, unknown>;

function reader({ registration, resources }: ResourceController, total: TotalledColumn, index: number): TotalReader {
  const { model } = registration;
  const { driver, knex } = resources.database;
  const [column, name] = [`fw_${index}`, `fw_total_${index}`];
  const info = model.columns.get(total.column);
  const calling = (call: string) => knex.raw(`${call}(??) as ??`, [column, name]);
  if (total.kind === "count") return { select: [calling("count")], read: (row) => row[name] };
  if (total.kind === "min" || total.kind === "max") {
    const read = (row: Row) => RowReader.of(model).value({ [total.column]: row[name] }, total.column);
    return { select: [calling(total.kind)], read };
  }
  const sum = new ExactSum(driver, info!, column, name);
  if (total.kind === "sum") return { select: sum.select(knex), read: (row) => sum.read(row) };
  if (info?.type === "float") return { select: [calling("avg")], read: (row) => row[name] };
  const count = knex.raw("count(??) as ??", [column, `${name}_count`]);
  const places = info?.type === "decimal" ? Math.max(info.scale ?? 0, 2) : 2;
  const average = (found: string | null | undefined, rows: number) =>
    typeof found === "string" ? exactAverage(found, rows, places) : found;
  return { select: [...sum.select(knex), count], read: (row) => average(sum.read(row), Number(row[`${name}_count`])) };
}
