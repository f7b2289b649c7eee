import { randomBytes, timingSafeEqual } from "node:crypto";
import { errors } from "./errors.ts";
import type { PasswordHasher } from "./index.ts";
import type { HashPool } from "./pool.ts";

export interface Cost {
  /** KiB. */
  memory: number;
  iterations: number;
  parallelism: number;
}
interface Parsed extends Cost {
  salt: Buffer;
  digest: Buffer;
}

const SALT = 16;
const LENGTH = 32;
/** A stored hash must not make a worker take more than this. */
const MOST: Cost = { memory: 1_048_576, iterations: 100, parallelism: 64 };
const PHC = /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})\$([A-Za-z0-9+/]{11,88})\$([A-Za-z0-9+/]{16,88})$/;

const base64 = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");

function format({ memory, iterations, parallelism }: Cost, salt: Buffer, digest: Buffer): string {
  return `$argon2id$v=19$m=${memory},t=${iterations},p=${parallelism}$${base64(salt)}$${base64(digest)}`;
}

/** Reads a PHC string; undefined when it is none, or asks for what no hash of ours would. */
function parse(hash: string): Parsed | undefined {
  const [, m, t, p, salt, digest] = PHC.exec(hash) ?? [];
  if (salt === undefined || digest === undefined) return undefined;
  const cost: Cost = { memory: Number(m), iterations: Number(t), parallelism: Number(p) };
  const fits = cost.memory <= MOST.memory && cost.iterations <= MOST.iterations && cost.parallelism <= MOST.parallelism;
  if (!fits || cost.iterations < 1 || cost.parallelism < 1 || cost.memory < 8 * cost.parallelism) return undefined;
  return { ...cost, salt: Buffer.from(salt, "base64"), digest: Buffer.from(digest, "base64") };
}

/** argon2id; the same characters typed on another keyboard make the same password (NFKC). */
export function hasher(pool: HashPool, cost: Cost): PasswordHasher {
  const digest = (password: string, { memory, iterations, parallelism }: Cost, salt: Buffer, hashLength: number) =>
    pool.run({ password: password.normalize("NFKC"), salt, memorySize: memory, iterations, parallelism, hashLength });
  return {
    async hash(password) {
      if (password === "") throw errors.FW_PASSWORD_EMPTY();
      const salt = randomBytes(SALT);
      return format(cost, salt, await digest(password, cost, salt, LENGTH));
    },
    async verify(password, hash) {
      const stored = parse(hash);
      if (!stored || password === "") return false;
      return timingSafeEqual(await digest(password, stored, stored.salt, stored.digest.length), stored.digest);
    },
    needsRehash(hash) {
      const stored = parse(hash);
      if (!stored || stored.salt.length !== SALT || stored.digest.length !== LENGTH) return true;
      return (Object.keys(cost) as (keyof Cost)[]).some((name) => stored[name] !== cost[name]);
    },
  };
}
