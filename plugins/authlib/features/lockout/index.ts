import type { Reply } from "framewright/host";
import { checkOptions, option } from "framewright/kernel";
import { decodeDate, type Knex, type Transaction } from "framewright/plugins/database";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";

const MINUTE_MS = 60_000;
const failures = "login_failures";
const lockouts = "lockouts";
const keys = "unlock_keys";
const mailed = { name: "unlock_account", page: "unlock-account", emitsEvent: false };

/** Options of `lockout()`. */
export interface LockoutOptions {
  /** How many wrong passwords in a row lock a login. */
  maxAttempts?: number;
  /** How many minutes it is locked. */
  minutes?: number;
}
/** What the feature `lockout` adds. */
export interface LockoutSteps {
  unlockAccountPage(): Promise<Reply>;
  submitUnlockAccount(): Promise<Reply>;
  mailUnlock(login: string): Promise<void>;
}

/**
 * Locks a login as typed, existing or not, after too many wrong passwords. Mails its owner a link to unlock it. The reply
 * to a locked login is that to a wrong password.
 */
export function lockout(options: LockoutOptions = {}) {
  checkOptions("lockout", options, { maxAttempts: option.number, minutes: option.number });
  return defineFeature<LockoutSteps>({
    name: "lockout",
    directory: import.meta.dirname,
    options,
    requires: ["login"],
    tables: [failures, lockouts, keys],
    credentials: [keys],
    routes: [...form("unlock-account", "anyone")],
    steps,
  });
}

function steps(Base: AuthlibClass) {
  return class WithLockout extends Base {
    override async isLoginAllowed(login: string): Promise<boolean> {
      return (this.isLockoutBypassed(login) || !(await this.#isLocked(login))) && (await super.isLoginAllowed(login));
    }
    override async afterPassword(login: string): Promise<void> {
      await this.#forget(this.normalizeLogin(login));
      await super.afterPassword(login);
    }
    override async afterLoginFailure(login: string, by?: string): Promise<void> {
      await super.afterLoginFailure(login, by);
      if ((await this.#isLocked(login)) || !(await this.#reachesLimit(login))) return;
      await this.transaction(async (transaction) => {
        if (!(await this.#takeFailures(login, transaction))) return;
        await this.lockLogin(login, { connection: transaction });
        await this.reportLater("locked", login, {}, transaction);
        await this.enqueueStep("mailUnlock", login, transaction);
      });
    }

    override async lockLogin(
      login: string,
      {
        minutes = this.#options.minutes ?? 60,
        connection = this.knex,
      }: { minutes?: number | undefined; connection?: Knex } = {},
    ): Promise<void> {
      const now = new Date();
      const digest = this.type.services.digests.digest(this.limitKey(login));
      const row = { login_digest: digest, deadline: new Date(now.getTime() + minutes * MINUTE_MS), created_at: now };
      await connection(this.type.table(lockouts)).where("deadline", "<", now).delete();
      await connection(this.type.table(lockouts))
        .insert(row)
        .onConflict("login_digest")
        .merge(["deadline", "created_at"]);
    }
    override async unlockLogin(login: string, connection: Knex = this.knex): Promise<boolean> {
      const isLocked = (await this.#lockOf(login, connection)) !== undefined;
      await this.#forget(login, connection);
      return isLocked;
    }
    override async lockedUntil(login: string): Promise<Date | undefined> {
      return decodeDate((await this.#lockOf(login))?.deadline) as Date | undefined;
    }

    /** Mails the owner of a locked login, where it exists. */
    async mailUnlock(login: string): Promise<void> {
      if (!(await this.#isLocked(login))) return;
      const account = await this.findAccountByLogin(login);
      const lifetime = (this.#options.minutes ?? 60) * MINUTE_MS;
      const isOpen = account !== undefined && this.isOpen(account);
      if (isOpen && (await this.mailKey(account, { ...mailed, table: keys, lifetime }))) return;
      await this.mailNobody(login, mailed.name, mailed);
    }
    async unlockAccountPage(): Promise<Reply> {
      const csrf = this.csrf("unlock-account");
      if (this.keyParam() === "") return this.page("unlock_account_request", { csrf });
      return (await this.findKey(keys, this.keyParam()))
        ? this.page("unlock_account", { key: this.keyParam(), csrf })
        : this.expiredLink("unlock-account");
    }
    async submitUnlockAccount(): Promise<Reply> {
      if (this.keyParam() === "") return this.#request();
      const found = await this.findKey(keys, this.keyParam());
      if (!found || !this.isOpen(found.account)) return this.expiredLink("unlock-account");
      const { row, account } = found;
      if (!(await this.transaction((trx) => this.spendKey(keys, row, trx)))) return this.expiredLink("unlock-account");
      await this.#forget(this.normalizeLogin(this.loginOf(account)));
      await this.bypassLockout(account);
      await this.emitEvent("unlocked", {}, account);
      return this.done(this.t("unlock_account.done"), this.type.path("login"));
    }

    get #options(): LockoutOptions {
      return this.optionsOf<LockoutOptions>("lockout");
    }
    async #request(): Promise<Reply> {
      const fields = this.blanks("login");
      if (fields)
        return this.refuse("unlock_account_request", { fields, locals: { csrf: this.csrf("unlock-account") } });
      await this.mailLater("mailUnlock", this.param("login")!);
      return this.checkYourMail("unlock-account");
    }
    async #isLocked(login: string): Promise<boolean> {
      return (await this.#lockOf(login)) !== undefined;
    }
    async #lockOf(login: string, connection?: Knex): Promise<Record<string, unknown> | undefined> {
      const { database, digests } = this.type.services;
      const query = (connection ?? this.knex)(this.type.table(lockouts))
        .whereIn("login_digest", digests.all(this.limitKey(login)))
        .where("deadline", ">", new Date())
        .limit(1);
      return (await (connection ? query : database.rows(query)))[0];
    }
    /** Counts a failure; true where it reaches the limit. Single statements count parallel failures of all nodes. */
    async #reachesLimit(login: string): Promise<boolean> {
      const { digests } = this.type.services;
      const table = this.type.table(failures);
      const now = new Date();
      const row = { login_digest: digests.digest(this.limitKey(login)), number: 1, first_at: now, last_at: now };
      const { minutes = 60, maxAttempts = 5 } = this.#options;
      const expired = () => this.knex(table).where("last_at", "<", new Date(now.getTime() - minutes * MINUTE_MS));
      const counted = { number: this.knex.raw("?? + 1", [`${table}.number`]), last_at: now };
      await this.statement(() => expired().delete());
      await this.statement(() => this.knex(table).insert(row).onConflict("login_digest").merge(counted));
      const full = this.knex(table).where({ login_digest: row.login_digest }).where("number", ">=", maxAttempts);
      return (await full.select("id")).length > 0;
    }
    /** Resets the failures of a login; false when a parallel attempt did. */
    async #takeFailures(login: string, transaction: Transaction): Promise<boolean> {
      const login_digest = this.type.services.digests.digest(this.limitKey(login));
      return (await transaction(this.type.table(failures)).where({ login_digest }).delete()) > 0;
    }
    async #forget(login: string, connection: Knex = this.knex): Promise<void> {
      const digests = this.type.services.digests.all(this.limitKey(login));
      for (const table of [failures, lockouts])
        await connection(this.type.table(table)).whereIn("login_digest", digests).delete();
    }
  };
}
