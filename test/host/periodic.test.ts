import { setTimeout as sleep } from "node:timers/promises";
import { definePlugin } from "framewright/kernel";
import { openApp, writeApp } from "../support/apps.ts";
import { assert, describe } from "../support/index.ts";

/** An application whose plugin repeats work every 20 ms. */
async function withWork(work: () => unknown, values: Record<string, string> = {}) {
  const plugin = definePlugin({
    name: "tides",
    requires: ["host"],
    apply({ services: { host } }) {
      host.periodic.add(20, work);
    },
  });
  return openApp(writeApp({}), { plugins: [plugin], values });
}

describe("Periodic work", (it) => {
  it("Is repeated while the application serves, one after the other, and goes on after an error", async () => {
    let [started, running, most] = [0, 0, 0];
    const app = await withWork(async () => {
      started++;
      most = Math.max(most, ++running);
      await sleep(30);
      running--;
      throw new Error("low tide");
    });
    await sleep(250);
    await app.close();
    const before = started;
    assert.ok(before > 2);
    assert.is(most, 1);
    await sleep(60);
    assert.is(started, before, "none after the end");
  });
  it("What runs when the application closes is waited for", async () => {
    let isDone = false;
    let start: (() => void) | undefined;
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    const app = await withWork(async () => {
      start!();
      await sleep(200);
      isDone = true;
    });
    await started;
    await app.close();
    assert.ok(isDone);
  });
  it("Not for longer than a shutdown may take", async () => {
    let start: (() => void) | undefined;
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    const app = await withWork(
      () => {
        start!();
        return new Promise(() => undefined);
      },
      { SHUTDOWN_TIMEOUT: "100" },
    );
    await started;
    const from = performance.now();
    await app.close();
    assert.ok(performance.now() - from < 2000);
  });
});
