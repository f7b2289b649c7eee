import { assert, describe } from "../../support/index.ts";
import { fuzz } from "./fuzzed.ts";
import { as, documentOf, openOrders } from "./openapi_app.ts";

const SECONDS = 60;

describe("Requests by the schemas of a document, for a minute", (it) => {
  it("Whatever two people send by their documents, its answer is described there, and none is 5xx", async () => {
    const app = await openOrders();
    try {
      for (const id of [1, 3]) {
        const seed = Date.now() % 100_000;
        const send = (path: string, init: RequestInit) =>
          app.request(path, { ...init, headers: { ...(init.headers as object), ...as(id) } });
        const { problems, sent } = await fuzz(await documentOf(app, id), send, {
          fixed: { organization_id: "1" },
          forMs: (SECONDS / 2) * 1000,
          seed,
        });
        assert.equal(problems, []);
        assert.ok(sent > 500, `${sent} requests`);
      }
    } finally {
      await app.close();
    }
  });
});
