import type { Reply } from "framewright/host";
import { checkOptions, option } from "framewright/kernel";
import type { Transaction } from "framewright/plugins/database";
import type { AccountRecord } from "../../account_type.ts";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";

const HOUR_MS = 3_600_000;
const table = "password_reset_keys";
const mailed = { name: "reset_password", page: "reset-password" };

/** Options of `resetPassword()`. */
export interface ResetPasswordOptions {
  /** How many hours the mailed link is valid. */
  hours?: number;
}
/** What the feature `reset_password` adds. */
export interface ResetPasswordSteps {
  resetPasswordRequestPage(): Promise<Reply>;
  submitResetPasswordRequest(): Promise<Reply>;
  resetPasswordPage(): Promise<Reply>;
  submitResetPassword(): Promise<Reply>;
  mailPasswordReset(login: string): Promise<void>;
  /** Mails the link regardless of recent mails: for administrators. */
  mailPasswordLink(account: AccountRecord, transaction: Transaction): Promise<void>;
  /** Issues a key that sets a new password, in a transaction. */
  passwordKey(account: AccountRecord, transaction: Transaction): Promise<string>;
  /** Whether a valid link may set the password of this account. */
  mayReset(account: AccountRecord, key: string): Promise<boolean>;
  /** Where a reset of the password leads. */
  resetPasswordRedirect(): string;
}

/** Sets a new password through a mailed link. Replies do not reveal whether the login exists. */
export function resetPassword(options: ResetPasswordOptions = {}) {
  checkOptions("resetPassword", options, { hours: option.number });
  return defineFeature<ResetPasswordSteps>({
    name: "reset_password",
    directory: import.meta.dirname,
    options,
    requires: ["login"],
    tables: [table],
    credentials: [table],
    routes: [...form("reset-password-request", "anyone"), ...form("reset-password", "anyone", { linked: false })],
    steps,
  });
}

function steps(Base: AuthlibClass) {
  return class WithResetPassword extends Base {
    async resetPasswordRequestPage(): Promise<Reply> {
      return this.page("reset_password_request", { csrf: this.csrf("reset-password-request") });
    }
    async submitResetPasswordRequest(): Promise<Reply> {
      const fields = this.blanks("login");
      if (fields)
        return this.refuse("reset_password_request", { fields, locals: { csrf: this.csrf("reset-password-request") } });
      await this.mailLater("mailPasswordReset", this.param("login")!);
      return this.checkYourMail("reset-password-request");
    }
    async mailPasswordReset(login: string): Promise<void> {
      const account = await this.findAccountByLogin(login);
      const key = { ...mailed, table, lifetime: this.#lifetime };
      const isAnswered =
        account && ((await this.mailInstead(account)) || (this.isOpen(account) && (await this.mailKey(account, key))));
      if (!isAnswered) return this.mailNobody(login, mailed.name, mailed);
      await this.emitEvent("password_reset_requested", {}, account);
    }
    async mailPasswordLink(account: AccountRecord, transaction: Transaction): Promise<void> {
      const url = this.mailUrl(mailed.page, { key: await this.passwordKey(account, transaction) });
      await this.mail(this.loginOf(account), mailed.name, { url }, { account, transaction });
    }
    override async passwordLink(account: AccountRecord): Promise<string> {
      const key = await this.transaction((trx) => this.passwordKey(account, trx));
      return this.mailUrl("reset-password", { key });
    }
    passwordKey(account: AccountRecord, transaction: Transaction): Promise<string> {
      return this.issueKey(table, account, { lifetime: this.#lifetime, transaction });
    }

    async resetPasswordPage(): Promise<Reply> {
      const found = await this.#find();
      if (!found) return this.expiredLink("reset-password-request");
      const login = this.loginOf(found.account);
      return this.page("reset_password", { key: this.keyParam(), login, csrf: this.csrf("reset-password") });
    }
    async submitResetPassword(): Promise<Reply> {
      const found = await this.#find();
      if (!found) return this.expiredLink("reset-password-request");
      const { row, account } = found;
      const password = await this.chosenPassword(account);
      if (typeof password !== "string") {
        const locals = { key: this.keyParam(), login: this.loginOf(account), csrf: this.csrf("reset-password") };
        return this.refuse("reset_password", { fields: password, locals });
      }
      const hash = await this.hashPassword(password);
      const isMine = await this.transaction(async (trx) => {
        if (!(await this.spendKey(table, row, trx))) return false;
        await this.storeHash(account, hash, trx);
        await this.killCredentials(account, trx);
        if (this.isUnverified(account)) await this.updateAccount(account, { account_status: "verified" }, trx);
        return true;
      });
      if (!isMine) return this.expiredLink("reset-password-request");
      await this.afterPassword(this.loginOf(account));
      await this.bypassLockout(account);
      await this.emitEvent("password_changed", { by: "reset" }, account);
      return this.done(this.t("reset_password.done"), this.resetPasswordRedirect());
    }
    resetPasswordRedirect(): string {
      return this.type.path("login");
    }
    async mayReset(account: AccountRecord, _key: string): Promise<boolean> {
      return this.isOpen(account);
    }
    get #lifetime(): number {
      return (this.optionsOf<ResetPasswordOptions>("reset_password").hours ?? 2) * HOUR_MS;
    }
    async #find() {
      const found = await this.findKey(table, this.keyParam());
      return found && (await this.mayReset(found.account, this.keyParam())) ? found : undefined;
    }
  };
}
