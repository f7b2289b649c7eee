import {
  asUnavailable,
  type Database,
  decodeDate,
  encodeDate,
  isTableMissing,
  mapTableErrors,
  retried,
  type Transaction,
} from "framewright/plugins/database";
import type { BackgroundRunState } from "framewright/plugins/resources";
import type { RowOwner } from "framewright/plugins/resources/toolkit";
import { errors } from "./errors.ts";
import type { RunRow } from "./run.ts";

const TABLE = "framewright_background_runs";
const open: readonly BackgroundRunState[] = ["waiting", "running"];
const ended: readonly BackgroundRunState[] = ["done", "failed", "cancelled"];
const dates = ["locked_until", "heartbeat_at", "created_at", "finished_at"] as const;
const numbers = ["id", "version", "starts", "total", "done", "refused", "failed"] as const;
/** How many rows one sweep looks at. */
const MAX_SWEPT = 500;
/** How many open runs of a person are shown at once. */
const MAX_OPEN = 5;

/** Another process has changed the run: what was about to be written is void. */
export class RunMovedError extends Error {
  constructor() {
    super("the background run was changed by another process");
  }
}

/** All statements on the table. A change names the version that it was based on, so that of two only one is made. */
export class RunStore {
  readonly #database: Database;
  #isInstalled = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Whether the table is there. It is no error that it isn't, while nothing but actions on selected rows would need it. */
  async isInstalled(): Promise<boolean> {
    if (this.#isInstalled) return true;
    try {
      await this.#database.knex(TABLE).select("id").limit(1);
      this.#isInstalled = true;
    } catch (error) {
      if (!isTableMissing(error)) throw asUnavailable(error);
    }
    return this.#isInstalled;
  }
  async insert(run: Omit<RunRow, "id">, transaction: Transaction): Promise<RunRow> {
    const [id] = await runQuery(transaction(TABLE).insert(encoded(run)));
    return { ...run, id: Number(id) };
  }
  async find(id: number): Promise<RunRow | undefined> {
    const [row] = await runQuery(this.#database.knex(TABLE).where({ id }).limit(1));
    return row && decoded(row);
  }
  async latest(limit: number): Promise<RunRow[]> {
    return (await runQuery(this.#database.knex(TABLE).orderBy("id", "desc").limit(limit))).map(decoded);
  }
  /** Writes a change of the version that was read. @throws RunMovedError */
  async write(run: RunRow, change: Partial<RunRow>, transaction?: Transaction): Promise<RunRow> {
    const changed = { heartbeat_at: new Date(), ...change, version: run.version + 1 };
    // The version alone: a condition on an indexed column makes MariaDB lock that index first, and deadlock.
    const update = () =>
      (transaction ?? this.#database.knex)(TABLE)
        .where({ id: run.id, version: run.version })
        .update(encoded(changed)) as unknown as PromiseLike<number>;
    const count = await runQuery(transaction ? update() : retried(update, performance.now() + 5000));
    if (count !== 1) throw new RunMovedError();
    return { ...run, ...changed };
  }

  /** Changes a run that is open, whatever was written since it was read; false when it has ended. */
  async close(run: RunRow, change: Partial<RunRow>): Promise<boolean> {
    const update = () =>
      this.#database
        .knex(TABLE)
        .where({ id: run.id })
        .whereIn("state", open)
        .update(encoded(change))
        .increment("version");
    return (await runQuery(retried(update, performance.now() + 5000))) === 1;
  }

  /** The runs of a person by some actions that are open, or are done since an instant. */
  async recent(owner: RowOwner, actions: readonly string[], since: Date, transaction: Transaction): Promise<RunRow[]> {
    const { resource, owner_type, owner_id } = owner;
    const runs = transaction(TABLE).where({ resource, owner_type, owner_id }).whereIn("action", actions);
    for (const name of ["portal", "tenant"] as const)
      if (owner[name] === null) runs.whereNull(name);
      else runs.where(name, owner[name]);
    const isRecent = (query: typeof runs) => query.where("state", "done").where("finished_at", ">", encodeDate(since));
    runs.where((query) => query.whereIn("state", open).orWhere(isRecent));
    return (await runQuery(runs.orderBy("id"))).map(decoded);
  }
  /** The latest runs of a person at a resource, the newest first. */
  async findOf(owner: RowOwner, limit: number): Promise<RunRow[]> {
    return (await runQuery(this.#of(owner).orderBy("id", "desc").limit(limit))).map(decoded);
  }
  /** Those that have not ended. */
  async openOf(owner: RowOwner): Promise<RunRow[]> {
    return (await runQuery(this.#of(owner).whereIn("state", open).orderBy("id").limit(MAX_OPEN))).map(decoded);
  }
  #of(owner: RowOwner) {
    const runs = this.#database.knex(TABLE);
    for (const [name, value] of Object.entries(owner))
      if (value === null) runs.whereNull(name);
      else runs.where(name, value);
    return runs;
  }
  /** Runs by some actions that were done before an instant, and have something that outlived their end. */
  async keeping(actions: readonly string[], before: Date): Promise<RunRow[]> {
    const runs = this.#database.knex(TABLE).where("state", "done").where("finished_at", "<", encodeDate(before));
    return (await runQuery(runs.whereIn("action", actions).whereNotNull("problems").limit(MAX_SWEPT))).map(decoded);
  }

  /** Open runs that nothing has worked on since. */
  async stale(before: Date): Promise<RunRow[]> {
    const runs = this.#database.knex(TABLE).whereIn("state", open).where("heartbeat_at", "<", encodeDate(before));
    return (await runQuery(runs.orderBy("heartbeat_at").limit(MAX_SWEPT))).map(decoded);
  }
  /** Removes runs that ended before this instant; returns how many. */
  removeEnded(before: Date): Promise<number> {
    const runs = this.#database.knex(TABLE).whereIn("state", ended).where("finished_at", "<", encodeDate(before));
    return runQuery(runs.delete());
  }
}

const runQuery = mapTableErrors(errors.FW_BACKGROUND_TABLE);

function encoded(values: Partial<RunRow>): Record<string, unknown> {
  const row: Record<string, unknown> = { ...values };
  for (const name of dates) if (row[name] instanceof Date) row[name] = encodeDate(row[name]);
  return row;
}
function decoded(stored: Record<string, unknown>): RunRow {
  const row = { ...stored };
  for (const name of dates) row[name] = (decodeDate(row[name]) as Date | null) ?? null;
  for (const name of numbers) row[name] = Number(row[name]);
  return row as unknown as RunRow;
}
