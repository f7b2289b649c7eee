import { HttpError, type Reply } from "framewright/host";
import type { Transaction } from "framewright/plugins/database";
import { accountLinks, homeOf, type PageLink } from "./account_links.ts";
import { type AccountLine, type AccountSection, sectionsOf } from "./account_sections.ts";
import type { AccountRecord } from "./account_type.ts";
import { Confirmation } from "./core/confirmation.ts";
import { forgetLogin } from "./core/typed_login.ts";
import { errors } from "./errors.ts";
import type { Feature } from "./feature.ts";
import { heldForm, heldFormLocals } from "./pending_forms.ts";

/**
 * The library object of a request: the base of every account plugin. Its methods are the steps of signing in and
 * of everything around it; an application overrides those that it wants otherwise, and calls `super` for the rest.
 */
export class AuthlibBase extends Confirmation {
  /** The constant of the model that accounts are records of; from the plugin's name unless told. */
  static model: string | undefined = undefined;
  /** The column that people log in by. */
  static loginColumn = "email";
  /** Whether there are no pages: everything is asked for and answered as JSON. */
  static apiOnly = false;
  static readonly features: readonly Feature[] = [];

  get isSignedIn(): boolean {
    return this.signIn !== undefined && this.signIn.pending === undefined;
  }

  /** Signs an account in that showed a factor, and answers. The second factor, where there is one, comes after. */
  async login(account: AccountRecord, factor: string): Promise<Reply> {
    const refused = await this.beforeLogin(account);
    if (refused) return refused;
    forgetLogin(this.session, this.type.name);
    const pending = await this.pendingAfter(account, [factor]);
    const key = await this.openSession(account, [factor], pending);
    if (this.keepsSession) {
      await this.endReplaced();
      this.keepSession(key);
    }
    await this.afterFirstFactor(account, key);
    if (pending === undefined) return this.completeLogin(factor, key);
    await this.tell("first_factor_passed", { by: factor });
    return this.askForMore(pending);
  }
  /** Nothing is left to ask: the sign-in counts from here. */
  async completeLogin(factor: string, key: string): Promise<Reply> {
    await this.afterLogin(this.account!, key);
    await this.tell("login", { by: factor, factors: this.signIn!.factors.join(",") });
    return this.loggedIn();
  }
  /** Before somebody is signed in; an answer from it refuses. */
  async beforeLogin(_account: AccountRecord): Promise<Reply | undefined> {
    return undefined;
  }
  /** A first factor was shown, and the sign-in is stored, also where a second one is still asked for. */
  async afterFirstFactor(_account: AccountRecord, _key: string): Promise<void> {}
  /** Somebody is signed in, and nothing is asked for any more; `key` is what the session is known by. */
  async afterLogin(_account: AccountRecord, _key: string): Promise<void> {}
  /** Whether the sign-in is kept in the browser's session. */
  get keepsSession(): boolean {
    return !this.type.class.apiOnly;
  }
  /** The answer to who is signed in completely: where they were going, or as JSON that it worked. */
  async loggedIn(): Promise<Reply> {
    if (this.wantsJson) return this.controller.json({ success: this.t("login.done") });
    if (await heldForm(this)) this.request.flash.add("info", this.t("held_form.notice"));
    return this.goTo(this.takeReturn() ?? (await this.loginRedirect()));
  }
  /** Where a person goes who was not on the way anywhere: the account's first portal. */
  async loginRedirect(): Promise<string> {
    return homeOf(this);
  }

  /** A link to set a password, for an account that has none; the feature reset_password makes it. */
  async passwordLink(_account: AccountRecord): Promise<string | undefined> {
    return undefined;
  }

  /**
   * Has an account choose another password: its sign-ins, tokens and links end, and the next one that shows the password
   * asks for a new one. The feature change_password does it. @throws FW_REQUIRE_PASSWORD_CHANGE
   */
  async requirePasswordChange(_account: { id: number }, _transaction?: Transaction): Promise<void> {
    throw errors.FW_REQUIRE_PASSWORD_CHANGE(this.type.name);
  }

  /** Mails an account that can't sign in what is in the way; false where nothing is mailed. */
  async mailInstead(account: AccountRecord): Promise<boolean> {
    if (!this.isUnverified(account) || !this.type.has("verify_account")) return false;
    await this.mailVerification(this.loginOf(account));
    return true;
  }
  /** For who showed the right password of an account that can't sign in; the answer is that of a wrong one. */
  async mailRefusal(login: string): Promise<void> {
    const account = await this.findAccountByLogin(login);
    if (account) await this.mailInstead(account);
  }
  /** Mails the link that verifies an account; the feature verify_account makes it. */
  async mailVerification(_login: string): Promise<void> {}
  /** The state of an account that has just signed up. */
  get newAccountStatus(): string {
    return "verified";
  }
  /** Whether who signs up is signed in by that, also where the address is not verified yet. */
  get signsInAtOnce(): boolean {
    return this.newAccountStatus !== "unverified";
  }
  /** For deeds that take an account whose address is verified: an answer says so to who is signed in before it is. */
  async requireVerified(): Promise<Reply | undefined> {
    await this.load();
    if (!this.account || !this.signIn || this.isVerified) return undefined;
    const message = this.t("verify_first");
    if (this.wantsJson || this.type.class.apiOnly) return this.problem(new HttpError(403, "FW_UNVERIFIED", message));
    if (!this.request.isSpeculative) this.request.flash.add("info", message);
    return this.goTo(this.type.path(this.type.has("verify_account") ? "verify-account" : "account"));
  }
  /** Somebody signed up, by an address that was free or by one that is taken; `hash` is that of the password typed. */
  async afterSignUp(_hash: string): Promise<void> {}
  /** The hash of the password that is signed up with: the one that a link which verifies the account sets, in its browser. */
  signUpHash: string | undefined;
  /** An account was made, or somebody signed up again with one that is unverified, within the transaction. */
  async afterCreateAccount(_account: AccountRecord, _transaction: Transaction): Promise<void> {}

  /** A second factor was shown: "otp", "recovery_code", "webauthn", … */
  async afterSecondFactor(_factor: string): Promise<void> {}
  /** A factor more was shown: the sign-in goes on, and is answered when nothing is left to ask. */
  async passFactor(factor: string): Promise<Reply> {
    const wasPending = this.signIn!.pending !== undefined;
    const factors = [...new Set([...this.signIn!.factors, factor])];
    const pending = await this.pendingAfter(this.account!, factors);
    await this.renewSession(factors, pending);
    await this.afterSecondFactor(factor);
    if (pending !== undefined) return this.askForMore(pending);
    return wasPending ? this.completeLogin(factor, this.sessionKey!) : this.loggedIn();
  }

  /** The answer to a request that needs a sign-in: the login page, and back afterwards; 401 for JSON. */
  override async requireAuthentication(): Promise<Reply> {
    if (this.request.format === "json" || this.request.isJson || this.type.class.apiOnly)
      return this.problem(this.unauthorized());
    await this.rememberReturn();
    if (this.signIn?.pending) return this.goTo(this.type.path(this.pendingPage(this.signIn.pending)));
    if (!this.request.isSpeculative) this.request.flash.add("info", this.t("sign_in_first"));
    return this.goTo(this.type.path("login"));
  }
  /** Pages that change an account ask who has a second factor for it, whenever they signed in. */
  async requireFactors(): Promise<Reply | undefined> {
    if (!(await this.owesFactor())) return undefined;
    if (!this.wantsJson) await this.rememberReturn();
    return this.askForMore("second");
  }
  unauthorized(): HttpError {
    return new HttpError(401, "FW_UNAUTHORIZED", "sign in first.", { headers: { "www-authenticate": this.challenge } });
  }

  /** The overview of the signed-in account: no page is a dead end. */
  async accountPage(): Promise<Reply> {
    await heldForm(this); // somebody else's is dropped, and not listed
    const sections = await this.accountSections();
    if (this.wantsJson) return this.jsonPage("account", { sections });
    const home = await this.loginRedirect();
    const shown = new Set(sections.flatMap(({ lines }) => lines.map(({ url }) => url)));
    const links = this.links().filter(({ url }) => !shown.has(url)); // a line's button leads there
    return this.page("account", { sections, links, home, csrf: this.csrf("logout") });
  }
  /** What the overview says, by section: the lines of the account's features. Override it to add, leave out or reorder. */
  async accountSections(): Promise<AccountSection[]> {
    return sectionsOf(this, await this.accountLines());
  }
  /** The lines of the overview; each feature adds its own. */
  async accountLines(): Promise<AccountLine[]> {
    return [];
  }
  /** What was being sent when the person turned out to be signed out. */
  async heldFormPage(): Promise<Reply> {
    return this.page("held_form", { ...(await heldFormLocals(this)), home: await this.loginRedirect() });
  }
  /** The pages of the signed-in account; its overview lists those that none of its lines leads to. */
  links(): PageLink[] {
    return accountLinks(this);
  }
}
