import { type TestApp, writeApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openMigrated } from "../../support/shop.ts";
import { auditTenancy } from "../../testing/index.ts";
import { slugFiles } from "../resources/slugs_app.ts";
import { openTenants, tenantFiles } from "./tenants.ts";

// Tenants whose addresses are /customer/alpine/posts/hello.

type Row = Record<string, unknown>;
const migration = "db/migrate/20260101000000_create_tables.ts";
const model = "app/models/organization.ts";
const routes = "config/routes.ts";
const posts = slugFiles(
  't.string("slug"); t.index(["organization_id", "slug"], { unique: true });',
  'static override slug = { from: "title", scope: "organization" };',
);
const files: Record<string, string> = {
  ...posts,
  [migration]: edited(posts, migration, [
    /"organizations", \(t\) => \{\n\s+t\.id\(\);/,
    '"organizations", (t) => {\n    t.id();\n    t.string("slug").unique();',
  ]),
  [model]: edited(tenantFiles, model, [
    "static override associations",
    'static override paramKey = "slug";\n  static override slug = { from: "name" };\n  static override associations',
  ]),
  [routes]: edited(tenantFiles, routes, [
    "routes.mount(GuestPortal",
    'routes.get("/customer/help", { to: "help#show" });\n  routes.mount(GuestPortal',
  ]),
  "app/controllers/help_controller.ts": `import { BaseController } from "framewright"; import { PublicAccess } from "framewright/plugins/portals";
    export default class HelpController extends PublicAccess(BaseController) { show() { return this.json({}); } }`,
};

for (const database of await databases({ mysqlInSoak: true }))
  describe(`Tenants by a slug, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(files, await database.values());
        const { knex } = databaseOf(app.application);
        for (const [id, slug] of [
          [1, "alpine"],
          [2, "baltic"],
        ] as const) {
          await knex("organizations").where({ id }).update({ slug });
          await knex("posts").where({ id }).update({ slug: "hello" });
        }
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);
    const ask = async (path: string, user = 1, init: RequestInit = {}, accept = "application/json") => {
      const headers = { accept, "content-type": "application/json", "x-user": String(user) };
      const answer = await app.request(path, { ...init, headers });
      const text = await answer.text();
      return { status: answer.status, text, location: answer.headers.get("location") };
    };
    const page = (path: string, user = 1) => ask(path, user, {}, "text/html");

    can("Its slug stands in every path: lists, records, helpers, redirects, addresses for mails", async () => {
      const list = await page("/customer/alpine/posts");
      assert.is(list.status, 200);
      assert.ok(list.text.includes('href="/customer/alpine/posts/hello?_list"'), list.text);
      assert.not.ok(list.text.includes('"/customer/1'), "no path has the id");
      const dashboard = JSON.parse((await ask("/customer/alpine")).text) as Row;
      assert.equal(
        [dashboard.entity, dashboard.posts, dashboard.post],
        ["Alpine", "/customer/alpine/posts", "/customer/alpine/posts/7"],
      );
      const created = await ask("/customer/alpine/posts", 1, {
        method: "POST",
        body: JSON.stringify({ post: { title: "Another" } }),
      });
      assert.equal([created.status, created.location], [201, "/customer/alpine/posts/another"]);
      const data = databaseOf(app.application);
      const find = async (name: string, id: number) => (await data.query(data.model(name).class).findById(id))!;
      const [post, entity] = [await find("Post", 2), await find("Organization", 2)];
      const url = app.application.kernel.service("resources").urlFor(post, { portal: "CustomerPortal", entity });
      assert.match(url, /\/customer\/baltic\/posts\/hello$/);
    });

    can("The mount's root leads to the tenant, and offers several, by their slugs", async () => {
      assert.is((await page("/customer")).location, "/customer/alpine");
      const several = await page("/customer?to=/posts", 3);
      for (const slug of ["alpine", "baltic"])
        assert.ok(several.text.includes(`href="/customer/${slug}/posts"`), several.text);
      const { data } = JSON.parse((await ask("/customer", 3)).text) as { data: Row[] };
      assert.equal(data, [
        { id: 1, label: "Alpine", url: "/customer/alpine" },
        { id: 2, label: "Baltic", url: "/customer/baltic" },
      ]);
    });

    can("A foreign tenant, a missing one, an id and another case are the same 404 on every route", async () => {
      const paths = app.application
        .routes()
        .filter(({ path, verb }) => verb === "GET" && path.startsWith("/customer/:organization_id/"));
      assert.ok(paths.length > 40);
      const absent = (await page("/customer/absent/posts")).text;
      for (const named of ["baltic", "absent", "1", "2", "Alpine", "alpine%20"])
        for (const { path } of paths) {
          const answer = await page(
            path
              .replace(":organization_id", named)
              .replace(/:(id|post_id)/, "hello")
              .replace(/:\w+/g, "1"),
          );
          assert.is(answer.status, 404, `${named} ${path}`);
          assert.ok(answer.text === absent, path);
        }
    });

    can("What follows the mount in another path is no slug of a tenant", async () => {
      const data = databaseOf(app.application);
      const Organization = data.model("Organization").class;
      const made = (await Organization.query().insert({ name: "Help" } as never)) as unknown as Row;
      assert.is(made.slug, "help-2");
    });
  });

describe("The audit of tenants", (it) => {
  it.unless(
    undefined,
    "It fills the slugs of tenants and records in, and nothing leaks",
    async () => {
      const root = writeApp({ ...tenantFiles, ...files });
      await (await openMigrated(root)).close();
      const values = {
        NODE_ENV: "test",
        SECRET_KEY_BASE: "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19",
      };
      const report = await auditTenancy({ root, portal: "CustomerPortal", values });
      const problems = report.routes.filter(({ result }) => result === "not covered" || result === "leak");
      assert.equal([report.leaks, problems], [[], []]);
      assert.ok(report.totals.covered > 100);
    },
    240_000,
  );
});
