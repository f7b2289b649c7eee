import type { Reply } from "framewright/host";
import { checkOptions, option } from "framewright/kernel";
import { isConflict, type Transaction } from "framewright/plugins/database";
import type { AccountRecord } from "../../account_type.ts";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";
import { markSpent } from "../../spent_keys.ts";

const HOUR_MS = 3_600_000;
const table = "login_change_keys";

/** Options of `changeLogin()`. */
export interface ChangeLoginOptions {
  /** How many hours the mailed link is valid. */
  hours?: number;
}
/** What the feature `change_login` adds. */
export interface ChangeLoginSteps {
  changeLoginPage(): Promise<Reply>;
  submitChangeLogin(): Promise<Reply>;
  verifyLoginChangePage(): Promise<Reply>;
  submitVerifyLoginChange(): Promise<Reply>;
  /** Mails the former address, in the transaction that changes it. `by`: who changed it, if not the owner. */
  mailLoginChanged(
    account: AccountRecord,
    before: string,
    transaction: Transaction,
    how?: { by?: string },
  ): Promise<void>;
}

/** Changes the login, once the link that is mailed to the new address is confirmed. Mails the former address. */
export function changeLogin(options: ChangeLoginOptions = {}) {
  checkOptions("changeLogin", options, { hours: option.number });
  return defineFeature<ChangeLoginSteps>({
    name: "change_login",
    directory: import.meta.dirname,
    options,
    requires: ["login"],
    tables: [table],
    credentials: [table],
    routes: [
      ...form("change-login", "account", { verified: true }),
      ...form("verify-login-change", "anyone", { linked: false }),
    ],
    steps,
  });
}

function steps(Base: AuthlibClass) {
  return class WithChangeLogin extends Base {
    async changeLoginPage(): Promise<Reply> {
      return (await this.confirmFirst()) ?? this.page("change_login", await this.#locals());
    }
    async submitChangeLogin(): Promise<Reply> {
      const login = this.normalizeLogin(this.param("login") ?? "");
      const problem = login === "" ? this.t("blank") : (this.loginProblem(login) ?? this.#same(login));
      if (problem !== undefined)
        return this.refuse("change_login", { fields: { login: [problem] }, locals: await this.#locals() });
      const refused = await this.confirmIdentity("change_login", await this.#locals(), { always: true });
      if (refused) return refused;
      await this.takeMail("change-login", login);
      await this.transaction((transaction) => this.#mail(login, transaction));
      await this.emitEvent("login_change_requested");
      return this.done(this.t("change_login.mailed", { login }), this.type.path("account"));
    }

    async verifyLoginChangePage(): Promise<Reply> {
      const found = await this.findKey(table, this.keyParam());
      if (!found) return this.expiredLink("change-login");
      const locals = { key: this.keyParam(), login: found.row.login, csrf: this.csrf("verify-login-change") };
      return this.page("verify_login_change", locals);
    }
    async submitVerifyLoginChange(): Promise<Reply> {
      const found = await this.findKey(table, this.keyParam());
      if (!found || !this.isOpen(found.account)) return this.expiredLink("change-login");
      const { row, account } = found;
      const before = this.loginOf(account);
      const login = String(row.login);
      const taken = await this.findAccountByLogin(login);
      if (taken && !(await this.isUnclaimed(taken))) return this.expiredLink("change-login");
      const referrers = taken ? await this.type.referrers() : [];
      const current = (await this.load())?.id === account.id ? this.signIn : undefined;
      const isMine = await this.transaction(async (trx) => {
        if (!(await this.spendKey(table, row, trx))) return false;
        if (taken && !(await this.deleteUnverified(taken, referrers, trx))) return false;
        await this.updateAccount(account, { [this.type.class.loginColumn]: login }, trx);
        await this.killCredentials(account, trx, current);
        await this.mailLoginChanged(account, before, trx);
        return true;
      }).catch((error: unknown) => {
        if (isConflict(error)) throw error;
        return (error as { status?: number }).status === 422 ? false : Promise.reject(error);
      });
      if (!isMine) return this.expiredLink("change-login");
      if (current) await this.renewSession(current.factors);
      await this.emitEvent("login_changed", {}, account);
      return this.done(this.t("change_login.done"), this.type.path(current ? "account" : "login"));
    }

    async mailLoginChanged(account: AccountRecord, before: string, transaction: Transaction): Promise<void> {
      await this.mail(before, "login_changed", {}, { account, transaction });
    }

    /** Mails the link to the new address; where the address is taken, mails its owner instead. */
    async #mail(login: string, transaction: Transaction): Promise<void> {
      const { hours = 24 } = this.optionsOf<ChangeLoginOptions>("change_login");
      const account = this.account!;
      const taken = await this.findAccountByLogin(login, transaction);
      const same = { login };
      const key = await this.requestKey(table, account, { lifetime: hours * HOUR_MS, extra: same, same, transaction });
      if (taken && !this.isUnverified(taken)) return this.mailAccountExists(taken, transaction);
      await markSpent(this, `nobody has ${login}`, 0, transaction); // the same number of statements in every case
      const isFree = taken === undefined || (await this.isUnclaimed(taken, transaction));
      const url = this.mailUrl("verify-login-change", { key: key ?? this.type.services.digests.token() });
      const decoy = key === undefined || !isFree;
      await this.mail(login, "verify_login_change", { url }, { account, transaction, decoy });
    }
    #same(login: string): string | undefined {
      return login === this.normalizeLogin(this.loginOf(this.account!)) ? this.t("login_same") : undefined;
    }
    async #locals() {
      const asks_password = await this.hasPassword(this.account!);
      return { asks_password, csrf: this.csrf("change-login"), current: this.loginOf(this.account!) };
    }
  };
}
