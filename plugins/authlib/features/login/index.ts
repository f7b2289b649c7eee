import type { Reply } from "framewright/host";
import { checkOptions, option } from "framewright/kernel";
import { placeOf } from "../../account_links.ts";
import type { AccountLine } from "../../account_sections.ts";
import { storeTypedLogin, typedLoginOf } from "../../core/typed_login.ts";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";
import type { CreateAccountOptions } from "../create_account/index.ts";

/** Options of `login()`. */
export interface LoginOptions {
  /** 2 asks for the login first, and for the password on a second page. */
  phases?: 1 | 2;
}
/** What the feature `login` adds. */
export interface LoginSteps {
  loginPage(): Promise<Reply>;
  submitLogin(): Promise<Reply>;
  /** The links of the login page: other ways to sign in, with an icon; sign-up, forgotten password, … */
  loginLinks(): LoginLink[];
}
/** A link below the login form. */
export interface LoginLink {
  label: string;
  url: string;
  icon?: string;
  /** Whether it leads to another site, so that it is opened as a page of its own. */
  isExternal?: boolean;
}

/** Signs in with login and password: `GET`, `POST /users/login`. Also the account's overview. */
export function login(options: LoginOptions = {}) {
  checkOptions("login", options, { phases: option.oneOf(1, 2) });
  return defineFeature<LoginSteps>({
    name: "login",
    directory: import.meta.dirname,
    options,
    tables: ["password_hashes", "active_session_keys"],
    owned: ["password_hashes"],
    routes: [
      ...form("login", "anyone"),
      { verb: "GET", path: "mailed", run: "mailedPage", who: "anyone", page: true, linked: false },
      ...form("confirm-identity", "anyone", { linked: false }),
      { verb: "GET", path: "account", run: "accountPage", who: "account", page: true },
      { verb: "GET", path: "held-form", run: "heldFormPage", who: "account", page: true, linked: false },
    ],
    steps,
  });
}

const others = [
  ["webauthn", "webauthn-auth", "fingerprint"],
  ["email_auth", "email-auth", "mail"],
  ["create_account", "create-account"],
  ["reset_password", "reset-password-request"],
  ["verify_account", "verify-account"],
] as const;

function steps(Base: AuthlibClass) {
  return class WithLogin extends Base {
    async loginPage(): Promise<Reply> {
      if (await this.load()) return this.goTo(await this.loginRedirect());
      if (this.signIn?.pending) return this.goTo(this.type.path(this.pendingPage(this.signIn.pending)));
      const knowsLogin = typedLoginOf(this.session, this.type.name) !== undefined;
      if (this.request.query.get("another") !== undefined)
        return this.page("login", { ...this.loginLocals(), typed_login: "" });
      return this.page("login", this.loginLocals(knowsLogin ? "password" : undefined));
    }

    /** find → verify → sign in → reply. Every failure gets the same reply. */
    async submitLogin(): Promise<Reply> {
      if (this.asksLoginFirst) {
        storeTypedLogin(this.session, this.type.name, this.normalizeLogin(this.param("login")!));
        return this.goTo(this.type.path("login"));
      }
      const fields = this.blanks("login", "password");
      if (fields) return this.refuse("login", { fields, locals: this.loginLocals() });
      const login = this.normalizeLogin(this.param("login")!);
      return this.type.services.mutex.run(this.guessKey(login), () => this.tryLogin(login, this.param("password")!));
    }
    async tryLogin(login: string, password: string): Promise<Reply> {
      const { limits } = this.type.services;
      const account = await limits.attempt("login", this.guessKey(login), this.request.address, async () => {
        const isAllowed = await this.isLoginAllowed(login);
        const found = await this.verifyCredentials(login, password);
        if (!found || !isAllowed || (await this.maySignIn(found))) return isAllowed ? found : undefined;
        await this.enqueueStep("mailRefusal", login); // the reply is that to a wrong password
        return undefined;
      });
      if (account === undefined) return this.loginFailed(login);
      await this.afterPassword(login);
      this.account = account;
      return this.login(account, "password");
    }

    async loginFailed(login: string): Promise<Reply> {
      await this.afterLoginFailure(login);
      if (!this.wantsJson) storeTypedLogin(this.session, this.type.name, login);
      return this.refuse("login", {
        message: this.t("login.wrong"),
        code: "FW_LOGIN",
        status: this.wantsJson ? 401 : 422,
        locals: this.loginLocals("password"),
      });
    }

    override async accountLines(): Promise<AccountLine[]> {
      const line = (name: string, more: Partial<AccountLine>): AccountLine => {
        const page = this.type.has(`change_${name}`) ? { page: `change-${name}` } : {};
        return { section: "sign_in", name, label: this.t(`account.${name}`), text: "", ...page, ...more };
      };
      const at = await this.passwordChosenAt(this.account!);
      const since = at ? { text: this.t("account.password_since"), at } : { text: this.t("account.password_none") };
      const own = [line("login", { text: this.loginOf(this.account!) }), line("password", since)];
      return [...(await super.accountLines()), ...own];
    }

    get #isInvitedOnly(): boolean {
      return this.optionsOf<CreateAccountOptions>("create_account").invitedOnly === true && !this.provenLogin;
    }
    loginLinks(): LoginLink[] {
      return others
        .filter(([feature]) => this.type.has(feature) && !(feature === "create_account" && this.#isInvitedOnly))
        .map(([feature, page, icon]) => ({
          label: this.t(`login.links.${feature}`),
          url: this.type.path(page),
          ...(icon ? { icon } : {}),
        }));
    }

    loginLocals(asked: "all" | "login" | "password" = this.#phases === 2 ? "login" : "all"): Record<string, unknown> {
      const phase = this.#phases === 2 ? asked : "all";
      const all = this.loginLinks();
      const [ways, links] = [all.filter(({ icon }) => icon), all.filter(({ icon }) => !icon)];
      const place = placeOf(this as never);
      return { csrf: this.csrf("login"), ways, links, phase, place };
    }
    /** Whether this is the first phase's POST, with the login alone. Its reply does not reveal whether the login exists. */
    get asksLoginFirst(): boolean {
      return (
        this.#phases === 2 &&
        !this.wantsJson &&
        this.param("password") === undefined &&
        (this.param("login") ?? "") !== ""
      );
    }
    get #phases(): 1 | 2 {
      return this.optionsOf<LoginOptions>("login").phases ?? 1;
    }
  };
}
