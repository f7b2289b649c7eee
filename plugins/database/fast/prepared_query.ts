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
  #template: Template | undefined;

  constructor(knex: () => Knex, build: Build) {
    this.#knex = knex;
    this.#build = build;
  }

  get knex(): Knex {
    return this.#knex();
  }

  /** The rows for these values. */
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
    this.#template ??= templateOf((stand) => this.#build(knex, stand), values);
    const { sql, bind } = this.#template;
    if (bind) return { knex, sql, bindings: bind(values) };
    return { knex, ...this.#build(knex, values).toSQL() };
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

/** A select's text, and what gives its bindings for values; undefined where they are not among its bindings as they are. */
interface Template {
  readonly sql: string;
  readonly bind: ((values: readonly unknown[]) => readonly unknown[]) | undefined;
}

/** Builds a select with values that stand for others: where they come to be bound is where others belong. */
function templateOf(build: (values: readonly unknown[]) => Knex.QueryBuilder, values: readonly unknown[]): Template {
  const stand = values.map(standIn);
  const { sql, bindings } = build(stand).toSQL();
  const places = bindings.map((one) => stand.indexOf(one));
  if (stand.some((_, index) => !places.includes(index))) return { sql, bind: undefined };
  if (places.length === values.length && places.every((place, index) => place === index)) return { sql, bind: same };
  return { sql, bind: (given) => bindings.map((own, at) => (places[at] === -1 ? own : given[places[at]!])) };
}
const same = (values: readonly unknown[]) => values;

/** A value of the same type that nothing else has; objects are found by identity. */
function standIn(value: unknown, index: number): unknown {
  if (typeof value === "number") return 8_100_000_000_001 + index;
  return typeof value === "string" ? `framewright value ${index}` : value;
}

/** The rows of a select, as knex runs it. */
export async function rowsByBuilder(query: Knex.QueryBuilder): Promise<Row[]> {
  const found: unknown = await query;
  if (Array.isArray(found)) return found as Row[];
  return found === undefined ? [] : [found as Row]; // of one that ends in `first`
}
