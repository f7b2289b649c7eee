import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { createLocalJWKSet, jwtVerify } from "jose";
import type { TokenKind, Tokens } from "../../../plugins/jwt/contract.ts";
import { openKeys } from "../../../plugins/jwt/keys.ts";
import { openTokens } from "../../../plugins/jwt/tokens.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { cases, claims, derive, forge, secret } from "./forging.ts";

const issuer = "framewright:test";
const open = async (secrets = [secret], pem?: string): Promise<Tokens> =>
  openTokens(await openKeys(secrets, pem === undefined ? undefined : { pem, from: "the test" }), issuer);
const issue = (tokens: Tokens, kind: TokenKind = "access") => tokens.issue(kind, claims() as never);
const newPair = () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    pem: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    publicPem: publicKey.export({ type: "spki", format: "pem" }) as string,
    publicDer: publicKey.export({ type: "spki", format: "der" }),
    x: Buffer.from((publicKey.export({ format: "jwk" }) as { x: string }).x, "base64url"),
  };
};
const parts = (token: string) => token.split(".") as [string, string, string];
const headerOf = (token: string) => JSON.parse(Buffer.from(parts(token)[0], "base64url").toString()) as object;

describe("Issuing and verifying tokens", (it) => {
  it("An issued token verifies, and returns its claims", async () => {
    const tokens = await open();
    const given = claims() as never;
    const found = await tokens.verify("access", await tokens.issue("access", given), "user");
    const { iss: _iss, ...rest } = claims();
    assert.equal(Object.keys(found!).sort(), Object.keys(rest).sort());
    assert.is(found!.sub, "7");
    assert.is(found!.sid, "key");
  });

  it("A token verifies as it was written, and in no other spelling of the same bytes", async () => {
    const tokens = await open();
    const token = await issue(tokens);
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const same = (text: string) => Buffer.from(parts(text)[2], "base64url").toString("hex");
    const spellings = [...alphabet].map((last) => token.slice(0, -1) + last).filter((one) => same(one) === same(token));
    assert.is(spellings.length, 4, "two bits of the last character say nothing");
    for (const one of spellings) assert.is((await tokens.verify("access", one, "user")) !== undefined, one === token);
  });

  for (const { line, taken, token } of cases()) {
    it(`The token case "${line.slice(0, 90)}" gets its expected verdict`, async () => {
      assert.is((await (await open()).verify("access", token(), "user")) !== undefined, taken);
    });
  }

  it("A token verifies as its own kind only", async () => {
    const tokens = await open();
    const kinds = ["access", "refresh", "pending"] as const;
    for (const kind of kinds) {
      const token = await issue(tokens, kind);
      for (const as of kinds)
        assert.is((await tokens.verify(as, token, "user")) !== undefined, kind === as, `${kind} as ${as}`);
    }
  });

  it("A token verifies for its own account type only, also when it is cached", async () => {
    const tokens = await open();
    const token = await issue(tokens);
    assert.ok(await tokens.verify("access", token, "user"));
    assert.is(await tokens.verify("access", token, "admin"), undefined);
    assert.is(await tokens.verify("access", token, "users"), undefined);
    assert.ok(await tokens.verify("access", token, "user"));
  });

  it("A cached token is refused once it has expired", async () => {
    const tokens = await open();
    const token = forge("access", {}, claims({ iat: -900, exp: -4 }));
    assert.ok(await tokens.verify("access", token, "user"));
    await new Promise((resolve) => setTimeout(resolve, 2100));
    assert.is(await tokens.verify("access", token, "user"), undefined);
  });

  it("Malformed and tampered tokens are refused", async () => {
    const tokens = await open();
    const token = await issue(tokens);
    const [head, body, signature] = parts(token);
    const other = Buffer.from(JSON.stringify(claims({ sub: "1" }))).toString("base64url");
    const bad = [
      "",
      ".",
      "..",
      "...",
      "null",
      "undefined",
      "Bearer",
      head,
      `${head}.`,
      `${head}.${body}`,
      `${head}.${body}.`,
      `${head}..${signature}`,
      `${head}.${other}.${signature}`,
      `${head}.${body}.${signature}.`,
      `${head}.${body}.${signature}.${signature}`,
      `${head}.${body}.${signature.slice(0, -4)}`,
      `${head}.${body}.${signature}AAAA`,
      `${head}.${body}.${signature.toUpperCase()}`,
      `${head}.${body}.!!!!`,
      `${head}.%%%.${signature}`,
      `${head}.${body}=.${signature}`,
      `${head}.${Buffer.from("[]").toString("base64url")}.${signature}`,
      `${head}.${body}.${"A".repeat(43)}`,
      ` ${token}`,
      `${token} `,
      `${token}\n`,
      `${token}\0`,
      `${body}.${head}.${signature}`,
      "a".repeat(10_000),
      `${head}.${"a".repeat(10_000)}.${signature}`,
    ];
    for (const given of bad) assert.is(await tokens.verify("access", given, "user"), undefined, given.slice(0, 60));
    assert.ok(await tokens.verify("access", token, "user"));
  });

  it("A token under a previous secret verifies, and new tokens are signed with the current secret", async () => {
    const old = await open();
    const next = "the-next-secret-".repeat(4);
    const rotated = await open([next, secret]);
    for (const kind of ["access", "refresh"] as const) {
      assert.ok(await rotated.verify(kind, await issue(old, kind), "user"));
      assert.is(await old.verify(kind, await issue(rotated, kind), "user"), undefined);
      assert.is(await (await open([next])).verify(kind, await issue(old, kind), "user"), undefined);
    }
    assert.is(
      (await rotated.issue("access", claims() as never)).split(".")[2] ===
        forge(derive("jwt access", next), {}, claims()).split(".")[2],
      true,
    );
  });

  it("The same claims give the same token", async () => {
    const tokens = await open();
    const given = claims() as never;
    assert.is(await tokens.issue("refresh", given), await tokens.issue("refresh", given));
  });

  it("A token verifies after 600 others were verified", async () => {
    const tokens = await open();
    for (let index = 0; index < 600; index++)
      await tokens.verify("access", forge("access", {}, claims({ jti: `j${index}` })), "user");
    assert.ok(await tokens.verify("access", forge("access", {}, claims({ jti: "j0" })), "user"));
  });
});

describe("Tokens of a key pair", (it) => {
  const { pem, publicPem, publicDer, x } = newPair();

  it("An access token of a key pair is signed with EdDSA, and verifies by the published keys", async () => {
    const tokens = await open([secret], pem);
    const token = await issue(tokens);
    const [key] = tokens.published!.keys;
    assert.equal(headerOf(token), { alg: "EdDSA", typ: "at+jwt", kid: key!.kid });
    assert.equal(Object.keys(key!).sort(), ["alg", "crv", "kid", "kty", "use", "x"]);
    const { payload } = await jwtVerify(token, createLocalJWKSet(tokens.published as never), {
      issuer,
      audience: "user",
      typ: "at+jwt",
    });
    assert.is(payload.sub, "7");
    assert.ok(await tokens.verify("access", token, "user"));
    assert.is((await open([secret], pem)).published!.keys[0]!.kid, key!.kid);
  });

  it("A refresh token is signed with the application's secret, also when there is a key pair", async () => {
    const tokens = await open([secret], pem);
    const token = await issue(tokens, "refresh");
    assert.equal(headerOf(token), { alg: "HS256", typ: "refresh+jwt" });
    assert.is(await tokens.verify("access", token, "user"), undefined);
    assert.is(await tokens.verify("refresh", await issue(tokens), "user"), undefined);
  });

  it("A token that is signed with the public key as a secret is refused", async () => {
    const tokens = await open([secret], pem);
    const [key] = tokens.published!.keys;
    for (const bytes of [publicPem, publicPem.trim(), publicDer, x, Buffer.from(key!.x!), JSON.stringify(key)]) {
      for (const header of [{}, { kid: key!.kid }, { alg: "HS256", kid: key!.kid }, { alg: "EdDSA", kid: key!.kid }]) {
        assert.is(await tokens.verify("access", forge(Buffer.from(bytes), header, claims()), "user"), undefined);
      }
    }
  });

  it("Tokens of another key pair or of the secret are refused by an application with a key pair", async () => {
    const tokens = await open([secret], pem);
    const [key] = tokens.published!.keys;
    const others = await open([secret], newPair().pem);
    const [, body, signature] = parts(await issue(others));
    const head = parts(await issue(tokens))[0];
    for (const token of [
      await issue(others),
      `${head}.${body}.${signature}`,
      await issue(await open()),
      forge("access", { kid: key!.kid }, claims()),
    ]) {
      assert.is(await tokens.verify("access", token, "user"), undefined);
    }
    assert.is(await (await open()).verify("access", await issue(tokens), "user"), undefined);
  });

  it("A private key in one line, with escaped line breaks, is accepted", async () => {
    const tokens = await open([secret], pem.replaceAll("\n", "\\n"));
    assert.is(tokens.published!.keys[0]!.x, x.toString("base64url"));
  });

  it("A private key of another kind is refused with FW_JWT_KEY, and not quoted", async () => {
    const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({
      type: "pkcs8",
      format: "pem",
    }) as string;
    const curve = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
      type: "pkcs8",
      format: "pem",
    }) as string;
    for (const given of [rsa, curve, publicPem, "nonsense", pem.slice(0, 60), createPublicKey(publicPem).type]) {
      const { message, cause } = await throwsCode("FW_JWT_KEY", () => open([secret], given));
      assert.is(message.includes(given.slice(30, 60) || "\0"), false);
      assert.is(cause, undefined);
    }
  });
});
