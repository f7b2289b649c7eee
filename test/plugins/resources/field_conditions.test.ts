import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

// Fields that a definition shows to some people, of some records, or in words of its own.

const definition = "app/definitions/post_definition.ts";
const changes = {
  "app/views/posts/_author.liquid": "<i>{{ value.name }} of {{ record.title }}</i>",
  [definition]: edited(
    tenantFiles,
    definition,
    ["import type Post", 'import { html } from "framewright/host"; import type Post'],
    [
      'this.scope("widest");',
      `const isAnn = ({ currentUser }: { currentUser: unknown }) => (currentUser as { id: number }).id === 1;
    this.column("status", { condition: isAnn });
    this.display("status", { condition: ({ record }) => record?.status !== "secret" });
    this.input("status", { condition: ({ record, currentUser }) => record === undefined || isAnn({ currentUser }) });
    this.display("title", { format: (value, post) => html\`<b>\${value}</b> no. \${post.id}\` });
    this.display("author", { template: "posts/_author" });
    this.column("title", { format: (value) => \`<\${String(value)}>\` });`,
    ],
  ),
};

for (const database of await databases()) {
  describe(`Fields with conditions and formats, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(changes, await database.values());
        await databaseOf(app.application)
          .knex("posts")
          .where({ id: 1 })
          .update({ title: "One & only", status: "secret" });
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const asked = async (
      path: string,
      user: number,
      init: { method?: string; body?: object; accept?: string } = {},
    ) => {
      const { method = "GET", body, accept = "text/html" } = init;
      const headers = { accept, "x-user": String(user), ...(body ? { "content-type": "application/json" } : {}) };
      const answer = await app.request(path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
      return { status: answer.status, text: await answer.text() };
    };
    const statusOf = async (id: number) =>
      (await databaseOf(app.application).knex("posts").where({ id }).first()).status;

    can("A column stands in the lists of those for whom its condition is true", async () => {
      assert.match((await asked("/customer/1/posts", 1)).text, 'title="Sort by Status"');
      assert.not.match((await asked("/customer/1/posts", 3)).text, 'title="Sort by Status"');
      assert.match((await asked("/customer/1/posts", 3, { accept: "application/json" })).text, '"status":"secret"');
    });
    can("A field stands on the pages of those records for which its condition is true", async () => {
      assert.not.match((await asked("/customer/1/posts/1", 1)).text, "<dt>Status</dt>");
      await databaseOf(app.application).knex("posts").where({ id: 1 }).update({ status: "live" });
      assert.match((await asked("/customer/1/posts/1", 1)).text, "<dt>Status</dt>");
    });
    can("An input whose condition is false is neither drawn nor accepted, from a form or from JSON", async () => {
      assert.match((await asked("/customer/1/posts/new", 3)).text, 'name="post[status]"');
      assert.match((await asked("/customer/1/posts/1/edit", 1)).text, 'name="post[status]"');
      assert.not.match((await asked("/customer/1/posts/1/edit", 3)).text, 'name="post[status]"');
      const change = (status: string) => ({ method: "PATCH", body: { post: { status } }, accept: "application/json" });
      assert.is((await asked("/customer/1/posts/1", 3, change("forged"))).status, 200);
      assert.is(await statusOf(1), "live");
      assert.is((await asked("/customer/1/posts/1", 1, change("draft"))).status, 200);
      assert.is(await statusOf(1), "draft");
    });
    can("A value is shown by the template that the definition names, and escaped", async () => {
      const shown = "<i>Cat of One &amp; only</i>";
      for (const path of ["/customer/1/posts", "/customer/1/posts/1"]) assert.match((await asked(path, 1)).text, shown);
      const { text } = await asked("/customer/1/posts/1", 1, { accept: "application/json" });
      assert.equal(JSON.parse(text).data.author, { id: 3, label: "Cat" });
    });

    can("A value is shown as the definition formats it, and a text in it is escaped", async () => {
      assert.match((await asked("/customer/1/posts/1", 1)).text, "<b>One &amp; only</b> no. 1");
      assert.match((await asked("/customer/1/posts", 1)).text, "&lt;One &amp; only&gt;");
      assert.match(
        (await asked("/customer/1/posts/1", 1, { accept: "application/json" })).text,
        '"title":"One & only"',
      );
    });
  });
}

describe("A template of a field", (it) => {
  it("Boot fails with FW_DEFINITION_TEMPLATE for one that does not exist", async () => {
    const missing = { ...changes, [definition]: changes[definition]!.replace("posts/_author", "posts/_athor") };
    const error = await openTenants(missing).catch((one) => one);
    assert.match(error.message, 'PostDefinition shows "author" by the template "posts/_athor"');
  });
});
