import { HttpError, type Reply } from "framewright/host";
import { checkOptions, option } from "framewright/kernel";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";
import { OtpKeys } from "../otp/keys.ts";
import { table, UnlockProgress } from "./progress.ts";

/** Options of `otpUnlock()`. */
export interface OtpUnlockOptions {
  /** How many right codes in a row unlock codes. */
  codes?: number;
}
/** What the feature `otp_unlock` adds. */
export interface OtpUnlockSteps {
  otpUnlockPage(): Promise<Reply>;
  submitOtpUnlock(): Promise<Reply>;
}

/** Unlocks codes of an authenticator app after several right ones in a row. */
export function otpUnlock(options: OtpUnlockOptions = {}) {
  checkOptions("otpUnlock", options, { codes: option.number });
  return defineFeature<OtpUnlockSteps>({
    name: "otp_unlock",
    directory: import.meta.dirname,
    options,
    requires: ["otp"],
    tables: [table],
    routes: form("otp-unlock", "anyone", { linked: false }),
    steps,
  });
}

function steps(Base: AuthlibClass) {
  return class WithOtpUnlock extends Base {
    readonly #keys = new OtpKeys(this);
    readonly #progress = new UnlockProgress(this);

    async otpUnlockPage(): Promise<Reply> {
      return (await this.#refused()) ?? this.page("otp_unlock", await this.#locals());
    }
    async submitOtpUnlock(): Promise<Reply> {
      const refused = await this.#refused();
      if (refused) return refused;
      const { codes } = await this.#progress.read();
      if (!(await this.#progress.claim())) return this.#refuseEarly();
      const row = (await this.#keys.of(this.account!))!;
      const isRight = await this.guess("otp", () => this.#keys.spend(row, this.param("otp_code") ?? ""));
      if (!isRight) return this.#startOver();
      if (codes + 1 < this.#needed) return this.#continue(codes + 1);
      await this.#keys.unlock(row);
      await this.#progress.clear();
      await this.emitEvent("otp_unlocked");
      this.request.flash.add("success", this.t("otp_unlock.done"));
      return this.passFactor("otp");
    }

    get #needed(): number {
      return this.optionsOf<OtpUnlockOptions>("otp_unlock").codes ?? 3;
    }
    /** Redirects, except for a sign-in by password while codes are locked. */
    async #refused(): Promise<Reply | undefined> {
      const refused = await this.requireSignIn();
      if (refused) return refused;
      const isLocked = this.signIn!.pending === "second" && (await this.#keys.lockedUntil()) !== undefined;
      return isLocked ? undefined : this.goTo(this.type.path("otp-auth"));
    }
    async #continue(codes: number): Promise<Reply> {
      await this.#progress.store(codes);
      if (!this.wantsJson) return this.done(this.t("otp_unlock.next"), this.type.path("otp-unlock"));
      return this.controller.json({ success: this.t("otp_unlock.next"), codes_left: this.#needed - codes });
    }
    async #startOver(): Promise<Reply> {
      await this.#progress.store(0);
      await this.emitEvent("otp_unlock_failed");
      const fields = { otp_code: [this.t("otp_unlock.wrong")] };
      const status = this.wantsJson ? 401 : 422;
      return this.refuse("otp_unlock", { fields, status, locals: await this.#locals() });
    }
    /** The reply to a code within the last one's 30 seconds. It is not checked: it may be the same code. */
    async #refuseEarly(): Promise<Reply> {
      const locals = await this.#locals();
      const headers = { "retry-after": String(Math.max(1, locals.seconds)) };
      const message = this.t("otp_unlock.wait", { count: Math.max(1, locals.seconds) });
      if (this.wantsJson) return this.problem(new HttpError(429, "FW_OTP_UNLOCK_WAIT", message, { headers }));
      const reply = await this.page("otp_unlock", { ...locals, alert: message }, 429);
      Object.assign(reply.headers, headers);
      return reply;
    }
    async #locals() {
      const { codes, nextAt } = await this.#progress.read();
      return {
        csrf: this.csrf("otp-unlock"),
        logout_csrf: this.csrf("logout"),
        login: this.loginOf(this.account!),
        codes: this.#needed,
        number: codes + 1,
        seconds: Math.max(0, Math.ceil(((nextAt?.getTime() ?? 0) - Date.now()) / 1000)),
        ...(await this.secondFactors()),
      };
    }
  };
}
