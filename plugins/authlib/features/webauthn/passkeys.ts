import type { Reply } from "framewright/host";
import type { Transaction } from "framewright/plugins/database";
import type { AccountLine } from "../../account_sections.ts";
import type { AccountRecord } from "../../account_type.ts";
import type { AuthlibBase } from "../../base.ts";
import type { FactorSummary } from "../../core/factors.ts";
import type { SignIn } from "../../core/sessions.ts";
import type { Pending } from "../../core/sign_in.ts";
import type { AuthlibClass } from "../../feature.ts";
import { describeAgent } from "../active_sessions/agents.ts";
import { passkeyLine, roleTexts } from "./account_line.ts";
import { Ceremony } from "./ceremony.ts";
import { hostLocals } from "./host.ts";
import type { WebauthnOptions, WebauthnSteps } from "./index.ts";
import { type Passkey, PasskeyStore, table } from "./passkey_store.ts";

type Steps = Pick<
  WebauthnSteps,
  "webauthnSetupPage" | "submitWebauthnSetup" | "webauthnAuthPage" | "submitWebauthnAuth"
>;

/** A step of login(), which is listed before. */
interface LoginLocals {
  loginLocals(asked?: "all" | "login" | "password"): Record<string, unknown>;
}

/** Passkeys are added, shown and removed. */
export function withPasskeys(Base: AuthlibClass): AuthlibClass<AuthlibBase & Steps> {
  return class WithWebauthn extends (Base as AuthlibClass<AuthlibBase & LoginLocals>) {
    readonly #keys = new PasskeyStore(this);
    readonly #ceremony = new Ceremony(this, this.#keys, this.optionsOf<WebauthnOptions>("webauthn").rpId);

    override async pendingFor(account: AccountRecord, factors: readonly string[]): Promise<SignIn["pending"]> {
      const more = await super.pendingFor(account, factors);
      const hasShown = factors.some((factor) => ["otp", "recovery_code", "webauthn"].includes(factor));
      if (more === "second" || hasShown || !this.#isSecondFactor) return more;
      return (await this.#keys.of(account.id)).length > 0 ? "second" : more;
    }
    override pendingPage(pending: Pending): string {
      return pending === "second" && !this.type.has("otp") ? "webauthn-auth" : super.pendingPage(pending);
    }

    override secondFactorTables(): string[] {
      return [...super.secondFactorTables(), ...(this.#isSecondFactor ? [table] : [])];
    }
    override async listFactors(): Promise<FactorSummary[]> {
      const { length } = await this.#keys.of(this.account!.id);
      return [...(await super.listFactors()), { name: "webauthn", page: "webauthn-setup", count: length }];
    }
    override async removeFactors(transaction: Transaction): Promise<string[]> {
      const others = await super.removeFactors(transaction);
      if ((await this.#keys.needed(transaction)) > 0) return others;
      return [...others, ...new Array<string>(await this.#keys.removeAll(transaction)).fill("webauthn")];
    }

    override async accountLines(): Promise<AccountLine[]> {
      const { length } = await this.#keys.of(this.account!.id);
      return [...(await super.accountLines()), passkeyLine(this, length, this.#isSecondFactor)];
    }

    async webauthnSetupPage(): Promise<Reply> {
      const asked = await this.confirmFirst();
      if (asked) return asked;
      const removed = await this.#keys.mine(this.request.query.get("remove"));
      if (removed && !this.wantsJson) return this.page("webauthn_remove", await this.#removeLocals(removed));
      const options = await this.#ceremony.askToRegister();
      if (this.wantsJson) return this.controller.json(options);
      return this.page("webauthn_setup", await this.#setupLocals(options));
    }
    async submitWebauthnSetup(): Promise<Reply> {
      const remove = this.param("remove");
      if (remove !== undefined) return this.#remove(remove);
      const kept = await this.#ceremony.takeRegistration();
      const refused = await this.confirmIdentity("webauthn_setup", await this.#setupLocals());
      if (refused) return refused;
      const credential = kept && (await this.#ceremony.registered(kept));
      if (!credential) return this.#refuseSetup();
      const name = (this.param("name") ?? "").trim() || this.t("webauthn_setup.unnamed");
      const isFirst = this.#isSecondFactor && !(await this.hasSecondFactor());
      const added = await this.changeFactors(async (trx) => {
        const result = await this.#keys.add(credential, { handle: kept.handle, name }, trx);
        if (result === "added" && isFirst) {
          await this.endWithoutFactor(trx);
          await this.#keys.keep(trx);
        }
        return result;
      });
      if (added === undefined || added === "taken") return this.#refuseSetup();
      const { factors } = this.signIn!;
      await this.renewSession(this.#isSecondFactor ? [...new Set([...factors, "webauthn"])] : factors);
      if (added === "added") await this.emitEvent("second_factor_added", { kind: "webauthn" });
      return this.done(this.t("webauthn_setup.done"), this.type.path("webauthn-setup"));
    }

    /** Lets the login field offer passkeys. */
    override loginLocals(...asked: Parameters<LoginLocals["loginLocals"]>): Record<string, unknown> {
      return { ...super.loginLocals(...asked), passkey_csrf: this.csrf("webauthn-auth") };
    }

    async webauthnAuthPage(): Promise<Reply> {
      if (await this.load()) return this.goTo(await this.loginRedirect());
      const isAutofill = this.wantsJson && this.request.query.get("autofill") !== undefined && !this.#isSecond;
      const options = await this.#ceremony.askToSignIn(this.#isSecond, isAutofill ? "autofill" : "auth");
      if (this.wantsJson) return this.controller.json(options);
      return this.page("webauthn_auth", await this.#authLocals(options));
    }
    async submitWebauthnAuth(): Promise<Reply> {
      await this.load();
      const isSecond = this.#isSecond;
      const isAutofill = this.param("autofill") === "1" && !isSecond;
      const key = await this.#ceremony.signedBy(isSecond, isAutofill ? "autofill" : "auth");
      const account = key && (await this.findAccountById(key.account_id));
      const isOther = isSecond && account?.id !== this.account?.id;
      const mayIn = account && (isSecond ? this.isOpen(account) : await this.maySignIn(account));
      if (account && !mayIn) await this.enqueueStep("mailRefusal", this.loginOf(account));
      if (!mayIn || isOther) return this.#refuseAuth(account);
      return isSecond ? this.passFactor("webauthn") : this.login(account, "webauthn");
    }

    override async passkeyOptions(): Promise<object | undefined> {
      const keys = await this.#keys.of(this.account!.id);
      return keys.length > 0 && !this.wantsJson ? this.#ceremony.askToConfirm(keys) : super.passkeyOptions();
    }
    override async confirmByPasskey(): Promise<boolean> {
      const key = await this.#ceremony.signedBy(false);
      return key !== undefined && key.account_id === this.account!.id;
    }

    async #refuseSetup(): Promise<Reply> {
      const locals = await this.#setupLocals();
      return this.refuse("webauthn_setup", { message: this.t("webauthn_setup.wrong"), locals });
    }
    /** Whether passkeys are a required second factor. */
    get #isSecondFactor(): boolean {
      return this.optionsOf<WebauthnOptions>("webauthn").secondFactor === true;
    }
    get #isSecond(): boolean {
      return this.signIn?.pending === "second";
    }
    async #refuseAuth(account: AccountRecord | undefined): Promise<Reply> {
      await this.emitEvent("login_failed", { by: "webauthn" }, account ?? (this.#isSecond ? this.account : undefined));
      const locals = await this.#authLocals(await this.#ceremony.askToSignIn(this.#isSecond));
      const status = this.wantsJson ? 401 : 422;
      return this.refuse("webauthn_auth", { message: this.t("webauthn_auth.wrong"), status, locals });
    }
    async #remove(id: string): Promise<Reply> {
      const key = await this.#keys.mine(id);
      if (key) {
        const locals = await this.#removeLocals(key);
        const refuse = () => this.refuse("webauthn_remove", { message: this.t("webauthn_remove.only"), locals });
        if ((await this.#keys.needed()) === 1) return refuse(); // before the password is asked for
        const asked = await this.confirmIdentity("webauthn_remove", locals);
        if (asked) return asked;
        const result = await this.#keys.remove(key);
        if (result === "needed") return refuse();
        if (result === "removed") await this.emitEvent("second_factor_removed", { kind: "webauthn" });
        await this.renewSession(this.signIn!.factors.filter((factor) => factor !== "webauthn"));
        if (key.review_since !== null && !this.wantsJson) return this.#continueReview();
      }
      return this.done(this.t("webauthn_setup.removed"), this.type.path("webauthn-setup"));
    }
    async #continueReview(): Promise<Reply> {
      this.request.flash.add("success", this.t("webauthn_setup.removed"));
      return this.loggedIn();
    }
    /** Whether the recovery codes are deleted with this passkey: it is the last second factor. */
    async #deletesCodes(): Promise<boolean> {
      if (!this.#isSecondFactor || (await this.#keys.of(this.account!.id)).length > 1) return false;
      return (await this.secondFactors()).recovery && !(await this.hasFactorStored(this.knex, { besides: table }));
    }
    async #removeLocals({ id, name }: Passkey) {
      const account = { asks_password: await this.asksForPassword(), login: this.loginOf(this.account!) };
      return { id, name, csrf: this.csrf("webauthn-setup"), takes_codes: await this.#deletesCodes(), ...account };
    }
    async #setupLocals(given?: object) {
      return {
        keys: await this.#keys.listed(),
        roles: roleTexts(this, this.#isSecondFactor),
        options: JSON.stringify(given ?? (await this.#ceremony.askToRegister())),
        csrf: this.csrf("webauthn-setup"),
        device: describeAgent(this.request.header("user-agent") ?? ""),
        asks_password: await this.asksForPassword(),
        login: this.loginOf(this.account!),
        ...hostLocals(this, this.#ceremony, "webauthn-setup"),
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
        ...hostLocals(this, this.#ceremony, "webauthn-auth"),
      };
    }
  };
}
