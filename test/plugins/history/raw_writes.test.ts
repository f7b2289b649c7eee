import { rawWrites, rawWritesText } from "../../../plugins/history/raw_writes.ts";
import { writeApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";

describe("Code that writes past the models", (it) => {
  it("fw doctor names the places that it finds", () => {
    const root = writeApp({
      "app/raw.ts": `export const one = (database, transaction) => {
  database.knex("posts").where({ id: 1 }).select("id");
  database.knex("posts")
    .where({ id: 1 })
    .update({ title: "raw" });
  transaction("posts").delete();
  Post.query(transaction).delete();
  database.knex.raw("update posts set title = 1");
  database.knex.raw("select 1");
};`,
      "lib/more.ts": 'export const two = (knex) => knex.batchInsert("posts", []);',
    });
    assert.equal(rawWrites(root), ["app/raw.ts:3", "app/raw.ts:6", "app/raw.ts:8", "lib/more.ts:1"]);
    assert.match(rawWritesText(rawWrites(root)), "4 places write past the models");
    assert.match(rawWritesText([]), "no code was found");
  });
});
