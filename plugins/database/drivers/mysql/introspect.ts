import type { Knex } from "knex";
import {
  type ColumnInfo,
  type ColumnType,
  declaredType,
  defaultValue,
  type ForeignKey,
  gatherIndexes,
  referencesOf,
  type UniqueIndex,
} from "../columns.ts";
import { textsIn } from "../sqlite/introspect.ts";

/** A row of `information_schema.columns`. */
export interface MysqlColumn {
  name: string;
  type: string;
  nullable: string;
  dflt: string | null;
  key: string;
  extra: string;
}
/** A column of a foreign key. */
interface Reference {
  name: string;
  column: string;
  table: string;
  to: string;
  rule: string;
}

const rowsOf = async <T>(knex: Knex, sql: string, bindings: readonly string[] = []): Promise<T[]> =>
  ((await knex.raw(sql, [...bindings])) as [T[]])[0];

/** Every column that this user may see, by table. */
export async function mysqlColumnNames(knex: Knex): Promise<{ table: string; column: string }[]> {
  const [rows] = await knex.raw(
    "select table_name as `table`, column_name as `column` from information_schema.columns where table_schema = database()",
  );
  return rows as { table: string; column: string }[];
}

export const mysqlTables = (knex: Knex): Promise<string[]> => namesOf(knex, "BASE TABLE");
export const mysqlViews = (knex: Knex): Promise<string[]> => namesOf(knex, "VIEW");

async function namesOf(knex: Knex, type: "BASE TABLE" | "VIEW"): Promise<string[]> {
  const rows = await rowsOf<{ name: string }>(
    knex,
    "select table_name as name from information_schema.tables where table_schema = database() and table_type = ? order by table_name",
    [type],
  );
  return rows.map(({ name }) => name);
}

export async function mysqlUniques(knex: Knex, table: string): Promise<UniqueIndex[]> {
  const rows = await rowsOf<{ name: string; column: string }>(
    knex,
    "select index_name as name, column_name as `column` from information_schema.statistics where table_schema = database() and table_name = ? and non_unique = 0 and column_name <> 'row_in_use' order by index_name, seq_in_index",
    [table],
  );
  return gatherIndexes(rows);
}

/** Every column of every index but the primary key. */
export const mysqlIndexes = (knex: Knex, table: string): Promise<{ name: string; column: string }[]> =>
  rowsOf(
    knex,
    "select index_name as name, column_name as `column` from information_schema.statistics where table_schema = database() and table_name = ? and index_name <> 'PRIMARY'",
    [table],
  );

export async function mysqlColumns(knex: Knex, table: string): Promise<ColumnInfo[]> {
  const columns = await rowsOf<MysqlColumn>(
    knex,
    "select column_name as name, column_type as type, is_nullable as nullable, column_default as dflt, column_key as `key`, extra from information_schema.columns where table_schema = database() and table_name = ? order by ordinal_position",
    [table],
  );
  if (columns.length === 0) return [];
  const references = await rowsOf<Reference>(
    knex,
    "select k.constraint_name as name, k.column_name as `column`, k.referenced_table_name as `table`, k.referenced_column_name as `to`, r.delete_rule as rule from information_schema.key_column_usage k join information_schema.referential_constraints r on r.constraint_schema = k.constraint_schema and r.constraint_name = k.constraint_name and r.table_name = k.table_name where k.table_schema = database() and k.table_name = ? and k.referenced_table_schema = database() order by k.constraint_name, k.ordinal_position",
    [table],
  );
  const uniques = await mysqlUniques(knex, table);
  const [shown] = await rowsOf<Record<string, string>>(knex, `show create table ${quoted(table)}`);
  return mysqlColumnInfos(columns, { created: shown?.["Create Table"] ?? "", references, uniques });
}

/** Any name: knex would read a dot, " as " and a question mark in it otherwise. */
const quoted = (name: string): string => `\`${name.replaceAll("`", "``").replaceAll("?", "\\?")}\``;

/** What is known of a table besides its columns; `created` is the server's `create table`. */
interface TableFacts {
  created: string;
  references: readonly Reference[];
  uniques: readonly UniqueIndex[];
}

/** Columns as MariaDB or MySQL list them. */
export function mysqlColumnInfos(
  columns: readonly MysqlColumn[],
  { created, references, uniques }: TableFacts,
): ColumnInfo[] {
  const jsons = jsonColumns(created);
  const keys = foreignKeys(references);
  return columns.map((column) => {
    const declared = jsons.has(column.name) ? { type: "json" as const } : typeOf(column.type);
    const isComputed = /(virtual|stored|persistent) generated/i.test(column.extra);
    const isSet = /on update current_timestamp/i.test(column.extra);
    const hasDefault = column.dflt !== null && !/^null$/i.test(column.dflt);
    return {
      name: column.name,
      ...declared,
      nullable: column.nullable === "YES",
      default: hasDefault ? defaultOf(column, declared.type, created) : undefined,
      hasDefault: hasDefault || isComputed || column.extra.includes("auto_increment"),
      primary: column.key === "PRI",
      unique: uniques.some((index) => index.columns.length === 1 && index.columns[0] === column.name),
      ...referencesOf(column.name, keys),
      ...(isComputed || isSet ? { writer: "database" as const } : {}),
      ...(/^enum\(/i.test(column.type) ? { values: textsIn(column.type) } : {}),
    };
  });
}

/** Bits are bytes. */
const typeOf = (type: string) => (/^bit\b/i.test(type) ? { type: "binary" as const } : declaredType(type));

/** The foreign keys, from their columns in order. */
function foreignKeys(references: readonly Reference[]): ForeignKey[] {
  const keys = new Map<string, { table: string; columns: string[]; to: string[]; rule: string }>();
  for (const { name, table, column, to, rule } of references) {
    const key = keys.get(name) ?? { table, columns: [], to: [], rule };
    key.columns.push(column);
    key.to.push(to);
    keys.set(name, key);
  }
  return [...keys.values()];
}

/**
 * The default as a value. MySQL 8 reports DEFAULT_GENERATED for what was declared as an expression, as a document's default must be.
 * Its schema tables quote such a text twice and spoil letters outside ASCII; `show create table` has it as it is.
 */
function defaultOf({ name, dflt, extra }: MysqlColumn, type: ColumnType, created: string): unknown {
  if (!/default_generated/i.test(extra)) return defaultValue(dflt!, type);
  const line = created.split("\n").find((one) => one.trimStart().startsWith(`\`${name.replaceAll("`", "``")}\` `));
  const literal = /^.*? DEFAULT \(_\w+'((?:[^'\\]|\\.|'')*)'\)/i.exec(line ?? "")?.[1];
  if (literal === undefined) return undefined;
  const text = literal.replace(/''|\\(.)/g, (_, letter?: string) => (letter ? (escapes[letter] ?? letter) : "'"));
  if (type === "json") return parsed(text);
  return type === "string" || type === "text" ? text : defaultValue(text, type);
}
const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", 0: "\0", Z: "\x1a" };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** MariaDB has JSON as longtext with a check of json_valid. */
const jsonColumns = (created: string): Set<string> =>
  new Set([...created.matchAll(/json_valid\(`(\w+)`\)/gi)].map(([, column]) => column!));
