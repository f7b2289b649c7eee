import type { Knex } from "knex";
import { type Prepared, type PreparedSource, type Row, rowsOf } from "../fast/index.ts";

/** How many rows there are, up to a limit. */
export interface Counted {
  /** At most the requested maximum. */
  total: number;
  /** Whether there are more than that. */
  capped: boolean;
}
/** Runs a query that is built from the one that is counted; the first value of its first row. */
type Run = (change: (query: Knex.QueryBuilder, knex: Knex) => Knex.QueryBuilder, name: string) => Promise<unknown>;

const bare = (query: Knex.QueryBuilder) => query.clearSelect().clearOrder();
const total = (query: Knex.QueryBuilder) => bare(query).count("* as total");
const upTo = (most: number) => (query: Knex.QueryBuilder, knex: Knex) =>
  knex
    .queryBuilder()
    .count("* as total")
    .from(
      bare(query)
        .select(knex.raw("1"))
        .limit(most + 1)
        .as("counted"),
    );
const beyond = (most: number) => (query: Knex.QueryBuilder, knex: Knex) =>
  bare(query).select(knex.raw("1")).limit(1).offset(most);

const cut = (found: unknown, most: number): Counted => {
  const total = Number(found ?? 0);
  return total > most ? { total: most, capped: true } : { total, capped: false };
};

/** Counts what queries find, up to a maximum: a page of a large table costs what one of a small table does. */
export class Counter {
  /** Whole tables that had more rows than the maximum when they were last counted. */
  readonly #large = new Set<string>();
  /** The count of a table as a whole; "" of a select that is narrowed. */
  readonly #plain = new WeakMap<Prepared, string>();

  /** `whole`: nothing narrows the query, so that a small table's count is known to the database, and a large one's is not. */
  async query(query: () => Knex.QueryBuilder, knex: Knex, table: string, most: number, whole: boolean) {
    const run: Run = async (change) => {
      const [row] = await rowsOf(change(query(), knex) as Knex.QueryBuilder<Row, Row[]>);
      return row && Object.values(row)[0];
    };
    return whole ? this.#whole(run, table, most) : cut(await run(upTo(most), ""), most);
  }

  async prepared({ prepared, values, knex }: PreparedSource, most: number): Promise<Counted> {
    const run: Run = (change, name) => prepared.derive(`${name} ${most}`, change).valueUnmapped(values, knex);
    let plain = this.#plain.get(prepared);
    if (plain === undefined) {
      const { sql, bindings } = total(prepared.query(values)).toSQL();
      plain = bindings.length > 0 || / (?:where|join|having|group|union|limit) /i.test(sql) ? "" : sql;
      this.#plain.set(prepared, plain);
    }
    return plain === "" ? cut(await run(upTo(most), "up to"), most) : this.#whole(run, plain, most);
  }

  /** Counts a whole table; once there are more than `most` rows, only looks for the row beyond. */
  async #whole(run: Run, what: string, most: number): Promise<Counted> {
    const key = `${what} ${most}`;
    if (this.#large.has(key) && (await run(beyond(most), "beyond")) !== undefined) return { total: most, capped: true };
    const counted = cut(await run(total, "all"), most);
    if (counted.capped) this.#large.add(key);
    else this.#large.delete(key);
    return counted;
  }
}
