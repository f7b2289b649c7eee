import { createPublicKey, hkdfSync } from "node:crypto";
import type { CryptoKey, JWK } from "jose";
import { errors } from "./errors.ts";

/** The exact header and the keys of one kind of token. */
export interface Signing {
  readonly header: { readonly alg: "HS256" | "EdDSA"; readonly typ: string; readonly kid?: string };
  readonly sign: CryptoKey;
  /** The current key first, then those of the previous secrets. */
  readonly verify: readonly CryptoKey[];
}
export interface Keys {
  readonly access: Signing;
  /** Always signed with the application's secret: nobody else reads it. */
  readonly refresh: Signing;
  /** Issued between the password and the second factor, and valid only for that factor's routes. */
  readonly pending: Signing;
  /** The public key, for other services that verify access tokens. */
  readonly published: { readonly keys: readonly JWK[] } | undefined;
}

/** Imports every key once. @throws FW_JWT_KEY */
export async function openKeys(
  secrets: readonly string[],
  pair: { pem: string; from: string } | undefined,
): Promise<Keys> {
  const refresh = await derived(secrets, "refresh", "refresh+jwt");
  const pending = await derived(secrets, "pending", "pending+jwt");
  if (!pair) return { access: await derived(secrets, "access", "at+jwt"), refresh, pending, published: undefined };
  const { sign, open, jwk } = await readPair(pair);
  const header = { alg: "EdDSA", typ: "at+jwt", kid: jwk.kid } as const;
  return { access: { header, sign, verify: [open] }, refresh, pending, published: { keys: [jwk] } };
}

async function derived(secrets: readonly string[], label: string, typ: string): Promise<Signing> {
  const keys = await Promise.all(
    secrets.map((secret) => {
      const bytes = new Uint8Array(hkdfSync("sha256", secret, "", `framewright jwt ${label}`, 32));
      return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
    }),
  );
  return { header: { alg: "HS256", typ }, sign: keys[0]!, verify: keys };
}

async function readPair({ pem, from }: { pem: string; from: string }) {
  const { calculateJwkThumbprint, importJWK, importPKCS8 } = await import("jose");
  try {
    const text = pem.replaceAll("\\n", "\n");
    const sign = await importPKCS8(text, "EdDSA");
    const { kty, crv, x } = createPublicKey(text).export({ format: "jwk" }) as JWK & {
      kty: "OKP";
      crv: string;
      x: string;
    };
    const kid = await calculateJwkThumbprint({ kty, crv, x });
    const jwk = { kty, crv, x, kid, alg: "EdDSA", use: "sig" } as const;
    return { sign, open: (await importJWK(jwk)) as CryptoKey, jwk };
  } catch {
    throw errors.FW_JWT_KEY(from); // without the cause, which may quote the key
  }
}
