import type { BaseModel, ModelInfo, Query } from "framewright/plugins/database";
import { narrow } from "../definition/query_scope.ts";

/** Columns that a query names: of the model, and of other tables by `table.column`. */
export interface NamedColumns {
  readonly own: readonly string[];
  readonly others: readonly (readonly [table: string, column: string])[];
}

const LITERAL = /'(?:[^']|'')*'/g;
const NAME = /(?:[`"]?([A-Za-z_]\w*)[`"]?\s*\.\s*)?[`"]?([A-Za-z_]\w*)[`"]?/g;

/** The columns that the conditions or the order of a block name, by the SQL that it makes. What the block throws is thrown. */
export function columnsOfBlock(model: ModelInfo, block: (query: Query<BaseModel>) => unknown): NamedColumns {
  const query = model.class.query() as unknown as Query<BaseModel>; // never run
  block(query);
  return columnsOfSql(model, query.toKnexQuery().toSQL().sql);
}

/** As `columnsOfBlock`, for conditions that are put into a group. */
export const columnsOfNarrowing = (model: ModelInfo, block: (group: Query<BaseModel>) => unknown): NamedColumns =>
  columnsOfBlock(model, (query) => narrow(query, model.constant, block));

function columnsOfSql(model: ModelInfo, sql: string): NamedColumns {
  const own = new Set<string>();
  const others: [string, string][] = [];
  for (const [, table, column] of sql.replace(LITERAL, "''").matchAll(NAME)) {
    if (table !== undefined && table !== model.table) others.push([table, column!]);
    else if (model.columns.has(column!)) own.add(column!);
  }
  return { own: [...own], others };
}
