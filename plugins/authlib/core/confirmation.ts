import { HttpError, type Reply } from "framewright/host";
import { ConfirmationCodes } from "./confirmation_codes.ts";
import { ReturnLocation } from "./return_location.ts";
import { writeFactors } from "./sign_in.ts";

const MINUTE_MS = 60_000;
const DEFAULT_MINUTES = 10;
const page = "confirm-identity";

export interface ConfirmedOptions {
  /** How many minutes a confirmation is valid. */
  within?: number;
}

/** Asks signed-in people to confirm their identity again: by password, passkey, or mailed code. */
export class Confirmation extends ReturnLocation {
  /**
   * For sensitive actions: undefined where the person signed in or confirmed within the last minutes; else a redirect to
   * the confirmation page, which leads back, or for JSON a 403 `FW_CONFIRMATION`.
   * @example const asked = await this.authlib.confirmed({ within: 10 }); if (asked) return this.answer(asked);
   */
  async confirmed({ within = DEFAULT_MINUTES }: ConfirmedOptions = {}): Promise<Reply | undefined> {
    if (this.isActing) return this.refuseActing();
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
  /** The reply to somebody acting for this person: accounts, credentials and confirmed actions are the person's own. */
  refuseActing(): Reply {
    return this.problem(new HttpError(403, "FW_ACTING", this.t("acting")));
  }
  /** Whether this sign-in was confirmed within so many minutes. Signing in counts, except through `remember`. */
  async isConfirmed(within: number = DEFAULT_MINUTES): Promise<boolean> {
    const { factors, createdAt, confirmedAt } = this.signIn!;
    const since = Date.now() - within * MINUTE_MS;
    if (confirmedAt !== undefined && confirmedAt.getTime() > since) return true;
    if (createdAt.getTime() <= since) return false;
    if (factors.includes("password") || factors.includes("webauthn")) return true;
    return factors.includes("email") && !(await this.hasPassword(this.account!));
  }

  /**
   * Whether a page of the account has a password field: `always`, or where this sign-in did not use the password recently.
   * A passkey is not enough there: one that an attacker added must not change the account's credentials.
   */
  async asksForPassword({ always = false } = {}): Promise<boolean> {
    const { factors, createdAt, confirmedAt } = this.signIn!;
    const since = Date.now() - DEFAULT_MINUTES * MINUTE_MS;
    const isShown = factors.includes("password") && Math.max(+createdAt, +(confirmedAt ?? 0)) > since;
    return (always || !isShown) && (await this.hasPassword(this.account!));
  }
  /** For the page of a form that `confirmIdentity` protects: a person without a password confirms before it is shown. */
  async confirmFirst(): Promise<Reply | undefined> {
    return (await this.hasPassword(this.account!)) ? undefined : this.confirmed();
  }
  /**
   * Checks the identity of a person who submits an account page's form: by the password in that form, `always` or where
   * nothing was confirmed recently; a person without a password confirms on a page of its own. Returns the reply to send
   * instead, or undefined.
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
  /** Checks the password of a form; returns the form again where it is wrong. */
  async confirmPassword(view: string, locals: Record<string, unknown>): Promise<Reply | undefined> {
    const fields = this.blanks("password");
    if (fields) return this.refuse(view, { fields, locals });
    if (await this.tryPassword(this.param("password")!)) return undefined;
    if (!this.signIn) return this.requireAuthentication();
    return this.refuse(view, { fields: { password: [this.t("password_wrong")] }, locals });
  }
  /**
   * Checks a password of the signed-in account; failures count as at the login. A wrong password while the login is
   * locked, or that locks it, ends the sign-in. A right one passes even then, so that strangers who lock the login do
   * not block its owner.
   * @throws HttpError 429
   */
  async tryPassword(password: string): Promise<boolean> {
    const account = this.account!;
    const { mutex, limits } = this.type.services;
    const login = this.normalizeLogin(this.loginOf(account));
    const key = this.guessKey(login);
    return mutex.run(key, async () => {
      const { address } = this.request;
      if (await limits.attempt("login", key, address, () => this.passwordMatches(account, password))) return true;
      await this.afterLoginFailure(login, "confirmation");
      if (!(await this.isLoginAllowed(login))) await this.closeSession();
      return false;
    });
  }

  async confirmIdentityPage(): Promise<Reply> {
    const refused = await this.#refuseGuests();
    return refused ?? this.page("confirm_identity", await this.#locals());
  }
  /** Accepts `password`, a passkey's `credential`, or the `code` that `send` has mailed. */
  async submitConfirmIdentity(): Promise<Reply> {
    const refused = await this.#refuseGuests();
    if (refused) return refused;
    if (this.param("send") !== undefined) return this.#sendCode();
    const by = await this.#confirmFactor();
    if (typeof by !== "string") return by;
    await this.#markConfirmed(by);
    await this.emitEvent("identity_confirmed", { by });
    const message = this.t("confirm_identity.done");
    return this.done(message, this.takeReturn() ?? this.type.path("account"));
  }
  /** The options of the passkey prompt in the browser. Implemented by webauthn(). */
  async passkeyOptions(): Promise<object | undefined> {
    return undefined;
  }
  /** Whether the submitted passkey belongs to the account. */
  async confirmByPasskey(): Promise<boolean> {
    return false;
  }

  async #refuseGuests(): Promise<Reply | undefined> {
    const refused = await this.requireSignIn();
    if (refused || this.signIn!.pending !== "second") return refused;
    return this.requirePendingStep("second");
  }
  /** The factor that confirmed the identity, or a reply with the error. */
  async #confirmFactor(): Promise<string | Reply> {
    if (this.request.body.get("credential"))
      return (await this.confirmByPasskey()) ? "webauthn" : this.#wrong(await this.#locals());
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
    if (await this.hasPassword(this.account!)) return this.goTo(this.type.path(page)); // which asks for the password
    const account = this.account!;
    await this.#codes.make((code, transaction) =>
      this.mail(this.loginOf(account), "confirmation_code", { code }, { account, transaction }),
    );
    return this.done(this.t("confirm_identity.sent"), this.type.path(page));
  }
  async #markConfirmed(by: string): Promise<void> {
    const signIn = this.signIn!;
    signIn.confirmedAt = new Date();
    if (by === "password") signIn.factors = [...new Set([...signIn.factors, by])];
    const row = { confirmed_at: signIn.confirmedAt, factors: writeFactors(signIn.factors, signIn.pending) };
    const own = () => this.knex(this.type.table("active_session_keys")).where({ id: signIn.id });
    await this.statement(() => own().update(row));
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
