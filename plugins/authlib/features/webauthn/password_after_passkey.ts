import type { Reply } from "framewright/host";
import type { AccountRecord } from "../../account_type.ts";
import type { AuthlibBase } from "../../base.ts";
import type { SignIn } from "../../core/sessions.ts";
import type { Pending } from "../../core/sign_in.ts";
import type { AuthlibClass } from "../../feature.ts";
import { OtpKeys } from "../otp/keys.ts";
import type { WebauthnOptions, WebauthnSteps } from "./index.ts";

type Steps = Pick<WebauthnSteps, "passwordAuthPage" | "submitPasswordAuth">;

/** Requires the password or a code after a passkey, where a passkey counts as one factor. */
export function withPasswordAfterPasskey(Base: AuthlibClass): AuthlibClass<AuthlibBase & Steps> {
  return class WithPassword extends Base {
    override async pendingFor(account: AccountRecord, factors: readonly string[]): Promise<SignIn["pending"]> {
      const more = await super.pendingFor(account, factors);
      if (more || this.#countsAsTwo || !isPasskeyAlone(factors)) return more;
      const hasAnother = (await this.hasPassword(account)) || (await this.#hasApp(account));
      return hasAnother ? "second" : more;
    }
    override pendingPage(pending: Pending): string {
      return pending === "second" && this.#isPasswordPending ? "password-auth" : super.pendingPage(pending);
    }
    override async secondFactors() {
      const found = await super.secondFactors();
      return this.#isPasswordPending
        ? { ...found, webauthn: false, by_password: await this.hasPassword(this.account!) }
        : found;
    }

    async passwordAuthPage(): Promise<Reply> {
      const refused = await this.#refused();
      return refused ?? this.page("password_auth", await this.#locals());
    }
    async submitPasswordAuth(): Promise<Reply> {
      const refused = await this.#refused();
      if (refused) return refused;
      const fields = this.blanks("password");
      if (fields) return this.refuse("password_auth", { fields, locals: await this.#locals() });
      const account = this.account!;
      const login = this.normalizeLogin(this.loginOf(account));
      const { mutex, limits } = this.type.services;
      const key = this.guessKey(login);
      const isRight = await mutex.run(key, () =>
        limits.attempt("login", key, this.request.address, async () => {
          const isAllowed = await this.isLoginAllowed(login);
          return (await this.passwordMatches(account, this.param("password")!)) && isAllowed;
        }),
      );
      if (!isRight) return this.#refuseWrong(login);
      await this.afterPassword(login);
      return this.passFactor("password");
    }

    get #countsAsTwo(): boolean {
      return this.optionsOf<WebauthnOptions>("webauthn").countsAsTwoFactors !== false;
    }
    /** Whether this sign-in has used a passkey and nothing else so far. */
    get #isPasswordPending(): boolean {
      return !this.#countsAsTwo && this.signIn?.pending === "second" && isPasskeyAlone(this.signIn.factors);
    }
    async #hasApp(account: AccountRecord): Promise<boolean> {
      return this.type.has("otp") && (await new OtpKeys(this).of(account)) !== undefined;
    }
    async #refused(): Promise<Reply | undefined> {
      const refused = await this.requireSignIn();
      if (refused) return refused;
      if (!this.#isPasswordPending) return this.goTo(this.type.path("account"));
      return (await this.hasPassword(this.account!)) ? undefined : this.goTo(this.type.path("otp-auth"));
    }
    async #refuseWrong(login: string): Promise<Reply> {
      await this.afterLoginFailure(login);
      const fields = { password: [this.t("password_wrong")] };
      const status = this.wantsJson ? 401 : 422;
      return this.refuse("password_auth", { fields, status, locals: await this.#locals() });
    }
    async #locals() {
      return {
        csrf: this.csrf("password-auth"),
        logout_csrf: this.csrf("logout"),
        login: this.loginOf(this.account!),
        ...(await this.secondFactors()),
      };
    }
  };
}

const isPasskeyAlone = (factors: readonly string[]): boolean =>
  factors.length > 0 && factors.every((factor) => factor === "webauthn");
