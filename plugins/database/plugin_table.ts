import type { Transaction } from "objection";
import { asUnavailable } from "./drivers/unavailable.ts";
import { decodeDate, encodeDate } from "./models/codec.ts";
import type { Database } from "./service_contract.ts";
import { isTableMissing, mapTableErrors } from "./validation/constraint_errors.ts";

/** The columns of a plugin's table that are stored in another form than code has them. */
interface TableColumns {
  /** Instants: `Date`, or null. */
  readonly dates?: readonly string[];
  /** Whole numbers, which a database may read as texts. */
  readonly numbers?: readonly string[];
}

/**
 * A table of a plugin's own: its statements, whose errors are mapped, and its rows as code has them.
 * @example const notes = new PluginTable<NoteRow>(database, "notes", errors.FW_NOTES_TABLE, { dates: ["created_at"], numbers: ["id"] });
 */
export class PluginTable<Row extends object> {
  readonly #database: Database;
  readonly #name: string;
  readonly #dates: readonly string[];
  readonly #numbers: readonly string[];
  #exists = false;
  /** Awaits a query. @throws the error of a missing table; 503 when the database is unavailable */
  readonly run: <T>(query: PromiseLike<T>) => Promise<T>;

  /** `missing`: the error where the table does not exist, with the migration that creates it. */
  constructor(database: Database, name: string, missing: () => Error, { dates = [], numbers = [] }: TableColumns = {}) {
    this.#database = database;
    this.#name = name;
    this.#dates = dates;
    this.#numbers = numbers;
    this.run = mapTableErrors(missing);
  }

  /** A query of the rows that have these values, of which null is one; of all rows without any. */
  rows(values: object = {}, transaction?: Transaction) {
    const query = (transaction ?? this.#database.knex)(this.#name);
    for (const [name, value] of Object.entries(values))
      if (value === null) query.whereNull(name);
      else query.where(name, value as string);
    return query;
  }
  /** Awaits a query of rows. */
  async read(query: PromiseLike<unknown>): Promise<Row[]> {
    return ((await this.run(query)) as Record<string, unknown>[]).map((row) => this.#decoded(row));
  }
  /** Whether the table is there. @throws 503 when the database is unavailable */
  async exists(): Promise<boolean> {
    if (this.#exists) return true;
    try {
      await this.rows().select("id").limit(1);
      this.#exists = true;
    } catch (error) {
      if (!isTableMissing(error)) throw asUnavailable(error);
    }
    return this.#exists;
  }
  /** Values as they are stored. */
  encoded(values: Partial<Row>): Record<string, unknown> {
    const row: Record<string, unknown> = { ...values };
    for (const name of this.#dates) if (row[name] instanceof Date) row[name] = encodeDate(row[name]);
    return row;
  }

  #decoded(stored: Record<string, unknown>): Row {
    const row = { ...stored };
    for (const name of this.#dates) row[name] = (decodeDate(row[name]) as Date | null) ?? null;
    for (const name of this.#numbers) row[name] = row[name] === null ? null : Number(row[name]);
    return row as Row;
  }
}
