import type { Claims, TokenKind, Tokens } from "./contract.ts";
import type { Keys, Signing } from "./keys.ts";

/** Loaded when the first token is asked for: most processes, and most applications, never see one. */
const jose = () => import("jose");

/** Characters; ours have under 600. */
const MAX_TOKEN_CHARS = 4096;
/** Seconds by which the clocks of two nodes may differ. */
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

/** Reads tokens that begin with our own header, byte for byte: nothing of a foreign one (`kid`, `jku`, `crit`, …) is ever looked at. */
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

/** Written as we write it: the last character of base64url has bits that say nothing, and may say nothing else. */
const isCanonical = (token: string): boolean =>
  shape.test(token) && token.split(".").every((part) => Buffer.from(part, "base64url").toString("base64url") === part);

/** A client sends the same access token for minutes: the signature of the last ones is not worked out again. */
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
