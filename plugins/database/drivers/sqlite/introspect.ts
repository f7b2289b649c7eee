import type { Knex } from "knex";
import {
  type ColumnInfo,
  declaredType,
  defaultValue,
  type ForeignKey,
  gatherIndexes,
  referencesOf,
  type UniqueIndex,
} from "../columns.ts";

interface TableInfo {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
  pk: number;
  /** 2 or 3 for a column that is computed. */
  hidden: number;
}
/** A column of a foreign key. */
interface Reference {
  id: number;
  table: string;
  from: string;
  to: string | null;
  on_delete: string;
}

export const sqliteTables = (knex: Knex): Promise<string[]> => namesOf(knex, "table");
export const sqliteViews = (knex: Knex): Promise<string[]> => namesOf(knex, "view");

async function namesOf(knex: Knex, type: "table" | "view"): Promise<string[]> {
  const rows: { name: string }[] = await knex("sqlite_master").select("name").where("type", type).orderBy("name");
  return rows.map(({ name }) => name).filter((name) => !name.startsWith("sqlite_") && !name.startsWith("libsql_"));
}

/** Every column, by table. */
export const sqliteColumnNames = (knex: Knex): Promise<{ table: string; column: string }[]> =>
  knex.raw(
    "select m.name as `table`, p.name as `column` from sqlite_master m join pragma_table_xinfo(m.name) p where p.hidden <> 1",
  );

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
  const columns = `l.name as name, i.name as \`column\` ${inTables} pragma_index_list(m.name) l on l.\`unique\` = 1 and (l.partial = 0 or l.name like '%!_in!_use' escape '!') join pragma_index_info(l.name) i`;
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
    `p.* ${inTables} pragma_table_xinfo(m.name) p on p.hidden <> 1`,
    table,
    "order by m.name, p.cid",
  );
  const key = `(select k.name from pragma_table_info(f."table") k where k.pk = f.seq + 1)`; // where none is named
  const parts = `f.id, f."table", f."from", f.on_delete, coalesce(f."to", ${key}) as "to" ${inTables} pragma_foreign_key_list(m.name) f`;
  const references = await rowsOf<Reference>(knex, parts, table, "order by m.name, f.id, f.seq");
  const uniques = await uniquesByTable(knex, table);
  const sources = await rowsOf<{ sql: string | null }>(knex, "m.sql as sql from sqlite_master m", table);
  const columns = new Map<string, ColumnInfo[]>();
  for (const [name, list] of infos) {
    const checks = enumChecks(sources.get(name)?.[0]?.sql ?? "");
    const hasOneKey = list.filter(({ pk }) => pk > 0).length === 1;
    const facts = {
      keys: foreignKeys(references.get(name) ?? []),
      uniques: uniques.get(name) ?? [],
      checks,
      hasOneKey,
    };
    columns.set(
      name,
      list.map((info) => columnOf(info, facts)),
    );
  }
  return columns;
}

/** The foreign keys, from their columns in order. */
function foreignKeys(references: readonly Reference[]): ForeignKey[] {
  const keys = new Map<number, { table: string; columns: string[]; to: string[]; rule: string }>();
  for (const { id, table, from, to, on_delete } of references) {
    const key = keys.get(id) ?? { table, columns: [], to: [], rule: on_delete };
    key.columns.push(from);
    key.to.push(to ?? "id");
    keys.set(id, key);
  }
  return [...keys.values()];
}

interface TableFacts {
  keys: readonly ForeignKey[];
  /** Whether its key is one column. */
  hasOneKey: boolean;
  uniques: readonly UniqueIndex[];
  /** The values of columns that are enums. */
  checks: ReadonlyMap<string, string[]>;
}
function columnOf(info: TableInfo, { keys, hasOneKey, uniques, checks }: TableFacts): ColumnInfo {
  const declared = declaredType(info.type);
  const isRowid = hasOneKey && info.pk === 1 && /^integer$/i.test(info.type); // another name of it is numbered by itself
  const isComputed = info.hidden > 1;
  const values = checks.get(info.name);
  return {
    name: info.name,
    ...declared,
    type: info.pk > 0 && declared.type === "integer" ? "bigint" : declared.type,
    nullable: info.notnull === 0 && info.pk === 0,
    default: info.dflt_value === null ? undefined : defaultValue(info.dflt_value, declared.type),
    hasDefault: info.dflt_value !== null || isRowid || isComputed,
    primary: info.pk > 0,
    unique:
      (hasOneKey && info.pk === 1) || uniques.some(({ columns }) => columns.length === 1 && columns[0] === info.name),
    ...referencesOf(info.name, keys),
    ...(values ? { values } : {}),
    ...(isComputed ? { writer: "database" as const } : {}),
    ...(declared.type === "decimal" ? { exactDigits: EXACT_DIGITS } : {}),
  };
}

/** A fraction is stored as a double, which keeps as many significant digits of any number. */
const EXACT_DIGITS = 15;

/** SQLite keeps an enum as a check: check (`status` in ('draft', 'live')). */
function enumChecks(sql: string): Map<string, string[]> {
  const checks = sql.matchAll(/check\s*\(\s*[`"[]?(\w+)[`"\]]?\s+in\s*\(((?:\s*'(?:[^']|'')*'\s*,?)+)\)\s*\)/gi);
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
