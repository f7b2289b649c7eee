import { type Database, encodeDate, PluginTable, retried, type Transaction } from "framewright/plugins/database";
import type { RowOwner } from "framewright/plugins/portals";
import type { BackgroundRunState } from "framewright/plugins/resources";
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
  readonly #table: PluginTable<RunRow>;

  constructor(database: Database) {
    this.#table = new PluginTable(database, TABLE, errors.FW_BACKGROUND_TABLE, { dates, numbers });
  }

  /** Whether the table is there. It is no error that it isn't, while nothing but actions on selected rows would need it. */
  isInstalled(): Promise<boolean> {
    return this.#table.exists();
  }
  async insert(run: Omit<RunRow, "id">, transaction: Transaction): Promise<RunRow> {
    const [id] = await this.#table.run(this.#table.rows({}, transaction).insert(this.#table.encoded(run)));
    return { ...run, id: Number(id) };
  }
  async find(id: number): Promise<RunRow | undefined> {
    return (await this.#table.read(this.#table.rows({ id }).limit(1)))[0];
  }
  async latest(limit: number): Promise<RunRow[]> {
    return this.#table.read(this.#table.rows().orderBy("id", "desc").limit(limit));
  }
  /** Writes a change of the version that was read. @throws RunMovedError */
  async write(run: RunRow, change: Partial<RunRow>, transaction?: Transaction): Promise<RunRow> {
    const changed = { heartbeat_at: new Date(), ...change, version: run.version + 1 };
    // The version alone: a condition on an indexed column makes MariaDB lock that index first, and deadlock.
    const update = () =>
      this.#table
        .rows({ id: run.id, version: run.version }, transaction)
        .update(this.#table.encoded(changed)) as unknown as PromiseLike<number>;
    const count = await this.#table.run(transaction ? update() : retried(update, performance.now() + 5000));
    if (count !== 1) throw new RunMovedError();
    return { ...run, ...changed };
  }

  /** Changes a run that is open, whatever was written since it was read; false when it has ended. */
  async close(run: RunRow, change: Partial<RunRow>): Promise<boolean> {
    const update = () =>
      this.#table.rows({ id: run.id }).whereIn("state", open).update(this.#table.encoded(change)).increment("version");
    return (await this.#table.run(retried(update, performance.now() + 5000))) === 1;
  }

  /** The runs of a person by some actions that are open, or are done since an instant. */
  async recent(owner: RowOwner, actions: readonly string[], since: Date, transaction: Transaction): Promise<RunRow[]> {
    const { resource, portal, owner_type, owner_id, tenant } = owner;
    const runs = this.#table
      .rows({ resource, portal, owner_type, owner_id, tenant }, transaction)
      .whereIn("action", actions);
    const isRecent = (query: typeof runs) => query.where("state", "done").where("finished_at", ">", encodeDate(since));
    runs.where((query) => query.whereIn("state", open).orWhere(isRecent));
    return this.#table.read(runs.orderBy("id"));
  }
  /** The latest runs of a person at a resource, the newest first. */
  async findOf(owner: RowOwner, limit: number): Promise<RunRow[]> {
    return this.#table.read(this.#table.rows(owner).orderBy("id", "desc").limit(limit));
  }
  /** Those that have not ended. */
  async openOf(owner: RowOwner): Promise<RunRow[]> {
    return this.#table.read(this.#table.rows(owner).whereIn("state", open).orderBy("id").limit(MAX_OPEN));
  }
  /** Runs by some actions that were done before an instant, and have something that outlived their end. */
  async keeping(actions: readonly string[], before: Date): Promise<RunRow[]> {
    const runs = this.#table.rows().where("state", "done").where("finished_at", "<", encodeDate(before));
    return this.#table.read(runs.whereIn("action", actions).whereNotNull("problems").limit(MAX_SWEPT));
  }

  /** Open runs that nothing has worked on since. */
  async stale(before: Date): Promise<RunRow[]> {
    const runs = this.#table.rows().whereIn("state", open).where("heartbeat_at", "<", encodeDate(before));
    return this.#table.read(runs.orderBy("heartbeat_at").limit(MAX_SWEPT));
  }
  /** Removes runs that ended before this instant; returns how many. */
  removeEnded(before: Date): Promise<number> {
    const runs = this.#table.rows().whereIn("state", ended).where("finished_at", "<", encodeDate(before));
    return this.#table.run(runs.delete());
  }
}
