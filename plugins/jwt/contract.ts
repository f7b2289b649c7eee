import type { Keys } from "./keys.ts";

/** The kinds of tokens. Each has its own `typ` header and signing key, so that none is accepted as another. */
export type TokenKind = "access" | "refresh" | "pending";
/** The claims of a token. */
export interface Claims {
  /** The account type, as in "api_user". */
  readonly aud: string;
  /** The account's id, as text. */
  readonly sub: string;
  /** The key of its sign-in: when that ends, so does the token. */
  readonly sid: string;
  readonly jti: string;
  /** Seconds since 1970. */
  readonly iat: number;
  readonly exp: number;
}

/** The service of the slot `jwt`. */
export interface Tokens {
  /** A signed token. Equal claims and an equal key give an equal token. */
  issue(kind: TokenKind, claims: Claims): Promise<string>;
  /** The claims of a token; undefined unless it is ours, of this kind and account type, and not expired. */
  verify(kind: TokenKind, token: string, account: string): Promise<Claims | undefined>;
  /** The JWKS document, when a key pair is configured. */
  readonly published: Keys["published"];
}

declare module "framewright/kernel" {
  interface Slots {
    jwt: { service: Tokens };
  }
}
