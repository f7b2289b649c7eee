import type { Reply } from "framewright";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";

/** What the feature `change_password` adds. */
export interface ChangePasswordSteps {
  changePasswordPage(): Promise<Reply>;
  submitChangePassword(): Promise<Reply>;
  /** Where a person goes who changed the password. */
  changePasswordRedirect(): string;
}

/** A new password for who knows the old one; every other session, token and link dies. */
export function changePassword() {
  return defineFeature<ChangePasswordSteps>({
    name: "change_password",
    directory: import.meta.dirname,
    requires: ["login"],
    routes: [...form("change-password", "account")],
    steps,
  });
}

function steps(Base: AuthlibClass) {
  return class WithChangePassword extends Base {
    async changePasswordPage(): Promise<Reply> {
      return (await this.confirmFirst()) ?? this.page("change_password", await this.#locals());
    }
    async submitChangePassword(): Promise<Reply> {
      const account = this.account!;
      const locals = await this.#locals();
      const refused = await this.confirmIdentity("change_password", locals, { always: true });
      if (refused) return refused;
      const password = await this.chosenPassword(account, "new_password");
      if (typeof password !== "string") return this.refuse("change_password", { fields: password, locals });
      await this.changePasswordOf(account, password, this.signIn);
      await this.renewSession(this.signIn!.factors);
      if (!this.type.has("security_mails")) await this.mail(this.loginOf(account), "password_changed", {}, { account });
      return this.done(this.t("change_password.done"), this.changePasswordRedirect());
    }
    changePasswordRedirect(): string {
      return this.type.path("account");
    }
    /** Who has no password sets the first one here. */
    async #locals() {
      const asks_password = await this.hasPassword(this.account!);
      const title = asks_password ? {} : { title: this.t("change_password.first_title") };
      return { csrf: this.csrf("change-password"), login: this.loginOf(this.account!), asks_password, ...title };
    }
  };
}
