import { randomBytes } from "node:crypto";
import type { AuthlibBase } from "../../base.ts";
import { markSpent } from "../../spent_keys.ts";
import type { Credential, Key, Keys } from "./keys.ts";

const LIFETIME = 5 * 60_000;
const challenges = "webauthn_challenge";
/** Apart, so that opening a login page voids the challenge of no other page. */
const autofillChallenges = "webauthn_autofill";
type Purpose = "setup" | "auth" | "autofill";
const library = () => import("@simplewebauthn/server"); // a fifth of a second: not at boot

/** What the session waits for, and for whom: several people share a browser. */
interface Kept {
  what: string;
  type: string;
  account: number | null;
  challenge: string;
  handle: string;
  at: number;
}

const placeOf = (what: Purpose): string => (what === "autofill" ? autofillChallenges : challenges);

/** What browser and server say to each other about a passkey: the session waits for a challenge, the database knows which ones were used. */
export class Ceremony {
  readonly #authlib: AuthlibBase;
  readonly #keys: Keys;
  readonly #rpId: string | undefined;

  constructor(authlib: AuthlibBase, keys: Keys, rpId?: string) {
    this.#authlib = authlib;
    this.#keys = keys;
    this.#rpId = rpId;
  }

  get origin(): string {
    const { request } = this.#authlib;
    return request.settings.appUrl?.origin ?? request.origin;
  }
  /** The host that passkeys are for. */
  get rpId(): string {
    return this.#rpId ?? new URL(this.origin).hostname;
  }

  /** `isOnly`: there is no password beside it, so that it must be able to sign in alone. */
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
  /** What the session was waiting for; used up by that, so that no answer is good twice. */
  takeRegistration(): Promise<Kept | undefined> {
    return this.#take("setup");
  }
  async registered({ challenge }: Kept, { isOnly = false } = {}): Promise<Credential | undefined> {
    const { verifyRegistrationResponse } = await library();
    const verified = await verifyRegistrationResponse({
      response: this.#answer() as never,
      expectedChallenge: challenge,
      expectedOrigin: this.origin,
      expectedRPID: this.rpId,
      requireUserVerification: isOnly,
    }).catch(() => undefined);
    return verified?.verified ? verified.registrationInfo.credential : undefined;
  }

  /** As the second factor the account's own keys are asked for; else any, and that its owner shows to be there. */
  async askToSignIn(isSecond: boolean, purpose: "auth" | "autofill" = "auth"): Promise<object> {
    return this.#ask(isSecond ? await this.#keys.of(this.#authlib.account!.id) : [], !isSecond, purpose);
  }
  /** One of these keys is asked for, and that its owner shows to be there. */
  askToConfirm(keys: readonly Key[]): Promise<object> {
    return this.#ask(keys, true);
  }
  async #ask(keys: readonly Key[], isVerified: boolean, purpose: "auth" | "autofill" = "auth"): Promise<object> {
    const { generateAuthenticationOptions } = await library();
    const options = await generateAuthenticationOptions({
      rpID: this.rpId,
      userVerification: isVerified ? "required" : "discouraged",
      allowCredentials: keys.map(({ credential_id }) => ({ id: credential_id })),
    });
    this.#keep(purpose, options.challenge);
    return options;
  }
  /** The stored key that signed this session's challenge; its counter only goes up. */
  async signedBy(isSecond: boolean, purpose: "auth" | "autofill" = "auth"): Promise<Key | undefined> {
    const response = this.#answer();
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

  #keep(what: Purpose, challenge: string, handle = ""): void {
    const { session, type } = this.#authlib;
    session.setExpendable(placeOf(what), {
      what,
      type: type.name,
      account: this.#account,
      challenge,
      handle,
      at: Date.now(),
    });
  }
  async #take(what: Purpose): Promise<Kept | undefined> {
    const kept = this.#authlib.session.take(placeOf(what)) as unknown as Kept | undefined;
    if (kept?.what !== what || kept.type !== this.#authlib.type.name || kept.account !== this.#account)
      return undefined;
    const isGood = Date.now() - kept.at < LIFETIME && (await markSpent(this.#authlib, kept.challenge, LIFETIME));
    return isGood ? kept : undefined;
  }
  get #account(): number | null {
    return this.#authlib.account?.id ?? null;
  }
  /** What the browser answered: JSON, or a form's field that holds it. */
  #answer(): Record<string, unknown> {
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
