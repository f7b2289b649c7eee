import { writeApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { copyFixture } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { freePort } from "../../support/processes.ts";
import { databaseOf, openMigrated } from "../../support/shop.ts";
import { TestHost } from "../../support/test_host.ts";

const posts = "/admin/blogging/posts";

for (const database of await databases()) {
  if (database.name !== "mysql") continue;
  describe("Files of a record whose commit got no answer", (it, { after }) => {
    after(() => database.clean());

    it.unless(database.skip, "The record is stored, and its file with it", async () => {
      const host = new TestHost(await freePort());
      await host.start();
      const url = new URL((await database.values()).DATABASE_URL!);
      url.port = String(host.port);
      const app = await openMigrated(writeApp(copyFixture("files")), { DATABASE_URL: url.href });
      const { knex } = databaseOf(app.application);
      const client = app.client();
      const send = async (path: string, action: string, title: string) => {
        const fields = [...(await client.page(path)).matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
        const body = new FormData();
        for (const [, name, value] of fields) body.set(name!, value!);
        body.set("blogging_post[title]", title);
        body.set("blogging_post[paper]", new File([title], `${title}.txt`, { type: "text/plain" }));
        return (await client.request(action, { method: "POST", body })).status;
      };
      try {
        assert.is(await send(`${posts}/new`, posts, "first"), 303);
        const { id } = await knex("blogging_posts").first("id");
        for (const [path, action, title] of [
          [`${posts}/new`, posts, "created"],
          [`${posts}/${id}/edit`, `${posts}/${id}`, "changed"],
        ] as const) {
          host.losesAnswerTo = "COMMIT";
          assert.is(await send(path, action, title), 503);
          const row = await knex("blogging_posts").where({ title }).first("paper");
          assert.ok(row, title);
          const { key } = JSON.parse(row.paper);
          assert.is(String(await app.application.kernel.service("storage").bytes(key)), title);
        }
      } finally {
        await app.close();
        await host.stop();
      }
    });
  });
}
