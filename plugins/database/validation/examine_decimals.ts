import type { Finding } from "framewright/host";
import type { Knex } from "knex";
import type { ColumnInfo } from "../drivers/columns.ts";
import type { ModelInfo } from "../models/model_info.ts";

/**
 * What `fw doctor` finds of decimals that are declared with more digits than the database keeps: the columns, and how many rows
 * have a double of more. It reads all rows of their tables.
 */
export async function examineDecimals(knex: Knex, models: readonly ModelInfo[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  for (const { table, settled, columns } of models) {
    const wide = [...columns.values()].filter(isWide);
    if (!settled || wide.length === 0 || seen.has(table)) continue;
    seen.add(table);
    for (const column of wide) findings.push(await findingOf(knex, table, column));
  }
  return findings;
}

const isWide = ({ exactDigits, precision = 0, scale = 0 }: ColumnInfo): boolean =>
  exactDigits !== undefined && scale > 0 && precision > exactDigits;

async function findingOf(
  knex: Knex,
  table: string,
  { name, precision, scale, exactDigits }: ColumnInfo,
): Promise<Finding> {
  const rounded = "typeof(??) = 'real' and cast(printf(?, ??) as real) <> ??";
  const query = knex(table)
    .whereRaw(rounded, [name, `%.${exactDigits}g`, name, name])
    .count({ count: "*" });
  const count = Number(((await query) as { count: unknown }[])[0]?.count ?? 0);
  const declared = `decimal(${precision},${scale}) keeps ${exactDigits} significant digits here, and refuses more`;
  const rows = `${count} ${count === 1 ? "row has" : "rows have"} a value that was rounded when it was stored: compare with its source, or store such values on MariaDB or PostgreSQL`;
  return {
    what: `decimals of ${table}.${name}`,
    ok: count === 0,
    detail: count === 0 ? declared : `${declared}; ${rows}`,
  };
}
