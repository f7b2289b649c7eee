import type { Finding } from "framewright/host";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { copyFixture, edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { tables } from "../wizards/mounts_support.ts";
import { openTenants, tenantFiles } from "./tenants.ts";

// Wherever a scoped portal hands an application a query, it stays within the tenant, whatever is said to it later.

const marks = ["", "Alpine", "Baltic"] as const;
const expected = (own: 1 | 2) => {
  const mark = marks[own];
  const [post, comment] = [`Post ${mark}`, `Comment ${mark}`];
  const posts = Object.fromEntries(
    ["all", "or", "orFound", "joined", "alias", "replaced", "cleared", "cloned", "loaded"].map((key) => [key, [post]]),
  );
  return {
    ...posts,
    foreign: null,
    count: 1,
    page: 1,
    comments: [comment],
    nested: [comment],
    attachments: [`Attachment ${mark}`],
    shared: ["Shared"],
    tenants: [mark],
    joinedGraph: [post, comment],
    endless: "FW_CONFINED_GRAPH",
    merged: "FW_CONFINED_MERGE",
    ignored: "done",
    unreachable: "FW_SCOPE_PATH",
    everything: ["Post Alpine", "Post Baltic"],
    settings: "done",
    patched: 1,
    fetched: post,
    patchedForeign: 0,
    deleted: 1,
    note: own,
    foreignNote: "FW_INVALID",
    foreignBySql: "FW_INVALID",
    movedBySql: ["FW_INVALID", own],
    carriedBySql: own,
    movedNote: "FW_INVALID",
    tenant: "FW_SCOPE_INSERT",
    carried: own,
    moved: own,
  };
};

const files: Record<string, string> = {
  ...copyFixture("tenant_queries"),
  "db/migrate/20260103000001_create_wizards.ts": tables,
  "plugins.config.ts": edited(
    tenantFiles,
    "plugins.config.ts",
    ["import { definePlugin,", 'import standard from "framewright/plugins.config"; import { definePlugin,'],
    [/definePlugins\(\[.*\]\)/s, "definePlugins([...standard, widening])"],
  ),
};
const headers = { accept: "application/json", "x-user": "3" };
const sent = { ...headers, "content-type": "application/json" };

for (const database of await databases({ withPostgres: true })) {
  describe(`Queries of a scoped portal on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    before(async () => {
      if (!database.skip) app = await openTenants(files, await database.values());
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const get = async (path: string) => (await app.request(path, { headers })).json();

    can("Queries of controllers with and without a resource stay within the tenant", async () => {
      for (const own of [1, 2] as const) {
        assert.equal(await get(`/customer/${own}`), expected(own));
        assert.equal(await get(`/customer/${own}/posts/${own}/preview`), expected(own));
      }
    });
    can("Queries of interactions stay within the tenant", async () => {
      for (const own of [1, 2] as const) {
        const path = `/customer/${own}/posts/${own}/actions/publish`;
        const answer = await app.request(path, { method: "POST", headers: sent, body: "{}" });
        const { data } = (await answer.json()) as { data: { message: string } };
        assert.equal(JSON.parse(data.message), expected(own));
      }
    });
    can("Queries of wizards stay within the tenant in authorize, in steps and in execute", async () => {
      const probed = globalThis as { probed?: unknown };
      for (const own of [1, 2] as const) {
        const launched = await app.request(`/customer/${own}/probe`, { headers });
        const step = launched.headers.get("location")!;
        const body = JSON.stringify({ wizard: { title: "x" } });
        await app.request(step, { method: "POST", headers: sent, body });
        const one = expected(own);
        assert.equal(probed.probed, { authorize: one, step: one, execute: one });
        delete probed.probed;
      }
    });
    can("A query without a tenant is refused with FW_SCOPE_CLOSED", async () => {
      const lost = (await get("/customer/1/lost")) as { code: string };
      assert.is(lost.code, "FW_SCOPE_CLOSED");
    });
    can("The checks of fw doctor list queries of all tenants with their files", async () => {
      const findings: Finding[] = [];
      await app.application.hooks.examine.promise(findings);
      const found = findings.find(({ what }) => what === "queries of all tenants");
      assert.match(
        found?.detail ?? "",
        /lib\/probe\.ts:\d+.*looked for unscopedQuery, Model\.query\(\), database\.query\(Model\), knex in app\/, packages\/, lib\//,
      );
    });
    can("A query of the scoping service stays within the tenant that it is given", async () => {
      const { kernel } = app.application;
      const models = databaseOf(app.application);
      const [Post, Organization] = ["Post", "Organization"].map((name) => models.model(name).class);
      const entity = (await models.query(Organization!).findById(2))!;
      const found = (await kernel.service("scoping").query(entity, Post!)) as unknown as { title: string }[];
      assert.equal(
        found.map(({ title }) => title),
        ["Post Baltic"],
      );
    });
  });
}
