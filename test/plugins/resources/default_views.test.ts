import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited, withPlugin } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";
import { shipments, wideFiles } from "./wide_app.ts";

const folder = join(import.meta.dirname, "../../../plugins/saved_views");
const schema = readFileSync(join(folder, "schema.liquid"), "utf8");
const policy = "app/policies/shipment_policy.ts";
const concern = "packages/customer_portal/app/controllers/customer_portal/concerns/controller.ts";
const migration = "db/migrate/20260401000000_create_framewright_saved_views.ts";
/** Ann is an owner and may share views, Cat is a member and sees one column of the list. */
const files: Record<string, string> = {
  ...wideFiles,
  "plugins.config.ts": withPlugin(tenantFiles["plugins.config.ts"]!, "savedViews()", "saved_views"),
  [migration]: `export async function up(db) {\n${schema}}\nexport async function down(db) {}\n`,
  [concern]: edited(
    tenantFiles,
    concern,
    ["const findUser", 'class Member { static enums = { role: ["owner", "member"] }; role = ""; }\nconst findUser'],
    [
      "async currentOrganization",
      `get currentMembership() {
      const role = { 1: "owner", 2: "member", 3: "member" }[(this.currentUser as { id: number } | undefined)?.id ?? 0];
      return role && Object.assign(new Member(), { role });
    }
    async currentOrganization`,
    ],
  ),
  [policy]: wideFiles[policy]!.replace(
    "override canCreate",
    `override canShareViews() { return this.user.id === 1; }
  override permittedAttributesForIndex() { return this.user?.id === 3 ? ["reference"] : ["reference", "carrier", "status"]; }
  override canCreate`,
  ),
};
const list = "/customer/1/shipments";
const query = "?filter%5Bstatus%5D=packed";
const as = (id: number) => ({ "x-user": String(id) });
const [ann, bob, cat] = [as(1), as(2), as(3)];

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Default views of a list, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(files, await database.values());
        await knex()("shipments").insert([...shipments(1, "ALP"), ...shipments(2, "BAL")]);
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        for (const table of ["framewright_saved_views", "framewright_default_views"]) await knex()(table).delete();
        await body();
      });
    const open = (query = "", headers: Record<string, string> = ann, at = list) =>
      app.request(at + query, { headers, redirect: "manual" });
    const page = async (query = "", headers = ann, at = list) => (await open(query, headers, at)).text();
    const leadsTo = async (query = "", headers: Record<string, string> = ann, at = list) =>
      (await open(query, headers, at)).headers.get("location");
    const made = async (owner: number, query: string, shared = false, more: object = {}) => {
      const whose = { owner_type: "byo users", owner_id: String(owner) };
      const place = { resource: "Shipment", portal: "CustomerPortal", tenant: "organizations/1" };
      const row = { ...whose, ...place, name: `View ${query}`, query, shared, created_at: "2026-01-01 00:00:00.000" };
      return Number((await knex()("framewright_saved_views").insert({ ...row, ...more }))[0]);
    };
    /** Sends what the form of a view's page would, with a token of that page. */
    const set = async (id: number | string, values: [string, string][], headers = ann, at = list) => {
      const opened = await open("?view=none", headers, at);
      const token = /name="csrf-token" content="([^"]*)"/.exec(await opened.text())?.[1] ?? "";
      const cookie = opened.headers.getSetCookie().map((line) => line.split(";")[0]);
      return app.request(`${at}/views/${id}/default`, {
        method: "POST",
        body: new URLSearchParams(values),
        headers: { ...headers, cookie: cookie.join("; "), "x-csrf-token": token },
        redirect: "manual",
      });
    };
    const defaults = () => knex()("framewright_default_views").orderBy("id");

    can("A person's list is opened with their default view, and as it is where they ask for all", async () => {
      const id = await made(1, query);
      assert.is((await open()).status, 200);
      assert.match(await page(query), "Open the list with this view");
      assert.is((await set(id, [["me", "1"]])).headers.get("location"), list + query);
      assert.is(await leadsTo(), list + query);
      const html = await page(query);
      assert.match(html, 'name="me" value="1" checked');
      assert.match(html, `href="${list}?view=none"`);
      assert.not.match(html, new RegExp(`<a class="fw-scope" href="${list}"`));
      assert.match(html, new RegExp(`<a class="fw-scope" href="${list}\\?view=none">All`));
      const plain = await page("?view=none");
      assert.match(plain, "ALP-002");
      assert.match(plain, `?_list=${encodeURIComponent("view=none")}`);
      assert.is((await open("?sort=reference")).status, 200);
      assert.is((await app.request(list, { headers: { ...ann, accept: "application/json" } })).status, 200);
      assert.is((await set(id, [])).status, 303);
      assert.equal(await defaults(), []);
      assert.is((await open()).status, 200);
    });

    can("A shared view is the default of a role, and a person's own comes before it", async () => {
      const id = await made(1, "?sort=reference", true);
      assert.match(await page("?sort=reference"), 'name="roles[]" value="member"');
      await set(id, [
        ["roles[]", "member"],
        ["roles[]", "nobody"],
      ]);
      assert.equal(
        (await defaults()).map(({ role, owner_id }: { role: string; owner_id: null }) => [role, owner_id]),
        [["member", null]],
      );
      assert.is(await leadsTo("", cat), `${list}?sort=reference`);
      for (const [headers, at] of [
        [ann, list],
        [bob, "/customer/2/shipments"],
      ] as const)
        assert.is((await open("", headers, at)).status, 200, JSON.stringify(headers));
      const own = await made(3, "?sort=-reference");
      await set(own, [["me", "1"]], cat);
      assert.is(await leadsTo("", cat), `${list}?sort=-reference`);
      await set(own, [], cat);
      assert.is(await leadsTo("", cat), `${list}?sort=reference`);
      const other = await made(1, "?sort=carrier", true);
      await set(other, [["roles[]", "member"]]);
      assert.equal((await defaults()).length, 1);
      await set(id, []); // it is no longer the one that the role has
      assert.equal((await defaults()).length, 1);
    });

    can(
      "Who may not share sets no role's default, and nobody sets one of a view that is not shared or not theirs",
      async () => {
        const shared = await made(1, "?sort=reference", true);
        assert.not.match(await page("?sort=reference", cat), 'name="roles[]"');
        await set(
          shared,
          [
            ["roles[]", "member"],
            ["roles[]", "owner"],
          ],
          cat,
        );
        assert.equal(await defaults(), []);
        const mine = await made(1, "?sort=-reference");
        await set(mine, [["roles[]", "member"]]);
        assert.equal(await defaults(), []);
        for (const one of [mine, 999_999, "x"]) assert.is((await set(one, [["me", "1"]], cat)).status, 404);
        assert.is((await set(shared, [["me", "1"]], bob, "/customer/2/shipments")).status, 404);
        assert.is((await set(shared, [["me", "1"]], {} as never)).status, 401);
        assert.equal(await defaults(), []);
        await set(shared, [["roles[]", "member"]]);
        await knex()("framewright_saved_views").where({ id: shared }).update({ shared: false });
        assert.is((await open("", cat)).status, 200);
      },
    );

    can("A default of a role that asks for what a person does not see is none of theirs", async () => {
      const id = await made(1, query, true);
      await set(id, [
        ["roles[]", "member"],
        ["roles[]", "owner"],
      ]);
      assert.is(await leadsTo(), list + query);
      assert.is((await open("", cat)).status, 200);
      assert.not.match(await page("", cat), /View \?filter|packed/);
      assert.is((await set(id, [["me", "1"]], cat)).status, 404);
    });

    can(
      "A person's own default that asks for what they no longer see leads them to the list without it, and not in a circle",
      async () => {
        await set(await made(3, query), [["me", "1"]], cat);
        assert.is(await leadsTo("", cat), list + query);
        const corrected = await leadsTo(query, cat);
        assert.is(corrected, `${list}?view=none`);
        assert.is((await open("?view=none", cat)).status, 200);
      },
    );

    can("A deleted view is nobody's default any more", async () => {
      const id = await made(1, query, true);
      await set(id, [
        ["me", "1"],
        ["roles[]", "member"],
      ]);
      assert.is((await defaults()).length, 2);
      const store = app.application.kernel.service("saved_views");
      const [row] = await knex()("framewright_saved_views");
      const { resource, portal, tenant, owner_type, owner_id } = row;
      await store.remove({ resource, portal, tenant, owner_type, owner_id }, id);
      assert.equal(await defaults(), []);
      assert.is((await open()).status, 200);
    });

    can("A list without saved views asks for them once, and for no default", async () => {
      const asked: string[] = [];
      const note = ({ sql }: { sql: string }) => void asked.push(sql);
      await open();
      knex().on("query", note);
      try {
        await page();
      } finally {
        knex().removeListener("query", note);
      }
      assert.is(asked.filter((sql) => sql.includes("framewright_saved_views")).length, 1);
      assert.is(asked.filter((sql) => sql.includes("framewright_default_views")).length, 0);
    });
  });

  describe(`Saved views of an earlier release, on ${database.name}`, (it, { after }) => {
    after(async () => database.clean());
    it.unless(database.skip, "Without the table of defaults there are views, and none is a default", async () => {
      const [first] = schema.split('  await db.createTable("framewright_default_views"');
      const app = await openTenants(
        { ...files, [migration]: `export async function up(db) {\n${first}}\nexport async function down(db) {}\n` },
        await database.values(),
      );
      try {
        const { knex } = databaseOf(app.application);
        const whose = { owner_type: "byo users", owner_id: "1", shared: true, created_at: "2026-01-01 00:00:00.000" };
        const place = { resource: "Shipment", portal: "CustomerPortal", tenant: "organizations/1" };
        await knex("framewright_saved_views").insert({ ...whose, ...place, name: "Mine", query });
        const html = await (await app.request(list + query, { headers: ann })).text();
        assert.match(html, "Delete view");
        assert.not.match(html, "Open the list with this view");
        assert.is((await app.request(list, { headers: ann })).status, 200);
      } finally {
        await app.close();
      }
    });
  });
}
