import { HashPool } from "../../../plugins/passwords/pool.ts";
import { assert, describe } from "../../support/index.ts";

const task = {
  algorithm: "argon2id" as const,
  password: "secret",
  salt: new Uint8Array(16),
  memorySize: 64,
  iterations: 1,
  parallelism: 1,
  hashLength: 32,
};
const soon = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe("Hashing threads", (it) => {
  it("Hashing threads end when they are idle, and start again when there is work", async () => {
    const pool = new HashPool({ workers: 2, queue: 10, idle: 300 });
    try {
      assert.is(pool.threads, 0);
      const first = await Promise.all([pool.run(task), pool.run(task), pool.run(task)]);
      assert.is(pool.threads, 2);
      for (let waited = 0; pool.threads > 0 && waited < 5000; waited += 50) await soon(50);
      assert.is(pool.threads, 0);
      assert.equal(await pool.run(task), first[0]);
      assert.is(pool.threads, 1);
    } finally {
      await pool.close();
    }
    assert.is(pool.threads, 0);
  });
  it("A hashing thread stays alive while it is given one task after another", async () => {
    const pool = new HashPool({ workers: 1, queue: 10, idle: 400 });
    try {
      await pool.run(task);
      for (let turn = 0; turn < 8; turn++) {
        await soon(100);
        await pool.run(task);
        assert.is(pool.threads, 1);
      }
    } finally {
      await pool.close();
    }
  });
  it("A hashing thread releases the memory of a hash when there is no more work", async () => {
    const pool = new HashPool({ workers: 1, queue: 10 });
    const MB = 1_048_576;
    try {
      await pool.run(task);
      await soon(200);
      const before = process.memoryUsage.rss();
      await pool.run({ ...task, memorySize: 131_072 });
      let kept = 128;
      for (let waited = 0; kept > 64 && waited < 5000; waited += 50) {
        await soon(50);
        kept = (process.memoryUsage.rss() - before) / MB;
      }
      assert.ok(kept <= 64, `${kept} MB`);
    } finally {
      await pool.close();
    }
  });
});
