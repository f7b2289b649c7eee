import type { Reply } from "framewright";
import { checkOptions, option } from "framewright/kernel";
import { REQUESTED } from "../../core/mails.ts";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";

const MINUTE = 60_000;
const failures = "login_failures";
const lockouts = "lockouts";

export interface LockoutOptions {
  /** Wrong passwords in a row that a login stands. */
  maxAttempts?: number;
  /** Minutes for which it is locked then. */
  minutes?: number;
}
/** What the feature `lockout` adds. */
export interface LockoutSteps {
  unlockAccountPage(): Promise<Reply>;
  submitUnlockAccount(): Promise<Reply>;
  mailUnlock(login: string): Promise<void>;
}

/**
 * Locks a login, as it was typed and whether anybody has it or not, after too many wrong passwords. Its owner is mailed
 * a link to unlock it. A locked login is answered as a wrong password is.
 */
export function lockout(options: LockoutOptions = {}) {
  checkOptions("lockout", options, { maxAttempts: option.number, minutes: option.number });
  return defineFeature<LockoutSteps>({
    name: "lockout",
    directory: import.meta.dirname,
    options,
    requires: ["login"],
    tables: [failures, lockouts],
    routes: [...form("unlock-account", "anyone")],
    steps,
  });
}

function steps(Base: AuthlibClass) {
  return class WithLockout extends Base {
    override async mayTry(login: string): Promise<boolean> {
      return (this.isLetPast(login) || !(await this.#isLocked(login))) && (await super.mayTry(login));
    }
    override async afterPassword(login: string): Promise<void> {
      await this.#forget(this.normalizeLogin(login));
      await super.afterPassword(login);
    }
    override async afterLoginFailure(login: string, by?: string): Promise<void> {
      await super.afterLoginFailure(login, by);
      if ((await this.#isLocked(login)) || !(await this.#countsFull(login))) return;
      const { minutes = 60 } = this.#options;
      const now = new Date();
      const digest = this.type.services.digests.digest(this.limitKey(login));
      const row = { login_digest: digest, deadline: new Date(now.getTime() + minutes * MINUTE), created_at: now };
      await this.knex(this.type.table(lockouts)).where("deadline", "<", now).delete();
      await this.knex(this.type.table(lockouts))
        .insert(row)
        .onConflict("login_digest")
        .merge(["deadline", "created_at"]);
      await this.reportLater("locked", login);
      await this.#mailLater(login);
    }

    /** Mails the owner of a locked login, if it has one. */
    async mailUnlock(login: string): Promise<void> {
      const found = await this.findAccountByLogin(login);
      const account = found && this.isOpen(found) ? found : undefined;
      const { digests } = this.type.services;
      const key = digests.token();
      const changed = await this.knex(this.type.table(lockouts))
        .whereIn("login_digest", digests.all(this.limitKey(login)))
        .update({ account_id: account?.id ?? null, key_digest: digests.digest(key) });
      const url = this.mailUrl("unlock-account", { key });
      if (changed === 0) return;
      if (account) await this.mail(this.loginOf(account), "unlock_account", { url }, { account });
      else await this.mailNobody(login, "unlock_account", { page: "unlock-account", isStored: false, isTold: false });
    }
    async unlockAccountPage(): Promise<Reply> {
      const csrf = this.csrf("unlock-account");
      if (this.keyParam() === "") return this.page("unlock_account_request", { csrf });
      return (await this.#lock())
        ? this.page("unlock_account", { key: this.keyParam(), csrf })
        : this.deadLink("unlock-account");
    }
    async submitUnlockAccount(): Promise<Reply> {
      if (this.keyParam() === "") return this.#request();
      const lock = await this.#lock();
      const account = lock?.account_id ? await this.findAccountById(Number(lock.account_id)) : undefined;
      if (!lock || !account || !this.isOpen(account)) return this.deadLink("unlock-account");
      const isMine = await this.transaction((trx) => this.spendKey(lockouts, lock, trx));
      if (!isMine) return this.deadLink("unlock-account");
      await this.#forget(this.normalizeLogin(this.loginOf(account)));
      await this.letPast(account);
      await this.tell("unlocked", {}, account);
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
      return this.lookIntoYourMail("unlock-account");
    }
    async #isLocked(login: string): Promise<boolean> {
      const { database, digests } = this.type.services;
      const query = this.knex(this.type.table(lockouts)).whereIn("login_digest", digests.all(this.limitKey(login)));
      return (await database.rows(query.where("deadline", ">", new Date()).limit(1))).length > 0;
    }
    /** Counts a failure; true for the one that fills the count. Single statements, so that parallel ones, of other nodes too, are all counted. */
    async #countsFull(login: string): Promise<boolean> {
      const { digests } = this.type.services;
      const table = this.type.table(failures);
      const now = new Date();
      const row = { login_digest: digests.digest(this.limitKey(login)), number: 1, first_at: now, last_at: now };
      const { minutes = 60, maxAttempts = 5 } = this.#options;
      await this.knex(table)
        .where("last_at", "<", new Date(now.getTime() - minutes * MINUTE))
        .delete();
      await this.knex(table)
        .insert(row)
        .onConflict("login_digest")
        .merge({ number: this.knex.raw("?? + 1", [`${table}.number`]), last_at: now });
      const full = this.knex(table).where({ login_digest: row.login_digest }).where("number", ">=", maxAttempts);
      return (await full.delete()) > 0;
    }
    async #forget(login: string): Promise<void> {
      const digests = this.type.services.digests.all(this.limitKey(login));
      for (const table of [failures, lockouts])
        await this.knex(this.type.table(table)).whereIn("login_digest", digests).delete();
    }
    async #lock(): Promise<Record<string, unknown> | undefined> {
      const { database, digests } = this.type.services;
      const query = this.knex(this.type.table(lockouts)).whereIn("key_digest", digests.all(this.keyParam())).limit(1);
      return (await database.rows(query))[0];
    }
    async #mailLater(login: string): Promise<void> {
      const requested = { type: this.type.name, step: "mailUnlock", login, origin: this.request.origin };
      await this.type.services.jobs.enqueue(REQUESTED, requested);
    }
  };
}
