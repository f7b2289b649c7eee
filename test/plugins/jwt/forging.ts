import { createHmac, hkdfSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const secret = "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19";
export type Members = Record<string, unknown>;

/** The key that a label stands for, derived apart from the code that is tested. */
export const derive = (label: string, from = secret): Buffer =>
  Buffer.from(hkdfSync("sha256", from, "", `framewright ${label}`, 32));
const keys: Record<string, Buffer | undefined> = {
  access: derive("jwt access"),
  refresh: derive("jwt refresh"),
  pending: derive("jwt pending"),
  session: derive("session"),
  foreign: derive("jwt access", "another-secret-".repeat(5)),
  secret: Buffer.from(secret),
  empty: Buffer.alloc(0),
  none: undefined,
};
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const without = (members: Members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));

/** A token of any header and claims, signed with HMAC by a key of ours or by given bytes. */
export function forge(by: string | Buffer, header: Members, claims: Members): string {
  const key = typeof by === "string" ? keys[by] : by;
  const head = encoded(without({ alg: "HS256", typ: "at+jwt", ...header }));
  const text = `${head}.${encoded(without(claims))}`;
  return `${text}.${key ? createHmac("sha256", key).update(text).digest("base64url") : ""}`;
}

/** Claims as ours are; times that are given as numbers count from now. */
export function claims(changes: Members = {}): Members {
  const now = Math.floor(Date.now() / 1000);
  const times = Object.fromEntries(
    Object.entries({ iat: 0, exp: 900, ...pick(changes) }).map(([name, value]) => [
      name,
      typeof value === "number" ? now + value : value,
    ]),
  );
  return { iss: "framewright:test", aud: "user", sub: "7", sid: "key", jti: "one", ...changes, ...times };
}
const pick = (changes: Members) =>
  Object.fromEntries(Object.entries(changes).filter(([name]) => ["iat", "exp", "nbf"].includes(name)));

/** The lines of `tokens.txt`. */
export function cases(): { line: string; taken: boolean; token: () => string }[] {
  const lines = readFileSync(join(import.meta.dirname, "tokens.txt"), "utf8").split("\n");
  return lines
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [, verdict, by, header, changes] = /^(yes|no) (\w+) (\{.*?\}) (\{.*\})$/.exec(line)!;
      const text = changes!.replace(/«(.)\*(\d+)»/, (_, sign: string, times: string) => sign.repeat(Number(times)));
      const token = () => forge(by!, JSON.parse(header!) as Members, claims(JSON.parse(text) as Members));
      return { line, taken: verdict === "yes", token };
    });
}
