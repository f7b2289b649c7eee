import type { Keys } from "./keys.ts";

/** Each has a `typ` header and a signing key of its own, so that none passes for another. */
export type TokenKind = "access" | "refresh" | "pending";
/** What a token says. */
export interface Claims {
  /** The account type, as in "api_user". */
  readonly aud: string;
  /** The account's id, as text. */
  readonly sub: string;
  /** The key of the sign-in that it belongs to: when that ends, so does the token. */
  readonly sid: string;
  readonly jti: string;
  /** Seconds since 1970. */
  readonly iat: number;
  readonly exp: number;
}

/** The service of the slot "jwt". */
export interface Tokens {
  /** A signed token; equal claims give an equal token, as long as the key is the same. */
  issue(kind: TokenKind, claims: Claims): Promise<string>;
  /** What a token says, or undefined when it is not exactly one of ours, of this kind and account type, and alive. */
  verify(kind: TokenKind, token: string, account: string): Promise<Claims | undefined>;
  /** The JWKS document, when a key pair is configured. */
  readonly published: Keys["published"];
}

declare module "framewright/kernel" {
  interface Slots {
    jwt: { service: Tokens };
  }
}
