import { type Database, encodeDate, PluginTable, type Transaction } from "framewright/plugins/database";
import type { RowOwner } from "framewright/plugins/portals";
import { errors } from "./errors.ts";

const TABLE = "framewright_deletions";

/** What is stored of a deleted record; sealed. */
export interface DeletionRow {
  readonly id: number;
  readonly content: string;
}

/** All statements on the table of deletions that can be undone. */
export class DeletionStore {
  readonly #table: PluginTable<DeletionRow>;

  constructor(database: Database) {
    this.#table = new PluginTable(database, TABLE, errors.FW_DELETIONS_TABLE, { numbers: ["id"] });
  }

  async insert(
    owner: RowOwner,
    row: { undo_key: string; content: string; expires_at: Date },
    transaction: Transaction,
  ): Promise<void> {
    const stored = { ...owner, ...row, expires_at: encodeDate(row.expires_at) };
    await this.#table.run(this.#table.rows({}, transaction).insert(stored));
  }
  /** What a person may undo by a key, the last deleted first. */
  async find(owner: RowOwner, undo_key: string): Promise<DeletionRow[]> {
    const query = this.#table.rows({ undo_key, ...owner }).where("expires_at", ">", encodeDate(new Date()));
    return this.#table.read(query.select("id", "content").orderBy("id", "desc"));
  }
  /** Takes a deletion, so that it is undone once; false where another request was faster. */
  async take(id: number, transaction: Transaction): Promise<boolean> {
    return (await this.#table.run(this.#table.rows({ id }, transaction).delete())) === 1;
  }
  /** Deletes what can't be undone any more. */
  async sweep(): Promise<void> {
    await this.#table.run(this.#table.rows().where("expires_at", "<=", encodeDate(new Date())).delete());
  }
}
