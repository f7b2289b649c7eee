import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { fuzz } from "./fuzzed.ts";
import { as, documentOf, openOrders } from "./openapi_app.ts";

/** `FW_TEST_OPENAPI_ROUNDS=20` tries more, `FW_TEST_OPENAPI_SEED` other values. */
const ROUNDS = Number(process.env.FW_TEST_OPENAPI_ROUNDS ?? 2);
const SEED = Number(process.env.FW_TEST_OPENAPI_SEED ?? 7);

for (const database of await databases({ withPostgres: true })) {
  describe(`Requests by the schemas of a document, on ${database.name}`, (it) => {
    it.unless(
      database.skip,
      "Whatever is sent by a document, its answer is described there, and none is 5xx",
      async () => {
        const app = await openOrders({}, await database.values());
        try {
          const document = await documentOf(app, 1);
          const send = (path: string, init: RequestInit) =>
            app.request(path, { ...init, headers: { ...(init.headers as object), ...as(1) } });
          const { problems, statuses, sent } = await fuzz(document, send, {
            fixed: { organization_id: "1" },
            seed: SEED,
            rounds: ROUNDS,
          });
          assert.equal(problems, []);
          assert.ok(sent > 300, `${sent} requests`);
          for (const reached of [
            "GET /customer/{organization_id}/orders.json 200",
            "POST /customer/{organization_id}/orders.json 201",
          ])
            assert.ok(statuses.has(reached), reached);
        } finally {
          await app.close();
          await database.clean();
        }
      },
    );
  });
}
