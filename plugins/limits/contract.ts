import type { Transaction } from "framewright/plugins/database";

declare module "framewright/kernel" {
  interface Slots {
    limits: { service: Limits };
  }
}

/** How many attempts count within how many seconds. */
export interface LimitRule {
  points: number;
  seconds: number;
}
/** A named limit: each key has its own count, which starts with its first attempt and ends `seconds` later. */
export interface Limiter {
  /**
   * Counts one attempt; undefined when it is allowed, else the seconds until the count ends. Of parallel attempts, over all
   * processes of a filler, exactly `points` are allowed. A refused attempt does not count. Name the transaction that is open: with
   * the embedded database the count is part of it, since nothing else can be written meanwhile; elsewhere it is not.
   * @throws an error with the status 503 when the counts are unavailable: nothing is allowed then
   */
  consume(key: string, options?: { readonly transaction?: Transaction | undefined }): Promise<number | undefined>;
  /** Takes one attempt back, as of a success; nothing where none is counted. @throws as consume */
  refund(key: string): Promise<void>;
  /** Ends the count of a key. @throws as consume */
  reset(key: string): Promise<void>;
}
/** The slot's service: `const guesses = limits.open("acme.guesses", { points: 10, seconds: 900 })`. */
export interface Limits {
  /** Limits of one name share their counts. The name belongs to the plugin, as in "authlib.login". */
  open(name: string, rule: LimitRule): Limiter;
}
