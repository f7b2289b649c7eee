import { type KeyValue, RecordKey } from "./record_key.ts";

/** What is used of a query of objection. */
interface Query {
  where(group: (query: Query) => void): Query;
  orWhere(group: (query: Query) => void): Query;
  whereNot(group: (query: Query) => void): Query;
  orWhereNull(column: string): Query;
  whereNotNull(column: string): Query;
  orderByRaw(sql: string, bindings: never): Query;
  select(columns: string[]): { toKnexQuery(): unknown };
}
type Keys = string | readonly string[];
/** The keys of what rows refer to: one of `is` or of `any`, none of `not`; `empty`: "1" for rows that refer to nothing, "0" for the others. */
interface ReferenceFilter {
  readonly is?: Keys;
  readonly any?: Keys;
  readonly not?: Keys;
  readonly empty?: Keys;
}

/** A foreign key: columns of a table that have the values of a key, in its order. Of a row it is the key that the row refers to. */
export class ReferenceKey extends RecordKey {
  /** The key that it refers to. */
  readonly target: RecordKey;

  constructor(table: string, columns: readonly string[], target: RecordKey) {
    super(table, columns);
    this.target = target;
  }

  /** Narrows a query to rows that refer to one of the records that another query finds, which selects nothing yet. */
  whereRefersTo<Q extends object>(query: Q, records: object): Q {
    return this.whereAmong(query, records, this.target);
  }
  /** As `whereRefersTo`, and to rows that refer to nothing. */
  whereMayReferTo(query: object, records: object): void {
    (query as Query).where((rows) => {
      for (const name of this.names) rows.orWhereNull(name);
      rows.orWhere((one) => void this.whereRefersTo(one, records));
    });
  }
  /**
   * Narrows a query by what its rows refer to; `any` and `empty: "1"` are alternatives. Returns false for a text that is no key:
   * the query is not to be run then.
   */
  filter(narrowed: object, given: string | ReferenceFilter): boolean {
    const query = narrowed as Query;
    const { is, any, not, empty } = typeof given === "string" ? { is: given } : given;
    const keysIn = (keys: Keys = []) => [keys].flat() as KeyValue[];
    if (![is, any, not].flatMap(keysIn).every((one) => this.values(one) !== undefined)) return false;
    const orEmpty = (rows: Query) => this.names.forEach((name) => void rows.orWhereNull(name));
    const among = (keys: Keys) => (rows: Query) => void this.whereIn(rows, keysIn(keys));
    if (any !== undefined || empty === "1")
      query.where((rows) => {
        if (any !== undefined) rows.orWhere(among(any));
        if (empty === "1") orEmpty(rows);
      });
    if (empty === "0") for (const name of this.names) query.whereNotNull(name);
    if (is !== undefined) query.where(among(is));
    if (not !== undefined) query.where((rows) => orEmpty(rows.whereNot(among(not))));
    return true;
  }
  /**
   * Orders a query by a column of the record that each row refers to. Rows that refer to none, or to none of those that `visible`
   * finds, which selects nothing yet, come where null does.
   */
  orderBy(query: object, column: string, direction: "asc" | "desc", visible: object | undefined): void {
    const other = "fw_sorted"; // a name of its own: the target may be the query's own table
    const keys = this.target.columns.map((name) => `${other}.${name}`);
    const isSame = keys.map(() => "?? = ??").join(" and ");
    const isVisible = visible ? ` and ${keys.length === 1 ? "??" : `(${keys.map(() => "??").join(", ")})`} in (?)` : "";
    const bound = visible ? [...keys, (visible as Query).select([...this.target.names]).toKnexQuery()] : [];
    const names = [
      `${other}.${column}`,
      this.target.table,
      other,
      ...keys.flatMap((one, at) => [one, this.names[at]!]),
    ];
    (query as Query).orderByRaw(`(select ?? from ?? as ?? where ${isSame}${isVisible}) ${direction}`, [
      ...names,
      ...bound,
    ] as never);
  }
}
