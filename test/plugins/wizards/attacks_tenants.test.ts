import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { copyFixture } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openWizards } from "./mounts_support.ts";
import { requests, whereTo } from "./runs_app.ts";

/** The portal is one of organizations, each person a member of both; the main application serves the same wizards. */
const files = copyFixture("wizard_tenants");

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Runs of two tenants, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let { as, send } = requests("");
    before(async () => {
      if (database.skip) return;
      app = await openWizards(files, await database.values());
      ({ as, send } = requests(app.url));
      await databaseOf(app.application)
        .knex("organizations")
        .insert([
          { id: 1, name: "Alpine" },
          { id: 2, name: "Baltic" },
        ]);
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    can(
      "A gate in a tenant's portal opens for every tenant once a wizard of the main application is completed",
      async () => {
        const desk = async (tenant: number) => (await as(1, "GET", `/admin/${tenant}/desk`)).status;
        assert.equal([await desk(1), await desk(2)], [403, 403]);
        await as(1, "GET", "/terms");
        await send(1, "/terms/first", { title: "Agreed" });
        await send(1, "/terms/second");
        assert.equal([await desk(1), await desk(2)], [200, 200]);
        assert.is((await as(2, "GET", "/admin/1/desk")).status, 403);
      },
    );
    const listed = async (path: string) =>
      ((await (await as(1, "GET", path)).json()) as { data: object[] }).data.length;

    can("A run's token is 404 in another tenant or portal, with the same answer as an unknown token", async () => {
      const first = (await as(1, "GET", "/admin/1/tokened")).headers.get("location")!;
      assert.is(whereTo(await send(1, first, { title: "Alpine's" })), `303 ${first.replace("first", "second")}`);
      const second = first.replace("first", "second");
      const absent = second.replace(/tokened\/[^/]+/, `tokened/${"A".repeat(43)}`);
      for (const [method, body] of [
        ["GET", undefined],
        ["POST", { wizard: { note: "x" } }],
        ["POST", { _direction: "cancel" }],
        ["PUT", { wizard: { note: "x" } }],
      ] as const) {
        for (const place of ["/admin/2", ""]) {
          const here = (path: string) => path.replace("/admin/1", place);
          const foreign = await as(1, method, here(second), body);
          const none = await as(1, method, here(absent), body);
          assert.is(foreign.status, 404, `${method} ${place}`);
          assert.is(await foreign.text(), await none.text());
        }
      }
      assert.is(whereTo(await as(1, "GET", second)), "200");
      assert.is(await listed("/admin/1/tokened/runs"), 1);
      assert.is(await listed("/admin/2/tokened/runs"), 0);
      assert.is(await listed("/tokened/runs"), 0);
    });
    can("A keyed run of one tenant is not listed in another tenant, nor in the main application", async () => {
      await as(1, "GET", "/admin/1/onboarding");
      await send(1, "/admin/1/onboarding/first", { title: "Alpine's" });
      assert.is(await listed("/admin/1/onboarding/runs"), 1);
      assert.is(await listed("/admin/2/onboarding/runs"), 0);
      assert.is(await listed("/onboarding/runs"), 0);
      assert.is((await send(1, "/onboarding/second", {}, "cancel")).status, 404);
      assert.is(whereTo(await as(1, "GET", "/admin/1/onboarding")), "303 /admin/1/onboarding/second");
    });
    can("A guest has a separate run for each anchor, and gets 404 where the anchor does not exist", async () => {
      const guest = app.client();
      const visit = (house: string, path = "", init: RequestInit = {}) =>
        guest.request(`/visit${path}`, { ...init, headers: { "x-house": house } });
      assert.is(whereTo(await visit("1")), "303 /visit/first");
      const page = await (await visit("1", "/first")).text();
      const authenticity_token = /name="authenticity_token" value="([^"]+)"/.exec(page)![1]!;
      const body = () => new URLSearchParams({ authenticity_token, "wizard[title]": "Alpine's" });
      assert.is(whereTo(await visit("1", "/first", { method: "POST", body: body() })), "303 /visit/second");
      assert.is(whereTo(await visit("2")), "303 /visit/first");
      assert.is((await visit("3")).status, 404);
      assert.is((await visit("3", "/first", { method: "POST", body: body() })).status, 404);
    });
  });
}
