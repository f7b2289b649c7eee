import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

/** Comments and notes that are called by the post whose page has them, and comments by another one as well. */
const labelled = (table: string, names: string) => `Model("${table}") {
  static override labelAssociations = [${names}];
  override toLabel(): string {
    const { title, post, reply_to } = this as unknown as { title: string } & Record<"post" | "reply_to", { title: string } | null | undefined>;
    return \`\${title} on \${post?.title ?? "nothing"}\${reply_to ? \` after \${reply_to.title}\` : ""}\`;
  }`;
const changed = (model: string, names: string) => {
  const path = `app/models/${model}.ts`;
  return { [path]: edited(tenantFiles, path, [`Model("${model}s") {`, labelled(`${model}s`, names)]) };
};

for (const database of await databases()) {
  describe(`What the rows of panels are called, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(
          { ...changed("comment", '"post", "reply_to"'), ...changed("note", '"post"') },
          await database.values(),
        );
        await knex()("comments").insert({ id: 3, title: "Reply", post_id: 1, reply_to_id: 1 });
        for (const id of [10, 11]) await knex()("comments").insert({ id, title: `Of ${id}`, post_id: 1 });
        await knex()("comments").where({ id: 1 }).update({ title: "Alpine" });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);
    const page = async (path: string) => (await app.request(path, { headers: { "x-user": "1" } })).text();
    const namesIn = (html: string, panel: string) => {
      const [list = ""] = new RegExp(`<h2 id="panel-${panel}".*?</section>`, "s").exec(html) ?? [];
      return [...list.matchAll(/data-name="([^"]*)"/g)].map(([, name]) => name);
    };

    can("They are called by what their labels read, the record of the page as well", async () => {
      const html = await page("/customer/1/posts/1");
      assert.equal(
        namesIn(html, "comments"),
        ["Of 11", "Of 10", "Reply", "Alpine"].map(
          (name) => `${name} on Post Alpine${name === "Reply" ? " after Alpine" : ""}`,
        ),
      );
      assert.equal(namesIn(html, "note"), ["Note Alpine on Post Alpine"]);
      const asked = await page("/customer/1/posts/1?comments[sort]=title");
      assert.equal(
        namesIn(asked, "comments"),
        ["Alpine", "Of 10", "Of 11", "Reply"].map(
          (name) => `${name} on Post Alpine${name === "Reply" ? " after Alpine" : ""}`,
        ),
      );
    });
  });
}
