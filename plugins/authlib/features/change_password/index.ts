import type { Reply } from "framewright/host";
import type { Transaction } from "framewright/plugins/database";
import type { AccountRecord } from "../../account_type.ts";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";

const table = "required_password_changes";

/** What the feature `change_password` adds. */
export interface ChangePasswordSteps {
  changePasswordPage(): Promise<Reply>;
  submitChangePassword(): Promise<Reply>;
  /** Where a change of the password leads. */
  changePasswordRedirect(): string;
  /** Whether an account has to choose another password at its next sign-in by password. */
  isPasswordChangeRequired(account: { id: number }): Promise<boolean>;
}

/** Changes the password of a person who knows the old one. Revokes every other session, token and link. */
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
      const asked = this.#isPending ? undefined : await this.confirmFirst();
      return asked ?? this.page("change_password", await this.#locals());
    }
    async submitChangePassword(): Promise<Reply> {
      const refused = await this.#refuseOthers();
      if (refused) return refused;
      const account = this.account!;
      const locals = await this.#locals();
      const asked = this.#isPending
        ? undefined
        : await this.confirmIdentity("change_password", locals, { always: true });
      if (asked) return asked;
      const password = await this.chosenPassword(account, "new_password");
      if (typeof password !== "string") return this.refuse("change_password", { fields: password, locals });
      const wasPending = this.#isPending;
      await this.changePasswordOf(account, password, this.signIn, async (transaction) => {
        if (this.type.has("security_mails")) return; // that mails it
        await this.mail(this.loginOf(account), "password_changed", {}, { account, transaction });
      });
      await this.renewSession(this.signIn!.factors);
      if (!wasPending) return this.done(this.t("change_password.done"), this.changePasswordRedirect());
      if (!this.wantsJson) this.request.flash.add("success", this.t("change_password.done"));
      return this.completeLogin("password", this.sessionKey!);
    }
    changePasswordRedirect(): string {
      return this.type.path("account");
    }

    override async requirePasswordChange(account: { id: number }, transaction?: Transaction): Promise<void> {
      const emit = () => this.emitEvent("password_change_required", {}, account);
      if (!transaction) {
        await this.transaction((trx) => this.#require(account, trx));
        return emit();
      }
      await this.#require(account, transaction);
      const emitted = transaction.executionPromise?.then(emit, () => undefined); // not after a rollback
      emitted?.catch((err: unknown) =>
        this.application.log.error({ err }, "the event password_change_required could not be emitted"),
      );
    }
    async isPasswordChangeRequired({ id }: { id: number }): Promise<boolean> {
      const query = this.knex(this.type.table(table)).where({ account_id: id }).select("id").limit(1);
      return (await this.type.services.database.rows(query)).length > 0;
    }
    /** Only after a sign-in by password: a passkey or a mailed link does not use the password that must change. */
    override async mustChangePassword(account: AccountRecord, factors: readonly string[]): Promise<boolean> {
      return factors.includes("password") && (await this.isPasswordChangeRequired(account));
    }
    /** A chosen password ends the requirement, in whichever form it was chosen. */
    override async storeHash(
      account: { id: number },
      hash: string,
      transaction: Transaction,
      how = { isChosen: true },
    ): Promise<void> {
      await super.storeHash(account, hash, transaction, how);
      if (how.isChosen) await transaction(this.type.table(table)).where({ account_id: account.id }).delete();
    }

    /** Whether this step is pending in the sign-in. */
    get #isPending(): boolean {
      return this.signIn?.pending === "password";
    }
    async #refuseOthers(): Promise<Reply | undefined> {
      const account = await this.load();
      if (this.#isPending) return undefined;
      return account ? this.requireFactors() : this.requireAuthentication();
    }
    async #require({ id }: { id: number }, transaction: Transaction): Promise<void> {
      const row = { account_id: id, required_at: new Date() };
      await transaction(this.type.table(table)).insert(row).onConflict("account_id").merge(["required_at"]);
      await this.killCredentials({ id }, transaction, this.account?.id === id ? this.signIn : undefined);
    }
    /** An account without a password sets its first one here. */
    async #locals() {
      const has_password = await this.hasPassword(this.account!);
      const title = has_password ? {} : { title: this.t("change_password.first_title") };
      return {
        csrf: this.csrf("change-password"),
        logout_csrf: this.csrf("logout"),
        login: this.loginOf(this.account!),
        asks_password: has_password && !this.#isPending,
        is_required: this.#isPending,
        ...title,
      };
    }
  };
}
