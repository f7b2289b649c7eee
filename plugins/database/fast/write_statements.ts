import type { Knex } from "knex";
import { type ClientFace, onConnection, type Row } from "./execute.ts";
import { isFast } from "./switch.ts";

/** What is written: which columns are set, and which tell the rows. */
interface Shape {
  table: string;
  set: Row;
  where?: Row;
}
type Built = { sql: string; bindings: readonly unknown[] };

/** Puts a row into a table and gives its id; the statement is built once for each set of columns. */
export async function insertedId(knex: Knex, table: string, row: Row): Promise<unknown> {
  const build = (set: Row) => knex(table).insert(set);
  if (!isFast(knex) || !Object.values(row).every(isPlain)) return ((await build(row)) as unknown[])[0];
  const client = knex.client as ClientFace;
  const query = statement(client, { table, set: row }, build);
  const done = client.atOnce?.(query);
  if (done) return (done.response as { lastInsertRowid: unknown }).lastInsertRowid;
  return ((await onConnection(client, { ...query, method: "insert" })) as unknown[])[0];
}

/** Changes the rows of a table that have these values, and gives how many; the statement is built once for each set of columns. */
export async function changedRows(knex: Knex, table: string, where: Row, set: Row): Promise<number> {
  const build = (values: Row, held: Row) => knex(table).where(held).update(values);
  const values = [...Object.values(set), ...Object.values(where)];
  if (!isFast(knex) || !values.every(isPlain)) return build(set, where);
  const client = knex.client as ClientFace;
  const query = statement(client, { table, set, where }, build);
  const done = client.atOnce?.(query);
  if (done) return (done.response as { changes: number }).changes;
  return (await onConnection(client, { ...query, method: "update" })) as number;
}

/** What is bound as it stands; anything else is an expression of SQL, or left out. */
const isPlain = (value: unknown): boolean =>
  value === null || value instanceof Date || (typeof value !== "object" && value !== undefined);

/** Where a statement takes the values of its columns from, in its order: `s` those that are set, `w` those that tell. */
interface Kept {
  readonly sql: string;
  readonly places: readonly (readonly [from: "s" | "w", column: string])[];
}
const kept = new WeakMap<object, Map<string, Kept>>();
const MOST = 1000; // columns are the tables' own: there are few sets of them

function statement(client: object, shape: Shape, build: (set: Row, where: Row) => { toSQL(): Built }): Built {
  const { set, where = {} } = shape;
  const known = kept.get(client) ?? new Map<string, Kept>();
  kept.set(client, known);
  const key = keyOf(shape);
  let made = known.get(key);
  if (!made) {
    made = compile(set, where, build);
    if (known.size < MOST) known.set(key, made);
  }
  return { sql: made.sql, bindings: made.places.map(([from, column]) => (from === "s" ? set : where)[column]) };
}

/** `null` is no value that can be bound where it tells rows: it stands in the statement. */
function keyOf({ table, set, where }: Shape): string {
  let key = table;
  for (const column in set) key += ` ${column}`;
  if (!where) return key;
  key += " where";
  for (const column in where) key += where[column] === null ? ` ${column}?` : ` ${column}`;
  return key;
}

/** Builds the statement once with marks in the places of values, to learn their order. */
function compile(set: Row, where: Row, build: (set: Row, where: Row) => { toSQL(): Built }): Kept {
  const marked = (from: string, row: Row) =>
    Object.fromEntries(
      Object.keys(row).map((column) => [column, row[column] === null && from === "w" ? null : `${from} ${column}`]),
    );
  const { sql, bindings } = build(marked("s", set), marked("w", where)).toSQL();
  return { sql, places: (bindings as string[]).map((mark) => [mark[0] as "s" | "w", mark.slice(2)]) };
}
