import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { shipments } from "../resources/wide_app.ts";
import { ann, attachmentFiles, dan, list, openAttachments } from "./attachments_app.ts";

const RATIO = 1.2;
const ROUNDS = 15;
const REQUESTS = 40;

const policy = "app/policies/shipment_policy.ts";
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

describe("A list with thumbnails", (it) => {
  it(`Takes at most ${RATIO} times as long as one without`, async () => {
    const app = await openAttachments({
      [policy]: attachmentFiles[policy]!.replace('["plan"] : ["plan", "photos", "cover", "papers"]', '[] : ["cover"]'),
    });
    try {
      const { knex } = databaseOf(app.application);
      await knex("memberships").insert({ user_id: 4, organization_id: 1 });
      const [first] = shipments(1, "MANY");
      for (let at = 10; at < 40; at++)
        await knex("shipments").insert({ ...first, id: 1000 + at, reference: `MANY-${at}` });
      for (const { id } of await knex("shipments").where({ organization_id: 1 }))
        await knex("framewright_attachments").insert({
          ...{ owner_type: "Shipment", owner_id: String(id), field: "cover", storage_key: `4f/${"4f".repeat(20)}` },
          ...{ name: `cover ${id}.png`, type: "image/png", size: 1000, digest: "d", position: 0, in_place: true },
          ...{
            state: "ready",
            thumbnails: "ready",
            large_key: "l",
            small_key: "s",
            created_at: "2026-01-01 00:00:00.000",
          },
        });
      /** CPU milliseconds of a request: other processes count less than in time. */
      const cost = async (headers: Record<string, string>): Promise<number> => {
        const before = process.cpuUsage();
        for (let count = 0; count < REQUESTS; count++) await (await app.request(list, { headers })).text();
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1000 / REQUESTS;
      };
      const html = await (await app.request(list, { headers: ann })).text();
      assert.is([...html.matchAll(/<img class="fw-file-small"/g)].length, 20);
      assert.not.match(await (await app.request(list, { headers: dan })).text(), "fw-file-small");
      const [withThem, without]: [number[], number[]] = [[], []];
      for (let round = 0; round < ROUNDS; round++) {
        withThem.push(await cost(ann));
        without.push(await cost(dan));
      }
      const [slow, fast] = [withThem, without].map((costs) => median(costs.slice(3)));
      const ratio = slow! / fast!;
      assert.ok(ratio <= RATIO, `${slow!.toFixed(2)} ms with, ${fast!.toFixed(2)} ms without: ${ratio.toFixed(2)}`);
    } finally {
      await app.close();
    }
  });
});
