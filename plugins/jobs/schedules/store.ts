import {
  type Database,
  decodeDate,
  encodeDate,
  type Knex,
  mapTableErrors,
  retried,
  type Transaction,
} from "framewright/plugins/database";
import { errors } from "../errors.ts";

const TABLE = "framewright_job_schedules";

/** What is stored of a schedule: when it is due next, by the declaration that the text `timing` names. */
export interface ScheduleRow {
  name: string;
  timing: string;
  nextAt: Date;
  lastAt: Date | undefined;
  lastJob: number | undefined;
}

/** All statements on the table. A change names the due time that it was based on, so that of two processes only one succeeds. */
export class ScheduleStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async hasTable(): Promise<boolean> {
    return (await runQuery(this.#database.tables())).includes(TABLE);
  }
  async find(names: readonly string[]): Promise<ScheduleRow[]> {
    const rows: Record<string, unknown>[] = await runQuery(this.#table().whereIn("name", names));
    return rows.map(decoded);
  }
  /** Stores a new schedule, unless another process just did. */
  async insert(name: string, timing: string, nextAt: Date): Promise<void> {
    const row = { name, timing, next_at: encodeDate(nextAt) };
    const insert = () => this.#table().insert(row).onConflict("name").ignore();
    await runQuery(retried(insert, performance.now() + 1000));
  }
  /** Replaces the declaration of a row; false when the row has changed since. */
  async redeclare(row: ScheduleRow, timing: string, nextAt: Date): Promise<boolean> {
    const update = () => this.#unchanged(row).update({ timing, next_at: encodeDate(nextAt) });
    return (await runQuery(retried(update, performance.now() + 1000))) === 1;
  }
  /**
   * Ends the current due time of a row and stores its job, in one transaction: both happen once, or not at all. False when
   * another process was first.
   */
  advance(row: ScheduleRow, nextAt: Date, enqueue: (transaction: Transaction) => Promise<number>): Promise<boolean> {
    const ended = { next_at: encodeDate(nextAt), last_at: encodeDate(row.nextAt) };
    const work = async (transaction: Transaction) => {
      if ((await this.#unchanged(row, transaction).update(ended)) !== 1) return false;
      const job = await enqueue(transaction);
      await transaction(TABLE).where({ name: row.name }).update({ last_job: job });
      return true;
    };
    return runQuery(this.#database.transaction(work, { by: `the schedule "${row.name}"` }));
  }
  /** Removes schedules with other names than these that have been due since before this instant: nothing declares them. */
  sweep(names: readonly string[], before: Date): Promise<number> {
    return runQuery(this.#table().whereNotIn("name", names).where("next_at", "<", encodeDate(before)).delete());
  }

  #table(): Knex.QueryBuilder {
    return this.#database.knex(TABLE);
  }
  #unchanged({ name, timing, nextAt }: ScheduleRow, transaction?: Transaction): Knex.QueryBuilder {
    return (transaction ?? this.#database.knex)(TABLE).where({ name, timing, next_at: encodeDate(nextAt) });
  }
}

/** @throws FW_SCHEDULES_TABLE; 503 when the database is unavailable */
const runQuery = mapTableErrors(errors.FW_SCHEDULES_TABLE);

function decoded({ name, timing, next_at, last_at, last_job }: Record<string, unknown>): ScheduleRow {
  return {
    name: String(name),
    timing: String(timing),
    nextAt: decodeDate(next_at) as Date,
    lastAt: (decodeDate(last_at) as Date | null) ?? undefined,
    lastJob: last_job === null ? undefined : Number(last_job),
  };
}
