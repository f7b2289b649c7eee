import { randomBytes } from "node:crypto";
import type { Reply } from "framewright";
import { checkOptions, option } from "framewright/kernel";
import { decodeDate } from "framewright/plugins/database";
import type { AccountRecord } from "../../account_type.ts";
import type { SignIn } from "../../core/sessions.ts";
import { type AuthlibClass, defineFeature } from "../../feature.ts";
import { describeAgent } from "../active_sessions/agents.ts";
import { hostProblem } from "./host.ts";

const table = "webauthn_keys";
const place = "webauthn_challenge";
const library = () => import("@simplewebauthn/server"); // a fifth of a second: not at boot

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
interface Key {
  id: number;
  credential_id: string;
  public_key: string;
  sign_count: number;
  account_id: number;
  user_handle: string;
  name: string | null;
  transports: string | null;
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
    routes: [
      { verb: "GET", path: "webauthn-setup", run: "webauthnSetupPage", who: "account" },
      { verb: "POST", path: "webauthn-setup", run: "submitWebauthnSetup", who: "account" },
      { verb: "GET", path: "webauthn-auth", run: "webauthnAuthPage", who: "anyone" },
      { verb: "POST", path: "webauthn-auth", run: "submitWebauthnAuth", who: "anyone" },
    ],
    steps,
  });
}

function steps(Base: AuthlibClass) {
  return class WithWebauthn extends Base {
    override async pendingFor(account: AccountRecord, factors: readonly string[]): Promise<SignIn["pending"]> {
      const more = await super.pendingFor(account, factors);
      if (more || factors.some((factor) => ["otp", "recovery_code", "webauthn"].includes(factor))) return more;
      return this.#options.secondFactor && (await this.#keysOf(account.id)).length > 0 ? "second" : undefined;
    }
    override pendingPage(pending: "second" | "setup"): string {
      return pending === "second" && !this.type.has("otp") ? "webauthn-auth" : super.pendingPage(pending);
    }

    async webauthnSetupPage(): Promise<Reply> {
      const leaving = await this.#keyOf(this.request.query.get("remove"));
      if (leaving && !this.wantsJson) return this.page("webauthn_remove", await this.#removeLocals(leaving));
      const options = await this.#registrationOptions();
      if (this.wantsJson) return this.controller.json(options);
      return this.page("webauthn_setup", await this.#setupLocals(options));
    }
    async submitWebauthnSetup(): Promise<Reply> {
      const remove = this.param("remove");
      if (remove !== undefined) return this.#remove(remove);
      const response = this.#credential();
      const challenge = this.#takeChallenge("setup");
      const handle = String(this.session.take("webauthn_handle"));
      if (await this.asksForPassword()) {
        const refused = await this.confirmPassword("webauthn_setup", await this.#setupLocals());
        if (refused) return refused;
      }
      const { verifyRegistrationResponse } = await library();
      const verified = await verifyRegistrationResponse({
        response: response as never,
        expectedChallenge: challenge ?? "",
        expectedOrigin: this.#origin,
        expectedRPID: this.#rpId,
        requireUserVerification: false,
      }).catch(() => undefined);
      const registration = challenge === undefined ? undefined : verified?.registrationInfo;
      if (!verified?.verified || !registration) return this.#refuseSetup();
      await this.#store(registration.credential, handle);
      await this.renewSession(this.signIn!.factors);
      await this.tell("second_factor_added", { kind: "webauthn" });
      return this.done(this.t("webauthn_setup.done"), this.type.path("webauthn-setup"));
    }

    async webauthnAuthPage(): Promise<Reply> {
      if (await this.load()) return this.goTo(await this.loginRedirect());
      const options = await this.#authenticationOptions();
      if (this.wantsJson) return this.controller.json(options);
      return this.page("webauthn_auth", await this.#authLocals(options));
    }
    async submitWebauthnAuth(): Promise<Reply> {
      await this.load();
      const second = this.signIn?.pending === "second";
      const found = await this.#verified(second);
      const account = found && (await this.findAccountById(found.account_id));
      if (!account || !this.isOpen(account) || (second && account.id !== this.account?.id)) {
        await this.afterLoginFailureOfKey();
        const options = await this.#authenticationOptions();
        return this.refuse("webauthn_auth", {
          message: this.t("webauthn_auth.wrong"),
          status: this.wantsJson ? 401 : 422,
          locals: await this.#authLocals(options),
        });
      }
      return second ? this.passFactor("webauthn") : this.login(account, "webauthn");
    }
    async afterLoginFailureOfKey(): Promise<void> {
      await this.tell("login_failed", { by: "webauthn" }, undefined);
    }

    get #options(): WebauthnOptions {
      return this.optionsOf<WebauthnOptions>("webauthn");
    }
    get #origin(): string {
      return this.request.settings.appUrl?.origin ?? this.request.origin;
    }
    get #rpId(): string {
      return this.#options.rpId ?? new URL(this.#origin).hostname;
    }
    async #keysOf(account_id: number): Promise<Key[]> {
      const query = this.knex(this.type.table(table)).where({ account_id }).orderBy("id");
      return (await this.type.services.database.rows(query)) as unknown as Key[];
    }
    #takeChallenge(what: "setup" | "auth"): string | undefined {
      const kept = this.session.take(place) as
        | { what: string; type: string; challenge: string; at: number }
        | undefined;
      const fits = kept?.what === what && kept.type === this.type.name && Date.now() - kept.at < 5 * 60_000;
      return fits ? kept.challenge : undefined;
    }
    #keepChallenge(what: "setup" | "auth", challenge: string): void {
      this.session.set(place, { what, type: this.type.name, challenge, at: Date.now() });
    }
    #credential(): Record<string, unknown> {
      const given = this.request.body.get("credential");
      if (typeof given === "object" && given !== null) return given as Record<string, unknown>;
      try {
        const parsed: unknown = JSON.parse(String(given));
        return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : {};
      } catch {
        return {};
      }
    }
    async #registrationOptions() {
      const { generateRegistrationOptions } = await library();
      const keys = await this.#keysOf(this.account!.id);
      const handle = keys[0]?.user_handle ?? randomBytes(32).toString("base64url");
      const options = await generateRegistrationOptions({
        rpName: this.request.t("application.name"),
        rpID: this.#rpId,
        userName: this.loginOf(this.account!),
        userID: new Uint8Array(Buffer.from(handle, "base64url")),
        attestationType: "none",
        excludeCredentials: keys.map(({ credential_id }) => ({ id: credential_id })),
        authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
      });
      this.#keepChallenge("setup", options.challenge);
      this.session.set("webauthn_handle", handle);
      return options;
    }
    async #authenticationOptions() {
      const { generateAuthenticationOptions } = await library();
      const second = this.signIn?.pending === "second";
      const keys = second ? await this.#keysOf(this.account!.id) : [];
      const options = await generateAuthenticationOptions({
        rpID: this.#rpId,
        userVerification: second ? "discouraged" : "required",
        allowCredentials: keys.map(({ credential_id }) => ({ id: credential_id })),
      });
      this.#keepChallenge("auth", options.challenge);
      return options;
    }
    async #store(
      credential: { id: string; publicKey: Uint8Array; counter: number; transports?: string[] },
      user_handle: string,
    ): Promise<void> {
      const now = new Date();
      await this.knex(this.type.table(table)).insert({
        account_id: this.account!.id,
        credential_digest: this.type.services.digests.digest(credential.id),
        credential_id: credential.id,
        public_key: Buffer.from(credential.publicKey).toString("base64url"),
        sign_count: credential.counter,
        user_handle,
        transports: (credential.transports ?? []).join(",").slice(0, 100),
        name: (this.param("name") ?? "").trim().slice(0, 100) || this.t("webauthn_setup.unnamed"),
        created_at: now,
        last_use: now,
      });
    }
    /** The stored key that signed this session's challenge; its counter only goes up. */
    async #verified(second: boolean): Promise<Key | undefined> {
      const response = this.#credential();
      const challenge = this.#takeChallenge("auth");
      const digests = this.type.services.digests.all(String(response.id ?? ""));
      const query = this.knex(this.type.table(table)).whereIn("credential_digest", digests).limit(1);
      const [key] = (await this.type.services.database.rows(query)) as unknown as Key[];
      if (!key || challenge === undefined) return undefined;
      const { verifyAuthenticationResponse } = await library();
      const verified = await verifyAuthenticationResponse({
        response: response as never,
        expectedChallenge: challenge,
        expectedOrigin: this.#origin,
        expectedRPID: this.#rpId,
        requireUserVerification: !second,
        credential: {
          id: key.credential_id,
          publicKey: new Uint8Array(Buffer.from(key.public_key, "base64url")),
          counter: Number(key.sign_count),
        },
      }).catch(() => undefined);
      if (!verified?.verified) return undefined;
      const changes = { sign_count: verified.authenticationInfo.newCounter, last_use: new Date() };
      await this.knex(this.type.table(table)).where({ id: key.id }).update(changes);
      return key;
    }
    async #remove(id: string): Promise<Reply> {
      const key = await this.#keyOf(id);
      if (key) {
        const asked = await this.confirmIfAsked("webauthn_remove", await this.#removeLocals(key));
        if (asked) return asked;
        const gone = await this.knex(this.type.table(table)).where({ id: key.id }).delete();
        if (gone > 0) await this.tell("second_factor_removed", { kind: "webauthn" });
        await this.renewSession(this.signIn!.factors);
      }
      return this.done(this.t("webauthn_setup.removed"), this.type.path("webauthn-setup"));
    }
    async #refuseSetup(): Promise<Reply> {
      const locals = await this.#setupLocals();
      return this.refuse("webauthn_setup", { message: this.t("webauthn_setup.wrong"), locals });
    }
    /** A key of this account by what a form or an address says. */
    async #keyOf(id: unknown): Promise<Key | undefined> {
      if (typeof id !== "string") return undefined;
      return (await this.#keysOf(this.account!.id)).find((key) => String(key.id) === id);
    }
    async #removeLocals({ id, name }: Key) {
      const account = { asks_password: await this.asksForPassword(), login: this.loginOf(this.account!) };
      return { id, name, csrf: this.csrf("webauthn-setup"), ...account };
    }
    /** Says on the page, before anybody tries, that passkeys can't work at its address; and where they can. */
    #hostLocals(page: string) {
      const own = new URL(this.request.origin);
      const problem = hostProblem(own.hostname, new URL(this.#origin).protocol, this.#rpId);
      if (problem === undefined) return {};
      if (problem === "address" && /^(127\.|\[::1\])/.test(own.hostname)) own.hostname = "localhost";
      const there = this.request.settings.appUrl?.origin ?? own.origin;
      const elsewhere = there === this.request.origin ? undefined : there + this.type.path(page);
      return { unavailable: this.t(`webauthn_setup.no_${problem}`, { host: this.#rpId }), elsewhere };
    }
    async #setupLocals(given?: object) {
      const options = given ?? (await this.#registrationOptions());
      const keys = (await this.#keysOf(this.account!.id)) as unknown as Record<string, unknown>[];
      const listed = keys.map(({ id, name, created_at, last_use }) => ({
        id,
        name,
        created_at: decodeDate(created_at),
        last_use: decodeDate(last_use),
      }));
      return {
        keys: listed,
        options: JSON.stringify(options),
        csrf: this.csrf("webauthn-setup"),
        device: describeAgent(this.request.header("user-agent") ?? ""),
        asks_password: await this.asksForPassword(),
        login: this.loginOf(this.account!),
        ...this.#hostLocals("webauthn-setup"),
      };
    }
    async #authLocals(options: object) {
      const second = this.signIn?.pending === "second";
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
