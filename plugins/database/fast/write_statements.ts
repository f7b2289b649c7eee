import type { Knex } from "knex";
import { type ClientPort, onConnection, type Row } from "./execute.ts";
import { isFast } from "./switch.ts";

/** What is written: which columns are set, and which select the rows. */
interface Shape {
  table: string;
  set: Row;
  where?: Row;
}
type Built = { sql: string; bindings: readonly unknown[] };

/** Fast path: inserts a row and returns its id; the statement is built once for each set of columns. */
export async function insertedId(knex: Knex, table: string, row: Row): Promise<unknown> {
  const build = (set: Row) => knex(table).insert(set);
  if (!isFast(knex) || !Object.values(row).every(isPlain)) return ((await build(row)) as unknown[])[0];
  const client = knex.client as ClientPort;
  const query = statement(client, { table, set: row }, build);
  const done = client.executeSync?.(query);
  if (done) return (done.response as { lastInsertRowid: unknown }).lastInsertRowid;
  return ((await onConnection(client, { ...query, method: "insert" })) as unknown[])[0];
}

/** Fast path: changes the rows that have these values, and returns how many; the statement is built once for each set of columns. */
export async function changedRows(knex: Knex, table: string, where: Row, set: Row): Promise<number> {
  const build = (values: Row, held: Row) => knex(table).where(held).update(values);
  const values = [...Object.values(set), ...Object.values(where)];
  if (!isFast(knex) || !values.every(isPlain)) return build(set, where);
  const client = knex.client as ClientPort;
  const query = statement(client, { table, set, where }, build);
  const done = client.executeSync?.(query);
  if (done) return (done.response as { changes: number }).changes;
  return (await onConnection(client, { ...query, method: "update" })) as number;
}

/** Whether a value is bound as it is; anything else is an expression of SQL, or left out. */
const isPlain = (value: unknown): boolean =>
  value === null || value instanceof Date || (typeof value !== "object" && value !== undefined);

/** Where a statement takes the values of its columns from, in its order: `s` (set) or `w` (where). */
interface Template {
  readonly sql: string;
  readonly places: readonly (readonly [from: "s" | "w", column: string])[];
}
/** Module-level: found by the client of a pool, and freed with it. */
const templates = new WeakMap<object, Map<string, Template>>();
const MAX_STATEMENTS = 1000; // columns are the tables' own: there are few sets of them

function statement(client: object, shape: Shape, build: (set: Row, where: Row) => { toSQL(): Built }): Built {
  const { set, where = {} } = shape;
  const known = templates.get(client) ?? new Map<string, Template>();
  templates.set(client, known);
  const key = keyOf(shape);
  let made = known.get(key);
  if (!made) {
    made = compile(set, where, build);
    if (known.size < MAX_STATEMENTS) known.set(key, made);
  }
  return { sql: made.sql, bindings: made.places.map(([from, column]) => (from === "s" ? set : where)[column]) };
}

/** In a condition `null` can't be bound as a value: the statement has it as `is null`. */
function keyOf({ table, set, where }: Shape): string {
  let key = table;
  for (const column in set) key += ` ${column}`;
  if (!where) return key;
  key += " where";
  for (const column in where) key += where[column] === null ? ` ${column}?` : ` ${column}`;
  return key;
}

/** Builds the statement once with marks in the places of values, to learn their order. */
function compile(set: Row, where: Row, build: (set: Row, where: Row) => { toSQL(): Built }): Template {
  const marked = (from: string, row: Row) =>
    Object.fromEntries(
      Object.keys(row).map((column) => [column, row[column] === null && from === "w" ? null : `${from} ${column}`]),
    );
  const { sql, bindings } = build(marked("s", set), marked("w", where)).toSQL();
  return { sql, places: (bindings as string[]).map((mark) => [mark[0] as "s" | "w", mark.slice(2)]) };
}
