import {
  asUnavailable,
  type Database,
  decodeDate,
  encodeDate,
  isTableMissing,
  mapTableErrors,
  type Transaction,
} from "framewright/plugins/database";
import type { RowOwner } from "framewright/plugins/resources/toolkit";
import { errors } from "./errors.ts";

const TABLE = "framewright_imports";
const FAILURES = "framewright_import_failures";
const WRITES = "framewright_import_writes";
const MAX_SWEPT = 100;

/** A row of the table. */
export interface ImportRow extends RowOwner {
  readonly id: number;
  /** Sealed. */
  readonly content: string;
  /** The run that writes the rows, once it was started. */
  readonly run_id: number | null;
  readonly version: number;
  readonly created_at: Date;
  readonly expires_at: Date;
}
/** A row of a file that was not written; sealed. */
export interface FailureRow {
  readonly row_number: number;
  readonly content: string;
}

/** A record that an import has written; sealed. */
export interface WriteRow {
  readonly id: number;
  readonly record_id: string;
  readonly content: string;
}

/** All statements on the tables of imports. */
export class ImportStore {
  readonly #database: Database;
  #keepsWrites = false;

  constructor(database: Database) {
    this.#database = database;
  }

  async insert(row: Omit<ImportRow, "id" | "version" | "run_id">): Promise<number> {
    const [id] = await runQuery(this.#table(TABLE).insert({ ...encoded(row), version: 0 }));
    return Number(id);
  }
  async find(id: number): Promise<ImportRow | undefined> {
    const row = (await runQuery(this.#table(TABLE).where({ id }).first())) as Record<string, unknown> | undefined;
    return row && decoded(row);
  }
  /** Those of a person at a list, the newest first. */
  async findOf(owner: RowOwner, limit: number): Promise<ImportRow[]> {
    const query = this.#of(owner).orderBy("id", "desc").limit(limit);
    return ((await runQuery(query)) as Record<string, unknown>[]).map(decoded);
  }
  /** How many of them were not started. */
  async countWaiting(owner: RowOwner): Promise<number> {
    const [row] = (await runQuery(this.#of(owner).whereNull("run_id").count({ total: "*" }))) as [{ total: unknown }];
    return Number(row.total);
  }
  /** Changes an import that is as it was read; false where another request was faster. */
  async write(
    { id, version }: ImportRow,
    change: Partial<Pick<ImportRow, "content" | "run_id" | "expires_at">>,
    transaction?: Transaction,
  ): Promise<boolean> {
    const query = this.#table(TABLE, transaction).where({ id, version });
    return (await runQuery(query.update({ ...encoded(change), version: version + 1 }))) === 1;
  }
  /** Keeps an import until then. */
  async keepUntil(id: number, expires_at: Date): Promise<void> {
    await runQuery(this.#table(TABLE).where({ id }).update(encoded({ expires_at })));
  }
  async expired(before: Date): Promise<ImportRow[]> {
    const query = this.#table(TABLE).where("expires_at", "<", encodeDate(before)).orderBy("id").limit(MAX_SWEPT);
    return ((await runQuery(query)) as Record<string, unknown>[]).map(decoded);
  }
  async remove(id: number): Promise<void> {
    if (await this.keepsWrites()) await runQuery(this.#table(WRITES).where({ import_id: id }).delete());
    await runQuery(this.#table(FAILURES).where({ import_id: id }).delete());
    await runQuery(this.#table(TABLE).where({ id }).delete());
  }

  async addFailure(import_id: number, failure: FailureRow, transaction: Transaction): Promise<void> {
    await runQuery(this.#table(FAILURES, transaction).insert({ import_id, ...failure }));
  }
  /** The next failures after a row, in order. */
  async failures(import_id: number, after: number, limit: number): Promise<FailureRow[]> {
    const query = this.#table(FAILURES).where({ import_id }).where("row_number", ">", after);
    const rows = (await runQuery(query.orderBy("row_number").limit(limit))) as Record<string, unknown>[];
    return rows.map(({ row_number, content }) => ({ row_number: Number(row_number), content: String(content) }));
  }

  /** Whether there is the table of what imports have written; one that an earlier release made tables for has none. */
  async keepsWrites(): Promise<boolean> {
    if (this.#keepsWrites) return true;
    try {
      await this.#table(WRITES).select("id").limit(1);
      this.#keepsWrites = true;
    } catch (error) {
      if (!isTableMissing(error)) throw asUnavailable(error);
    }
    return this.#keepsWrites;
  }
  async addWrite(import_id: number, write: Omit<WriteRow, "id">, transaction: Transaction): Promise<void> {
    await runQuery(this.#table(WRITES, transaction).insert({ import_id, ...write }));
  }
  async countWrites(import_id: number): Promise<number> {
    const [row] = (await runQuery(this.#table(WRITES).where({ import_id }).count({ total: "*" }))) as [
      { total: unknown },
    ];
    return Number(row.total);
  }
  /** What was written before a write, the last first. */
  async writes(import_id: number, before: number | undefined, limit: number): Promise<WriteRow[]> {
    const query = this.#table(WRITES).where({ import_id }).orderBy("id", "desc").limit(limit);
    if (before !== undefined) query.where("id", "<", before);
    const rows = (await runQuery(query)) as Record<string, unknown>[];
    return rows.map(({ id, record_id, content }) => ({
      id: Number(id),
      record_id: String(record_id),
      content: String(content),
    }));
  }

  #of({ resource, portal, owner_type, owner_id, tenant }: RowOwner) {
    const query = this.#table(TABLE).where({ resource, owner_type, owner_id });
    for (const [name, value] of Object.entries({ portal, tenant }))
      if (value === null) query.whereNull(name);
      else query.where(name, value);
    return query.where("expires_at", ">", encodeDate(new Date()));
  }
  #table(name: string, transaction?: Transaction) {
    return (transaction ?? this.#database.knex)(name);
  }
}

const runQuery = mapTableErrors(errors.FW_IMPORT_TABLE);

const dates = ["created_at", "expires_at"] as const;

function encoded(values: object): Record<string, unknown> {
  const row: Record<string, unknown> = { ...values };
  for (const name of dates) if (row[name] instanceof Date) row[name] = encodeDate(row[name] as Date);
  return row;
}
function decoded(stored: Record<string, unknown>): ImportRow {
  const { run_id } = stored;
  const row: Record<string, unknown> = { ...stored, run_id: run_id === null ? null : Number(run_id) };
  for (const name of dates) row[name] = decodeDate(row[name]) as Date;
  for (const name of ["id", "version"]) row[name] = Number(row[name]);
  return row as unknown as ImportRow;
}
