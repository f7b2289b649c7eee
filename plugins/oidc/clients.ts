import { createHash } from "node:crypto";
import type { Limiter } from "framewright/plugins/limits";
import { createRemoteJWKSet, jwtVerify, customFetch as keysFetch } from "jose";
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import type { Begun, ClientCredentials, IdentityClaims, OidcClients, OidcProvider } from "./contract.ts";

/** Seconds that a provider has for each answer. */
const TIMEOUT = 10;
/** Milliseconds after which a provider's configuration is read anew. */
const FRESH_MS = 3_600_000;
/** How many providers are known at a time: tenants may have their own. */
const MAX_KNOWN = 500;

/** The event of a logout token, by OpenID Connect Back-Channel Logout 1.0. */
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** How old a logout token may be, in seconds. */
const LOGOUT_SECONDS = 120;
const ASYMMETRIC = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

/** What is known of a provider. */
interface Known {
  readonly configuration: Promise<Configuration>;
  readonly until: number;
  keys?: ReturnType<typeof createRemoteJWKSet>;
}

/** Speaks to providers: their configurations are read at first use, and again after an hour or a failure. */
export class Clients implements OidcClients {
  readonly #known = new Map<string, Known>();
  readonly frames: Pick<Limiter, "consume">;

  constructor(frames: Pick<Limiter, "consume">) {
    this.frames = frames;
  }

  async begin(
    provider: OidcProvider,
    credentials: ClientCredentials,
    redirectUri: string,
    hint?: string,
  ): Promise<{ url: URL; begun: Begun; issuer: string }> {
    const configuration = await this.#configurationOf(provider, credentials);
    const begun = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
    const url = buildAuthorizationUrl(configuration, {
      ...provider.parameters,
      redirect_uri: redirectUri,
      scope: provider.scopes.join(" "),
      state: begun.state,
      nonce: begun.nonce,
      code_challenge: await calculatePKCECodeChallenge(begun.verifier),
      code_challenge_method: "S256",
      ...(hint === undefined ? {} : { login_hint: hint }),
    });
    return { url, begun, issuer: configuration.serverMetadata().issuer };
  }

  async complete(
    provider: OidcProvider,
    credentials: ClientCredentials,
    address: URL,
    { state, nonce, verifier }: Begun,
  ): Promise<IdentityClaims> {
    const configuration = await this.#configurationOf(provider, credentials);
    const tokens = await authorizationCodeGrant(configuration, address, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    return tokens.claims()! as unknown as IdentityClaims;
  }

  async ended(provider: OidcProvider, credentials: ClientCredentials, token: string): Promise<IdentityClaims> {
    const known = this.#knownOf(provider, credentials);
    const metadata = (await known.configuration).serverMetadata();
    known.keys ??= createRemoteJWKSet(new URL(metadata.jwks_uri!), {
      timeoutDuration: TIMEOUT * 1000,
      ...(provider.fetch ? { [keysFetch]: provider.fetch } : {}),
    });
    const { payload } = await jwtVerify(token, known.keys, {
      issuer: metadata.issuer,
      audience: credentials.id,
      algorithms: ASYMMETRIC,
      maxTokenAge: LOGOUT_SECONDS,
      clockTolerance: 30,
      requiredClaims: ["iat", "jti", "events"],
    });
    const { events, nonce, sub, sid } = payload;
    const isLogout = typeof events === "object" && events !== null && LOGOUT_EVENT in events;
    if (!isLogout || nonce !== undefined || (typeof sub !== "string" && typeof sid !== "string"))
      throw new Error("the token is not for a logout");
    return payload as unknown as IdentityClaims;
  }

  #configurationOf(provider: OidcProvider, credentials: ClientCredentials): Promise<Configuration> {
    return this.#knownOf(provider, credentials).configuration;
  }
  #knownOf({ issuer, fetch }: OidcProvider, { id, secret }: ClientCredentials): Known {
    // with the secret: one who knows another's issuer and client alone must not use what is known with theirs
    const digest = createHash("sha256").update(secret).digest("hex");
    const key = JSON.stringify([issuer, id, digest, fetch !== undefined]);
    const known = this.#known.get(key);
    if (known && known.until > Date.now()) return known;
    const url = new URL(issuer);
    // An ID token that comes from the provider itself need not be verified by its signature; here it is, as it then also fits the keys that it publishes.
    const execute = [enableNonRepudiationChecks, ...(url.protocol === "http:" ? [allowInsecureRequests] : [])];
    const configuration = discovery(url, id, secret, undefined, {
      ...{ execute, timeout: TIMEOUT },
      ...(fetch ? { [customFetch]: fetch as never } : {}),
    });
    const entry: Known = { configuration, until: Date.now() + FRESH_MS };
    this.#known.delete(key);
    if (this.#known.size >= MAX_KNOWN) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(key, entry);
    configuration.catch(() => {
      if (this.#known.get(key) === entry) this.#known.delete(key);
    });
    return entry;
  }
}
