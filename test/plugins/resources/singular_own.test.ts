import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openShop, shopFiles } from "../../support/shop.ts";

const routes = "packages/admin_portal/config/routes.ts";
/** A portal whose person is the author that a header names, with one profile for each author at /admin/profile. */
const changes = {
  "db/migrate/20260102000000_create_profiles.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) { await db.createTable("profiles", (t) => { t.id(); t.string("bio"); t.belongsTo("author", { table: "authors", null: false, unique: true }); });
      await db.createTable("cards", (t) => { t.id(); t.string("bio"); t.belongsTo("author", { table: "authors", null: false }); }); }
    export async function down(db: Schema) { await db.dropTable("cards"); await db.dropTable("profiles"); }`,
  "app/models/profile.ts": `import { belongsTo, Model } from "framewright/plugins/database";
    export default class Profile extends Model("profiles") { static override associations = { author: belongsTo() }; }`,
  "app/models/card.ts": `import { belongsTo, Model } from "framewright/plugins/database";
    export default class Card extends Model("cards") { static override associations = { author: belongsTo() }; }`,
  "app/policies/card_policy.ts": `export { default } from "./profile_policy.ts";`,
  "app/models/author.ts": edited(
    shopFiles,
    "app/models/author.ts",
    ["posts: hasMany", 'sheet: hasOne({ class: "Card" }), posts: hasMany'],
    ["hasMany,", "hasMany, hasOne,"],
  ),
  "app/policies/profile_policy.ts": `import { Policy } from "framewright/plugins/resources";
    export default class ProfilePolicy extends Policy { override canRead() { return true; } override canCreate() { return this.user !== undefined; } override permittedAttributesForCreate() { return ["bio", "author"]; } }`,
  [routes]: edited(
    shopFiles,
    routes,
    [
      "routes.registerResource(Author);",
      'routes.registerResource(Author); routes.registerResource(Profile, { singular: true }); routes.registerResource(Card, { singular: true, as: "badge" }); routes.get("mine", { to: "mine#index" });',
    ],
    [
      "import Author",
      'import Profile from "#app/models/profile.ts"; import Card from "#app/models/card.ts"; import Author',
    ],
  ),
  "packages/admin_portal/app/controllers/admin_portal/concerns/controller.ts": `import { concern, type ControllerClass } from "framewright"; import { CurrentUser, PortalController, PublicAccess } from "framewright/plugins/portals";
    import Author from "#app/models/author.ts";
    const find = CurrentUser(async (request) => { const id = request.header("x-author"); return id === undefined ? undefined : (await Author.query().findById(id)) as Author | undefined; });
    export default <B extends ControllerClass>(Base: B) => concern(Base, PortalController, PublicAccess, find);`,
  "packages/admin_portal/app/controllers/admin_portal/mine_controller.ts": `import { BaseController } from "framewright"; import Controller from "./concerns/controller.ts"; import Profile from "#app/models/profile.ts";
    export default class MineController extends Controller(BaseController) {
      static override beforeActions = ["profile"];
      profile() { return this.ownRecord(Profile); }
      async index() { const same = (await this.profile()) === (await this.ownRecord(Profile)); return this.render("index", { locals: { same } }); }
    }`,
  "packages/admin_portal/app/views/admin_portal/mine/index.liquid": `<p>{{ current_user.profile.bio }} {{ same }} {{ current_user | resource_url_for: action: "edit" }}</p>`,
};
const stamps = { created_at: "2026-01-01 10:00:00.000", updated_at: "2026-01-01 10:00:00.000" };
const json = { accept: "application/json", "content-type": "application/json" };
const path = "/admin/profile";

for (const database of await databases()) {
  describe(`The singular record of an account, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openShop(changes, await database.values());
        const { knex } = databaseOf(app.application);
        for (const name of ["Ada", "Bo", "Cy"]) await knex("authors").insert({ name, ...stamps });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const as = (author: number, method = "GET", values?: object, headers: Record<string, string> = json) =>
      app.request(path, {
        method,
        headers: { ...headers, "x-author": String(author) },
        ...(values ? { body: JSON.stringify({ profile: values }) } : {}),
      });
    const profiles = () => databaseOf(app.application).knex("profiles").select("bio", "author_id").orderBy("id");

    can(
      "A singular record belongs to the account that creates it, whatever the form names, and a second one is 409",
      async () => {
        const made = await as(2, "POST", { bio: "Bo's", author: 1 });
        assert.is(made.status, 201);
        assert.equal(await profiles(), [{ bio: "Bo's", author_id: 2 }]);
        const second = await as(2, "POST", { bio: "again" });
        assert.is(second.status, 409);
        assert.is(((await second.json()) as { title: string }).title, "It already exists");
        assert.is((await as(1, "POST", { bio: "Ada's" })).status, 201);
        assert.match(await (await as(1)).text(), "Ada's");
        assert.match(await (await as(2)).text(), "Bo's");
      },
    );
    can("A singular record can't be moved to another account, and its form has no field for the owner", async () => {
      assert.is((await as(2, "PATCH", { author: 1 })).status, 200);
      assert.equal(
        (await profiles()).map(({ author_id }) => author_id),
        [2, 1],
      );
      const form = await app.request(`${path}/edit`, { headers: { "x-author": "2" } });
      assert.not.match(await form.text(), "profile[author]");
    });
    can("Four concurrent requests create one singular record, and three are 409", async () => {
      const answers = await Promise.all([1, 2, 3, 4].map(() => as(3, "POST", { bio: "Cy's" })));
      assert.equal(answers.map(({ status }) => status).sort(), [201, 409, 409, 409]);
      await databaseOf(app.application).knex("profiles").where({ author_id: 3 }).delete();
    });
    can(
      "Six concurrent requests create one singular record also without a unique index and below a record",
      async () => {
        const send = (at: string) =>
          app.request(at, {
            method: "POST",
            headers: { ...json, "x-author": "3" },
            body: JSON.stringify({ badge: { bio: "x" } }),
          });
        const { knex } = databaseOf(app.application);
        for (const at of ["/admin/badge", "/admin/authors/3/nested_sheet"]) {
          await knex("cards").delete();
          const answers = await Promise.all(Array.from({ length: 6 }, () => send(at)));
          assert.equal(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409], at);
          assert.is((await knex("cards").where({ author_id: 3 })).length, 1);
        }
      },
    );
    can(
      "A missing singular record redirects to its form and is 404 in JSON, and an existing one redirects from the form",
      async () => {
        const page = { "x-author": "3" };
        const absent = await app.request(path, { headers: page });
        assert.is(absent.headers.get("location"), `${path}/new`);
        assert.is((await as(3)).status, 404);
        const present = await app.request(`${path}/new`, { headers: { "x-author": "2" } });
        assert.is(present.headers.get("location"), path);
      },
    );
    can(
      "ownRecord reads a singular record once a request, and views have it as a property of the account",
      async () => {
        let queries = 0;
        databaseOf(app.application).knex.on(
          "query",
          ({ sql }: { sql: string }) => (queries += /profiles/.test(sql) ? 1 : 0),
        );
        const html = await (await app.request("/admin/mine", { headers: { "x-author": "1" } })).text();
        assert.match(html, "<p>Ada&#39;s true /admin/authors/1/edit</p>");
        assert.is(queries, 1);
      },
    );
  });
}
