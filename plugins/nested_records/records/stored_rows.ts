import type { ParamObject, ParamValue } from "framewright/host";
import { ModelInfo, type Transaction } from "framewright/plugins/database";
import { coerceValue } from "framewright/plugins/resources/toolkit";
import { type RowsOf, storedRows } from "./record_rows.ts";
import { idOfRow } from "./sent_rows.ts";
import { indexedSets } from "./unique_sets.ts";

/**
 * Rows of a file with the ids of stored rows of the same record that have what an index declares unique: each changes that row,
 * since another one could not be added beside it. What was compared is left out: it is stored.
 */
export async function withStoredIds(of: RowsOf, given: readonly ParamObject[]): Promise<readonly ParamObject[]> {
  const { registration, rows } = of;
  const { database } = of.page.resources;
  const sets = await indexedSets(registration.model, database.knex as unknown as Transaction);
  const own = sets.map((columns) => columns.filter((column) => !rows.association.key.columns.includes(column)));
  const known: ParamObject[] = [];
  for (const row of given) known.push(idOfRow(row) === undefined ? await withStoredId(of, row, own) : row);
  return known;
}

async function withStoredId(of: RowsOf, row: ParamObject, sets: readonly (readonly string[])[]): Promise<ParamObject> {
  const { model } = of.registration;
  for (const columns of sets) {
    const names = columns.map((column) => nameOf(of, column));
    const values = names.map((name) =>
      name !== undefined && name in row ? readValue(of, name, row[name]!) : undefined,
    );
    if (values.length === 0 || values.some((value) => value === undefined || value === null)) continue;
    const query = storedRows(of);
    for (const [at, column] of columns.entries()) query.where(`${model.table}.${column}`, values[at] as string);
    const [found, other] = await query.limit(2);
    if (!found || other) continue;
    const rest = Object.entries(row).filter(([name]) => !names.includes(name));
    return { ...Object.fromEntries(rest), id: String(ModelInfo.keyOf(found)) };
  }
  return row;
}

/** The field of a row that has a column. */
const nameOf = ({ registration, rows }: RowsOf, column: string): string | undefined =>
  rows.fields.find((name) => {
    const { column: own, association, cents } = registration.attribute(name);
    return cents === column || own?.name === column || association?.key.column === column;
  });

/** What a cell was read as; undefined for what is none, which the row itself refuses. */
function readValue({ registration }: RowsOf, name: string, given: ParamValue): unknown {
  const attribute = registration.attribute(name);
  if (attribute.handler || attribute.cents !== undefined) return undefined;
  const read = coerceValue(given, attribute);
  return "value" in read ? read.value : undefined;
}
