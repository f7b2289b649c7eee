import type { Knex } from "knex";
import type { ModelInfo } from "../models/model_info.ts";
import type { RowParts, RowsRead } from "../queries/read.ts";
import { type MaybeRows, modelRows } from "./execute.ts";
import { joinedRows } from "./joined_rows.ts";
import { type Prepared, rowsByBuilder } from "./prepared_query.ts";
import { isFast } from "./switch.ts";

/** A query that is built once, and the values that it is run with. */
export interface PreparedSource {
  prepared: Prepared;
  values: readonly unknown[];
  /** What it runs on, where that is not the knex it was prepared for, as a replica's. */
  knex?: Knex | undefined;
}
/** A query that was built by objection, and the knex that it runs on. */
export interface KnexQuery {
  knex: Knex;
  query: Knex.QueryBuilder;
}

/** The rows of a select from a model's table; together with their parent rows where one statement can read both. */
export function readSource(
  info: ModelInfo,
  source: PreparedSource | KnexQuery,
  parts: RowParts,
): { knex: Knex; rows: MaybeRows | RowsRead["rows"]; related?: RowsRead["related"] } {
  const knex = "prepared" in source ? (source.knex ?? source.prepared.knex) : source.knex;
  if (!isFast(knex)) {
    const query = "prepared" in source ? source.prepared.query(source.values, knex) : source.query;
    return { knex, rows: rowsByBuilder(query) };
  }
  const { sql, bindings } = "prepared" in source ? source.prepared.built(source.values, knex) : source.query.toSQL();
  const joined = joinedRows(info, parts, knex.client, { sql, bindings });
  return joined ? { knex, ...joined } : { knex, rows: modelRows(info, knex, { sql, bindings }, parts.omitted?.own) };
}
