import { randomBytes } from "node:crypto";
import type { AuthlibBase } from "../../base.ts";
import { markSpent } from "../../spent_keys.ts";
import type { Credential, Passkey, PasskeyStore } from "./passkey_store.ts";

const LIFETIME_MS = 5 * 60_000;
const challenges = "webauthn_challenge";
/** A separate entry, so that opening the login page does not void another page's challenge. */
const autofillChallenges = "webauthn_autofill";
type Purpose = "setup" | "auth" | "autofill";
const library = () => import("@simplewebauthn/server"); // takes 200 ms to load: not at boot

/** The pending challenge in the session, with its account type and account: several people share a browser. */
interface Challenge {
  what: string;
  type: string;
  account: number | null;
  challenge: string;
  handle: string;
  at: number;
}

const sessionKeyOf = (purpose: Purpose): string => (purpose === "autofill" ? autofillChallenges : challenges);

/** WebAuthn ceremonies. The session stores the pending challenge, the database the used ones. */
export class Ceremony {
  readonly #authlib: AuthlibBase;
  readonly #keys: PasskeyStore;
  readonly #rpId: string | undefined;

  constructor(authlib: AuthlibBase, keys: PasskeyStore, rpId?: string) {
    this.#authlib = authlib;
    this.#keys = keys;
    this.#rpId = rpId;
  }

  get origin(): string {
    const { request } = this.#authlib;
    return request.settings.appUrl?.origin ?? request.origin;
  }
  /** The relying party's id: the host of the passkeys. */
  get rpId(): string {
    return this.#rpId ?? new URL(this.origin).hostname;
  }

  /** Options to register a passkey. `isOnly`: the account has no password, so it must be able to sign in alone. */
  async askToRegister({ isOnly = false } = {}): Promise<object> {
    const authlib = this.#authlib;
    const { generateRegistrationOptions } = await library();
    const keys = await this.#keys.of(authlib.account!.id);
    const handle = keys[0]?.user_handle ?? randomBytes(32).toString("base64url");
    const options = await generateRegistrationOptions({
      rpName: authlib.request.t("application.name"),
      rpID: this.rpId,
      userName: authlib.loginOf(authlib.account!),
      userID: new Uint8Array(Buffer.from(handle, "base64url")),
      attestationType: "none",
      excludeCredentials: keys.map(({ credential_id }) => ({ id: credential_id })),
      authenticatorSelection: isOnly
        ? { residentKey: "required", userVerification: "required" }
        : { residentKey: "preferred", userVerification: "preferred" },
    });
    this.#keep("setup", options.challenge, handle);
    return options;
  }
  /** The pending registration. It is removed, so that a response is accepted once. */
  takeRegistration(): Promise<Challenge | undefined> {
    return this.#take("setup");
  }
  async registered({ challenge }: Challenge, { isOnly = false } = {}): Promise<Credential | undefined> {
    const { verifyRegistrationResponse } = await library();
    const verified = await verifyRegistrationResponse({
      response: this.#response() as never,
      expectedChallenge: challenge,
      expectedOrigin: this.origin,
      expectedRPID: this.rpId,
      requireUserVerification: isOnly,
    }).catch(() => undefined);
    return verified?.verified ? verified.registrationInfo.credential : undefined;
  }

  /** Options to sign in: as the second factor with the account's own keys; else with any key and user verification. */
  async askToSignIn(isSecond: boolean, purpose: "auth" | "autofill" = "auth"): Promise<object> {
    return this.#ask(isSecond ? await this.#keys.of(this.#authlib.account!.id) : [], !isSecond, purpose);
  }
  /** Options to confirm with one of these keys and user verification. */
  askToConfirm(keys: readonly Passkey[]): Promise<object> {
    return this.#ask(keys, true);
  }
  async #ask(keys: readonly Passkey[], isVerified: boolean, purpose: "auth" | "autofill" = "auth"): Promise<object> {
    const { generateAuthenticationOptions } = await library();
    const options = await generateAuthenticationOptions({
      rpID: this.rpId,
      userVerification: isVerified ? "required" : "discouraged",
      allowCredentials: keys.map(({ credential_id }) => ({ id: credential_id })),
    });
    this.#keep(purpose, options.challenge);
    return options;
  }
  /** The stored key that signed this session's challenge; undefined where the response is invalid. */
  async signedBy(isSecond: boolean, purpose: "auth" | "autofill" = "auth"): Promise<Passkey | undefined> {
    const response = this.#response();
    const kept = await this.#take(purpose);
    const key = kept && (await this.#keys.byCredential(String(response.id ?? "")));
    if (!key) return undefined;
    const { verifyAuthenticationResponse } = await library();
    const verified = await verifyAuthenticationResponse({
      response: response as never,
      expectedChallenge: kept.challenge,
      expectedOrigin: this.origin,
      expectedRPID: this.rpId,
      requireUserVerification: !isSecond,
      credential: {
        id: key.credential_id,
        publicKey: new Uint8Array(Buffer.from(key.public_key, "base64url")),
        counter: Number(key.sign_count),
      },
    }).catch(() => undefined);
    if (!verified?.verified) return undefined;
    await this.#keys.used(key, verified.authenticationInfo.newCounter);
    return key;
  }

  #keep(purpose: Purpose, challenge: string, handle = ""): void {
    const { session, type } = this.#authlib;
    session.setExpendable(sessionKeyOf(purpose), {
      what: purpose,
      type: type.name,
      account: this.#account,
      challenge,
      handle,
      at: Date.now(),
    });
  }
  async #take(purpose: Purpose): Promise<Challenge | undefined> {
    const kept = this.#authlib.session.take(sessionKeyOf(purpose)) as unknown as Challenge | undefined;
    if (kept?.what !== purpose || kept.type !== this.#authlib.type.name || kept.account !== this.#account)
      return undefined;
    const isGood = Date.now() - kept.at < LIFETIME_MS && (await markSpent(this.#authlib, kept.challenge, LIFETIME_MS));
    return isGood ? kept : undefined;
  }
  get #account(): number | null {
    return this.#authlib.account?.id ?? null;
  }
  /** The browser's response: JSON, or a form field that contains it. */
  #response(): Record<string, unknown> {
    const given = this.#authlib.request.body.get("credential");
    if (typeof given === "object" && given !== null) return given as Record<string, unknown>;
    try {
      const parsed: unknown = JSON.parse(String(given));
      return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : {};
    } catch {
      return {};
    }
  }
}
