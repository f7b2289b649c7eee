import { type Database, encodeDate, mapTableErrors, type Transaction } from "framewright/plugins/database";
import type { RowOwner } from "framewright/plugins/resources/toolkit";
import { errors } from "./errors.ts";

const TABLE = "framewright_deletions";

/** What is kept of a deleted record; sealed. */
export interface DeletionRow {
  readonly id: number;
  readonly content: string;
}

/** All statements on the table of deletions that can be undone. */
export class DeletionStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async insert(
    owner: RowOwner,
    row: { undo_key: string; content: string; expires_at: Date },
    transaction: Transaction,
  ): Promise<void> {
    await runQuery(transaction(TABLE).insert({ ...owner, ...row, expires_at: encodeDate(row.expires_at) }));
  }
  /** What a person may undo by a key, the last deleted first. */
  async find(owner: RowOwner, undo_key: string): Promise<DeletionRow[]> {
    const query = this.#database.knex(TABLE).where({ undo_key }).where("expires_at", ">", encodeDate(new Date()));
    for (const [name, value] of Object.entries(owner))
      if (value === null) query.whereNull(name);
      else query.where(name, value);
    const rows: Record<string, unknown>[] = await runQuery(query.orderBy("id", "desc"));
    return rows.map(({ id, content }) => ({ id: Number(id), content: String(content) }));
  }
  /** Takes a deletion, so that it is undone once; false where another request was faster. */
  async take(id: number, transaction: Transaction): Promise<boolean> {
    return (await runQuery(transaction(TABLE).where({ id }).delete())) === 1;
  }
  /** Deletes what can't be undone any more. */
  async sweep(): Promise<void> {
    await runQuery(this.#database.knex(TABLE).where("expires_at", "<=", encodeDate(new Date())).delete());
  }
}

const runQuery = mapTableErrors(errors.FW_DELETIONS_TABLE);
