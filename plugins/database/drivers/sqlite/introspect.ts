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

/** What is read of tables, each row with the name of its table. */
type Of<T> = T & { of: string };
const inTables = "from sqlite_master m join";

/** Of one table where it is named, else of all. Names of tables are compared without regard to case, as SQLite does. */
async function rowsOf<T>(knex: Knex, sql: string, table: string | undefined, order = ""): Promise<Map<string, T[]>> {
  const where = `where m.type in ('table', 'view')${table === undefined ? "" : " and m.name = ? collate nocase"}`;
  const values = table === undefined ? [] : [table];
  const rows = (await knex.raw(`select m.name as of, ${sql} ${where} ${order}`, values)) as Of<T>[];
  const byTable = new Map<string, T[]>();
  for (const row of rows) {
    const key = row.of.toLowerCase();
    const known = byTable.get(key);
    if (known) known.push(row);
    else byTable.set(key, [row]);
  }
  return byTable;
}

async function uniquesByTable(knex: Knex, table?: string): Promise<Map<string, UniqueIndex[]>> {
  const columns = `l.name as name, i.name as \`column\` ${inTables} pragma_index_list(m.name) l on l.\`unique\` = 1 and l.partial = 0 join pragma_index_info(l.name) i`;
  const rows = await rowsOf<{ name: string; column: string }>(knex, columns, table, "order by m.name, l.name, i.seqno");
  return new Map([...rows].map(([name, list]) => [name, gatherIndexes(list)]));
}
export const sqliteUniques = async (knex: Knex, table: string): Promise<UniqueIndex[]> =>
  (await uniquesByTable(knex, table)).get(table.toLowerCase()) ?? [];

/** The columns that an index names, in expressions as well. */
export async function sqliteConstraintColumns(knex: Knex, table: string, index: string): Promise<string[] | undefined> {
  const [found]: { sql: string | null }[] = await knex("sqlite_master")
    .select("sql")
    .where({ type: "index", name: index });
  const named = new Set(found?.sql?.replace(/^[^(]*/, "").match(/\w+/g));
  const columns = (await sqliteColumns(knex, table)).map(({ name }) => name).filter((name) => named.has(name));
  return columns.length > 0 ? columns : undefined;
}

export const sqliteColumns = async (knex: Knex, table: string): Promise<ColumnInfo[]> =>
  (await columnsByTable(knex, table)).get(table.toLowerCase()) ?? [];

/** The columns of all tables, by their names in lower case. */
export const sqliteAllColumns = (knex: Knex): Promise<Map<string, ColumnInfo[]>> => columnsByTable(knex);

async function columnsByTable(knex: Knex, table?: string): Promise<Map<string, ColumnInfo[]>> {
  const infos = await rowsOf<TableInfo>(
    knex,
    `p.* ${inTables} pragma_table_info(m.name) p`,
    table,
    "order by m.name, p.cid",
  );
  const references = await rowsOf<Reference>(knex, `f.* ${inTables} pragma_foreign_key_list(m.name) f`, table);
  const uniques = await uniquesByTable(knex, table);
  const sources = await rowsOf<{ sql: string | null }>(knex, "m.sql as sql from sqlite_master m", table);
  const columns = new Map<string, ColumnInfo[]>();
  for (const [name, list] of infos) {
    const checks = enumChecks(sources.get(name)?.[0]?.sql ?? "");
    const facts = { references: references.get(name) ?? [], uniques: uniques.get(name) ?? [], checks };
    columns.set(
      name,
      list.map((info) => columnOf(info, facts)),
    );
  }
  return columns;
}

interface TableFacts {
  references: readonly Reference[];
  uniques: readonly UniqueIndex[];
  /** The values of columns that are enums. */
  checks: ReadonlyMap<string, string[]>;
}
function columnOf(info: TableInfo, { references, uniques, checks }: TableFacts): ColumnInfo {
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
    ...(declared.type === "decimal" ? { exactDigits: EXACT_DIGITS } : {}),
  };
}

/** A fraction is stored as a double, which keeps as many significant digits of any number. */
const EXACT_DIGITS = 15;

const referenceOf = ({ table, to, on_delete }: Reference) => withRule({ table, column: to ?? "id" }, on_delete);

/** SQLite keeps an enum as a check: check (`status` in ('draft', 'live')). */
function enumChecks(sql: string): Map<string, string[]> {
  const checks = sql.matchAll(/check\s*\(\s*[`"]?(\w+)[`"]?\s+in\s*\(((?:\s*'(?:[^']|'')*'\s*,?)+)\)\s*\)/gi);
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
