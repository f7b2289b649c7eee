import type { Knex } from "knex";

/** The rows of a model that are stored and out of use: those whose column has a value. Whatever is read leaves them out. */
export interface RowMark {
  readonly column: string;
  /** Does what a deletion of records of the model does, in its transaction: their rows stay. */
  remove(records: readonly object[], transaction: Knex.Transaction): Promise<void>;
  /** Deletes the rows of records of the model, in use or not, since what they belong to is deleted. */
  purge(records: readonly object[], transaction: Knex.Transaction): Promise<void>;
  /** Whether nothing else narrows the model's queries; `markRows` finds that out. */
  readonly isPlain?: boolean;
}

export type Shown = "used" | "all" | "marked";
/** Which rows a query finds, where it is not those in use. */
export const shownKey = Symbol("rows that a query finds");

/** Module-level: freed with the queries: those that delete rows from the table. */
const purging = new WeakSet<object>();
export const markPurge = (query: object): void => void purging.add(query);
/** Whether a query deletes rows from the table that were deleted before. */
export const isPurge = (query: object): boolean => purging.has(query);

/** Whether a query includes rows that are out of use. */
export const findsMarked = (query: object): boolean => {
  const shown = (query as { [shownKey]?: Shown })[shownKey];
  return shown === "all" || shown === "marked";
};

/** Narrows rows of a model's table to those in use. */
export function whereInUse(
  query: Knex.QueryBuilder,
  { mark, table }: { readonly mark: Pick<RowMark, "column"> | undefined; readonly table: string },
): Knex.QueryBuilder {
  return mark ? query.whereNull(`${table}.${mark.column}`) : query;
}
