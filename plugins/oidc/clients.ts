import { createRemoteJWKSet, jwtVerify } from "jose";
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
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

  async begin(
    provider: OidcProvider,
    credentials: ClientCredentials,
    redirectUri: string,
    hint?: string,
  ): Promise<{ url: URL; begun: Begun }> {
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
    return { url, begun };
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
    known.keys ??= createRemoteJWKSet(new URL(metadata.jwks_uri!), { timeoutDuration: TIMEOUT * 1000 });
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
  #knownOf({ issuer }: OidcProvider, { id, secret }: ClientCredentials): Known {
    const key = `${issuer} ${id}`;
    const known = this.#known.get(key);
    if (known && known.until > Date.now()) return known;
    const url = new URL(issuer);
    // An ID token that comes from the provider itself need not be verified by its signature; here it is, as it then also fits the keys that it publishes.
    const execute = [enableNonRepudiationChecks, ...(url.protocol === "http:" ? [allowInsecureRequests] : [])];
    const configuration = discovery(url, id, secret, undefined, { execute, timeout: TIMEOUT });
    const entry: Known = { configuration, until: Date.now() + FRESH_MS };
    this.#known.set(key, entry);
    configuration.catch(() => {
      if (this.#known.get(key) === entry) this.#known.delete(key);
    });
    return entry;
  }
}
