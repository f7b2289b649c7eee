import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { assert, describe } from "../../support/index.ts";
import { exitOf } from "../../support/processes.ts";
import { sampleOf, token } from "./metrics_app.ts";

describe("Metrics of several workers", (it, { before, after }) => {
  let primary: ChildProcess;
  let url: string;
  const workers: number[] = [];
  before(async () => {
    primary = fork(join(import.meta.dirname, "fixtures/primary.ts"), { serialization: "json" });
    while (workers.length < 2) {
      const [message] = (await once(primary, "message")) as [{ url: string; worker: number }];
      url = message.url;
      workers.push(message.worker);
    }
  });
  after(async () => {
    primary.send("stop");
    assert.is(await exitOf(primary), 0);
  });
  const headers = { authorization: `Bearer ${token}`, connection: "close" };
  const scrape = () => fetch(`${url}/metrics`, { headers });

  it("One scrape has the sum over both, whichever answers it", async () => {
    const served = new Set<number>();
    let requests = 0;
    for (; requests < 100 && served.size < 2; requests++) {
      const answer = await fetch(`${url}/posts/${requests}`, { headers: { connection: "close" } });
      served.add(((await answer.json()) as { process: number }).process);
    }
    assert.equal([...served].sort(), [...workers].sort());
    const sample = 'fw_http_requests_total{method="GET",route="/posts/:id",status="200"}';
    const texts = await Promise.all(Array.from({ length: 6 }, async () => (await scrape()).text()));
    for (const text of texts) assert.is(sampleOf(text, sample), requests);
  }, 60_000);
  it("While a worker hangs a scrape is 503 in time, and the sum is there again afterwards", async () => {
    const [, frozen] = workers;
    process.kill(frozen!, "SIGSTOP");
    try {
      const start = performance.now();
      const statuses = new Set<number>();
      const answers = await Promise.allSettled(
        Array.from({ length: 4 }, () => fetch(`${url}/metrics`, { headers, signal: AbortSignal.timeout(6000) })),
      );
      for (const one of answers) if (one.status === "fulfilled") statuses.add(one.value.status);
      assert.equal([...statuses], [503]); // those that were handed to the frozen worker wait for it
      assert.ok(performance.now() - start < 9000);
    } finally {
      process.kill(frozen!, "SIGCONT");
    }
    assert.is((await scrape()).status, 200);
  }, 60_000);
});
