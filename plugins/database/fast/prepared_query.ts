import type { Knex } from "knex";
import { asUnavailable } from "../drivers/unavailable.ts";
import type { ModelInfo } from "../models/model_info.ts";
import { firstValue, type MaybeRows, modelRows, type Row, rowsBySql } from "./execute.ts";
import type { OmittedColumns } from "./omitted_columns.ts";
import { isFast } from "./switch.ts";

interface RowOptions {
  knex?: Knex | undefined;
  of?: ModelInfo;
  omitted?: OmittedColumns | undefined;
}
/** SQL with its values, and the knex that runs it. */
export interface Built {
  readonly knex: Knex;
  readonly sql: string;
  readonly bindings: readonly unknown[];
}
export type Build = (knex: Knex, values: readonly unknown[]) => Knex.QueryBuilder;

/**
 * Fast path: a select that is built once, at its first use, and run with other values each time: building it costs more
 * than the embedded database takes to answer. `build` is given as many values as there will be, none of them null.
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

  get knex(): Knex {
    return this.#knex();
  }

  /** The rows for these values: in the order in which the query names them, before any that it has of its own. */
  async rows(values: readonly unknown[]): Promise<Row[]> {
    try {
      const rows = this.rowsUnmapped(values);
      return rows instanceof Promise ? await rows : rows;
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  /** As `rows`, without mapping errors; `of`: the model whose rows they are, and what they may leave out. */
  rowsUnmapped(values: readonly unknown[], { knex = this.#knex(), of, omitted }: RowOptions = {}): MaybeRows {
    if (!isFast(knex)) return rowsByBuilder(this.#build(knex, values));
    const { sql, bindings } = this.built(values, knex);
    return of ? modelRows(of, knex, { sql, bindings }, omitted) : rowsBySql(knex, sql, bindings);
  }

  /** The first value of the first row; undefined where there is none. */
  async valueUnmapped(values: readonly unknown[], knex = this.#knex()): Promise<unknown> {
    if (!isFast(knex)) {
      const [row] = await rowsByBuilder(this.query(values, knex));
      return row && Object.values(row)[0];
    }
    const { sql, bindings } = this.built(values, knex);
    return firstValue(knex, sql, bindings);
  }

  /** The select as it is sent, for these values. */
  built(values: readonly unknown[], knex = this.#knex()): Built {
    if (this.#sql === undefined) {
      const { sql, bindings } = this.#build(knex, values).toSQL();
      this.#rest = bindings.slice(values.length);
      this.#sql = sql;
    }
    return { knex, sql: this.#sql, bindings: this.#rest.length > 0 ? [...values, ...this.#rest] : values };
  }

  /** Another select that is derived from this one, cached by name. */
  derive(name: string, from: (query: Knex.QueryBuilder, knex: Knex) => Knex.QueryBuilder): Prepared {
    let derived = this.#derived.get(name);
    if (!derived) {
      derived = new Prepared(this.#knex, (knex, values) => from(this.#build(knex, values), knex));
      this.#derived.set(name, derived);
    }
    return derived;
  }

  /** The select itself, for these values. */
  query(values: readonly unknown[], knex = this.#knex()): Knex.QueryBuilder {
    return this.#build(knex, values);
  }
}

/** The rows of a select, as knex runs it. */
export async function rowsByBuilder(query: Knex.QueryBuilder): Promise<Row[]> {
  const found: unknown = await query;
  if (Array.isArray(found)) return found as Row[];
  return found === undefined ? [] : [found as Row]; // of one that ends in `first`
}
