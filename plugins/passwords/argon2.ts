import { randomBytes, timingSafeEqual } from "node:crypto";
import type { PasswordHasher } from "./contract.ts";
import { errors } from "./errors.ts";
import type { ForeignHashReader } from "./foreign.ts";
import { format, parse } from "./phc.ts";
import type { HashPool } from "./pool.ts";
import { type Argon2Task, isAffordable } from "./tasks.ts";

export interface Cost {
  /** KiB. */
  memory: number;
  iterations: number;
  parallelism: number;
}
const SALT_BYTES = 16;
const DIGEST_BYTES = 32;

/** argon2id; the same characters typed on another keyboard make the same password (NFKC). */
export function hasher(
  pool: HashPool,
  { memory, iterations, parallelism }: Cost,
  foreign?: ForeignHashReader,
): PasswordHasher {
  const cost = { memorySize: memory, iterations, parallelism, hashLength: DIGEST_BYTES };
  const digest = (password: string, task: Omit<Argon2Task, "password">) =>
    pool.run({ ...task, password: password.normalize("NFKC") });
  const readable = (hash: string) => {
    const stored = parse(hash);
    return stored && isAffordable({ ...stored.task, password: "" }) ? stored : undefined;
  };
  return {
    ...(foreign ? { foreign } : {}),
    async hash(password) {
      if (password === "") throw errors.FW_PASSWORD_EMPTY();
      const task = { algorithm: "argon2id", ...cost, salt: randomBytes(SALT_BYTES) } as const;
      return format(task, await digest(password, task));
    },
    async verify(password, hash) {
      const stored = readable(hash);
      if (!stored) return foreign?.accepts(hash) ? foreign.verify(password, hash) : false;
      if (password === "") return false;
      return timingSafeEqual(await digest(password, stored.task), stored.digest);
    },
    load: () => pool.load,
    needsRehash(hash) {
      const task = readable(hash)?.task;
      if (!task || task.salt.length !== SALT_BYTES) return true;
      return (Object.keys(cost) as (keyof typeof cost)[]).some((name) => task[name] !== cost[name]);
    },
  };
}
