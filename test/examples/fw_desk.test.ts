import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openTenants, tenantFiles } from "../plugins/scoping/tenants.ts";
import type { TestApp } from "../support/apps.ts";
import { databases } from "../support/databases.ts";
import { edited } from "../support/fixtures.ts";
import { assert, describe, throwsCode } from "../support/index.ts";
import { databaseOf } from "../support/shop.ts";
import { CAST, installed, publish, sourceOf } from "./publish.ts";

// A package that brings a whole resource, which an application connects to a portal whose people work in tenants.

const published = publish("fw-desk");
const config = edited(
  tenantFiles,
  "plugins.config.ts",
  [/^import {/, 'import { plugin as desk } from "./lib/desk.ts";\nimport {'],
  ["definePlugins([", "definePlugins([desk, "],
);
const routes = "packages/customer_portal/config/routes.ts";
const connected: Record<string, string> = {
  "plugins.config.ts": config,
  "lib/desk.ts": `import { desk } from "fw-desk";\nexport const { plugin, tickets } = desk({ tenant: "Organization" });`,
  [routes]: edited(
    tenantFiles,
    routes,
    ["import { CustomerPortal }", 'import { tickets } from "../../../lib/desk.ts";\nimport { CustomerPortal }'],
    [
      'routes.root({ to: "dashboard#index" });',
      'routes.root({ to: "dashboard#index" });\n  routes.registerResource(tickets);',
    ],
  ),
};
const list = "/customer/1/desk/tickets";
const json = { accept: "application/json", "content-type": "application/json" };
const ann = { "x-user": "1", ...json };

const openDesk = async (changes: Record<string, string>, values: Record<string, string>): Promise<TestApp> =>
  openTenants({ ...installed("fw-desk", (await published).unpacked), ...connected, ...changes }, values);

for (const database of await databases()) {
  describe(`A portal that serves the resource of fw-desk, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openDesk({}, await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    it.unless(
      database.skip,
      "Its table, model, policy, definition and controller work, within the tenant",
      async () => {
        const send = (path: string, body: object, headers: Record<string, string> = ann) =>
          app.request(path, { method: "POST", headers, body: JSON.stringify(body) });
        const created = await send(list, { desk_ticket: { title: "Broken" } });
        assert.is(created.status, 201, await created.clone().text());
        const { knex, migrations } = databaseOf(app.application);
        const [row] = await knex("desk_tickets").select("*");
        assert.equal([row.title, row.state, Number(row.tenant_id)], ["Broken", "open", 1]);
        assert.ok((await migrations.status()).some(({ name, applied }) => name.endsWith("desk_tickets") && applied));
        const page = await app.request(list, { headers: { "x-user": "1" } });
        assert.is(page.headers.get("x-desk"), "index");
        assert.match(await page.text(), "Broken");
        assert.not.match(
          await (await app.request("/customer/2/desk/tickets", { headers: { "x-user": "3" } })).text(),
          "Broken",
        );
        assert.is(
          (await app.request(`/customer/2/desk/tickets/${row.id}`, { headers: { "x-user": "3" } })).status,
          404,
        );
        assert.is((await send(`${list}/${row.id}/actions/close`, {})).status, 200);
        assert.is((await knex("desk_tickets").first("state"))!.state, "closed");
        assert.is((await send(`${list}/${row.id}/actions/close`, {})).status, 403, "by its policy");
        assert.is((await app.request(list, { headers: json })).status, 401);
      },
    );
  });
}

const [sqlite] = await databases();
describe("The package fw-desk", (it) => {
  it("A policy of the application takes the place of the package's", async () => {
    const closed = {
      "app/policies/desk/ticket_policy.ts": `import { Policy } from "framewright/plugins/resources";
        export default class TicketPolicy extends Policy { override canRead() { return false; } canClose() { return false; } }`,
    };
    const app = await openDesk(closed, await sqlite!.values());
    assert.is((await app.request(list, { headers: ann })).status, 403);
    await app.close();
  });
  it("A portal that registers it while its plugin is not listed is refused, with what to do", async () => {
    const unlisted = { "plugins.config.ts": tenantFiles["plugins.config.ts"]! };
    const error = await throwsCode("FW_PLUGIN_RESOURCE", async () =>
      (await openDesk(unlisted, await sqlite!.values())).close(),
    );
    assert.match(error.message, "Desk::Ticket of a plugin can't be served: no plugin of plugins.config.ts brings it");
  });
  it("What docs/how-to/bring-a-resource-with-a-plugin.md shows of it is its code", () => {
    const guide = readFileSync(
      join(import.meta.dirname, "../../docs/how-to/bring-a-resource-with-a-plugin.md"),
      "utf8",
    );
    const shown = [...guide.matchAll(/^```ts (fw-desk\/\S+)\n([\s\S]*?)^```$/gm)];
    assert.is(shown.length, 3);
    for (const [, path, text] of shown)
      assert.ok(readFileSync(join(import.meta.dirname, path!), "utf8").includes(text!), `${path} lacks ${text}`);
  });
  it("Its source has no cast, and imports the framework's published entry points alone", () => {
    const text = sourceOf("fw-desk");
    assert.not.match(text, CAST);
    const { exports } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
    for (const [, entry] of text.matchAll(/from "framewright\/?([^"]*)"/g))
      assert.ok(`./${entry}` in exports || entry === "" || /^plugins\/\w+$/.test(entry!), entry);
  });
});
