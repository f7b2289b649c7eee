import type { Knex } from "knex";

interface OldColumn {
  table: string;
  column: string;
  type: string;
}
const replaced: Readonly<Record<string, string>> = { "timestamp without time zone": "timestamptz(3)", json: "jsonb" };

/**
 * Columns of the types that migrations of earlier releases created: `timestamp(3)` and `json`. They are read as before. Tables of
 * other programs, whose rows have no time of that precision, stay as those programs read them.
 */
export async function oldColumns(knex: Knex): Promise<OldColumn[]> {
  const { rows } = await knex.raw(
    `select c.table_name as "table", c.column_name as "column", c.data_type as type from information_schema.columns c join information_schema.tables t using (table_schema, table_name) where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and exists(select 1 from information_schema.columns s where s.table_schema = c.table_schema and s.table_name = c.table_name and s.column_name = 'created_at' and s.data_type like 'timestamp%' and s.datetime_precision = 3) and c.data_type in (${Object.keys(replaced).map(() => "?")}) order by 1, 2`,
    Object.keys(replaced),
  );
  return rows as OldColumn[];
}

/**
 * For a migration of tables that were created before `framewright/plugins/postgres`: times become `timestamptz`, documents
 * `jsonb`. What is converted already is left alone, and the names of the converted columns are returned.
 * @example export const up = (db: Schema) => convertTypes(db);
 */
export async function convertTypes({ knex }: { knex: Knex }): Promise<string[]> {
  const columns = await oldColumns(knex);
  for (const table of new Set(columns.map((column) => column.table))) {
    const its = columns.filter((column) => column.table === table);
    const changes = its.map(({ type }) => `alter column ?? type ${replaced[type]} using ??::${replaced[type]}`);
    await knex.raw(`alter table ?? ${changes.join(", ")}`, [table, ...its.flatMap(({ column }) => [column, column])]);
  }
  return columns.map(({ table, column }) => `${table}.${column}`);
}
