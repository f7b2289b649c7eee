import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openTenants, tenantFiles } from "../plugins/scoping/tenants.ts";
import { as } from "../plugins/wizards/mounts_support.ts";
import type { TestApp } from "../support/apps.ts";
import { databases } from "../support/databases.ts";
import { edited, withPlugin } from "../support/fixtures.ts";
import { assert, describe } from "../support/index.ts";
import { databaseOf } from "../support/shop.ts";
import type { Client } from "../testing/client.ts";
import { CAST, installed, publish, sourceOf } from "./publish.ts";

// A package that takes over the slot of a built-in plugin: deleted records are kept for 30 days.

const published = publish("fw-long-undo");
const config = edited(
  { "plugins.config.ts": withPlugin(tenantFiles["plugins.config.ts"]!, "undo()", "undo") },
  "plugins.config.ts",
  [/^import {/, 'import { longUndo } from "fw-long-undo";\nimport {'],
  ["definePlugins([", "definePlugins([longUndo(), "],
);
const DAY_MS = 86_400_000;
const list = "/customer/1/notes";

for (const database of await databases()) {
  describe(`An application with fw-long-undo in place of undo, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        const files = { ...installed("fw-long-undo", (await published).unpacked), "plugins.config.ts": config };
        app = await openTenants(files, await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const knex = () => databaseOf(app.application).knex;
    const ann = () => as(app.client(), 1);
    const cat = () => as(app.client(), 3);
    const press = async (client: Client, url: string): Promise<Response> => {
      const [, token = ""] = /<meta name="csrf-token" content="([^"]*)"/.exec(await client.page(list)) ?? [];
      return client.request(url, { method: "POST", headers: { "x-csrf-token": token } });
    };
    /** As if the deletions were of some days ago. */
    const age = (days: number) =>
      knex()("long_undo_deletions").update({ deleted_at: new Date(Date.now() - days * DAY_MS).toISOString() });
    const titles = async () => (await knex()("notes").orderBy("id").select("title")).map(({ title }) => title);
    const restoreOn = (page: string) => /action="([^"]*\/deleted\/[0-9a-f-]{36}\/restore)"/.exec(page)?.[1];
    /** Ann deletes her note: what restores it. */
    const deleted = async (): Promise<{ client: Client; restore: string; page: string }> => {
      const client = ann();
      assert.match(await client.page(`${list}/1/actions/destroy`), "You can restore this for 30 days.");
      await client.submit(`${list}/1/actions/destroy`, {});
      assert.equal(await titles(), ["Note Baltic"]);
      const page = await client.page(list);
      return { client, restore: restoreOn(page)!, page };
    };

    can("The message of a deletion has a button, and the page restores it after 20 days, once", async () => {
      const { client, restore, page } = await deleted();
      assert.match(page, "You can restore it for 30 days.");
      assert.match(page, `href="${list}/deleted"`);
      await age(20);
      const own = await client.page(`${list}/deleted`);
      assert.match(own, "Note Alpine");
      assert.is(restoreOn(own), restore);
      assert.is((await client.submit(`${list}/deleted`, {}, /\/restore"/)).status, 303);
      assert.match(await client.page(list), "Note Alpine was restored.");
      assert.equal(await titles(), ["Note Alpine", "Note Baltic"]);
      assert.is((await press(client, restore)).status, 404, "once");
      assert.not.match(await client.page(`${list}/deleted`), "Note Alpine");
    });
    can("Another person does not see it, nor restore it, here and in another tenant", async () => {
      const { client, restore } = await deleted();
      const other = cat();
      for (const at of [restore, restore.replace("/customer/1/", "/customer/2/")]) {
        assert.is((await press(other, at)).status, 404, at);
      }
      assert.not.match(await other.page(`${list}/deleted`), "Note Alpine");
      assert.is((await press(client, restore.replace("/customer/1/", "/customer/2/"))).status, 404);
      assert.equal(await titles(), ["Note Baltic"]);
      await press(client, restore);
      assert.equal(await titles(), ["Note Alpine", "Note Baltic"]);
    });
    can("Their own deletions of another tenant are not on a person's page", async () => {
      const client = cat();
      await client.submit(`${list}/1/actions/destroy`, {});
      const restore = restoreOn(await client.page(list))!;
      assert.not.match(await client.page("/customer/2/notes/deleted"), "Note Alpine");
      assert.is((await press(client, restore.replace("/customer/1/", "/customer/2/"))).status, 404);
      await press(client, restore);
      assert.equal(await titles(), ["Note Alpine", "Note Baltic"]);
    });
    can("A record whose place was taken stays on the page", async () => {
      const { client, restore } = await deleted();
      await knex()("notes").insert({ id: 1, title: "Another", post_id: 1 });
      await press(client, restore);
      const page = await client.page(list);
      assert.match(page, "be restored any more");
      await knex()("notes").where({ id: 1 }).delete();
      assert.is((await press(client, restore)).status, 303);
      assert.equal(await titles(), ["Note Alpine", "Note Baltic"]);
    });
    can("What others refer to is deleted for good", async () => {
      await knex()("posts").insert({ id: 9, title: "Post of one comment", organization_id: 1 });
      await knex()("comments").insert({ id: 9, title: "Comment", post_id: 9 });
      const client = ann();
      assert.not.match(await client.page("/customer/1/posts/9/actions/destroy"), "30 days");
      await client.submit("/customer/1/posts/9/actions/destroy", {});
      assert.is(restoreOn(await client.page("/customer/1/posts")), undefined);
    });
    can("After 31 days it can't be restored, and is removed", async () => {
      const { client, restore } = await deleted();
      await age(31);
      assert.is((await press(client, restore)).status, 404);
      await app.application.kernel.service("undo").sweep();
      assert.equal(await knex()("long_undo_deletions"), []);
    });
  });
}

describe("The package fw-long-undo", (it) => {
  it("Its source has no cast, and imports the framework's published entry points alone", () => {
    const text = sourceOf("fw-long-undo");
    assert.not.match(text, CAST);
    const { exports } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
    for (const [, entry] of text.matchAll(/from "framewright\/?([^"]*)"/g))
      assert.ok(`./${entry}` in exports || entry === "" || /^plugins\/\w+$/.test(entry!), entry);
  });
});
