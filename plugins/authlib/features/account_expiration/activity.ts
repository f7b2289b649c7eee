import { decodeDate, type Knex } from "framewright/plugins/database";
import type { AccountRecord } from "../../account_type.ts";
import type { AuthlibBase } from "../../base.ts";

export const table = "activity_times";
const sessions = "active_session_keys";
/** Accounts per statement. */
const BATCH_ROWS = 500;

/** When an account was used. Undefined dates are unknown. */
export interface Activity {
  lastActivityAt: Date;
  lastLoginAt: Date | undefined;
  /** The sign-in before the last. */
  previousLoginAt: Date | undefined;
}
/** An account that was not used for long. */
export interface DormantAccount {
  account: AccountRecord;
  lastActivityAt: Date;
  lastLoginAt: Date | undefined;
}
const dateOf = (value: unknown): Date | undefined => (value == null ? undefined : (decodeDate(value) as Date));

/** The stored times at which accounts were used. */
export class ActivityTimes {
  readonly #authlib: AuthlibBase;

  constructor(authlib: AuthlibBase) {
    this.#authlib = authlib;
  }

  /** Undefined for an account that was not used since the feature was added. */
  async of({ id }: { id: number }): Promise<Activity | undefined> {
    const [row] = await this.#rows(this.#times().where({ account_id: id }).limit(1));
    return row && readActivity(row);
  }
  /** Whether the account was not used since then. An incomplete sign-in does not count. */
  async isUnusedSince({ id }: { id: number }, when: Date): Promise<boolean> {
    const activity = await this.of({ id });
    const used = activity && (await this.lastUse(id, this.#authlib.knex));
    return activity !== undefined && activity.lastActivityAt < when && (used === undefined || used < when);
  }
  /** The last request of the account's stored sign-ins. */
  async lastUse(id: number, connection: Knex): Promise<Date | undefined> {
    const rows = connection(this.#authlib.type.table(sessions)).where({ account_id: id });
    const found = await rows.whereNot("factors", "like", "%?%").max({ at: "last_use" }).first();
    return dateOf(found?.at);
  }
  /** Records a use, in one statement, so that no parallel one is lost. A sign-in also moves the last one to `previous_login_at`. */
  async note({ id }: { id: number }, now: Date, { isLogin }: { isLogin: boolean }): Promise<void> {
    const name = this.#authlib.type.table(table);
    const row = { account_id: id, last_activity_at: now, ...(isLogin ? { last_login_at: now } : {}) };
    const before = this.#authlib.knex.ref(`${name}.last_login_at`);
    const changes = isLogin
      ? { previous_login_at: before, last_login_at: now, last_activity_at: now } // in this order: MariaDB assigns from left to right
      : { last_activity_at: now };
    await this.#authlib.statement(() => this.#times().insert(row).onConflict("account_id").merge(changes));
  }
  /** Call it before sign-ins are deleted: keeps the time of their last use. */
  async keepLastUse({ id }: { id: number }, connection: Knex): Promise<void> {
    const at = await this.lastUse(id, connection);
    if (at === undefined) return;
    const row = connection(this.#authlib.type.table(table)).where({ account_id: id });
    await row.where("last_activity_at", "<", at).update({ last_activity_at: at });
  }
  async forget({ id }: { id: number }, connection: Knex): Promise<void> {
    await connection(this.#authlib.type.table(table)).where({ account_id: id }).delete();
  }
  /** Adds rows with the current time for accounts without one: their time starts when the feature first sees them. */
  async noteAll(now: Date): Promise<void> {
    const accounts = this.#authlib.type.model.table;
    for (let last = 0; ; ) {
      const missing = this.#authlib
        .knex({ a: accounts })
        .leftJoin({ t: this.#authlib.type.table(table) }, "t.account_id", "a.id")
        .whereNull("t.id")
        .whereIn("a.account_status", ["unverified", "verified"])
        .where("a.id", ">", last);
      const ids = (await this.#rows(missing.select("a.id").orderBy("a.id").limit(BATCH_ROWS))).map(({ id }) =>
        Number(id),
      );
      if (ids.length === 0) return;
      const rows = ids.map((account_id) => ({ account_id, last_activity_at: now }));
      await this.#times().insert(rows).onConflict("account_id").ignore();
      last = ids.at(-1)!;
    }
  }
  /** Open accounts that were not used since then, longest unused first. */
  async unusedSince(when: Date, { limit, offset }: { limit: number; offset: number }): Promise<DormantAccount[]> {
    const { type, knex } = this.#authlib;
    const { table: accounts } = type.model;
    const sessionsSince = knex({ k: type.table(sessions) })
      .whereRaw("?? = ??", ["k.account_id", "t.account_id"])
      .whereNot("k.factors", "like", "%?%")
      .where("k.last_use", ">=", when);
    const query = knex(accounts)
      .join({ t: type.table(table) }, "t.account_id", `${accounts}.id`)
      .where("t.last_activity_at", "<", when)
      .whereNot(`${accounts}.account_status`, "closed")
      .whereNotExists(sessionsSince.select("k.id"))
      .select(`${accounts}.*`, { fw_activity: "t.last_activity_at", fw_login: "t.last_login_at" })
      .orderBy([{ column: "t.last_activity_at" }, { column: "t.id" }])
      .limit(limit)
      .offset(offset);
    return (await this.#rows(query)).map(({ fw_activity, fw_login, ...row }) => ({
      account: this.#authlib.recordOf(row),
      lastActivityAt: dateOf(fw_activity)!,
      lastLoginAt: dateOf(fw_login),
    }));
  }

  #times() {
    return this.#authlib.knex(this.#authlib.type.table(table));
  }
  #rows(query: Parameters<AuthlibBase["type"]["services"]["database"]["rows"]>[0]) {
    return this.#authlib.type.services.database.rows(query);
  }
}

const readActivity = (row: Record<string, unknown>): Activity => ({
  lastActivityAt: dateOf(row.last_activity_at)!,
  lastLoginAt: dateOf(row.last_login_at),
  previousLoginAt: dateOf(row.previous_login_at),
});
