import { type Database, isTableMissing } from "framewright/plugins/database";
import type { Limiter, LimitRule, Limits } from "./contract.ts";
import { RowStore } from "./row_store.ts";

/** Rounds of an attempt whose row others change meanwhile; it is refused after them. */
const MAX_ROUNDS = 5;

export interface RowLimitsOptions {
  database: Database;
  /** The digest of a key, as it is stored: keys contain logins and addresses. */
  digest(text: string): string;
  /** Counts where the table does not exist. */
  fallback: Limits;
  /** The table does not exist. */
  missing(): void;
}

/** Counts in rows of the database, for all processes together. */
export class RowLimits implements Limits {
  readonly #options: RowLimitsOptions;
  readonly store: RowStore;
  /** The names of the limits that were opened. */
  readonly names = new Set<string>();

  constructor(options: RowLimitsOptions) {
    this.#options = options;
    this.store = new RowStore(options.database);
  }

  open(name: string, rule: LimitRule): Limiter {
    this.names.add(name);
    const { digest } = this.#options;
    const spare = this.#options.fallback.open(name, rule);
    const digestOf = (key: string) => digest(`${name} ${key}`);
    const { store } = this;
    return {
      consume: (key, { transaction } = {}) =>
        this.#counted(
          () => consume(store.within(transaction), digestOf(key), rule),
          () => spare.consume(key),
        ),
      refund: (key) =>
        this.#counted(
          () => store.refund(digestOf(key), Date.now()),
          () => spare.refund(key),
        ),
      reset: (key) =>
        this.#counted(
          () => store.end(digestOf(key)),
          () => spare.reset(key),
        ),
    };
  }

  /** Without the table neither everybody nor nobody is refused: this process counts by itself until the table is there. */
  async #counted<T>(inRows: () => Promise<T>, here: () => Promise<T>): Promise<T> {
    try {
      return await inRows();
    } catch (error) {
      if (!isTableMissing(error)) throw error;
      this.#options.missing();
      return here();
    }
  }
}

async function consume(store: RowStore, digest: string, rule: LimitRule): Promise<number | undefined> {
  if (rule.points < 1) return rule.seconds;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const now = Date.now();
    if (await store.count(digest, rule, now)) return undefined;
    const found = await store.find(digest);
    if (!found && (await store.insert(digest, rule, now))) return undefined;
    if (found && found.points >= rule.points && found.end > now) return (found.end - now) / 1000;
  }
  return 1;
}
