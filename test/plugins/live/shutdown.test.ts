import { assert, describe } from "../../support/index.ts";
import { exitOf, serveApp } from "../../support/processes.ts";
import { Events, openLive, streamOf } from "./live_app.ts";

describe("A shutdown with open streams", (it) => {
  it("It does not wait for them: they end at once, and the process within its usual time", async () => {
    const app = await openLive();
    await app.close();
    const { child, url } = await serveApp(app.root);
    const streams = await Promise.all(Array.from({ length: 40 }, () => Events.open({ url }, streamOf("tasks"))));
    assert.ok(streams.every(({ status }) => status === 200));
    const start = performance.now();
    child.kill("SIGTERM");
    await Promise.all(streams.map((events) => events.ended()));
    assert.is(await exitOf(child), 0);
    assert.ok(performance.now() - start < 5000, `${performance.now() - start} ms`);
    assert.ok(
      streams.every(({ names }) => !names.includes("end")),
      "browsers connect again",
    );
  });
});
