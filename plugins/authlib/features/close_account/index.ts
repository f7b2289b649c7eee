import type { Reply } from "framewright/host";
import type { Transaction } from "framewright/plugins/database";
import type { AccountRecord } from "../../account_type.ts";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";

/** What the feature `close_account` adds. */
export interface CloseAccountSteps {
  closeAccountPage(): Promise<Reply>;
  submitCloseAccount(): Promise<Reply>;
  /** Called before an account is closed. Return a reply to refuse. */
  beforeCloseAccount(): Promise<Reply | undefined>;
  /** Deletes more data when the owner closes an account, in the same transaction. By default nothing. */
  deleteAccountData(account: AccountRecord, transaction: Transaction): Promise<void>;
  closeAccountRedirect(): string;
}

/**
 * Lets the owner close the account: all credentials are revoked at once, factors and secrets are deleted, and the login
 * is free for a new account. The row and the application's records stay.
 */
export function closeAccount() {
  return defineFeature<CloseAccountSteps>({
    name: "close_account",
    directory: import.meta.dirname,
    requires: ["login"],
    routes: [...form("close-account", "account")],
    steps,
  });
}

function steps(Base: AuthlibClass) {
  return class WithCloseAccount extends Base {
    async closeAccountPage(): Promise<Reply> {
      return (await this.confirmFirst()) ?? this.page("close_account", await this.#locals());
    }
    async submitCloseAccount(): Promise<Reply> {
      const account = this.account!;
      const refused =
        (await this.confirmIdentity("close_account", await this.#locals(), { always: true })) ??
        (await this.beforeCloseAccount());
      if (refused) return refused;
      await this.transaction(async (trx) => {
        await this.updateAccount(account, { account_status: "closed" }, trx);
        await this.closeCredentials(account, trx);
        await this.freeLogin(account, trx);
        await this.deleteAccountData(account, trx);
      });
      this.forgetSession();
      await this.emitEvent("closed", {}, account);
      return this.done(this.t("close_account.done"), this.closeAccountRedirect());
    }
    async beforeCloseAccount(): Promise<Reply | undefined> {
      return undefined;
    }
    async deleteAccountData(_account: AccountRecord, _transaction: Transaction): Promise<void> {}
    closeAccountRedirect(): string {
      return "/";
    }
    async #locals() {
      const asks_password = await this.hasPassword(this.account!);
      return { asks_password, csrf: this.csrf("close-account"), login: this.loginOf(this.account!) };
    }
  };
}
