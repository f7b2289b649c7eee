import type { BaseModel, Database, ModelInfo, Transaction, TransactionOptions } from "framewright/plugins/database";

/** What the writing of a record led to: the record, or what prevented the write. */
type Written = { readonly record: BaseModel } | object;

/** A row of a record that was written with it. */
export interface WrittenRow {
  /** The attribute of the record. */
  readonly of: string;
  readonly record: BaseModel;
  /** Its columns before it was changed; undefined for a new one. */
  readonly earlier: Readonly<Record<string, unknown>> | undefined;
}

/** How the record of a request is written: by a transaction of its own, unless a plugin that acts for somebody brings its own. */
export interface RecordWriter {
  /** Whether what is stored is what was sent: then nothing is written. */
  isUnchanged: boolean;
  /** The columns of the record as they were before it was changed; undefined for a new one. */
  earlier?: Readonly<Record<string, unknown>>;
  /** Where rows of the record that are written with it are noted. */
  rows?: WrittenRow[];
  /** Runs the work in the transaction of the record; resolves once it is committed. */
  run<T extends Written>(work: (transaction: Transaction) => Promise<T>, options: TransactionOptions): Promise<T>;
}

/** Writes a record in a transaction of its own. */
export const ownWriter = (database: Database): Pick<RecordWriter, "run"> => ({
  run: (work, options) => database.transaction(work, options),
});

/** The values of a record's columns. */
export function columnValues(record: BaseModel, { columns }: ModelInfo): Record<string, unknown> {
  const stored = record as unknown as Record<string, unknown>;
  return Object.fromEntries([...columns.keys()].map((name) => [name, stored[name] ?? null]));
}
