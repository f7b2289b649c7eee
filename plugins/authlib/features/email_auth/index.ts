import type { Reply } from "framewright/host";
import { checkOptions, option } from "framewright/kernel";
import type { AccountLine } from "../../account_sections.ts";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";

const MINUTE_MS = 60_000;
const table = "email_auth_keys";
const mailed = { name: "email_auth", page: "email-auth" };

/** Options of `emailAuth()`. */
export interface EmailAuthOptions {
  /** How many minutes the mailed link is valid. */
  minutes?: number;
}
/** What the feature `email_auth` adds. */
export interface EmailAuthSteps {
  emailAuthPage(): Promise<Reply>;
  submitEmailAuth(): Promise<Reply>;
  mailEmailAuth(login: string): Promise<void>;
}

/** Signs in by a mailed link. Its page asks first, so that mail programs that prefetch links do not sign in. */
export function emailAuth(options: EmailAuthOptions = {}) {
  checkOptions("emailAuth", options, { minutes: option.number });
  return defineFeature<EmailAuthSteps>({
    name: "email_auth",
    directory: import.meta.dirname,
    options,
    requires: ["login"],
    tables: [table],
    credentials: [table],
    routes: [...form("email-auth", "anyone")],
    steps,
  });
}

function steps(Base: AuthlibClass) {
  return class WithEmailAuth extends Base {
    async emailAuthPage(): Promise<Reply> {
      const csrf = this.csrf("email-auth");
      if (this.keyParam() === "") return this.page("email_auth_request", { csrf });
      const found = await this.findKey(table, this.keyParam());
      return found ? this.page("email_auth", { key: this.keyParam(), csrf }) : this.expiredLink("email-auth");
    }
    async submitEmailAuth(): Promise<Reply> {
      if (this.keyParam() === "") return this.#request();
      const found = await this.findKey(table, this.keyParam());
      if (!found || !(await this.maySignIn(found.account))) return this.expiredLink("email-auth");
      if (!(await this.transaction((trx) => this.spendKey(table, found.row, trx))))
        return this.expiredLink("email-auth");
      return this.login(found.account, "email");
    }
    override async accountLines(): Promise<AccountLine[]> {
      const label = this.t("account.email_auth");
      const text = this.t("account.email_auth_text", { login: this.loginOf(this.account!) });
      return [...(await super.accountLines()), { section: "sign_in", name: "email_auth", label, text }];
    }
    async mailEmailAuth(login: string): Promise<void> {
      const account = await this.findAccountByLogin(login);
      const { minutes = 15 } = this.optionsOf<EmailAuthOptions>("email_auth");
      const key = { ...mailed, table, lifetime: minutes * MINUTE_MS };
      const isAnswered =
        account && ((await this.mailInstead(account)) || (this.isOpen(account) && (await this.mailKey(account, key))));
      if (!isAnswered) return this.mailNobody(login, mailed.name, mailed);
      await this.emitEvent("email_link_requested", {}, account);
    }
    async #request(): Promise<Reply> {
      const fields = this.blanks("login");
      if (fields) return this.refuse("email_auth_request", { fields, locals: { csrf: this.csrf("email-auth") } });
      await this.mailLater("mailEmailAuth", this.param("login")!);
      return this.checkYourMail("email-auth");
    }
  };
}
