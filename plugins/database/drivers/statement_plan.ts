/** A table of a select, by its name or alias. */
export interface TableRead {
  readonly table: string;
  /** The columns by which an index narrows its rows; none where every row is read. */
  readonly columns: readonly string[];
  /** Those of indexes that the database could take instead, and does not for the values that are stored. */
  readonly possible?: readonly string[];
}

/** How the database would run a select, by its own EXPLAIN. */
export interface StatementPlan {
  readonly reads: readonly TableRead[];
  /** Whether rows are sorted, since no index has them in the order that is requested. */
  readonly sorts: boolean;
}
