import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { withPlugin } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openShop, shopFiles } from "../../support/shop.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";
import { shipments, wideFiles } from "./wide_app.ts";

const folder = join(import.meta.dirname, "../../../plugins/saved_views");
const schema = readFileSync(join(folder, "schema.liquid"), "utf8");
const policy = "app/policies/shipment_policy.ts";
/** Ann may share her views; Dan sees one column of the list. */
const files: Record<string, string> = {
  ...wideFiles,
  "plugins.config.ts": withPlugin(tenantFiles["plugins.config.ts"]!, "savedViews()", "saved_views"),
  "db/migrate/20260401000000_create_framewright_saved_views.ts": `export async function up(db) {\n${schema}}\nexport async function down(db) { await db.dropTable("framewright_saved_views"); }\n`,
  [policy]: wideFiles[policy]!.replace(
    "override canCreate",
    `override canShareViews() { return this.user.id === 1; }
  override permittedAttributesForIndex() { return this.user.id === 3 ? ["reference"] : ["reference", "carrier", "status"]; }
  override canCreate`,
  ),
};
const list = "/customer/1/shipments";
const as = (id: number) => ({ "x-user": String(id) });
const [ann, bob, cat] = [as(1), as(2), as(3)];

for (const database of await databases()) {
  describe(`Saved views of a list, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(files, await database.values());
        const { knex } = databaseOf(app.application);
        await knex("shipments").insert([...shipments(1, "ALP"), ...shipments(2, "BAL")]);
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await databaseOf(app.application).knex("framewright_saved_views").delete();
        await body();
      });
    const stored = () => databaseOf(app.application).knex("framewright_saved_views").orderBy("id");
    const page = async (query = "", headers: Record<string, string> = ann, at = list) =>
      (await app.request(at + query, { headers })).text();
    const tabsOf = (html: string) =>
      [...html.matchAll(/<a class="fw-scope"( aria-current="page")? href="([^"]*)">([^<]*)/g)].map(
        ([, current, url, label]) => `${label}${current ? "!" : ""} ${url!.replaceAll("&amp;", "&")}`,
      );
    /** Sends the form of the page that has this action, as a browser does. */
    const send = async (from: string, action: RegExp, values: Record<string, string>, headers = ann) => {
      const opened = await app.request(from, { headers });
      const html = await opened.text();
      const form = [...html.matchAll(/<form[^>]*action="([^"]*)".*?<\/form>/gs)].find(([, url]) => action.test(url!));
      if (!form) return undefined;
      const token = /name="authenticity_token" value="([^"]*)"/.exec(form[0])?.[1] ?? "";
      const cookie = opened.headers.getSetCookie().map((line) => line.split(";")[0]);
      return app.request(form[1]!.replaceAll("&amp;", "&"), {
        method: "POST",
        body: new URLSearchParams({ authenticity_token: token, ...values }),
        headers: { ...headers, cookie: cookie.join("; ") },
        redirect: "manual",
      });
    };
    /** Sends JSON, with the token of a page. */
    const post = async (path: string, body: object, headers: Record<string, string> = ann) => {
      const opened = await app.request(list, { headers });
      const token = /name="csrf-token" content="([^"]*)"/.exec(await opened.text())?.[1] ?? "";
      const cookie = opened.headers.getSetCookie().map((line) => line.split(";")[0]);
      const json = { accept: "application/json", "content-type": "application/json", "x-csrf-token": token };
      return app.request(path, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { ...headers, ...json, cookie: cookie.join("; ") },
      });
    };
    const save = (query: string, values: Record<string, string>, headers = ann) =>
      send(list + query, /\/views\?/, values, headers);

    can("What a list is asked for is kept under a name, and is a tab from then on", async () => {
      assert.not.match(await page(), "fw-save-view");
      const query = "?q=A&filter%5Bstatus%5D=packed&sort=-reference";
      const answer = await save(query, { name: "  Packed <b> " });
      assert.is(answer?.status, 303);
      assert.is(answer?.headers.get("location"), list + query);
      assert.equal(tabsOf(await page()), [`All! ${list}`, `Packed &lt;b&gt; ${list}${query}`]);
      const kept = await page(query);
      assert.equal(tabsOf(kept), [
        `All ${list}?q=A&filter%5Bstatus%5D=packed&sort=-reference`,
        `Packed &lt;b&gt;! ${list}${query}`,
      ]);
      assert.match(kept, "ALP-001");
      assert.not.match(kept, "ALP-002");
      const gone = await send(list + query, /\/views\/\d+\/delete$/, {});
      assert.is(gone?.headers.get("location"), list);
      assert.equal(await stored(), []);
      assert.equal(tabsOf(await page()), []);
    });

    can("A view keeps groups of conditions", async () => {
      const query = "?match=any&filter%5Breference%5D%5Bends%5D=2&filter%5Ball%5D%5B1%5D%5Bstatus%5D%5Bempty%5D=1";
      const answer = await save(query, { name: "Either" });
      assert.is(answer?.headers.get("location"), list + query);
      const kept = await page(query);
      assert.equal(tabsOf(kept), [`All ${list}${query}`, `Either! ${list}${query}`]);
      assert.match(kept, "ALP-002");
      assert.match(kept, "ALP-003");
      assert.not.match(kept, "ALP-001");
      await send(list + query, /\/views\/\d+\/delete$/, {});
    });

    can("A view without a name, or of a list that is asked nothing, is not kept", async () => {
      for (const name of ["", "   ", "x".repeat(101)])
        assert.is((await save("?sort=reference", { name }))?.status, 303);
      assert.equal(await stored(), []);
      assert.is((await post(`${list}/views`, { name: "All" })).status, 422);
      assert.is((await post(`${list}/views?sort=reference`, { name: "Sorted" })).status, 201);
      assert.is((await post(`${list}/views?sort=secret_token`, { name: "Secrets" })).status, 422);
      assert.is((await post(`${list}/views?sort=reference`, { name: "Guest's" }, {})).status, 401);
      assert.equal(
        (await stored()).map(({ name }: { name: string }) => name),
        ["Sorted"],
      );
    });

    can("Views are those of the person, of the tenant and of the list", async () => {
      await save("?sort=reference", { name: "Mine" });
      const foreign = (await page("", bob, "/customer/2/shipments")) + (await page("", cat));
      assert.not.match(foreign, "Mine");
      const [row] = await stored();
      assert.is((row as { owner_id: string; tenant: string }).owner_id, "1");
      const { id } = row as { id: number };
      const remove = async (one: number | string, headers: Record<string, string>, at = list) =>
        (await post(`${at}/views/${one}/delete`, {}, headers)).status;
      for (const one of [id, 999_999, "01", "1e0", "x"])
        assert.is(await remove(one, cat), 404, `${one}: as one that is not there`);
      assert.is(await remove(id, cat, "/customer/2/shipments"), 404);
      assert.is(await remove(id, ann, "/customer/1/posts"), 404);
      assert.is((await stored()).length, 1);
      assert.is(await remove(id, ann), 200);
      assert.is((await stored()).length, 0);
    });

    can("Who may share shares with the tenant, and a shared view shows nobody more than their own list", async () => {
      const query = "?filter%5Bstatus%5D=packed&sort=carrier";
      await save(query, { name: "Everyone's", shared: "1" });
      await save("?sort=reference", { name: "The last", shared: "1" });
      assert.match(await page("", cat), "The last");
      assert.not.match(await page("", cat), "Everyone&#39;s", "it asks for what they do not see");
      assert.not.match(await page("", bob, "/customer/2/shipments"), "Everyone&#39;s");
      const hidden = await app.request(list + query, { headers: cat, redirect: "manual" });
      assert.is(hidden.status, 303, "the list has no such column for this person: what is asked of it is left out");
      assert.not.match(await page(query, cat), "Dart");
      await save("?sort=-reference", { name: "Not shared", shared: "1" }, cat);
      const mine = (await stored()).find((one: { name: string }) => one.name === "Not shared") as { shared: unknown };
      assert.is(Boolean(mine.shared), false);
      assert.not.match(await page("?sort=-reference", cat), 'name="shared"');
    });
  });
}

describe("Saved views of people without an id", (it) => {
  it("They have lists, and no views", async () => {
    const made = {
      "plugins.config.ts": withPlugin(shopFiles["plugins.config.ts"]!, "savedViews()", "saved_views"),
      "db/migrate/20260401000000_create_framewright_saved_views.ts":
        files["db/migrate/20260401000000_create_framewright_saved_views.ts"]!,
    };
    const app = await openShop(made);
    try {
      const listed = await app.request("/admin/blogging/posts?sort=title");
      assert.is(listed.status, 200);
      assert.not.match(await listed.text(), "fw-save-view");
      const headers = { accept: "application/json", "content-type": "application/json" };
      const saved = { method: "POST", headers, body: JSON.stringify({ name: "Mine" }) };
      assert.is((await app.request("/admin/blogging/posts/views?sort=title", saved)).status, 404);
    } finally {
      await app.close();
    }
  });
});
