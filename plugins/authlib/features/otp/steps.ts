import { HttpError, type Reply } from "framewright/host";
import { decodeDate, type Transaction } from "framewright/plugins/database";
import type { AccountLine } from "../../account_sections.ts";
import type { AccountRecord } from "../../account_type.ts";
import type { AuthlibBase } from "../../base.ts";
import type { FactorSummary } from "../../core/factors.ts";
import type { SignIn } from "../../core/sessions.ts";
import type { Pending } from "../../core/sign_in.ts";
import type { AuthlibClass } from "../../feature.ts";
import { otpLine } from "./account_line.ts";
import type { OtpOptions, OtpSteps } from "./index.ts";
import { type CodeResult, OtpKeys, table } from "./keys.ts";
import { counterOf, keyUri, newSecret, qrCode } from "./totp.ts";

/** The steps of the feature `otp`. */
export function steps(Base: AuthlibClass): AuthlibClass<AuthlibBase & OtpSteps> {
  return class WithOtp extends Base {
    readonly #keys = new OtpKeys(this);

    override async pendingFor(account: AccountRecord, factors: readonly string[]): Promise<SignIn["pending"]> {
      const more = await super.pendingFor(account, factors);
      if (more || factors.some((factor) => ["otp", "recovery_code", "webauthn"].includes(factor))) return more;
      if (await this.#keys.of(account)) return "second";
      return this.#options.required ? "setup" : undefined;
    }
    override pendingPage(pending: Pending): string {
      if (pending === "setup") return "otp-setup";
      return pending === "second" ? "otp-auth" : super.pendingPage(pending);
    }

    override secondFactorTables(): string[] {
      return [...super.secondFactorTables(), table];
    }
    override async listFactors(): Promise<FactorSummary[]> {
      const row = await this.#keys.of(this.account!);
      const since = row && (decodeDate(row.confirmed_at) as Date);
      const own = { name: "otp", page: "otp-setup", count: row ? 1 : 0, ...(since ? { since } : {}) };
      return [...(await super.listFactors()), own];
    }
    override async removeFactors(transaction: Transaction): Promise<string[]> {
      const others = await super.removeFactors(transaction);
      return (await this.#keys.removeIn(transaction)) ? [...others, "otp"] : others;
    }

    override async factorsLockedUntil(): Promise<Date | undefined> {
      return (await this.#keys.lockedUntil()) ?? super.factorsLockedUntil();
    }
    override async unlockFactors(transaction: Transaction): Promise<boolean> {
      const others = await super.unlockFactors(transaction);
      return (await this.#keys.resetFailures(transaction)) || others;
    }
    override async accountLines(): Promise<AccountLine[]> {
      return [...(await super.accountLines()), await otpLine(this, await this.#keys.of(this.account!))];
    }

    async otpSetupPage(): Promise<Reply> {
      const refused = (await this.requireSignIn()) ?? (await this.#requireCode()) ?? (await this.confirmFirst());
      if (refused) return refused;
      if (await this.#keys.of(this.account!)) return this.page("otp_disable", await this.#disableLocals());
      return this.page("otp_setup", await this.#setupLocals(newSecret()));
    }
    async submitOtpSetup(): Promise<Reply> {
      const refused = (await this.requireSignIn()) ?? (await this.#requireCode());
      if (refused) return refused;
      if (await this.#keys.of(this.account!)) return this.#disable();
      const secret = this.#keys.offered(this.param("otp_secret") ?? "");
      if (secret === undefined) return this.#offerSecret();
      const locals = await this.#setupLocals(secret);
      const asked = await this.confirmIdentity("otp_setup", locals);
      if (asked) return asked;
      const counter = counterOf(secret, this.param("otp_code") ?? "");
      if (counter === undefined)
        return this.refuse("otp_setup", { fields: { otp_code: [this.t("code_wrong")] }, locals });
      if (!(await this.#keys.store(secret, counter))) return this.goTo(this.type.path("otp-auth"));
      await this.emitEvent("second_factor_added", { kind: "otp" });
      this.request.flash.add("success", this.t("otp_setup.done"));
      const wasPending = this.signIn!.pending !== undefined;
      if (wasPending) return this.passFactor("otp");
      await this.renewSession([...new Set([...this.signIn!.factors, "otp"])]);
      if (this.wantsJson) return this.controller.json({ success: this.t("otp_setup.done") });
      const review = await this.reviewPath();
      if (review !== undefined) this.keepReturn(this.otpSetupRedirect());
      return this.goTo(review ?? this.otpSetupRedirect());
    }
    otpSetupRedirect(): string {
      return this.type.path(this.type.has("recovery_codes") ? "recovery-codes" : "account");
    }

    async otpAuthPage(): Promise<Reply> {
      const refused = await this.requireSignIn();
      if (refused) return refused;
      if (!(await this.#requireCode())) return this.goTo(this.type.path("account"));
      const locals = await this.#authLocals();
      if (locals.webauthn && !locals.otp) return this.goTo(this.type.path("webauthn-auth"));
      return this.page("otp_auth", locals);
    }
    async submitOtpAuth(): Promise<Reply> {
      const refused = await this.requireSignIn();
      if (refused) return refused;
      const lockedUntil = await this.#keys.lockedUntil();
      if (lockedUntil) return this.#refuseLocked(lockedUntil);
      const code = this.param("otp_code") ?? "";
      let result: CodeResult = { isTaken: false };
      await this.guess("otp", async () => {
        result = await this.#keys.accept(code, this.#options.maxAttempts ?? 5);
        return result.isTaken;
      });
      if (result.isTaken) return this.passFactor("otp");
      if (result.hasLocked) await this.emitEvent("otp_locked", { until: result.until!.toISOString() });
      if (result.until) return this.#refuseLocked(result.until);
      return this.refuse("otp_auth", {
        fields: { otp_code: [this.t("code_wrong")] },
        status: this.wantsJson ? 401 : 422,
        locals: await this.#authLocals(),
      });
    }

    get #options(): OtpOptions {
      return this.optionsOf<OtpOptions>("otp");
    }
    /** A person with a second factor must use it before changing it, also in a sign-in from before it was set up. */
    async #requireCode(): Promise<Reply | undefined> {
      const { pending } = this.signIn!;
      const isPending =
        pending === "second" || (pending === "setup" && (await this.#keys.of(this.account!)) !== undefined);
      return isPending ? this.goTo(this.type.path("otp-auth")) : undefined;
    }
    /** The reply while codes are locked. Only a person who knows the password gets here, so it may state it. */
    async #refuseLocked(until: Date): Promise<Reply> {
      const seconds = String(Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1000)));
      const headers = { "retry-after": seconds };
      if (this.wantsJson)
        return this.problem(new HttpError(429, "FW_OTP_LOCKED", this.t("otp_auth.locked"), { headers }));
      const reply = await this.page("otp_auth", await this.#authLocals(), 429);
      Object.assign(reply.headers, headers);
      return reply;
    }
    async #disable(): Promise<Reply> {
      const locals = await this.#disableLocals();
      const refused = await this.confirmIdentity("otp_disable", locals);
      if (refused) return refused;
      if (!(await this.#keys.remove())) return this.requireAuthentication();
      await this.renewSession(this.signIn!.factors.filter((factor) => factor !== "otp"));
      await this.emitEvent("second_factor_removed", { kind: "otp" });
      return this.done(this.t("otp_disable.done"), this.type.path("account"));
    }
    /** A JSON client requests a secret first, then sends it back with a code. */
    async #offerSecret(): Promise<Reply> {
      const { otp_secret, uri, manual } = await this.#setupLocals(newSecret());
      if (this.wantsJson) return this.controller.json({ otp_secret, uri, secret: manual });
      return this.goTo(this.type.path("otp-setup"));
    }
    async #disableLocals() {
      const codes = (await this.secondFactors()).recovery;
      return {
        takes_codes: codes && !(await this.hasFactorStored(this.knex, { besides: table })),
        keeps_codes: codes && (await this.hasFactorStored(this.knex, { besides: table })),
        csrf: this.csrf("otp-setup"),
        logout_csrf: this.csrf("logout"),
        asks_password: await this.asksForPassword(),
        login: this.loginOf(this.account!),
      };
    }
    async #authLocals() {
      return {
        csrf: this.csrf("otp-auth"),
        logout_csrf: this.csrf("logout"),
        login: this.loginOf(this.account!),
        locked_until: await this.#keys.lockedUntil(),
        ...(await this.secondFactors()),
      };
    }
    async #setupLocals(secret: string) {
      const issuer = this.#options.issuer ?? this.request.t("application.name");
      const uri = keyUri(secret, issuer, this.loginOf(this.account!));
      const otp_secret = this.#keys.offer(secret);
      const manual = secret.match(/.{1,4}/g)!.join(" ");
      const isRequired = this.signIn!.pending === "setup";
      return { otp_secret, uri, manual, qr: qrCode(uri), isRequired, ...(await this.#disableLocals()) };
    }
  };
}
