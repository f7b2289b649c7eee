/** What of a page may have changed. */
export type Part = "page" | "bell";

/** What was changed and committed, as processes send it to each other. */
export interface Message {
  /** When the last of it was committed: milliseconds since 1970, by the clock of the process. */
  readonly at: number;
  readonly changes: readonly TableChange[];
  /** Topics of bells. */
  readonly bells: readonly string[];
}
/** Changed records of one table. */
export interface TableChange {
  readonly table: string;
  /** The constant of their model. */
  readonly model: string;
  readonly keys: readonly string[];
  /** The tenants that they belong to, as `organizations/7`. */
  readonly tenants: readonly string[];
  /** The tables of tenants that a scope of the model decides about: the receiver looks the records up. */
  readonly unknown: readonly string[];
}
