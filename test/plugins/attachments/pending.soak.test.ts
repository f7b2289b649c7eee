import sharp from "sharp";
import { p99While } from "../../host/raw.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { ann, list, openAttachments, serviceOf } from "./attachments_app.ts";

const PENDING = 500;
const MAX_MS = 100;

describe("Many thumbnails that wait to be drawn", (it) => {
  it(`${PENDING} of them leave pages under ${MAX_MS} ms`, async () => {
    const app = await openAttachments();
    try {
      const service = serviceOf(app);
      const { knex } = databaseOf(app.application);
      const noise = await sharp({
        create: {
          width: 1600,
          height: 1200,
          channels: 3,
          background: "#888",
          noise: { type: "gaussian", mean: 128, sigma: 60 },
        },
      })
        .jpeg()
        .toBuffer();
      const storage = app.application.kernel.service("storage");
      const owners = await knex("shipments").pluck("id");
      for (let count = 0; count < PENDING; count++) {
        const { key } = await storage.put({ filename: "photo.jpg", type: "image/jpeg", bytes: noise });
        await knex("framewright_attachments").insert({
          ...{
            owner_type: "Shipment",
            owner_id: String(owners[count % owners.length]),
            field: "photos",
            storage_key: key,
          },
          ...{ name: "photo.jpg", type: "image/jpeg", size: noise.length, digest: String(count), position: count },
          ...{ state: "ready", thumbnails: "waiting", created_at: "2026-01-01 00:00:00.000" },
        });
      }
      const path = `${list}/${owners[0]}`;
      const ask = async () => {
        const answer = await app.request(path, { headers: ann });
        assert.is(answer.status, 200);
        await answer.text();
      };
      for (let count = 0; count < 20; count++) await ask();
      await service.sweep(); // takes up all that waits
      const slowest = await p99While(service.drain(), ask);
      const left = await knex("framewright_attachments").where({ thumbnails: "waiting" });
      assert.is(left.length, 0);
      assert.ok(slowest < MAX_MS, `${Math.round(slowest)} ms`);
    } finally {
      await app.close();
    }
  });
});
