import { HttpError, type Reply } from "framewright/host";
import { ConfirmationCodes } from "./confirmation_codes.ts";
import { Returns } from "./return_location.ts";
import { writeFactors } from "./sign_in.ts";

const MINUTE = 60_000;
const STANDARD_MINUTES = 10;
const page = "confirm-identity";

export interface ConfirmedOptions {
  /** Minutes for which a confirmation counts. */
  within?: number;
}

/** Asking who is signed in to show once more that it is them: by the password, a passkey, or a mailed code. */
export class Confirmation extends Returns {
  /**
   * Before a deed that matters: undefined where the person showed within the last minutes who they are, by signing in
   * or by confirming it; else the answer that asks for it, and leads back. To JSON 403 `FW_CONFIRMATION`.
   * @example const asked = await this.authlib.confirmed({ within: 10 }); if (asked) return this.answer(asked);
   */
  async confirmed({ within = STANDARD_MINUTES }: ConfirmedOptions = {}): Promise<Reply | undefined> {
    await this.load();
    if (!this.signIn || ["second", "password"].includes(this.signIn.pending ?? "")) return this.requireAuthentication();
    if (await this.isConfirmed(within)) return undefined;
    if (!this.wantsJson) {
      await this.rememberReturn();
      return this.goTo(this.type.path(page));
    }
    const message = this.t("confirm_identity.needed", { path: this.type.path(page) });
    return this.problem(new HttpError(403, "FW_CONFIRMATION", message));
  }
  /** Whether this sign-in was confirmed within so many minutes. Signing in counts, but not by a device's key. */
  async isConfirmed(within: number = STANDARD_MINUTES): Promise<boolean> {
    const { factors, createdAt, confirmedAt } = this.signIn!;
    const since = Date.now() - within * MINUTE;
    if (confirmedAt !== undefined && confirmedAt.getTime() > since) return true;
    if (createdAt.getTime() <= since) return false;
    if (factors.includes("password") || factors.includes("webauthn")) return true;
    return factors.includes("email") && !(await this.hasPassword(this.account!));
  }

  /**
   * Whether a page of the account shows a field for the password: `always`, or where this sign-in did not show it lately.
   * A passkey is not enough there: one that somebody else added must not change what guards the account.
   */
  async asksForPassword({ always = false } = {}): Promise<boolean> {
    const { factors, createdAt, confirmedAt } = this.signIn!;
    const since = Date.now() - STANDARD_MINUTES * MINUTE;
    const isShown = factors.includes("password") && Math.max(+createdAt, +(confirmedAt ?? 0)) > since;
    return (always || !isShown) && (await this.hasPassword(this.account!));
  }
  /** For the page of a form that `confirmIdentity` guards: who has no password confirms before it is shown. */
  async confirmFirst(): Promise<Reply | undefined> {
    return (await this.hasPassword(this.account!)) ? undefined : this.confirmed();
  }
  /**
   * Asks who sends an account page's form to be its owner: by the password in that form, `always` or where nothing was
   * confirmed lately; who has none confirms on a page of its own. An answer asks, or says what was wrong.
   */
  async confirmIdentity(
    view: string,
    locals: Record<string, unknown>,
    { always = false } = {},
  ): Promise<Reply | undefined> {
    if (await this.asksForPassword({ always })) {
      const refused = await this.confirmPassword(view, locals);
      if (!refused && !always) await this.#markConfirmed("password");
      return refused;
    }
    return (await this.hasPassword(this.account!)) ? undefined : this.confirmed();
  }
  /** Looks at the password of a form; an answer says that it was wrong. */
  async confirmPassword(view: string, locals: Record<string, unknown>): Promise<Reply | undefined> {
    const fields = this.blanks("password");
    if (fields) return this.refuse(view, { fields, locals });
    if (await this.tryPassword(this.param("password")!)) return undefined;
    if (!this.signIn) return this.requireAuthentication();
    return this.refuse(view, { fields: { password: [this.t("password_wrong")] }, locals });
  }
  /**
   * A guess at the signed-in account's password, counted as at the login. The sign-in that makes a wrong one while the
   * login is locked, or by which it is, ends: a right one passes, so that strangers who lock the login keep nobody out.
   * @throws HttpError 429
   */
  async tryPassword(password: string): Promise<boolean> {
    const account = this.account!;
    const { serial, limits } = this.type.services;
    const login = this.normalizeLogin(this.loginOf(account));
    const key = this.guessKey(login);
    return serial.run(key, async () => {
      const { address } = this.request;
      if (await limits.judge("login", key, address, () => this.passwordMatches(account, password))) return true;
      await this.afterLoginFailure(login, "confirmation");
      if (!(await this.mayTry(login))) await this.closeSession();
      return false;
    });
  }

  async confirmIdentityPage(): Promise<Reply> {
    const refused = await this.#refuseGuests();
    return refused ?? this.page("confirm_identity", await this.#locals());
  }
  /** By `password`, by a passkey's `credential`, or by the `code` that `send` has mailed. */
  async submitConfirmIdentity(): Promise<Reply> {
    const refused = await this.#refuseGuests();
    if (refused) return refused;
    if (this.param("send") !== undefined) return this.#sendCode();
    const by = await this.#shown();
    if (typeof by !== "string") return by;
    await this.#markConfirmed(by);
    await this.tell("identity_confirmed", { by });
    const message = this.t("confirm_identity.done");
    return this.done(message, this.takeReturn() ?? this.type.path("account"));
  }
  /** The passkey options that the page asks the browser with; the feature of passkeys says them. */
  async passkeyOptions(): Promise<object | undefined> {
    return undefined;
  }
  /** Whether the passkey that was sent is the account's own. */
  async confirmByPasskey(): Promise<boolean> {
    return false;
  }

  async #refuseGuests(): Promise<Reply | undefined> {
    const refused = await this.requireSignIn();
    if (refused || this.signIn!.pending !== "second") return refused;
    return this.askForMore("second");
  }
  /** By what the person showed who they are; else the answer that says what was wrong. */
  async #shown(): Promise<string | Reply> {
    if (this.request.body.get("credential"))
      return (await this.confirmByPasskey()) ? "webauthn" : this.#wrong(await this.#locals()); // which asks anew
    const locals = await this.#locals();
    const isByCode = !locals.asks_password && this.param("password") === undefined;
    if (!isByCode) return (await this.confirmPassword("confirm_identity", locals)) ?? "password";
    const fields = this.blanks("code");
    if (fields) return this.refuse("confirm_identity", { fields, locals });
    return (await this.#codes.take(this.param("code")!)) ? "code" : this.#wrong(locals, "code");
  }
  async #wrong(locals: Record<string, unknown>, field?: string): Promise<Reply> {
    const message = this.t(field === undefined ? "confirm_identity.wrong" : "invalid");
    const fields = field === undefined ? {} : { [field]: [this.t("code_wrong")] };
    return this.refuse("confirm_identity", { message, fields, locals });
  }
  async #sendCode(): Promise<Reply> {
    if (await this.hasPassword(this.account!)) return this.goTo(this.type.path(page)); // by the password then
    const code = await this.#codes.make();
    await this.mail(this.loginOf(this.account!), "confirmation_code", { code }, { account: this.account! });
    return this.done(this.t("confirm_identity.sent"), this.type.path(page));
  }
  async #markConfirmed(by: string): Promise<void> {
    const signIn = this.signIn!;
    signIn.confirmedAt = new Date();
    if (by === "password") signIn.factors = [...new Set([...signIn.factors, by])];
    const row = { confirmed_at: signIn.confirmedAt, factors: writeFactors(signIn.factors, signIn.pending) };
    await this.knex(this.type.table("active_session_keys")).where({ id: signIn.id }).update(row);
    if (this.request.bearer === undefined) await this.renewSession(signIn.factors, signIn.pending);
  }
  get #codes(): ConfirmationCodes {
    return new ConfirmationCodes(this);
  }
  async #locals() {
    const asks_password = await this.hasPassword(this.account!);
    const options = await this.passkeyOptions();
    return {
      asks_password,
      options: options && JSON.stringify(options),
      was_sent: !asks_password && (await this.#codes.isSent()),
      login: this.loginOf(this.account!),
      csrf: this.csrf(page),
    };
  }
}
