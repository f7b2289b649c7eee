import type { Argon2Task } from "./tasks.ts";

const PHC = /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})\$([A-Za-z0-9+/]{11,88})\$([A-Za-z0-9+/]{16,88})$/;
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64").replace(/=+$/, "");

/** A parsed argon2id hash: its task without the password, and its digest. */
export interface Parsed {
  task: Omit<Argon2Task, "password">;
  digest: Buffer;
}

export function format({ memorySize, iterations, parallelism, salt }: Parsed["task"], digest: Buffer): string {
  return `$argon2id$v=19$m=${memorySize},t=${iterations},p=${parallelism}$${base64(salt)}$${base64(digest)}`;
}

/** Parses a PHC string; undefined for other text. */
export function parse(hash: string): Parsed | undefined {
  const [, m, t, p, salt, digest] = PHC.exec(hash) ?? [];
  if (salt === undefined || digest === undefined) return undefined;
  const bytes = Buffer.from(digest, "base64");
  const cost = { memorySize: Number(m), iterations: Number(t), parallelism: Number(p), hashLength: bytes.length };
  return { task: { algorithm: "argon2id", ...cost, salt: Buffer.from(salt, "base64") }, digest: bytes };
}
