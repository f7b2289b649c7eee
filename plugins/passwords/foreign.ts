import { timingSafeEqual } from "node:crypto";
import { errors } from "./errors.ts";
import type { HashPool } from "./pool.ts";
import { type HashTask, isAffordable } from "./tasks.ts";

/** A stored hash of another system: what makes it of a password, and what has to come out. */
export interface ForeignHash {
  task(password: string): HashTask;
  digest: Buffer;
}
/** One kind of hashes that another system made: they are read, and never made. */
export interface ForeignHashes {
  readonly name: string;
  /** A hash as dear as those that were imported: it is worked on where somebody has none, so that time tells nothing. */
  readonly like: string;
  /** Reads a stored hash; undefined for what is not of this kind. */
  read(hash: string): ForeignHash | undefined;
}
export interface ForeignOptions {
  /** One of the hashes that are imported, of a test account say: logins that nobody has take as long as this one. */
  like?: string;
}

/** Hashes of other systems that may be stored. */
export class ForeignHashReader {
  readonly #pool: HashPool;
  readonly #kinds: readonly ForeignHashes[];

  /** @throws FW_PASSWORD_FOREIGN */
  constructor(pool: HashPool, kinds: readonly ForeignHashes[]) {
    this.#pool = pool;
    this.#kinds = kinds;
    for (const kind of kinds) if (!readAs(kind, kind.like)) throw errors.FW_PASSWORD_FOREIGN(kind.name);
  }

  /** Whether the hash is of one of these kinds. */
  accepts(hash: string): boolean {
    return this.#kinds.some((kind) => readAs(kind, hash) !== undefined);
  }
  /** Whether the password, as it was typed, made the hash. The work of every kind is done, whichever the hash is of, and without one. */
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
