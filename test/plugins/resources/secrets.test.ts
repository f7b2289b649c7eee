import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openShop, shopFiles } from "../../support/shop.ts";

const policy = "packages/blogging/app/policies/blogging/post_policy.ts";
const definition = "packages/blogging/app/definitions/blogging/post_definition.ts";
/** Posts whose body is asked for as a password, and whose secret_token is permitted. */
const changes = {
  [policy]: edited(shopFiles, policy, ['["title", "body",', '["title", "body", "secret_token",']),
  [definition]: edited(shopFiles, definition, [
    'this.input("body", { as: "markdown", hint: "Shown on the front page" });',
    'this.input("body", { as: "password", required: true });',
  ]),
};
const stamps = { created_at: "2026-01-01 10:00:00.000", updated_at: "2026-01-01 10:00:00.000" };
const posts = "/admin/blogging/posts";

for (const database of await databases()) {
  describe(`Secrets in forms, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openShop(changes, await database.values());
        const { knex } = databaseOf(app.application);
        await knex("blogging_posts").insert({
          title: "One",
          body: "kept-secret",
          secret_token: "kept-token",
          ...stamps,
        });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const stored = async () => {
      const { body, secret_token } = await databaseOf(app.application).knex("blogging_posts").where({ id: 1 }).first();
      return { body, secret_token };
    };
    const patch = (values: Record<string, unknown>) =>
      app.request(`${posts}/1`, {
        method: "PATCH",
        headers: { accept: "application/json", "content-type": "application/json" },
        body: JSON.stringify({ blogging_post: values }),
      });

    can("An edit form without new secrets keeps the stored ones, requires none and shows none", async () => {
      const client = app.client();
      const html = await client.page(`${posts}/1/edit`);
      assert.match(html, /<input type="password"[^>]*name="blogging_post\[secret_token\]"/);
      assert.match(html, "Leave empty to keep the current one.");
      assert.not.match(html, /<input type="password"[^>]*required/);
      assert.not.match(html, /kept-(secret|token)/);
      assert.is((await client.submit(`${posts}/1/edit`, { "blogging_post[title]": "Two" })).status, 303);
      assert.equal(await stored(), { body: "kept-secret", secret_token: "kept-token" });
    });
    can("A record's page masks its secrets", async () => {
      const html = await app.client().page(`${posts}/1`);
      assert.match(html, "••••••••");
      assert.not.match(html, /kept-(secret|token)/);
    });
    can("A secret in JSON is kept by an empty text, changed by a new text and removed by null", async () => {
      assert.is((await patch({ secret_token: "" })).status, 200);
      assert.is((await stored()).secret_token, "kept-token");
      assert.is((await patch({ secret_token: "new" })).status, 200);
      assert.is((await stored()).secret_token, "new");
      assert.is((await patch({ secret_token: null })).status, 200);
      assert.is((await stored()).secret_token, null);
    });
    can(
      "A stored secret is removed by its checkbox where it may be absent, and a new text wins over the checkbox",
      async () => {
        const remove = "blogging_post[_remove_secret_token]";
        const edit = `${posts}/1/edit`;
        const box = new RegExp(`<input type="checkbox"[^>]*name="${remove.replace(/[[\]]/g, "\\$&")}"`);
        assert.not.match(await app.client().page(edit), box);
        assert.is((await patch({ secret_token: "kept" })).status, 200);
        assert.match(await app.client().page(edit), box);
        assert.not.match(await app.client().page(edit), "_remove_body");
        assert.not.match(await app.client().page(`${posts}/new`), "_remove_secret_token");
        const refused = await app.client().submit(edit, { [remove]: "1", "blogging_post[title]": "" });
        assert.is(refused.status, 422);
        assert.match(await refused.text(), /_remove_secret_token\]" value="1" checked/);
        assert.is((await stored()).secret_token, "kept");
        await app.client().submit(edit, { [remove]: "1", "blogging_post[secret_token]": "newer" });
        assert.is((await stored()).secret_token, "newer");
        assert.is((await app.client().submit(edit, { [remove]: "1" })).status, 303);
        assert.equal(await stored(), { body: "kept-secret", secret_token: null });
        await app.client().submit(edit, { "blogging_post[_remove_body]": "1" });
        assert.is((await stored()).body, "kept-secret");
      },
    );
    can("An association sent as an object without an id is refused with 422 and kept", async () => {
      const { knex } = databaseOf(app.application);
      await knex("authors").insert({ name: "Ada", ...stamps });
      await knex("blogging_posts").where({ id: 1 }).update({ author_id: 1 });
      for (const author of [{}, { label: "Ada" }, { id: null }, [], [1]]) {
        const answer = await patch({ author });
        assert.is(answer.status, 422, JSON.stringify(author));
        assert.ok(((await answer.json()) as { errors: { author: string[] } }).errors.author);
      }
      assert.is((await knex("blogging_posts").where({ id: 1 }).first()).author_id, 1);
      assert.is((await patch({ author: { id: 1, label: "Ada" } })).status, 200);
      assert.is((await patch({ author: null })).status, 200);
      assert.is((await knex("blogging_posts").where({ id: 1 }).first()).author_id, null);
    });
  });
}
