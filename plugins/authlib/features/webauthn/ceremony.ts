import { randomBytes } from "node:crypto";
import type { AuthlibBase } from "../../base.ts";
import type { Credential, Key, Keys } from "./keys.ts";

const LIFETIME = 5 * 60_000;
const challenges = "webauthn_challenge";
const handles = "webauthn_handle";
const library = () => import("@simplewebauthn/server"); // a fifth of a second: not at boot

interface Kept {
  what: string;
  type: string;
  challenge: string;
  at: number;
}

/** What browser and server say to each other about a passkey: each challenge is kept in the session, and good once. */
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

  async askToRegister(): Promise<object> {
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
      authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
    });
    this.#keep("setup", options.challenge);
    authlib.session.set(handles, handle);
    return options;
  }
  /** What the session was waiting for; taken from it, so that no answer is good twice. */
  takeRegistration(): { challenge: string | undefined; handle: string } {
    return { challenge: this.#take("setup"), handle: String(this.#authlib.session.take(handles)) };
  }
  async registered(challenge: string | undefined): Promise<Credential | undefined> {
    if (challenge === undefined) return undefined;
    const { verifyRegistrationResponse } = await library();
    const verified = await verifyRegistrationResponse({
      response: this.#answer() as never,
      expectedChallenge: challenge,
      expectedOrigin: this.origin,
      expectedRPID: this.rpId,
      requireUserVerification: false,
    }).catch(() => undefined);
    return verified?.verified ? verified.registrationInfo.credential : undefined;
  }

  /** As the second factor the account's own keys are asked for; else any, and that its owner shows to be there. */
  async askToSignIn(isSecond: boolean): Promise<object> {
    const { generateAuthenticationOptions } = await library();
    const keys = isSecond ? await this.#keys.of(this.#authlib.account!.id) : [];
    const options = await generateAuthenticationOptions({
      rpID: this.rpId,
      userVerification: isSecond ? "discouraged" : "required",
      allowCredentials: keys.map(({ credential_id }) => ({ id: credential_id })),
    });
    this.#keep("auth", options.challenge);
    return options;
  }
  /** The stored key that signed this session's challenge; its counter only goes up. */
  async signedBy(isSecond: boolean): Promise<Key | undefined> {
    const response = this.#answer();
    const challenge = this.#take("auth");
    const key = await this.#keys.byCredential(String(response.id ?? ""));
    if (!key || challenge === undefined) return undefined;
    const { verifyAuthenticationResponse } = await library();
    const verified = await verifyAuthenticationResponse({
      response: response as never,
      expectedChallenge: challenge,
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

  #keep(what: "setup" | "auth", challenge: string): void {
    this.#authlib.session.set(challenges, { what, type: this.#authlib.type.name, challenge, at: Date.now() });
  }
  #take(what: "setup" | "auth"): string | undefined {
    const kept = this.#authlib.session.take(challenges) as Kept | undefined;
    const fits = kept?.what === what && kept.type === this.#authlib.type.name && Date.now() - kept.at < LIFETIME;
    return fits ? kept.challenge : undefined;
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
