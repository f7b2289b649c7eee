import { HttpError, type Reply } from "framewright/host";
import type { Transaction } from "framewright/plugins/database";
import { accountLinks, homeOf, type PageLink } from "./account_links.ts";
import { type AccountLine, type AccountSection, sectionsOf } from "./account_sections.ts";
import type { AccountRecord } from "./account_type.ts";
import { Confirmation } from "./core/confirmation.ts";
import { clearTypedLogin } from "./core/typed_login.ts";
import { errors } from "./errors.ts";
import type { Feature } from "./feature.ts";
import { findPendingForm, pendingFormLocals } from "./pending_forms.ts";

/**
 * The library object of a request: the base of every account plugin. Its methods are the steps of signing in and of the
 * account pages. An application overrides the ones that it wants to change, and calls `super` for the rest.
 */
export class AuthlibBase extends Confirmation {
  /** The constant of the accounts' model; by default from the plugin's name. */
  static model: string | undefined = undefined;
  /** The column of the login. */
  static loginColumn = "email";
  /** Whether there are no pages, only JSON. */
  static apiOnly = false;
  static readonly features: readonly Feature[] = [];

  get isSignedIn(): boolean {
    return this.signIn !== undefined && this.signIn.pending === undefined;
  }

  /** Signs an account in after its first factor, and replies. A second factor, where required, comes next. */
  async login(account: AccountRecord, factor: string): Promise<Reply> {
    const refused = await this.beforeLogin(account);
    if (refused) return refused;
    clearTypedLogin(this.session, this.type.name);
    const pending = await this.pendingAfter(account, [factor]);
    const key = await this.openSession(account, [factor], pending);
    if (this.keepsSession) {
      await this.endReplaced();
      this.keepSession(key);
    }
    await this.afterFirstFactor(account, key);
    if (pending === undefined) return this.completeLogin(factor, key);
    await this.emitEvent("first_factor_passed", { by: factor });
    return this.requirePendingStep(pending);
  }
  /** Completes a sign-in that has nothing pending. */
  async completeLogin(factor: string, key: string): Promise<Reply> {
    await this.afterLogin(this.account!, key);
    await this.emitEvent("login", { by: factor, factors: this.signIn!.factors.join(",") });
    return this.loggedIn();
  }
  /** Called before an account is signed in. Return a reply to refuse. */
  async beforeLogin(_account: AccountRecord): Promise<Reply | undefined> {
    return undefined;
  }
  /** Called once the sign-in is stored after its first factor, also where a second one is pending. */
  async afterFirstFactor(_account: AccountRecord, _key: string): Promise<void> {}
  /** Called after a complete sign-in; `key` identifies the session. */
  async afterLogin(_account: AccountRecord, _key: string): Promise<void> {}
  /** Whether the sign-in is stored in the browser's session. */
  get keepsSession(): boolean {
    return !this.type.class.apiOnly;
  }
  /** The reply to a complete sign-in: a redirect to the requested page, or JSON. */
  async loggedIn(): Promise<Reply> {
    if (this.wantsJson) return this.controller.json({ success: this.t("login.done") });
    if (await findPendingForm(this)) this.request.flash.add("info", this.t("held_form.notice"));
    return this.goTo(this.takeReturn() ?? (await this.loginRedirect()));
  }
  /** Where a sign-in leads when no page was requested: the first portal of the account type. */
  async loginRedirect(): Promise<string> {
    return homeOf(this);
  }

  /** A link to set a password, for an account without one. Implemented by resetPassword(). */
  async passwordLink(_account: AccountRecord): Promise<string | undefined> {
    return undefined;
  }

  /**
   * Makes an account choose another password: its sign-ins, tokens and links end, and the next sign-in by password asks
   * for a new one. Implemented by changePassword(). @throws FW_REQUIRE_PASSWORD_CHANGE
   */
  async requirePasswordChange(_account: { id: number }, _transaction?: Transaction): Promise<void> {
    throw errors.FW_REQUIRE_PASSWORD_CHANGE(this.type.name);
  }

  /** Mails an account that can't sign in the reason; false where nothing is mailed. */
  async mailInstead(account: AccountRecord): Promise<boolean> {
    if (!this.isUnverified(account) || !this.type.has("verify_account")) return false;
    await this.mailVerification(this.loginOf(account));
    return true;
  }
  /** Called after the right password of an account that can't sign in. The reply is that of a wrong password. */
  async mailRefusal(login: string): Promise<void> {
    const account = await this.findAccountByLogin(login);
    if (account) await this.mailInstead(account);
  }
  /** Mails the link that verifies an account. Implemented by verifyAccount(). */
  async mailVerification(_login: string): Promise<void> {}
  /** The `account_status` of a new account. */
  get newAccountStatus(): string {
    return "verified";
  }
  /** Whether a sign-up signs in, also before the address is verified. */
  get signsInAtOnce(): boolean {
    return this.newAccountStatus !== "unverified";
  }
  /** For actions that require a verified address. Returns the reply to send to a person whose address is not verified, else undefined. */
  async requireVerified(): Promise<Reply | undefined> {
    await this.load();
    if (!this.account || !this.signIn || this.isVerified) return undefined;
    const message = this.t("verify_first");
    if (this.wantsJson || this.type.class.apiOnly) return this.problem(new HttpError(403, "FW_UNVERIFIED", message));
    if (!this.request.isSpeculative) this.request.flash.add("info", message);
    return this.goTo(this.type.path(this.type.has("verify_account") ? "verify-account" : "account"));
  }
  /** Called after a sign-up with a free or a taken address; `hash` is that of the typed password. */
  async afterSignUp(_hash: string): Promise<void> {}
  /** The hash of the sign-up's password. The verification link sets it when it is opened in the same browser. */
  signUpHash: string | undefined;
  /** Called in the transaction that creates an account, and when somebody signs up again with an unverified one. */
  async afterCreateAccount(_account: AccountRecord, _transaction: Transaction): Promise<void> {}

  /** Called after a second factor: "otp", "recovery_code", "webauthn", … */
  async afterSecondFactor(_factor: string): Promise<void> {}
  /** Adds a factor to the sign-in, and replies with the next pending step or the completed sign-in. */
  async passFactor(factor: string): Promise<Reply> {
    const wasPending = this.signIn!.pending !== undefined;
    const factors = [...new Set([...this.signIn!.factors, factor])];
    const pending = await this.pendingAfter(this.account!, factors);
    await this.renewSession(factors, pending);
    await this.afterSecondFactor(factor);
    if (pending !== undefined) return this.requirePendingStep(pending);
    return wasPending ? this.completeLogin(factor, this.sessionKey!) : this.loggedIn();
  }

  /** The reply to a request that requires a sign-in: a redirect to the login, which leads back; 401 for JSON. */
  override async requireAuthentication(): Promise<Reply> {
    if (this.request.format === "json" || this.request.isJson || this.type.class.apiOnly)
      return this.problem(this.unauthorized());
    await this.rememberReturn();
    if (this.signIn?.pending) return this.goTo(this.type.path(this.pendingPage(this.signIn.pending)));
    if (!this.request.isSpeculative) this.request.flash.add("info", this.t("sign_in_first"));
    return this.goTo(this.type.path("login"));
  }
  /** For pages that change an account: requires the second factor of an account that has one, whenever it signed in. */
  async requireFactors(): Promise<Reply | undefined> {
    if (!(await this.owesFactor())) return undefined;
    if (!this.wantsJson) await this.rememberReturn();
    return this.requirePendingStep("second");
  }
  unauthorized(): HttpError {
    return new HttpError(401, "FW_UNAUTHORIZED", "sign in first.", { headers: { "www-authenticate": this.challenge } });
  }

  /** The overview of the signed-in account. */
  async accountPage(): Promise<Reply> {
    await findPendingForm(this); // discards another account's form before it is listed
    const sections = await this.accountSections();
    if (this.wantsJson) return this.jsonPage("account", { sections });
    const home = await this.loginRedirect();
    const shown = new Set(sections.flatMap(({ lines }) => lines.map(({ url }) => url)));
    const links = this.links().filter(({ url }) => !shown.has(url)); // a line's button leads there
    return this.page("account", { sections, links, home, csrf: this.csrf("logout") });
  }
  /** The lines of the overview, by section. Override it to add, remove or reorder sections. */
  async accountSections(): Promise<AccountSection[]> {
    const lines = await this.accountLines();
    await this.type.services.addLines(lines, this);
    return sectionsOf(this, lines);
  }
  /** The lines of the overview; each feature adds its own. */
  async accountLines(): Promise<AccountLine[]> {
    return [];
  }
  /** The form that was being submitted when the session had ended. */
  async heldFormPage(): Promise<Reply> {
    return this.page("held_form", { ...(await pendingFormLocals(this)), home: await this.loginRedirect() });
  }
  /** The pages of the signed-in account. Its overview lists those that no line links to. */
  links(): PageLink[] {
    return accountLinks(this);
  }
}
