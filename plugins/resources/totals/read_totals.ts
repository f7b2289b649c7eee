import type { ResourceController } from "../controller.ts";
import { listContextOf } from "../operations/list_context.ts";
import { applyList } from "../registration/apply_list.ts";
import type { ListRequest } from "../registration/list_params.ts";
import type { TotalKind } from "./kinds.ts";

/** A list of more rows has no totals: a database would read all of them for each page. */
export const MAX_TOTALLED_ROWS = 100_000;

const functions: Readonly<Record<TotalKind, string>> = {
  sum: "sum",
  average: "avg",
  min: "min",
  max: "max",
  count: "count",
};

/** Totals of columns over all rows of a list that match, of what the person may see; undefined for too many rows. */
export async function readTotals(
  controller: ResourceController,
  list: ListRequest,
  totals: readonly { column: string; kind: TotalKind }[],
): Promise<readonly unknown[] | undefined> {
  const { registration, resources } = controller;
  const query = controller.visibleRecords(resources.database.replicaFor(controller.request));
  applyList(query, list, registration, listContextOf(controller));
  const { table } = registration.model;
  const columns = totals.map(({ column }, index) => `${table}.${column} as fw_${index}`);
  const knex = query.knex();
  const rows = query
    .select(...columns)
    .limit(MAX_TOTALLED_ROWS + 1)
    .toKnexQuery();
  const wanted = totals.map(({ kind }, index) =>
    knex.raw(`${functions[kind]}(??) as ??`, [`fw_${index}`, `fw_total_${index}`]),
  );
  const [found] = (await knex
    .from(rows.as("fw_rows") as never)
    .select(knex.raw("count(*) as ??", ["fw_count"]), ...wanted)) as Record<string, unknown>[];
  if (!found || Number(found.fw_count) > MAX_TOTALLED_ROWS) return undefined;
  return totals.map((_, index) => found[`fw_total_${index}`]);
}
