import { checkOptions, definePlugin, type OptionRule, type Plugin } from "framewright/kernel";
import { type Cost, hasher } from "./argon2.ts";
import { type ForeignHashes, ForeignHashReader } from "./foreign.ts";
import { defaultWorkers, HashPool } from "./pool.ts";

export type { PasswordHasher } from "./contract.ts";
export type { ForeignHash, ForeignHashes, ForeignOptions } from "./foreign.ts";
export { aspNetHashes, type BcryptOptions, bcryptHashes, djangoHashes, werkzeugHashes } from "./kinds.ts";
export type { HashTask } from "./tasks.ts";

/** Options of `passwords()`. */
export interface PasswordOptions {
  /** KiB of memory that one hash takes, at least 8 times the parallelism. */
  memory?: number;
  /** Passes over that memory. */
  iterations?: number;
  parallelism?: number;
  /** How many may wait for a worker; further ones get 503. */
  queue?: number;
  /** Hashing threads; by default one less than cores. */
  workers?: number;
  /** Formats of imported hashes of other systems: a sign-in replaces them by argon2id. */
  foreign?: readonly ForeignHashes[];
}

const kinds: OptionRule = {
  expected: "a list such as [bcryptHashes(), djangoHashes()]",
  check: (value) => Array.isArray(value) && value.every((kind) => typeof kind?.read === "function"),
};
const whole: OptionRule = {
  expected: "a whole number, 1 or more",
  check: (value) => Number.isSafeInteger(value) && (value as number) >= 1,
};

/** Hashes passwords in worker threads, so that many sign-ins do not block other requests. */
export function passwords(options: PasswordOptions = {}): Plugin {
  const {
    memory = 19_456,
    iterations = 2,
    parallelism = 1,
    queue = 500,
    workers = defaultWorkers(),
    foreign = [],
  } = options;
  const cost: Cost = { memory, iterations, parallelism };
  const memoryRule = {
    expected: `a whole number of at least ${8 * parallelism} (KiB)`,
    check: (value: unknown) => whole.check(value) && (value as number) >= 8 * parallelism,
  };
  checkOptions("passwords", options, {
    memory: memoryRule,
    iterations: whole,
    parallelism: whole,
    queue: whole,
    workers: whole,
    foreign: kinds,
  });
  return definePlugin({
    name: "passwords",
    provides: "passwordHasher",
    apply({ onClose }) {
      const pool = new HashPool({ workers, queue });
      onClose(() => pool.close());
      return hasher(pool, cost, foreign.length > 0 ? new ForeignHashReader(pool, foreign) : undefined);
    },
  });
}
