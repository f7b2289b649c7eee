import {
  asUnavailable,
  type Database,
  encodeDate,
  isTableMissing,
  type Transaction,
} from "framewright/plugins/database";
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
    await asked(transaction(TABLE).insert({ ...owner, ...row, expires_at: encodeDate(row.expires_at) }));
  }
  /** What a person may undo by a key, the last deleted first. */
  async find(owner: RowOwner, undo_key: string): Promise<DeletionRow[]> {
    const query = this.#database.knex(TABLE).where({ undo_key }).where("expires_at", ">", encodeDate(new Date()));
    for (const [name, value] of Object.entries(owner))
      if (value === null) query.whereNull(name);
      else query.where(name, value);
    const rows: Record<string, unknown>[] = await asked(query.orderBy("id", "desc"));
    return rows.map(({ id, content }) => ({ id: Number(id), content: String(content) }));
  }
  /** Takes a deletion, so that it is undone once; false where another request was faster. */
  async take(id: number, transaction: Transaction): Promise<boolean> {
    return (await asked(transaction(TABLE).where({ id }).delete())) === 1;
  }
  /** Deletes what can't be undone any more. */
  async sweep(): Promise<void> {
    await asked(this.#database.knex(TABLE).where("expires_at", "<=", encodeDate(new Date())).delete());
  }
}

/** @throws FW_DELETIONS_TABLE; 503 when the database is unavailable */
async function asked<T>(query: PromiseLike<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    if (isTableMissing(error)) throw errors.FW_DELETIONS_TABLE();
    throw asUnavailable(error);
  }
}
