import type { Knex } from "knex";
import { unlessAway } from "./away.ts";
import type { ModelInfo } from "./model_info.ts";
import { modelRows, type Row, rowsBySql } from "./running.ts";

interface Below {
  knex?: Knex | undefined;
  of?: ModelInfo;
}
export type Build = (knex: Knex, values: readonly unknown[]) => Knex.QueryBuilder;

/**
 * A select that is put together once, at its first use, and run with other values each time: building it costs more
 * than the embedded database takes to answer. `build` is handed as many values as there will be, none of them null.
 */
export class Prepared {
  readonly #knex: () => Knex;
  readonly #build: Build;
  readonly #derived = new Map<string, Prepared>();
  #sql: string | undefined;
  #rest: readonly unknown[] = [];

  constructor(knex: () => Knex, build: Build) {
    this.#knex = knex;
    this.#build = build;
  }

  /** The rows for these values: in the order in which the query names them, before any that it has of its own. */
  async rows(values: readonly unknown[]): Promise<Row[]> {
    try {
      return await this.rowsBelow(values);
    } catch (error) {
      throw unlessAway(error);
    }
  }

  /** As rows, for a caller that makes its own of what fails; of a model's table, when it is told. */
  async rowsBelow(values: readonly unknown[], { knex = this.#knex(), of }: Below = {}): Promise<Row[]> {
    if (this.#sql === undefined) {
      const { sql, bindings } = this.#build(knex, values).toSQL();
      this.#rest = bindings.slice(values.length);
      this.#sql = sql;
    }
    const bindings = this.#rest.length > 0 ? [...values, ...this.#rest] : values;
    return of ? modelRows(of, knex, this.#sql, bindings) : rowsBySql(knex, this.#sql, bindings);
  }

  /** Another select made of this one, kept by name. */
  derive(name: string, from: (query: Knex.QueryBuilder, knex: Knex) => Knex.QueryBuilder): Prepared {
    let derived = this.#derived.get(name);
    if (!derived) {
      derived = new Prepared(this.#knex, (knex, values) => from(this.#build(knex, values), knex));
      this.#derived.set(name, derived);
    }
    return derived;
  }

  /** The select itself, for these values. */
  query(values: readonly unknown[]): Knex.QueryBuilder {
    return this.#build(this.#knex(), values);
  }
}
