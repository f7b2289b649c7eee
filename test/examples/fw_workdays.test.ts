import { openTenants, tenantFiles } from "../plugins/scoping/tenants.ts";
import type { TestApp } from "../support/apps.ts";
import { databases } from "../support/databases.ts";
import { edited } from "../support/fixtures.ts";
import { assert, describe } from "../support/index.ts";
import { databaseOf } from "../support/shop.ts";
import { CAST, installed, publish, sourceOf } from "./publish.ts";

// A package of working days: holidays are a resource of the tenant, and a model counts its due day between them.

const published = publish("fw-workdays");
const routes = "packages/customer_portal/config/routes.ts";
const model = "app/models/post.ts";
const policy = "app/policies/post_policy.ts";
const files: Record<string, string> = {
  "plugins.config.ts": edited(
    tenantFiles,
    "plugins.config.ts",
    [/^import {/, 'import { plugin as workdays } from "./lib/workdays.ts";\nimport {'],
    ["definePlugins([", "definePlugins([workdays, "],
  ),
  "lib/workdays.ts": `import { workdays } from "fw-workdays";
export const { plugin, holidays, addWorkingDays, isWorkingDay } = workdays({ tenant: "Organization" });`,
  [routes]: edited(
    tenantFiles,
    routes,
    ["import { CustomerPortal }", 'import { holidays } from "../../../lib/workdays.ts";\nimport { CustomerPortal }'],
    [
      'routes.root({ to: "dashboard#index" });',
      'routes.root({ to: "dashboard#index" });\n  routes.registerResource(holidays);',
    ],
  ),
  [model]: edited(
    tenantFiles,
    model,
    ["import { belongsTo", 'import { addWorkingDays } from "../../lib/workdays.ts";\nimport { belongsTo'],
    [
      "  static override scopes",
      `  override async $beforeInsert(context: never) {
    await super.$beforeInsert(context);
    await this.setDue(this.organization_id, context);
  }
  override async $beforeUpdate(options: { old?: unknown }, context: never) {
    await super.$beforeUpdate(options as never, context);
    if (options.old instanceof Post) await this.setDue(options.old.organization_id, context);
  }
  async setDue(tenant: number, { transaction }: { transaction: never }) {
    const post = this as unknown as { received_on?: string; due_on?: string };
    if (post.received_on) post.due_on = await addWorkingDays(tenant, post.received_on, 3, transaction);
  }
  static override scopes`,
    ],
  ),
  [policy]: edited(
    tenantFiles,
    policy,
    [/return \["title", /g, 'return ["title", "received_on" as never, '],
    ['"author", "comments"]', '"author", "comments", "due_on" as never]'],
  ),
  "db/migrate/20260102000000_add_days.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) { await db.addColumns("posts", (t) => { t.date("received_on"); t.date("due_on"); }); }
    export async function down(): Promise<void> {}`,
};

const openWorkdays = async (values: Record<string, string>): Promise<TestApp> =>
  openTenants({ ...installed("fw-workdays", (await published).unpacked), ...files }, values);

for (const database of await databases({ withPostgres: true })) {
  describe(`Working days by fw-workdays, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openWorkdays(await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const send = async (path: string, body: object, { user = 1, method = "POST" } = {}) => {
      const headers = { "x-user": String(user), accept: "application/json", "content-type": "application/json" };
      const answer = await app.request(`/customer/${path}`, { method, headers, body: JSON.stringify(body) });
      return { status: answer.status, text: await answer.text() };
    };
    const close = (tenant: number, day: string, name = "Closed") =>
      send(`${tenant}/workdays/holidays`, { workdays_holiday: { day, name } }, { user: tenant });
    const receive = async (tenant: number, received_on: string) => {
      const { status, text } = await send(`${tenant}/posts`, { post: { title: "In", received_on } }, { user: tenant });
      assert.is(status, 201, text);
      return (JSON.parse(text) as { data: { id: number; due_on: string } }).data;
    };

    can("A due day leaves out weekends and the tenant's own holidays, and is shown", async () => {
      assert.is((await close(1, "2026-12-25", "Christmas")).status, 201);
      const inTenant = await receive(1, "2026-12-23"); // a Wednesday
      assert.is(inTenant.due_on, "2026-12-29");
      assert.is((await receive(2, "2026-12-23")).due_on, "2026-12-28");
      const page = await app.request(`/customer/1/posts/${inTenant.id}`, { headers: { "x-user": "1" } });
      assert.match(await page.text(), "2026-12-29");
    });
    can("It follows the day that it is counted from, and nobody sends another", async () => {
      const { id } = await receive(1, "2026-12-23");
      const path = `1/posts/${id}`;
      const changed = await send(path, { post: { received_on: "2026-12-28" } }, { method: "PATCH" });
      assert.match(changed.text, '"due_on":"2026-12-31"');
      const sent = await send(path, { post: { due_on: "2026-01-01" } }, { method: "PATCH" });
      assert.not.match(sent.text, '"due_on":"2026-01-01"');
      const { knex } = databaseOf(app.application);
      const row = await databaseOf(app.application).model("Post").class.query().findById(id);
      assert.is(Reflect.get(row!, "due_on"), "2026-12-31");
      assert.is((await knex("posts").where({ id })).length, 1);
    });
    can("A holiday is one of its tenant, once a day, and out of sight of others", async () => {
      assert.is((await close(2, "2027-01-06", "Epiphany")).status, 201);
      const twice = await close(2, "2027-01-06", "Again");
      assert.equal([twice.status, /taken/.test(twice.text)], [422, true]);
      assert.is((await close(1, "2027-01-06", "Epiphany")).status, 201);
      const list = async (tenant: number, user: number) =>
        (await app.request(`/customer/${tenant}/workdays/holidays`, { headers: { "x-user": String(user) } })).text();
      assert.not.match(await list(2, 2), "Christmas");
      assert.match(await list(1, 1), "Epiphany");
      assert.is((await app.request("/customer/1/workdays/holidays", { headers: { "x-user": "2" } })).status, 404);
    });
    can("Counting goes both ways, over years, and within an open transaction", async () => {
      const lib = new URL(`file://${app.root}/lib/workdays.ts`).href;
      const { addWorkingDays, isWorkingDay } = await import(lib);
      assert.is(await addWorkingDays(1, "2026-12-25", 0), "2026-12-28"); // closed, then a weekend
      assert.is(await addWorkingDays(1, "2026-12-28", 0), "2026-12-28");
      assert.is(await addWorkingDays(1, "2026-12-28", -1), "2026-12-24");
      assert.is(await addWorkingDays(2, "2026-12-28", -1), "2026-12-25");
      assert.is(await addWorkingDays(2, "2026-01-01", 2600), "2035-12-21");
      assert.is(await isWorkingDay(1, "2026-12-25"), false);
      assert.is(await isWorkingDay(1, "2026-12-26"), false);
      await databaseOf(app.application).transaction(async (transaction) => {
        await transaction("workdays_holidays").insert({
          ...{ tenant_id: 1, day: "2028-02-29", name: "Leap day" },
          created_at: new Date(),
          updated_at: new Date(),
        });
        assert.is(await addWorkingDays(1, "2028-02-28", 1, transaction), "2028-03-01");
      });
      for (const [day, count] of [
        ["2026-02-30", 1],
        ["2026-1-1", 1],
        ["", 1],
        ["2026-01-01", 0.5],
        ["2026-01-01", 2601],
      ])
        assert.is(await addWorkingDays(1, day, count).catch((error: Error) => error.constructor.name), "RangeError");
    });
  });
}

describe("The package fw-workdays", (it) => {
  it("Its source has no cast, and imports the framework's published entry points alone", () => {
    const text = sourceOf("fw-workdays");
    assert.not.match(text, CAST);
    for (const [, entry] of text.matchAll(/from "framewright\/?([^"]*)"/g))
      assert.ok(entry === "kernel" || /^plugins\/\w+$/.test(entry!), entry);
  });
});
