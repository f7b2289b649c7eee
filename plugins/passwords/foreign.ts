import { timingSafeEqual } from "node:crypto";
import { errors } from "./errors.ts";
import type { HashPool } from "./pool.ts";
import { type HashTask, isAffordable } from "./tasks.ts";

/** A parsed hash of another system: the task that hashes a password, and the expected digest. */
export interface ForeignHash {
  task(password: string): HashTask;
  digest: Buffer;
}
/** A format of another system's hashes: read only. */
export interface ForeignHashes {
  readonly name: string;
  /** A hash with the cost of the imported ones: verified where an account has none, so that the time reveals nothing. */
  readonly like: string;
  /** Parses a stored hash; undefined for other formats. */
  read(hash: string): ForeignHash | undefined;
}
/** Options of hashes of other systems. */
export interface ForeignOptions {
  /** One of the imported hashes, as of a test account: unknown logins take as long as this one. */
  like?: string;
}

/** Verifies hashes of other systems. */
export class ForeignHashReader {
  readonly #pool: HashPool;
  readonly #kinds: readonly ForeignHashes[];

  /** @throws FW_PASSWORD_FOREIGN */
  constructor(pool: HashPool, kinds: readonly ForeignHashes[]) {
    this.#pool = pool;
    this.#kinds = kinds;
    for (const kind of kinds) if (!readAs(kind, kind.like)) throw errors.FW_PASSWORD_FOREIGN(kind.name);
  }

  /** Whether the hash has one of these formats. */
  accepts(hash: string): boolean {
    return this.#kinds.some((kind) => readAs(kind, hash) !== undefined);
  }
  /** Whether the password, as typed, matches the hash. Always does the work of every format, also without a hash. */
  async verify(password: string, hash: string | undefined): Promise<boolean> {
    if (password === "") return false;
    let isRight = false;
    for (const kind of this.#kinds) {
      const stored = hash === undefined ? undefined : readAs(kind, hash);
      const { task, digest } = stored ?? readAs(kind, kind.like)!;
      const found = await this.#pool.run(task(password));
      const isSame = found.length === digest.length && timingSafeEqual(found, digest);
      if (stored && isSame) isRight = true;
    }
    return isRight;
  }
}

function readAs(kind: ForeignHashes, hash: string): ForeignHash | undefined {
  const found = kind.read(hash);
  return found && isAffordable(found.task("x")) ? found : undefined;
}
