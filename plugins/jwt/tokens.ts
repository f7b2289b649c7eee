import type { Claims, TokenKind, Tokens } from "./contract.ts";
import type { Keys, Signing } from "./keys.ts";

/** Loaded at the first token: most processes never need it. */
const jose = () => import("jose");

/** Longer tokens are not read; ours have less than 600 characters. */
const MAX_TOKEN_CHARS = 4096;
/** The allowed difference between the clocks of two nodes. */
const CLOCK_TOLERANCE_SECONDS = 5;
const CACHED_TOKENS = 500;
const shape = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const required = ["iss", "aud", "sub", "sid", "jti", "iat", "exp"];

export function openTokens(keys: Keys, issuer: string): Tokens {
  const readers: Record<TokenKind, Read> = {
    access: cachedReader(reader(keys.access, issuer)),
    refresh: reader(keys.refresh, issuer),
    pending: reader(keys.pending, issuer),
  };
  return {
    published: keys.published,
    async issue(kind, { aud, sub, sid, jti, iat, exp }) {
      const { SignJWT } = await jose();
      const { header, sign } = keys[kind];
      return new SignJWT({ iss: issuer, aud, sub, sid, jti, iat, exp }).setProtectedHeader(header).sign(sign);
    },
    async verify(kind, token, account) {
      const claims = await readers[kind](token);
      return claims && claims.aud === account && isAlive(claims) ? claims : undefined;
    },
  };
}

type Read = (token: string) => Promise<Claims | undefined>;

/** Reads only tokens that start with our exact header, byte for byte. Foreign header fields (`kid`, `jku`, `crit`, …) are never parsed. */
function reader({ header, verify }: Signing, issuer: string): Read {
  const beginning = `${Buffer.from(JSON.stringify(header)).toString("base64url")}.`;
  const options = {
    algorithms: [header.alg],
    typ: header.typ,
    issuer,
    requiredClaims: required,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
  };
  return async (token) => {
    if (token.length > MAX_TOKEN_CHARS || !token.startsWith(beginning) || !isCanonical(token)) return undefined;
    const { jwtVerify } = await jose();
    for (const key of verify) {
      const found = await jwtVerify(token, key, options).catch(() => undefined);
      if (found) return claimsOf(found.payload);
    }
    return undefined;
  };
}

/** Whether a token is canonical base64url: the unused bits of the last character must be zero. */
const isCanonical = (token: string): boolean =>
  shape.test(token) && token.split(".").every((part) => Buffer.from(part, "base64url").toString("base64url") === part);

/** Caches the claims of verified tokens: a client sends the same access token for minutes. */
function cachedReader(read: Read): Read {
  const known = new Map<string, Claims>();
  return async (token) => {
    const kept = known.get(token);
    if (kept) return kept;
    const claims = await read(token);
    if (!claims) return undefined;
    if (known.size >= CACHED_TOKENS) known.delete(known.keys().next().value!);
    known.set(token, claims);
    return claims;
  };
}

function claimsOf({ aud, sub, sid, jti, iat, exp }: Record<string, unknown>): Claims | undefined {
  if (![aud, sub, sid, jti].every((text) => typeof text === "string" && text !== "")) return undefined;
  if (![iat, exp].every(Number.isSafeInteger) || !/^[1-9]\d{0,15}$/.test(sub as string)) return undefined;
  return { aud, sub, sid, jti, iat, exp } as Claims;
}

function isAlive({ iat, exp }: Claims): boolean {
  const now = Date.now() / 1000;
  return iat <= now + CLOCK_TOLERANCE_SECONDS && exp > now - CLOCK_TOLERANCE_SECONDS && exp > iat;
}
