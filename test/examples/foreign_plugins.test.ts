import { existsSync } from "node:fs";
import { join } from "node:path";
import { sendRaw } from "../host/raw.ts";
import type { TestApp } from "../support/apps.ts";
import { copyFixture, edited } from "../support/fixtures.ts";
import { assert, describe } from "../support/index.ts";
import { openShop, shopFiles } from "../support/shop.ts";

// Each capability is taken over by a plugin that a third party could have written: it imports the package alone, and
// nothing of the application changes but its line in plugins.config.ts.

const foreign = copyFixture("foreign_plugins");

/** The shop with a foreign plugin in `lib/<name>.ts`, added to the list. */
function withPlugin(name: string): Record<string, string> {
  const config = edited(
    shopFiles,
    "plugins.config.ts",
    ["export default", `import ${name} from "./lib/${name}.ts"; export default`],
    ["resources(),\n]", `resources(), ${name}()]`],
  );
  return { "plugins.config.ts": config, [`lib/${name}.ts`]: foreign[`lib/${name}.ts`]! };
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
        ...withPlugin("seasons"),
        "app/views/layouts/winter.liquid": "<main data-season=winter>{{ content }}</main>",
      },
      async (app) =>
        assert.match(await (await app.request("/admin")).text(), /^<main data-season=winter><h1>Dashboard/),
    ));

  it("A third-party plugin replaces the views with its own engine", () =>
    story(withPlugin("plain_views"), async (app) =>
      assert.is(await (await app.request("/admin/authors")).text(), "plain admin_portal/resource/index Authors"),
    ));

  it("A third-party plugin scopes lists and records through the scope hook", () =>
    story(withPlugin("hidden_authors"), async (app) => {
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
    }));

  it("A third-party plugin resolves a controller through the resolveController hook", () =>
    story(withPlugin("maintenance"), async (app) => {
      assert.is((await app.request("/admin")).status, 503);
      assert.is((await app.request("/admin/authors")).status, 200);
    }));

  it("A third-party plugin adds hosts, sources of pages, a readiness check, answers before the routes and headers", () =>
    story(withPlugin("storefront"), async (app) => {
      const page = await app.request("/admin");
      assert.is(page.status, 200);
      assert.is(page.headers.get("x-shop"), "/admin");
      assert.match(page.headers.get("content-security-policy")!, "img-src 'self' data: https://tiles.example;");
      const statusAt = async (host: string) =>
        (await sendRaw(app.url, `GET /admin HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).status;
      assert.equal([await statusAt("acme.test"), await statusAt("evil.test")], [200, 400]);
      assert.is((await app.request("/readyz")).status, 200);
      assert.is((await app.request("/count", { method: "POST" })).status, 503);
      assert.is(await (await app.request("/admin")).text(), "counting");
      assert.is(await (await app.request("/readyz")).text(), 'the check "stock" failed');
    }));

  it("A third-party plugin provides the database connection through the connect hook", () =>
    story(withPlugin("own_connection"), async (app) => {
      assert.is((await app.request("/admin/authors.json")).status, 200);
      assert.ok(existsSync(join(app.root, "elsewhere.sqlite3")));
      assert.is(existsSync(join(app.root, "storage/test.sqlite3")), false);
    }));
});
