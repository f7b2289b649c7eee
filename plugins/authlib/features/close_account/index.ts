import type { Reply } from "framewright";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";

/** What would let somebody in again if the account were opened once more. */
const factors = [
  ["otp", "otp_keys"],
  ["recovery_codes", "recovery_codes"],
  ["webauthn", "webauthn_keys"],
] as const;

/** What the feature `close_account` adds. */
export interface CloseAccountSteps {
  closeAccountPage(): Promise<Reply>;
  submitCloseAccount(): Promise<Reply>;
  /** Before an account is closed; an answer refuses. */
  beforeCloseAccount(): Promise<Reply | undefined>;
  closeAccountRedirect(): string;
}

/** Closes the account: nobody gets in by it any more, at once. Its records stay. */
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
        await trx(this.type.table("password_hashes")).where({ account_id: account.id }).delete();
        await this.killCredentials(account, trx);
        for (const [feature, table] of factors)
          if (this.type.has(feature)) await trx(this.type.table(table)).where({ account_id: account.id }).delete();
      });
      this.forgetSession();
      await this.tell("closed", {}, account);
      return this.done(this.t("close_account.done"), this.closeAccountRedirect());
    }
    async beforeCloseAccount(): Promise<Reply | undefined> {
      return undefined;
    }
    closeAccountRedirect(): string {
      return "/";
    }
    async #locals() {
      const asks_password = await this.hasPassword(this.account!);
      return { asks_password, csrf: this.csrf("close-account"), login: this.loginOf(this.account!) };
    }
  };
}
