import type { Reply } from "framewright/host";
import type { Transaction } from "framewright/plugins/database";
import type { AccountRecord } from "../../account_type.ts";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";

const table = "required_password_changes";

/** What the feature `change_password` adds. */
export interface ChangePasswordSteps {
  changePasswordPage(): Promise<Reply>;
  submitChangePassword(): Promise<Reply>;
  /** Where a person goes who changed the password. */
  changePasswordRedirect(): string;
  /** Whether an account has to choose another password, at the next sign-in that shows the one it has. */
  isPasswordChangeRequired(account: { id: number }): Promise<boolean>;
}

/** A new password for who knows the old one; every other session, token and link dies. */
export function changePassword() {
  return defineFeature<ChangePasswordSteps>({
    name: "change_password",
    directory: import.meta.dirname,
    requires: ["login"],
    tables: [table],
    owned: [table],
    routes: [...form("change-password", "anyone", { verified: true })],
    steps,
  });
}

function steps(Base: AuthlibClass) {
  return class WithChangePassword extends Base {
    async changePasswordPage(): Promise<Reply> {
      const refused = await this.#refuseOthers();
      if (refused) return refused;
      const asked = this.#isOwed ? undefined : await this.confirmFirst();
      return asked ?? this.page("change_password", await this.#locals());
    }
    async submitChangePassword(): Promise<Reply> {
      const refused = await this.#refuseOthers();
      if (refused) return refused;
      const account = this.account!;
      const locals = await this.#locals();
      const asked = this.#isOwed ? undefined : await this.confirmIdentity("change_password", locals, { always: true });
      if (asked) return asked;
      const password = await this.chosenPassword(account, "new_password");
      if (typeof password !== "string") return this.refuse("change_password", { fields: password, locals });
      const wasOwed = this.#isOwed;
      await this.changePasswordOf(account, password, this.signIn);
      await this.renewSession(this.signIn!.factors);
      if (!this.type.has("security_mails")) await this.mail(this.loginOf(account), "password_changed", {}, { account });
      if (!wasOwed) return this.done(this.t("change_password.done"), this.changePasswordRedirect());
      if (!this.wantsJson) this.request.flash.add("success", this.t("change_password.done"));
      return this.completeLogin("password", this.sessionKey!);
    }
    changePasswordRedirect(): string {
      return this.type.path("account");
    }

    override async requirePasswordChange(account: { id: number }, transaction?: Transaction): Promise<void> {
      const tell = () => this.emitEvent("password_change_required", {}, account);
      if (!transaction) {
        await this.transaction((trx) => this.#require(account, trx));
        return tell();
      }
      await this.#require(account, transaction);
      const told = transaction.executionPromise?.then(tell, () => undefined); // what was undone is not told
      told?.catch((err: unknown) => this.application.log.error({ err }, "password_change_required could not be told"));
    }
    async isPasswordChangeRequired({ id }: { id: number }): Promise<boolean> {
      const query = this.knex(this.type.table(table)).where({ account_id: id }).select("id").limit(1);
      return (await this.type.services.database.rows(query)).length > 0;
    }
    /** Who signed in by a passkey or a mailed link did not show the password that is to go. */
    override async mustChangePassword(account: AccountRecord, factors: readonly string[]): Promise<boolean> {
      return factors.includes("password") && (await this.isPasswordChangeRequired(account));
    }
    /** A password that somebody chose is another one, whatever it was chosen for. */
    override async storeHash(
      account: { id: number },
      hash: string,
      transaction: Transaction,
      how = { isChosen: true },
    ): Promise<void> {
      await super.storeHash(account, hash, transaction, how);
      if (how.isChosen) await transaction(this.type.table(table)).where({ account_id: account.id }).delete();
    }

    /** Whether the sign-in has this step left. */
    get #isOwed(): boolean {
      return this.signIn?.pending === "password";
    }
    async #refuseOthers(): Promise<Reply | undefined> {
      const account = await this.load();
      if (this.#isOwed) return undefined;
      return account ? this.requireFactors() : this.requireAuthentication();
    }
    async #require({ id }: { id: number }, transaction: Transaction): Promise<void> {
      const row = { account_id: id, required_at: new Date() };
      await transaction(this.type.table(table)).insert(row).onConflict("account_id").merge(["required_at"]);
      await this.killCredentials({ id }, transaction, this.account?.id === id ? this.signIn : undefined);
    }
    /** Who has no password sets the first one here. */
    async #locals() {
      const has_password = await this.hasPassword(this.account!);
      const title = has_password ? {} : { title: this.t("change_password.first_title") };
      return {
        csrf: this.csrf("change-password"),
        logout_csrf: this.csrf("logout"),
        login: this.loginOf(this.account!),
        asks_password: has_password && !this.#isOwed,
        is_required: this.#isOwed,
        ...title,
      };
    }
  };
}
