// What every filler of the slot "limits" must do. Uses node:assert alone, so that it runs under any test runner.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Limiter, Limits } from "framewright/plugins/limits";

/** A filler whose counts start at zero. */
export interface LimitsCheck {
  sentence: string;
  check(limits: Limits): Promise<void>;
}

/** How many of so many parallel attempts are allowed. */
async function allowed(limiter: Limiter, key: string, count: number): Promise<number> {
  const waits = await Promise.all(Array.from({ length: count }, () => limiter.consume(key)));
  return waits.filter((wait) => wait === undefined).length;
}

export const limitsConformance: readonly LimitsCheck[] = [
  {
    sentence:
      "As many attempts as there are points are allowed, and the next ones get the seconds until the count ends",
    async check(limits) {
      const limiter = limits.open("acme.guesses", { points: 3, seconds: 60 });
      for (let attempt = 0; attempt < 3; attempt++) assert.equal(await limiter.consume("ann"), undefined);
      for (let attempt = 0; attempt < 3; attempt++) {
        const wait = await limiter.consume("ann");
        assert.ok(wait !== undefined && wait > 50 && wait <= 60, String(wait));
      }
    },
  },
  {
    sentence: "Of fifty parallel attempts exactly as many are allowed as there are points",
    async check(limits) {
      const limiter = limits.open("acme.guesses", { points: 10, seconds: 60 });
      assert.equal(await allowed(limiter, "ann", 50), 10);
      assert.equal(await allowed(limiter, "ann", 5), 0);
    },
  },
  {
    sentence: "Keys, and limits of different names, have counts of their own; limits of one name share them",
    async check(limits) {
      const rule = { points: 2, seconds: 60 };
      const [one, other] = [limits.open("acme.one", rule), limits.open("acme.other", rule)];
      assert.equal(await allowed(one, "ann", 5), 2);
      assert.equal(await allowed(one, "bob", 5), 2);
      assert.equal(await allowed(other, "ann", 5), 2);
      assert.equal(await allowed(limits.open("acme.one", rule), "ann", 5), 0);
    },
  },
  {
    sentence:
      "A refund takes one attempt back, refused ones do not count, and a refund without an attempt gives nothing",
    async check(limits) {
      const limiter = limits.open("acme.guesses", { points: 2, seconds: 60 });
      await limiter.refund("ann");
      assert.equal(await allowed(limiter, "ann", 9), 2);
      await limiter.refund("ann");
      assert.equal(await allowed(limiter, "ann", 9), 1);
      for (let refunds = 0; refunds < 9; refunds++) await limiter.refund("ann");
      assert.equal(await allowed(limiter, "ann", 9), 2);
    },
  },
  {
    sentence: "A reset ends the count of a key, and of no other",
    async check(limits) {
      const limiter = limits.open("acme.guesses", { points: 2, seconds: 60 });
      await limiter.reset("ann");
      for (const key of ["ann", "bob"]) assert.equal(await allowed(limiter, key, 5), 2);
      await limiter.reset("ann");
      assert.equal(await allowed(limiter, "ann", 5), 2);
      assert.equal(await allowed(limiter, "bob", 5), 0);
    },
  },
  {
    sentence: "A count ends after its seconds, counted from its first attempt",
    async check(limits) {
      const limiter = limits.open("acme.guesses", { points: 2, seconds: 1 });
      assert.equal(await limiter.consume("ann"), undefined);
      await sleep(600);
      assert.equal(await limiter.consume("ann"), undefined);
      assert.notEqual(await limiter.consume("ann"), undefined);
      await sleep(600);
      assert.equal(await allowed(limiter, "ann", 9), 2);
    },
  },
  {
    sentence:
      "Any text is a key: empty, of 100,000 characters, with every sign; keys that differ in case alone are two",
    async check(limits) {
      const limiter = limits.open("acme.guesses", { points: 1, seconds: 60 });
      const long = "x".repeat(100_000);
      for (const key of ["", "a", "A", " a", "a ", "é", "e\u0301", "a:b *?[]'\"\\\n\0", "\u{1F600}", long, `${long}y`])
        assert.equal(await allowed(limiter, key, 3), 1, JSON.stringify(key.slice(0, 20)));
    },
  },
];
