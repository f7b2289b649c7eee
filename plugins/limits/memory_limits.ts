import type { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Limiter, LimitRule, Limits } from "./contract.ts";

/** Counts in this process alone. */
export function memoryLimits(): Limits {
  const limiters = new Map<string, Limiter>();
  return {
    open(name, rule) {
      const key = `${name} ${rule.points} ${rule.seconds}`;
      const limiter = limiters.get(key) ?? new MemoryLimiter(rule);
      limiters.set(key, limiter);
      return limiter;
    },
  };
}

class MemoryLimiter implements Limiter {
  readonly #rule: LimitRule;
  #counts: Promise<RateLimiterMemory> | undefined;

  constructor(rule: LimitRule) {
    this.#rule = rule;
  }

  async consume(key: string): Promise<number | undefined> {
    const counts = await this.#open();
    try {
      await counts.consume(key, 1);
      return undefined;
    } catch (refused) {
      if (refused instanceof Error) throw refused;
      await counts.reward(key, 1); // what is refused does not count
      return (refused as RateLimiterRes).msBeforeNext / 1000;
    }
  }
  async refund(key: string): Promise<void> {
    const counts = await this.#open();
    const found = await counts.get(key);
    if (found && found.consumedPoints > 0) await counts.reward(key, 1);
  }
  async reset(key: string): Promise<void> {
    await (await this.#open()).delete(key);
  }

  /** Loads the library at the first attempt, not at boot. */
  #open(): Promise<RateLimiterMemory> {
    const { points, seconds } = this.#rule;
    this.#counts ??= import("rate-limiter-flexible").then(
      ({ RateLimiterMemory }) => new RateLimiterMemory({ points, duration: seconds }),
    );
    return this.#counts;
  }
}
