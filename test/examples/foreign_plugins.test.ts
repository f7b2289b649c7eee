import { existsSync } from "node:fs";
import { join } from "node:path";
import type { TestApp } from "../support/apps.ts";
import { edited } from "../support/fixtures.ts";
import { assert, describe } from "../support/index.ts";
import { openShop, shopFiles } from "../support/shop.ts";

// Each capability is taken over by a plugin that a third party could have written: it imports the package alone, and
// nothing of the application changes but its line in plugins.config.ts.

/** The shop with a foreign plugin in `plugins/<name>.ts`, added to the list. */
function withPlugin(name: string, code: string): Record<string, string> {
  const config = edited(
    shopFiles,
    "plugins.config.ts",
    ["export default", `import ${name} from "./lib/${name}.ts"; export default`],
    ["resources()]", `resources(), ${name}()]`],
  );
  return { "plugins.config.ts": config, [`lib/${name}.ts`]: code };
}

async function story(changes: Record<string, string>, tell: (app: TestApp) => Promise<void>): Promise<void> {
  const app = await openShop(changes);
  try {
    await tell(app);
  } finally {
    await app.close();
  }
}

describe("A third-party plugin", (it) => {
  it("A third-party plugin chooses the layout through the layout hook", () =>
    story(
      {
        ...withPlugin(
          "seasons",
          `import { definePlugin } from "framewright/kernel";
           /** Every page of a portal in the winter layout. */
           export default () => definePlugin({
             name: "seasons",
             apply: ({ hooks }) => hooks.kernel.layout.tap("seasons", () => "winter"),
           });`,
        ),
        "app/views/layouts/winter.liquid": "<main data-season=winter>{{ content }}</main>",
      },
      async (app) =>
        assert.match(await (await app.request("/admin")).text(), /^<main data-season=winter><h1>Dashboard/),
    ));

  it("A third-party plugin replaces the views with its own engine", () =>
    story(
      withPlugin(
        "plain_views",
        `import { definePlugin, SyncBailHook } from "framewright/kernel"; import type { ViewHooks } from "framewright/plugins/views";
         /** Shows what a page would be made of, as text. */
         export default () => definePlugin({
           name: "plain_views", provides: "views", replaces: true,
           hooks: (): ViewHooks => ({ render: new SyncBailHook(["view"]) }),
           apply: () => ({
             addRoot() {}, addFilter() {}, exists: () => true,
             render: ({ names, locals }) => \`plain \${names[0]} \${locals.title ?? ""}\`,
           }),
         });`,
      ),
      async (app) =>
        assert.is(await (await app.request("/admin/authors")).text(), "plain admin_portal/resource/index Authors"),
    ));

  it("A third-party plugin scopes lists and records through the scope hook", () =>
    story(
      withPlugin(
        "hidden_authors",
        `import { definePlugin } from "framewright/kernel"; import type {} from "framewright/plugins/resources";
         /** Nobody sees the authors whose name begins with X. */
         export default () => definePlugin({
           name: "hidden_authors", requires: ["resources"],
           apply: ({ hooks }) => hooks.resources.scope.tap("hidden_authors", (narrow) => {
             if (narrow.model.constant === "Author") narrow.by("hidden_authors", (query) => query.whereNot("name", "like", "X%"));
           }),
         });`,
      ),
      async (app) => {
        const { knex } = app.application.kernel.service("database");
        const stamps = { created_at: "2026-01-01 10:00:00.000", updated_at: "2026-01-01 10:00:00.000" };
        for (const name of ["Ann", "Xaver"]) await knex("authors").insert({ name, ...stamps });
        const headers = { accept: "application/json" };
        const { data } = (await (await app.request("/admin/authors", { headers })).json()) as {
          data: { name: string }[];
        };
        assert.equal(
          data.map(({ name }) => name),
          ["Ann"],
        );
        assert.is((await app.request("/admin/authors/2", { headers })).status, 404);
      },
    ));

  it("A third-party plugin resolves a controller through the resolveController hook", () =>
    story(
      withPlugin(
        "maintenance",
        `import { BaseController, concern, type ControllerRef } from "framewright/host"; import { definePlugin } from "framewright/kernel"; import { PortalController, PublicAccess } from "framewright/plugins/portals";
         class Closed extends concern(BaseController, PortalController, PublicAccess) { index() { return this.json({ closed: true }, { status: 503 }); } }
         /** The dashboard is closed. */
         export default () => definePlugin({
           name: "maintenance",
           apply: ({ hooks }) => hooks.kernel.resolveController.tap("maintenance", (ref) => ((ref as ControllerRef).path === "dashboard" ? Closed : undefined)),
         });`,
      ),
      async (app) => {
        assert.is((await app.request("/admin")).status, 503);
        assert.is((await app.request("/admin/authors")).status, 200);
      },
    ));

  it("A third-party plugin provides the database connection through the connect hook", () =>
    story(
      withPlugin(
        "own_connection",
        `import { definePlugin } from "framewright/kernel"; import { connect } from "framewright/plugins/database";
         /** Keeps the data in a file of another name. */
         export default () => definePlugin({
           name: "own_connection", requires: ["database"],
           apply: ({ hooks }) => hooks.database.connect.tap("own_connection", ({ root, env }) =>
             connect({ root, env, url: "sqlite:elsewhere.sqlite3", pool: 1, acquireTimeout: 5000, busyTimeout: 1000 })),
         });`,
      ),
      async (app) => {
        assert.is((await app.request("/admin/authors.json")).status, 200);
        assert.ok(existsSync(join(app.root, "elsewhere.sqlite3")));
        assert.is(existsSync(join(app.root, "storage/test.sqlite3")), false);
      },
    ));
});
