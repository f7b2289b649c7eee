import type { BaseModel, Database, ModelInfo, Prepared, Query } from "framewright/plugins/database";
import type { Narrowing } from "../definition/query_scope.ts";

type Apply = Narrowing["apply"];
/** Completes a select of a narrowed model; it outlives the request, so it must not refer to it. */
type Complete = (query: Query<BaseModel>, values: readonly unknown[]) => Query<BaseModel>;

/** Selects within what narrows a model: each is built once for a narrowing, and run with other values. */
export class VisibleSelects {
  readonly #database: Database;
  readonly #selects = new Map<string, Prepared>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** The record with a value of a column: its values are those of the narrowing, then that one. */
  by(model: ModelInfo, column: string, narrowing: Narrowing): Prepared {
    return this.#kept(model, `by ${column}`, narrowing, byColumn(`${model.table}.${column}`));
  }
  /** As `by`, of the columns of its key alone. */
  keyBy(model: ModelInfo, column: string, narrowing: Narrowing): Prepared {
    const { names } = model.key;
    return this.by(model, column, narrowing).derive("key", (query) => query.clearSelect().select([...names]));
  }
  /** The first records in the order of a column, or of their key: its values are those of the narrowing, then their number. */
  first(model: ModelInfo, column: string | undefined, narrowing: Narrowing): Prepared {
    return this.#kept(model, `first ${column ?? ""}`, narrowing, firstBy(model, column));
  }
  /** All records, to be counted. */
  all(model: ModelInfo, narrowing: Narrowing): Prepared {
    return this.#kept(model, "all", narrowing, (query) => query);
  }

  #kept(model: ModelInfo, name: string, narrowing: Narrowing, complete: Complete): Prepared {
    const key = `${model.constant} ${name} ${narrowing.name}`;
    let select = this.#selects.get(key);
    if (!select) {
      select = within(this.#database, model, narrowing, complete);
      this.#selects.set(key, select);
    }
    return select;
  }
}

const byColumn =
  (column: string): Complete =>
  (query, [value]) =>
    query.where(column, value as never).limit(1);
const firstBy =
  ({ key, table }: ModelInfo, column: string | undefined): Complete =>
  (query, [most]) =>
    (column === undefined ? key.order(query) : query.orderBy(`${table}.${column}`)).limit(most as number);

function within(
  database: Database,
  model: ModelInfo,
  { apply, values: { length } }: { apply: Apply; values: readonly unknown[] },
  complete: Complete,
): Prepared {
  return database.prepared((_, values) => {
    const query = database.query(model.class) as Query<BaseModel>;
    apply(query, values);
    return complete(query, values.slice(length)).toKnexQuery();
  });
}
