import { randomUUID } from "node:crypto";
import { asUnavailable, type Database, decodeDate, encodeDate, type Knex, retried } from "framewright/plugins/database";
import type { JobFilter, JobInfo, JobOptions, JobState } from "./contract.ts";
import { errors } from "./errors.ts";

export const TABLE = "framewright_jobs";
const MAX_ATTEMPTS = 12;
const ERROR_LENGTH = 500;

/** A job that this process holds: whoever took it since has another holder or attempt, and this one's word no longer counts. */
export interface Claim {
  id: number;
  kind: string;
  payload: string;
  attempts: number;
  max_attempts: number;
}
type Row = Record<string, unknown>;

/** Every statement about the table. Each change is conditional: two processes never both believe that they did it. */
export class JobStore {
  readonly #database: Database;
  readonly #lease: number;
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
    const [id] = await told(table.insert(row));
    return Number(id);
  }

  /**
   * Takes up to `most` jobs of these kinds that are due, or whose holder is gone. When one can't be taken, those before
   * it are still this process's: they are given to it, or nobody would do them until their leases are over.
   */
  async claim(kinds: readonly string[], most: number): Promise<Claim[]> {
    const now = encodeDate(new Date());
    const due: Row[] = await told(this.#due(now).whereIn("kind", kinds).orderBy("run_at").orderBy("id").limit(most));
    const claims: Claim[] = [];
    for (const row of due) {
      const attempts = Number(row.attempts) + 1;
      const hold = { state: "running", locked_by: this.#holder, locked_until: this.#until(), attempts };
      const take = () => this.#due(now).where({ id: row.id, attempts: row.attempts }).update(hold);
      try {
        if ((await retold(take)) === 1) claims.push({ ...(row as unknown as Claim), id: Number(row.id), attempts });
      } catch (error) {
        if (claims.length === 0) throw error;
        break;
      }
    }
    return claims;
  }

  renew(claims: readonly Claim[]): Promise<number> {
    const ids = claims.map(({ id }) => id);
    const held = () => this.#table().where({ state: "running", locked_by: this.#holder });
    return retold(() => held().whereIn("id", ids).update({ locked_until: this.#until() }));
  }

  done(claim: Claim): Promise<boolean> {
    return this.#settle(claim, { state: "done", payload: null, last_error: null, finished_at: encodeDate(new Date()) });
  }
  again(claim: Claim, at: Date, message: string): Promise<boolean> {
    return this.#settle(claim, { state: "waiting", run_at: encodeDate(at), last_error: cut(message) });
  }
  giveUp(claim: Claim, message: string): Promise<boolean> {
    return this.#settle(claim, { state: "failed", last_error: cut(message), finished_at: encodeDate(new Date()) });
  }
  /** Gives a job back as if it had not been begun. */
  giveBack(claim: Claim): Promise<boolean> {
    const { attempts } = claim;
    return this.#settle(claim, { state: "waiting", attempts: attempts - 1, run_at: encodeDate(new Date()) });
  }

  async list({ state, kind, limit = 100 }: JobFilter): Promise<JobInfo[]> {
    const query = this.#table().select(shown).orderBy("id", "desc").limit(limit);
    if (state !== undefined) query.where({ state });
    if (kind !== undefined) query.where({ kind });
    const rows: Row[] = await told(query);
    return rows.map(infoOf);
  }
  async find(id: number): Promise<JobInfo | undefined> {
    const [row]: Row[] = await told(this.#table().select(shown).where({ id }));
    return row && infoOf(row);
  }

  async retry(id: number): Promise<boolean> {
    const fresh = { state: "waiting", attempts: 0, run_at: encodeDate(new Date()), finished_at: null };
    return (await told(this.#table().where({ id }).whereIn("state", ["failed", "waiting"]).update(fresh))) === 1;
  }
  async discard(id: number): Promise<boolean> {
    const now = encodeDate(new Date());
    const idle = this.#table()
      .where({ id })
      .where((either) => either.whereNot({ state: "running" }).orWhere("locked_until", "<", now));
    return (await told(idle.delete())) === 1;
  }
  /** Removes what was done before this instant. */
  sweep(before: Date): Promise<number> {
    return told(this.#table().where({ state: "done" }).where("finished_at", "<", encodeDate(before)).delete());
  }

  #table(): Knex.QueryBuilder {
    return this.#database.knex(TABLE);
  }
  #due(now: string): Knex.QueryBuilder {
    return this.#table().where((either) =>
      either
        .where((waits) => waits.where("state", "waiting").where("run_at", "<=", now))
        .orWhere((left) => left.where("state", "running").where("locked_until", "<", now)),
    );
  }
  #until(): string {
    return encodeDate(new Date(Date.now() + this.#lease));
  }
  async #settle({ id, attempts }: Claim, change: object): Promise<boolean> {
    const held = () => this.#table().where({ id, attempts, state: "running", locked_by: this.#holder });
    return (await retold(() => held().update({ ...change, locked_by: null, locked_until: null }))) === 1;
  }
}

/** Runs a query. @throws FW_JOBS_TABLE; 503 when the database is away */
async function told<T>(query: PromiseLike<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    if (code === "ER_NO_SUCH_TABLE" || /no such table/.test(message ?? "")) throw errors.FW_JOBS_TABLE();
    throw asUnavailable(error);
  }
}

/** As told, for one statement alone: tried again for a second when another transaction was in its way. */
const retold = <T>(query: () => PromiseLike<T>): Promise<T> => told(retried(query, performance.now() + 1000));

const cut = (message: string): string => [...message].slice(0, ERROR_LENGTH).join("");

const shown = [
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
function infoOf(row: Row): JobInfo {
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
