import { type Database, encodeDate, PluginTable, type Transaction } from "framewright/plugins/database";
import type { RowOwner } from "framewright/plugins/portals";
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
  readonly #imports: PluginTable<ImportRow>;
  readonly #failures: PluginTable<FailureRow>;
  readonly #writes: PluginTable<WriteRow>;

  constructor(database: Database) {
    const missing = errors.FW_IMPORT_TABLE;
    const columns = { dates: ["created_at", "expires_at"], numbers: ["id", "version", "run_id"] };
    this.#imports = new PluginTable(database, TABLE, missing, columns);
    this.#failures = new PluginTable(database, FAILURES, missing, { numbers: ["row_number"] });
    this.#writes = new PluginTable(database, WRITES, missing, { numbers: ["id"] });
  }

  async insert(row: Omit<ImportRow, "id" | "version" | "run_id">): Promise<number> {
    const [id] = await this.#imports.run(this.#imports.rows().insert({ ...this.#imports.encoded(row), version: 0 }));
    return Number(id);
  }
  async find(id: number): Promise<ImportRow | undefined> {
    return (await this.#imports.read(this.#imports.rows({ id }).limit(1)))[0];
  }
  /** Those of a person at a list, the newest first. */
  async findOf(owner: RowOwner, limit: number): Promise<ImportRow[]> {
    return this.#imports.read(this.#of(owner).orderBy("id", "desc").limit(limit));
  }
  /** How many of them were not started. */
  async countWaiting(owner: RowOwner): Promise<number> {
    const [row] = (await this.#imports.run(this.#of(owner).whereNull("run_id").count({ total: "*" }))) as [
      { total: unknown },
    ];
    return Number(row.total);
  }
  /** Changes an import that is as it was read; false where another request was faster. */
  async write(
    { id, version }: ImportRow,
    change: Partial<Pick<ImportRow, "content" | "run_id" | "expires_at">>,
    transaction?: Transaction,
  ): Promise<boolean> {
    const query = this.#imports.rows({ id, version }, transaction);
    const changed = { ...this.#imports.encoded(change), version: version + 1 };
    return (await this.#imports.run(query.update(changed))) === 1;
  }
  /** Keeps an import until then. */
  async keepUntil(id: number, expires_at: Date): Promise<void> {
    await this.#imports.run(this.#imports.rows({ id }).update(this.#imports.encoded({ expires_at })));
  }
  async expired(before: Date): Promise<ImportRow[]> {
    const query = this.#imports.rows().where("expires_at", "<", encodeDate(before)).orderBy("id").limit(MAX_SWEPT);
    return this.#imports.read(query);
  }
  async remove(id: number): Promise<void> {
    const ofImport = { import_id: id };
    if (await this.keepsWrites()) await this.#writes.run(this.#writes.rows(ofImport).delete());
    await this.#failures.run(this.#failures.rows(ofImport).delete());
    await this.#imports.run(this.#imports.rows({ id }).delete());
  }

  async addFailure(import_id: number, failure: FailureRow, transaction?: Transaction): Promise<void> {
    await this.#failures.run(this.#failures.rows({}, transaction).insert({ import_id, ...failure }));
  }
  /** The next failures after a row, in order. */
  async failures(import_id: number, after: number, limit: number): Promise<FailureRow[]> {
    const query = this.#failures.rows({ import_id }).where("row_number", ">", after);
    return this.#failures.read(query.select("row_number", "content").orderBy("row_number").limit(limit));
  }

  /** Whether there is the table of what imports have written; one that an earlier release made tables for has none. */
  keepsWrites(): Promise<boolean> {
    return this.#writes.exists();
  }
  async addWrites(
    import_id: number,
    writes: readonly Omit<WriteRow, "id">[],
    transaction?: Transaction,
  ): Promise<void> {
    if (writes.length === 0) return;
    const rows = writes.map((write) => ({ import_id, ...write }));
    await this.#writes.run(this.#writes.rows({}, transaction).insert(rows));
  }
  async countWrites(import_id: number): Promise<number> {
    const counted = await this.#writes.run(this.#writes.rows({ import_id }).count({ total: "*" }));
    return Number((counted as [{ total: unknown }])[0].total);
  }
  /** What was written before a write, the last first. */
  async writes(import_id: number, before: number | undefined, limit: number): Promise<WriteRow[]> {
    const query = this.#writes.rows({ import_id }).orderBy("id", "desc").limit(limit);
    if (before !== undefined) query.where("id", "<", before);
    return this.#writes.read(query.select("id", "record_id", "content"));
  }

  #of({ resource, portal, owner_type, owner_id, tenant }: RowOwner) {
    const owner = { resource, portal, owner_type, owner_id, tenant };
    return this.#imports.rows(owner).where("expires_at", ">", encodeDate(new Date()));
  }
}
