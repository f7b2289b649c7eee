import type { Knex } from "knex";
import { type ColumnInfo, declaredType, defaultValue, gatherIndexes, type UniqueIndex, withRule } from "../columns.ts";

interface TableInfo {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
  pk: number;
}
interface Reference {
  table: string;
  from: string;
  to: string | null;
  on_delete: string;
}

export async function sqliteTables(knex: Knex): Promise<string[]> {
  const rows: { name: string }[] = await knex("sqlite_master").select("name").where("type", "table").orderBy("name");
  return rows.map(({ name }) => name).filter((name) => !name.startsWith("sqlite_") && !name.startsWith("libsql_"));
}

/** Every column, by table. */
export const sqliteColumnNames = (knex: Knex): Promise<{ table: string; column: string }[]> =>
  knex.raw("select m.name as `table`, p.name as `column` from sqlite_master m join pragma_table_info(m.name) p");

export async function sqliteUniques(knex: Knex, table: string): Promise<UniqueIndex[]> {
  const rows: { name: string; column: string }[] = await knex.raw(
    "select l.name as name, i.name as `column` from pragma_index_list(?) l join pragma_index_info(l.name) i where l.`unique` = 1 and l.partial = 0 order by l.name, i.seqno",
    [table],
  );
  return gatherIndexes(rows);
}

export async function sqliteColumns(knex: Knex, table: string): Promise<ColumnInfo[]> {
  const infos: TableInfo[] = await knex.raw("select * from pragma_table_info(?)", [table]);
  const references: Reference[] = await knex.raw("select * from pragma_foreign_key_list(?)", [table]);
  const uniques = await sqliteUniques(knex, table);
  const checks = await enumChecks(knex, table);
  return infos.map((info) => {
    const declared = declaredType(info.type);
    const reference = references.find(({ from }) => from === info.name);
    const values = checks.get(info.name);
    return {
      name: info.name,
      ...declared,
      type: info.pk > 0 && declared.type === "integer" ? "bigint" : declared.type,
      nullable: info.notnull === 0 && info.pk === 0,
      default: info.dflt_value === null ? undefined : defaultValue(info.dflt_value, declared.type),
      hasDefault: info.dflt_value !== null,
      primary: info.pk > 0,
      unique: info.pk === 1 || uniques.some(({ columns }) => columns.length === 1 && columns[0] === info.name),
      ...(reference ? { references: referenceOf(reference) } : {}),
      ...(values ? { values } : {}),
    };
  });
}

const referenceOf = ({ table, to, on_delete }: Reference) => withRule({ table, column: to ?? "id" }, on_delete);

/** SQLite keeps an enum as a check: check (`status` in ('draft', 'live')). */
async function enumChecks(knex: Knex, table: string): Promise<Map<string, string[]>> {
  const [row]: { sql: string }[] = await knex("sqlite_master").select("sql").where({ type: "table", name: table });
  const checks = (row?.sql ?? "").matchAll(
    /check\s*\(\s*[`"]?(\w+)[`"]?\s+in\s*\(((?:\s*'(?:[^']|'')*'\s*,?)+)\)\s*\)/gi,
  );
  return new Map([...checks].map(([, column, list]) => [column!, textsIn(list!)]));
}

/** The texts of a SQL list: 'a', 'it''s'. */
export function textsIn(list: string): string[] {
  return [...list.matchAll(/'((?:[^']|'')*)'/g)].map(([, text]) => text!.replaceAll("''", "'"));
}

/** Every column of every index that was created by itself. */
export const sqliteIndexes = (knex: Knex, table: string): Promise<{ name: string; column: string }[]> =>
  knex.raw(
    "select l.name as name, i.name as `column` from pragma_index_list(?) l join pragma_index_info(l.name) i where l.origin = 'c'",
    [table],
  );
