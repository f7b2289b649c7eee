import type { GuardedFetch } from "framewright/host/outbound";
import type { Limiter } from "framewright/plugins/limits";

/** The claims of a provider about a person, in its ID token. */
export interface IdentityClaims {
  readonly iss: string;
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  /** How the person signed in there: `["pwd", "mfa"]`. */
  readonly amr?: readonly string[];
  readonly acr?: string;
  /** The session there. */
  readonly sid?: string;
  readonly [claim: string]: unknown;
}

/** Whom a provider means, for good: an address may change hands, this does not. */
export interface Subject {
  readonly issuer: string;
  readonly subject: string;
}

/** Where people have accounts: created by `google()`, `microsoft()` or `provider()`. */
export interface OidcProvider {
  /** As people read it: "Google". */
  readonly label: string;
  /** The address below which its `.well-known/openid-configuration` is. */
  readonly issuer: string;
  readonly scopes: readonly string[];
  /** More parameters of the address that people are sent to. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Whom claims mean; undefined for somebody who is refused. */
  subjectOf(claims: IdentityClaims): Subject | undefined;
  /** Whether the address of the claims is the person's by what the provider has checked. */
  provesEmail(claims: IdentityClaims): boolean;
  /** Whether the sign-in there counts as two factors. */
  isStrong(claims: IdentityClaims): boolean;
  /** The issuer by which sessions there are stored, for the `iss` of a logout; undefined where it is not this provider's. By default `issuer` itself. */
  sessionIssuerOf?(iss: string): string | undefined;
  /** Sends the requests to the provider, whose address somebody typed: see `framewright/host/outbound`. */
  readonly fetch?: GuardedFetch;
}

/** The credentials that a provider has issued to the application. */
export interface ClientCredentials {
  readonly id: string;
  readonly secret: string;
}

/** What a sign-in that was begun is completed with. */
export interface Begun {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The service of the slot `oidc`: speaks to providers. */
export interface OidcClients {
  /** Counts the reports of ended sessions that arrive in frames, by network; seconds to wait where there are too many. */
  readonly frames?: Pick<Limiter, "consume">;
  /** Where a person is sent to sign in, what the answer is checked with, and the issuer as its configuration has it. `hint`: their address. @throws when the provider can't be reached */
  begin(
    provider: OidcProvider,
    credentials: ClientCredentials,
    redirectUri: string,
    hint?: string,
  ): Promise<{ url: URL; begun: Begun; issuer?: string }>;
  /**
   * The claims about the person who signed in there. `address`: that of the answer, as the browser requested it. State, nonce,
   * issuer, audience, times and the signature of the ID token are checked. @throws when one of them does not fit
   */
  complete(provider: OidcProvider, credentials: ClientCredentials, address: URL, begun: Begun): Promise<IdentityClaims>;
  /**
   * Whom a provider has signed out, by the logout token that it sends: a session there, all of a person's, or both.
   * @throws when the token is not of the provider, for this application, new and for a logout
   */
  ended(provider: OidcProvider, credentials: ClientCredentials, token: string): Promise<IdentityClaims>;
}

declare module "framewright/kernel" {
  interface Slots {
    oidc: { service: OidcClients };
  }
}
