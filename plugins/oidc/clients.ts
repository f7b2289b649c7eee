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

/** Speaks to providers: their configurations are read at first use, and again after an hour or a failure. */
export class Clients implements OidcClients {
  readonly #known = new Map<string, { configuration: Promise<Configuration>; until: number }>();

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

  async #configurationOf({ issuer }: OidcProvider, { id, secret }: ClientCredentials): Promise<Configuration> {
    const key = `${issuer} ${id}`;
    const known = this.#known.get(key);
    if (known && known.until > Date.now()) return known.configuration;
    const url = new URL(issuer);
    // An ID token that comes from the provider itself need not be verified by its signature; here it is, as it then also fits the keys that it publishes.
    const execute = [enableNonRepudiationChecks, ...(url.protocol === "http:" ? [allowInsecureRequests] : [])];
    const configuration = discovery(url, id, secret, undefined, { execute, timeout: TIMEOUT });
    const entry = { configuration, until: Date.now() + FRESH_MS };
    this.#known.set(key, entry);
    configuration.catch(() => {
      if (this.#known.get(key) === entry) this.#known.delete(key);
    });
    return configuration;
  }
}
