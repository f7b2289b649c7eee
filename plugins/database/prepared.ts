import type { Knex } from "knex";
import { type Row, ranSql, rowsOf } from "./running.ts";

/**
 * A select that is put together once, at its first use, and run with other values each time: building it costs more
 * than the embedded database takes to answer. `build` is handed as many values as there will be.
 */
export class Prepared {
  readonly #knex: () => Knex;
  readonly #build: (knex: Knex, values: readonly unknown[]) => Knex.QueryBuilder;
  #sql: string | undefined;
  #rest: readonly unknown[] = [];

  constructor(knex: () => Knex, build: (knex: Knex, values: readonly unknown[]) => Knex.QueryBuilder) {
    this.#knex = knex;
    this.#build = build;
  }

  /** The rows for these values: in the order in which the query names them, before any that it has of its own. */
  async rows(values: readonly unknown[]): Promise<Row[]> {
    const knex = this.#knex();
    if (this.#sql === undefined) {
      const { sql, bindings } = this.#build(knex, values).toSQL();
      this.#sql = sql;
      this.#rest = bindings.slice(values.length);
    }
    const done = ranSql(knex, this.#sql, [...values, ...this.#rest]);
    return done ? (done.response as Row[]) : rowsOf(this.#build(knex, values));
  }
}
