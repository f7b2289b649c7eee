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
      return this.page("change_password", this.#locals());
    }
    async submitChangePassword(): Promise<Reply> {
      const account = this.account!;
      const refused = await this.confirmPassword("change_password", this.#locals());
      if (refused) return refused;
      const password = await this.chosenPassword(account, "new_password");
      if (typeof password !== "string")
        return this.refuse("change_password", { fields: password, locals: this.#locals() });
      await this.changePasswordOf(account, password, this.signIn);
      await this.renewSession(this.signIn!.factors);
      if (!this.type.has("security_mails")) await this.mail(this.loginOf(account), "password_changed", {}, { account });
      return this.done(this.t("change_password.done"), this.changePasswordRedirect());
    }
    changePasswordRedirect(): string {
      return this.type.path("account");
    }
    #locals() {
      return { csrf: this.csrf("change-password"), login: this.loginOf(this.account!) };
    }
  };
}
