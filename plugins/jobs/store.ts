import { randomUUID } from "node:crypto";
import {
  type Database,
  decodeDate,
  encodeDate,
  type Knex,
  mapTableErrors,
  retried,
} from "framewright/plugins/database";
import type { JobCount, JobFilter, JobInfo, JobOptions, JobState } from "./contract.ts";
import { errors } from "./errors.ts";

export const TABLE = "framewright_jobs";
const MAX_ATTEMPTS = 12;
const MAX_ERROR_CHARS = 500;

/** A job that this process claimed. Results are only written while the row still has this holder and attempt. */
export interface Claim {
  id: number;
  kind: string;
  payload: string;
  attempts: number;
  max_attempts: number;
  created_at: unknown;
}
/** A job as it is stored, as far as its texts go. */
export interface StoredJob {
  readonly id: number;
  readonly kind: string;
  readonly payload: string | null;
  readonly last_error: string | null;
}
type Row = Record<string, unknown>;

/** All statements on the table of jobs. Every change is conditional, so that of two processes only one succeeds. */
export class JobStore {
  readonly #database: Database;
  readonly #lease: number;
  readonly #unanswered = new Set<Claim>();
  readonly #holder = `${process.pid}-${randomUUID()}`;

  constructor(database: Database, lease: number) {
    this.#database = database;
    this.#lease = lease;
  }

  async insert(kind: string, payload: string, { runAt, maxAttempts, transaction }: JobOptions): Promise<number> {
    const now = new Date();
    const row = {
      kind,
      payload,
      max_attempts: Math.max(1, Math.trunc(maxAttempts ?? MAX_ATTEMPTS)),
      run_at: encodeDate(runAt ?? now),
      created_at: encodeDate(now),
    };
    const table = (transaction ?? this.#database.knex)(TABLE);
    const [id] = await runQuery(table.insert(row));
    return Number(id);
  }

  /**
   * Claims up to `limit` jobs of these kinds that are due, or whose lease has expired. If claiming one fails, the jobs
   * claimed before it are returned: otherwise nobody would run them until their leases expire.
   */
  async claim(kinds: readonly string[], limit: number): Promise<Claim[]> {
    const claims = await this.#confirmed();
    try {
      const now = encodeDate(new Date());
      const due = this.#due(now).whereIn("kind", kinds).orderBy("run_at").orderBy("id");
      const rows: Row[] = await runQuery(due.limit(Math.max(0, limit - claims.length)));
      for (const row of rows) {
        const claim = { ...(row as unknown as Claim), id: Number(row.id), attempts: Number(row.attempts) + 1 };
        if (await this.#claimRow(now, claim)) claims.push(claim);
      }
    } catch (error) {
      if (claims.length === 0) throw error;
    }
    return claims;
  }
  async #claimRow(now: string, claim: Claim): Promise<boolean> {
    const { id, attempts } = claim;
    const claimed = { state: "running", locked_by: this.#holder, locked_until: this.#until(), attempts };
    try {
      const row = () => this.#due(now).where({ id, attempts: attempts - 1 });
      return (await runStatement(() => row().update(claimed))) === 1;
    } catch (error) {
      this.#unanswered.add(claim);
      throw error;
    }
  }
  /** The claims that got no answer, as when the connection was lost, and were made all the same: they would use up an attempt without a run. */
  async #confirmed(): Promise<Claim[]> {
    const claims: Claim[] = [];
    for (const claim of this.#unanswered) {
      const { id, attempts } = claim;
      const claimed = () => this.#table().where({ id, attempts, state: "running", locked_by: this.#holder });
      const count = await runStatement(() => claimed().update({ locked_until: this.#until() })).catch(() => undefined);
      if (count === undefined) break; // still no answer
      this.#unanswered.delete(claim);
      if (count === 1) claims.push(claim);
    }
    return claims;
  }

  renew(claims: readonly Claim[]): Promise<number> {
    const ids = claims.map(({ id }) => id);
    const running = () => this.#table().where({ state: "running", locked_by: this.#holder });
    return runStatement(() => running().whereIn("id", ids).update({ locked_until: this.#until() }));
  }

  markDone(claim: Claim): Promise<boolean> {
    return this.#updateClaimed(claim, {
      state: "done",
      payload: null,
      last_error: null,
      finished_at: encodeDate(new Date()),
    });
  }
  rescheduleAfterFailure(claim: Claim, at: Date, message: string): Promise<boolean> {
    return this.#updateClaimed(claim, { state: "waiting", run_at: encodeDate(at), last_error: truncate(message) });
  }
  markFailed(claim: Claim, message: string): Promise<boolean> {
    return this.#updateClaimed(claim, {
      state: "failed",
      last_error: truncate(message),
      finished_at: encodeDate(new Date()),
    });
  }
  /** Releases a job as if it had not been started. */
  release(claim: Claim): Promise<boolean> {
    const { attempts } = claim;
    return this.#updateClaimed(claim, { state: "waiting", attempts: attempts - 1, run_at: encodeDate(new Date()) });
  }

  /** Removes a claimed job: it is stored elsewhere now. */
  async remove({ id, attempts }: Claim): Promise<boolean> {
    const claimed = () => this.#table().where({ id, attempts, state: "running", locked_by: this.#holder });
    return (await runStatement(() => claimed().delete())) === 1;
  }

  async list({ state, kind, limit = 100 }: JobFilter): Promise<JobInfo[]> {
    const query = this.#table().select(INFO_COLUMNS).orderBy("id", "desc").limit(limit);
    if (state !== undefined) query.where({ state });
    if (kind !== undefined) query.where({ kind });
    const rows: Row[] = await runQuery(query);
    return rows.map(jobInfo);
  }
  async counts(): Promise<JobCount[]> {
    const open = this.#table().whereIn("state", ["waiting", "running", "failed"]);
    const rows: Row[] = await runQuery(open.groupBy("kind", "state").select("kind", "state").count("* as count"));
    return rows.map(({ kind, state, count }) => ({
      kind: String(kind),
      state: state as JobCount["state"],
      count: Number(count),
    }));
  }
  async find(id: number): Promise<JobInfo | undefined> {
    const [row]: Row[] = await runQuery(this.#table().select(INFO_COLUMNS).where({ id }));
    return row && jobInfo(row);
  }

  async retry(id: number): Promise<boolean> {
    const fresh = { state: "waiting", attempts: 0, run_at: encodeDate(new Date()), finished_at: null };
    return (await runQuery(this.#table().where({ id }).whereIn("state", ["failed", "waiting"]).update(fresh))) === 1;
  }
  async discard(id: number): Promise<boolean> {
    const now = encodeDate(new Date());
    const idle = this.#table()
      .where({ id })
      .where((either) => either.whereNot({ state: "running" }).orWhere("locked_until", "<", now));
    return (await runQuery(idle.delete())) === 1;
  }
  /** Removes jobs that were completed before this instant. */
  sweep(before: Date): Promise<number> {
    return runQuery(this.#table().where({ state: "done" }).where("finished_at", "<", encodeDate(before)).delete());
  }

  /**
   * Goes through the jobs that are not done, in a transaction: `change` returns what is stored of it, the job itself where it stays
   * as it is, or undefined to remove it.
   */
  async rewrite(
    transaction: Knex,
    change: (job: StoredJob) => Partial<StoredJob> | undefined,
    limit = 200,
  ): Promise<void> {
    for (let last = 0; ; ) {
      const query = transaction(TABLE).whereNot({ state: "done" }).where("id", ">", last).orderBy("id").limit(limit);
      const rows: StoredJob[] = await runQuery(query.select("id", "kind", "payload", "last_error"));
      for (const row of rows) {
        const changes = change(row);
        if (changes === row) continue; // which is not locked
        const own = transaction(TABLE).where({ id: row.id });
        await runQuery(changes ? own.update(changes) : own.delete());
      }
      if (rows.length < limit) return;
      last = Number(rows.at(-1)!.id);
    }
  }

  #table(): Knex.QueryBuilder {
    return this.#database.knex(TABLE);
  }
  #due(now: string): Knex.QueryBuilder {
    return this.#table().where((either) =>
      either
        .where((waiting) => waiting.where("state", "waiting").where("run_at", "<=", now))
        .orWhere((expired) => expired.where("state", "running").where("locked_until", "<", now)),
    );
  }
  #until(): string {
    return encodeDate(new Date(Date.now() + this.#lease));
  }
  async #updateClaimed({ id, attempts }: Claim, change: object): Promise<boolean> {
    const claimed = () => this.#table().where({ id, attempts, state: "running", locked_by: this.#holder });
    return (await runStatement(() => claimed().update({ ...change, locked_by: null, locked_until: null }))) === 1;
  }
}

const runQuery = mapTableErrors(errors.FW_JOBS_TABLE);

/** Runs a single statement outside of a transaction; retried for a second after a lock conflict. */
const runStatement = <T>(query: () => PromiseLike<T>): Promise<T> => runQuery(retried(query, performance.now() + 1000));

const truncate = (message: string): string => [...message].slice(0, MAX_ERROR_CHARS).join("");

const INFO_COLUMNS = [
  "id",
  "kind",
  "state",
  "attempts",
  "max_attempts",
  "run_at",
  "created_at",
  "finished_at",
  "last_error",
] as const;
function jobInfo(row: Row): JobInfo {
  return {
    id: Number(row.id),
    kind: String(row.kind),
    state: row.state as JobState,
    attempts: Number(row.attempts),
    maxAttempts: Number(row.max_attempts),
    runAt: decodeDate(row.run_at) as Date,
    createdAt: decodeDate(row.created_at) as Date,
    finishedAt: (decodeDate(row.finished_at) as Date | null) ?? undefined,
    lastError: (row.last_error as string | null) ?? undefined,
  };
}
