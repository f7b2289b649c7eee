import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants, tenantFiles } from "./tenants.ts";

const routes = "packages/customer_portal/config/routes.ts";
/** Posts have tags, by a table in between that has a tenant as well. */
const changes = {
  "db/migrate/20260103000000_add_tags.ts": `import type { Schema } from "framewright/plugins/database";
export async function up(db: Schema) {
  await db.createTable("tags", (t) => { t.id(); t.string("name").notNull(); t.belongsTo("organization", { null: false }); });
  await db.createTable("taggings", (t) => { t.id(); t.belongsTo("tag", { null: false }); t.belongsTo("post", { null: false }); t.belongsTo("organization", { null: false }); });
}
export async function down() {}`,
  "app/models/tag.ts": `import { belongsTo, Model } from "framewright/plugins/database";
export default class Tag extends Model("tags") { static override associations = { organization: belongsTo() }; }`,
  "app/models/tagging.ts": `import { belongsTo, Model } from "framewright/plugins/database";
export default class Tagging extends Model("taggings") { static override associations = { tag: belongsTo(), post: belongsTo(), organization: belongsTo() }; }`,
  "app/policies/tag_policy.ts": `import { Policy } from "framewright/plugins/resources";
export default class TagPolicy extends Policy { override canRead() { return true; } override permittedAttributesForRead() { return ["name"]; }
  override relationScope(query: any) { return query.where("name", "nothing").orWhereRaw("1 = 1"); } }`,
  "app/models/post.ts": edited(tenantFiles, "app/models/post.ts", [
    "note: hasOne(),",
    'note: hasOne(), taggings: hasMany({ dependent: "destroy" }), tags: hasMany({ through: "taggings" }),',
  ]),
  "app/policies/post_policy.ts": edited(
    tenantFiles,
    "app/policies/post_policy.ts",
    [
      'return ["title", "status", "organization", "organization_id", "author", "category"];',
      'return ["title", "tags"] as never;',
    ],
    [
      'return ["title", "status", "organization", "organization_id", "author", "comments"];',
      'return ["title", "tags"] as never;',
    ],
  ),
  [routes]: edited(
    tenantFiles,
    routes,
    ["import User from", 'import Tag from "#app/models/tag.ts";\nimport User from'],
    ["[Organization, User,", "[Organization, Tag, User,"],
  ),
};

for (const database of await databases({ withPostgres: true })) {
  describe(`Links within a tenant, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(changes, await database.values());
        const { knex } = databaseOf(app.application);
        await knex("tags").insert([
          { id: 1, name: "Alpine tag", organization_id: 1 },
          { id: 2, name: "Baltic tag", organization_id: 2 },
        ]);
        await knex("taggings").insert({ id: 1, post_id: 1, tag_id: 2, organization_id: 2 });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const send = async (path: string, tags: unknown) => {
      const headers = { accept: "application/json", "content-type": "application/json", "x-user": "1" };
      const answer = await app.request(`/customer/1${path}`, {
        method: path === "/posts" ? "POST" : "PATCH",
        headers,
        body: JSON.stringify({ post: { title: "New", tags } }),
      });
      return { status: answer.status, text: await answer.text() };
    };
    it.unless(
      database.skip,
      "A record of another tenant is no choice, as if it were not there; the row in between gets the tenant",
      async () => {
        const [foreign, missing] = [await send("/posts/1", [2]), await send("/posts/1", [999])];
        assert.is(foreign.status, 422);
        assert.is(foreign.text, missing.text);
        assert.is((await send("/posts", [1, 2])).status, 422);
        const made = await send("/posts/1", [1]);
        assert.is(made.status, 200, made.text);
        assert.not.match(made.text, "Baltic");
        const rows = await databaseOf(app.application).knex("taggings").where({ post_id: 1 }).orderBy("id");
        assert.equal(
          rows.map(({ tag_id, organization_id }: Record<string, number>) => [tag_id, organization_id]),
          [
            [2, 2],
            [1, 1],
          ],
        );
        for (const path of ["/posts/1/edit", "/posts/new", "/posts/typeahead/tags?q=Baltic", "/posts/1"]) {
          const answer = await app.request(`/customer/1${path}`, { headers: { "x-user": "1" } });
          assert.not.match((await answer.text()).replaceAll("q=Baltic", ""), "Baltic");
        }
        assert.is((await send("/posts/1", [])).status, 200);
        assert.equal(await databaseOf(app.application).knex("taggings").pluck("tag_id"), [2]);
      },
    );
  });
}
