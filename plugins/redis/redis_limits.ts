import type { Limiter, LimitRule, Limits } from "framewright/plugins/limits";
import type { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import type { Redis, RedisClient } from "./contract.ts";

interface Parts {
  redis: Redis;
  /** The digest of a key, as it is stored: keys contain logins and addresses. */
  digest(text: string): string;
}

/** Counts in Redis, for all processes together. */
export const redisLimits = ({ redis, digest }: Parts): Limits => ({
  open: (name, rule) => new RedisLimiter(redis, { ...rule, name, digest }),
});

class RedisLimiter implements Limiter {
  readonly #redis: Redis;
  readonly #rule: LimitRule & { name: string; digest(text: string): string };
  #counts: Promise<RateLimiterRedis> | undefined;

  constructor(redis: Redis, rule: LimitRule & { name: string; digest(text: string): string }) {
    this.#redis = redis;
    this.#rule = rule;
  }

  consume(key: string): Promise<number | undefined> {
    return this.#run(key, async (counts, digest) => {
      try {
        await counts.consume(digest, 1);
        return undefined;
      } catch (refused) {
        if (refused instanceof Error) throw refused;
        await counts.reward(digest, 1); // what is refused does not count
        return Math.max(1, (refused as RateLimiterRes).msBeforeNext) / 1000;
      }
    });
  }
  refund(key: string): Promise<void> {
    return this.#run(key, async (counts, digest) => {
      const { consumedPoints } = await counts.reward(digest, 1);
      if (consumedPoints < 0) await counts.penalty(digest, 1); // there was no attempt to take back
    });
  }
  reset(key: string): Promise<void> {
    return this.#run(key, async (counts, digest) => void (await counts.delete(digest)));
  }

  #run<T>(key: string, work: (counts: RateLimiterRedis, digest: string) => Promise<T>): Promise<T> {
    const digest = this.#rule.digest(`${this.#rule.name} ${key}`);
    return this.#redis.run(async (client) => {
      this.#counts ??= this.#open(client);
      return work(await this.#counts, digest);
    });
  }
  async #open(storeClient: RedisClient): Promise<RateLimiterRedis> {
    const { RateLimiterRedis } = await import("rate-limiter-flexible");
    const { points, seconds: duration } = this.#rule;
    return new RateLimiterRedis({ storeClient, points, duration, keyPrefix: this.#redis.key("limit") });
  }
}
