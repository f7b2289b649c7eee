import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AccountType } from "./account_type.ts";

/** An index of a table, by its columns. */
export interface IndexText {
  readonly columns: readonly string[];
  readonly unique: boolean;
}
/** A table in the text of a migration: its columns, each with the line that adds it, and its indexes. */
export interface TableText {
  readonly name: string;
  readonly columns: Map<string, string>;
  readonly indexes: IndexText[];
}

const tableParts = /\b(?:createTable|addColumns)\(\s*["'`](\w+)["'`](.*?)^ {2,}\}\);/gms;
const columnLine = /\bt\s*\.(\w+)\("(\w+)"[^;]*;/g;
const indexLine = /\bt\s*\.index\(\[([^\]]*)\]([^;]*);/g;

/**
 * The tables that the text of a migration creates or adds columns to, in its order; a table that occurs twice is listed
 * twice. It parses what our generators and schemas write: one statement per column.
 */
export function parseTables(text: string): TableText[] {
  return [...text.matchAll(tableParts)].map(([, name, body]) => readTable(name!, body!));
}

function readTable(name: string, body: string): TableText {
  const table: TableText = { name, columns: new Map(), indexes: [] };
  if (/\bt\.id\(\)/.test(body)) table.columns.set("id", "t.id();");
  if (/\bt\.timestamps\(\)/.test(body))
    for (const column of ["created_at", "updated_at"]) table.columns.set(column, "");
  for (const [line, type, name] of body.matchAll(columnLine)) {
    const column = type === "belongsTo" ? (/\bcolumn: "(\w+)"/.exec(line)?.[1] ?? `${name}_id`) : name!;
    table.columns.set(column, line);
    const unique = /\.unique\(\)|\bunique: true/.test(line);
    if (unique || type === "belongsTo" || line.includes(".index()")) table.indexes.push({ columns: [column], unique });
  }
  for (const [, list, options] of body.matchAll(indexLine)) {
    const columns = [...list!.matchAll(/"(\w+)"/g)].map(([, column]) => column!);
    table.indexes.push({ columns, unique: options!.includes("unique: true") });
  }
  return table;
}

/** Module-level: files of the package, which never change; read with the first use. */
const texts = new Map<string, string>();
/** The tables of a feature's schema for an account type; empty where it has none. */
function parseSchema(directory: string, account: string): TableText[] {
  const file = join(directory, "schema.liquid");
  const text = texts.get(file) ?? (existsSync(file) ? readFileSync(file, "utf8") : "");
  texts.set(file, text);
  return parseTables(text.replaceAll("{{ account }}", account));
}

/** The columns that the tables of an account type need, by table: what `fw generate fw:authlib:upgrade` adds. */
export function neededColumns(type: AccountType): Map<string, string[]> {
  const tables = [...type.features.values()].flatMap(({ directory }) => parseSchema(directory, type.name));
  return new Map(tables.map(({ name, columns }) => [name, [...columns.keys()]]));
}
