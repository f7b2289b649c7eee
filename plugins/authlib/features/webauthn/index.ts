import type { Reply } from "framewright";
import { checkOptions, option } from "framewright/kernel";
import type { AccountRecord } from "../../account_type.ts";
import type { SignIn } from "../../core/sessions.ts";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";
import { describeAgent } from "../active_sessions/agents.ts";
import { Ceremony } from "./ceremony.ts";
import { hostProblem } from "./host.ts";
import { type Key, Keys, table } from "./keys.ts";

export interface WebauthnOptions {
  /** The host that passkeys are for; that of APP_URL, or of the request, unless told. */
  rpId?: string;
  /** Whether who has a key must show it after the password. */
  secondFactor?: boolean;
}
/** What the feature `webauthn` adds. */
export interface WebauthnSteps {
  webauthnSetupPage(): Promise<Reply>;
  submitWebauthnSetup(): Promise<Reply>;
  webauthnAuthPage(): Promise<Reply>;
  submitWebauthnAuth(): Promise<Reply>;
}

/** Passkeys and security keys: a way to sign in without a password, or the second factor after one. They need JavaScript. */
export function webauthn(options: WebauthnOptions = {}) {
  checkOptions("webauthn", options, { rpId: option.string, secondFactor: option.boolean });
  return defineFeature<WebauthnSteps>({
    name: "webauthn",
    directory: import.meta.dirname,
    options,
    requires: ["login"],
    tables: [table],
    owned: [table],
    factors: [table],
    routes: [
      ...form("webauthn-setup", "account", { page: false }),
      ...form("webauthn-auth", "anyone", { page: false }),
    ],
    steps,
  });
}

function steps(Base: AuthlibClass) {
  return class WithWebauthn extends Base {
    readonly #keys = new Keys(this);
    readonly #ceremony = new Ceremony(this, this.#keys, this.optionsOf<WebauthnOptions>("webauthn").rpId);

    override async pendingFor(account: AccountRecord, factors: readonly string[]): Promise<SignIn["pending"]> {
      const more = await super.pendingFor(account, factors);
      const hasShown = factors.some((factor) => ["otp", "recovery_code", "webauthn"].includes(factor));
      if (more === "second" || hasShown || !this.#isAsked) return more;
      return (await this.#keys.of(account.id)).length > 0 ? "second" : more;
    }
    override pendingPage(pending: "second" | "setup"): string {
      return pending === "second" && !this.type.has("otp") ? "webauthn-auth" : super.pendingPage(pending);
    }

    async webauthnSetupPage(): Promise<Reply> {
      const leaving = await this.#keys.mine(this.request.query.get("remove"));
      if (leaving && !this.wantsJson) return this.page("webauthn_remove", await this.#removeLocals(leaving));
      const options = await this.#ceremony.askToRegister();
      if (this.wantsJson) return this.controller.json(options);
      return this.page("webauthn_setup", await this.#setupLocals(options));
    }
    async submitWebauthnSetup(): Promise<Reply> {
      const remove = this.param("remove");
      if (remove !== undefined) return this.#remove(remove);
      const kept = await this.#ceremony.takeRegistration();
      if (await this.asksForPassword()) {
        const refused = await this.confirmPassword("webauthn_setup", await this.#setupLocals());
        if (refused) return refused;
      }
      const credential = kept && (await this.#ceremony.registered(kept));
      if (!credential) return this.#refuseSetup();
      const name = (this.param("name") ?? "").trim() || this.t("webauthn_setup.unnamed");
      const isFirst = this.#isAsked && !(await this.hasSecondFactor());
      const isMine = await this.changeFactors(async (trx) => {
        const isAdded = await this.#keys.add(credential, { handle: kept.handle, name }, trx);
        if (isAdded && isFirst) await this.endWithoutFactor(trx);
        return isAdded;
      });
      if (!isMine) return this.#refuseSetup();
      const { factors } = this.signIn!;
      await this.renewSession(this.#isAsked ? [...new Set([...factors, "webauthn"])] : factors);
      await this.tell("second_factor_added", { kind: "webauthn" });
      return this.done(this.t("webauthn_setup.done"), this.type.path("webauthn-setup"));
    }

    async webauthnAuthPage(): Promise<Reply> {
      if (await this.load()) return this.goTo(await this.loginRedirect());
      const options = await this.#ceremony.askToSignIn(this.#isSecond);
      if (this.wantsJson) return this.controller.json(options);
      return this.page("webauthn_auth", await this.#authLocals(options));
    }
    async submitWebauthnAuth(): Promise<Reply> {
      await this.load();
      const isSecond = this.#isSecond;
      const key = await this.#ceremony.signedBy(isSecond);
      const account = key && (await this.findAccountById(key.account_id));
      if (!account || !this.isOpen(account) || (isSecond && account.id !== this.account?.id)) return this.#refuseAuth();
      return isSecond ? this.passFactor("webauthn") : this.login(account, "webauthn");
    }

    async #refuseSetup(): Promise<Reply> {
      const locals = await this.#setupLocals();
      return this.refuse("webauthn_setup", { message: this.t("webauthn_setup.wrong"), locals });
    }
    /** Whether a passkey is a second factor, that sign-ins are asked for. */
    get #isAsked(): boolean {
      return this.optionsOf<WebauthnOptions>("webauthn").secondFactor === true;
    }
    get #isSecond(): boolean {
      return this.signIn?.pending === "second";
    }
    async #refuseAuth(): Promise<Reply> {
      await this.tell("login_failed", { by: "webauthn" }, undefined);
      const locals = await this.#authLocals(await this.#ceremony.askToSignIn(this.#isSecond));
      const status = this.wantsJson ? 401 : 422;
      return this.refuse("webauthn_auth", { message: this.t("webauthn_auth.wrong"), status, locals });
    }
    async #remove(id: string): Promise<Reply> {
      const key = await this.#keys.mine(id);
      if (key) {
        const asked = await this.confirmIfAsked("webauthn_remove", await this.#removeLocals(key));
        if (asked) return asked;
        if (await this.#keys.remove(key)) await this.tell("second_factor_removed", { kind: "webauthn" });
        await this.renewSession(this.signIn!.factors.filter((factor) => factor !== "webauthn"));
      }
      return this.done(this.t("webauthn_setup.removed"), this.type.path("webauthn-setup"));
    }
    async #removeLocals({ id, name }: Key) {
      const account = { asks_password: await this.asksForPassword(), login: this.loginOf(this.account!) };
      return { id, name, csrf: this.csrf("webauthn-setup"), ...account };
    }
    /** Says on the page, before anybody tries, that passkeys can't work at its address; and where they can. */
    #hostLocals(page: string) {
      const { origin, rpId } = this.#ceremony;
      const own = new URL(this.request.origin);
      const problem = hostProblem(own.hostname, new URL(origin).protocol, rpId);
      if (problem === undefined) return {};
      if (problem === "address" && /^(127\.|\[::1\])/.test(own.hostname)) own.hostname = "localhost";
      const there = this.request.settings.appUrl?.origin ?? own.origin;
      const elsewhere = there === this.request.origin ? undefined : there + this.type.path(page);
      return { unavailable: this.t(`webauthn_setup.no_${problem}`, { host: rpId }), elsewhere };
    }
    async #setupLocals(given?: object) {
      return {
        keys: await this.#keys.listed(),
        options: JSON.stringify(given ?? (await this.#ceremony.askToRegister())),
        csrf: this.csrf("webauthn-setup"),
        device: describeAgent(this.request.header("user-agent") ?? ""),
        asks_password: await this.asksForPassword(),
        login: this.loginOf(this.account!),
        ...this.#hostLocals("webauthn-setup"),
      };
    }
    async #authLocals(options: object) {
      const second = this.#isSecond;
      return {
        options: JSON.stringify(options),
        csrf: this.csrf("webauthn-auth"),
        logout_csrf: this.csrf("logout"),
        second,
        ...(second ? { login: this.loginOf(this.account!), ...(await this.secondFactors()) } : {}),
        ...this.#hostLocals("webauthn-auth"),
      };
    }
  };
}
