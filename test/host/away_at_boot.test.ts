import { mkdirSync, renameSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { addPeople, everyday, openAccounts, PASSWORD } from "../plugins/authlib/accounts.ts";
import { combinedFiles } from "../plugins/extra_fields/combined_app.ts";
import { openTenants } from "../plugins/scoping/tenants.ts";
import { openWizards } from "../plugins/wizards/mounts_support.ts";
import { openRunsApp } from "../plugins/wizards/runs_app.ts";
import { openApp, type TestApp } from "../support/apps.ts";
import { assert, describe } from "../support/index.ts";
import { databaseOf } from "../support/shop.ts";

/** Opens an application again while its database can't be opened, and gives it back; `use` looks at it once it is ready. */
async function bootsWithout(made: TestApp, path: string, use: (app: TestApp) => Promise<void>): Promise<void> {
  await databaseOf(made.application).knex.raw("PRAGMA wal_checkpoint(TRUNCATE)");
  await made.close();
  const file = join(made.root, "storage/test.sqlite3");
  renameSync(file, `${file}.kept`);
  mkdirSync(file);
  const app = await openApp(made.root);
  try {
    const away = await app.request(path);
    assert.is(away.status, 503);
    assert.match(away.headers.get("retry-after") ?? "", /^\d+$/);
    assert.is((await app.request("/readyz")).status, 503);
    rmdirSync(file);
    renameSync(`${file}.kept`, file);
    let status = 0;
    for (let attempt = 0; attempt < 100 && status !== 200; attempt++) {
      await sleep(50);
      ({ status } = await app.request("/readyz"));
    }
    assert.is(status, 200);
    await use(app);
  } finally {
    await app.close();
  }
}

describe("Boot without a database", (it) => {
  it("An application with accounts that boots without its database answers 503, and signs users in once it is back", async () => {
    const made = await openAccounts({ user: { features: everyday } });
    await addPeople(made, "user", "ann@example.test");
    await bootsWithout(made, "/users/login", async (app) => {
      const client = app.client();
      await client.page("/users/login");
      const answer = await client.submit("/users/login", { login: "ann@example.test", password: PASSWORD });
      assert.is(answer.status, 303);
      assert.is((await client.request("/user")).status, 200);
    });
  });

  it("An application with tenants that boots without its database answers 503, and scopes requests once it is back", async () => {
    await bootsWithout(await openTenants(), "/customer/1/posts", async (app) => {
      const headers = { accept: "application/json", "x-user": "1" };
      assert.is((await app.request("/customer/1/posts", { headers })).status, 200);
      assert.is((await app.request("/customer/2/posts", { headers })).status, 404);
      assert.is((await app.request("/customer/1/posts/new", { headers: { "x-user": "1" } })).status, 200);
    });
  });

  it("An application with wizards that boots without its database answers 503, and opens a wizard once it is back", async () => {
    await bootsWithout(await openRunsApp({}), "/signup", async (app) => {
      const answer = await app.client().request("/signup");
      assert.ok(answer.status === 303 || answer.status === 200, String(answer.status));
      assert.not.match(await app.client().page("/signup"), /error/i);
    });
  });

  it("Lists by several columns in one field are sorted and filtered by them once the database is back", async () => {
    await bootsWithout(await openWizards(combinedFiles), "/admin/posts", async (app) => {
      const headers = { accept: "application/json", "x-user": "1" };
      for (const query of ["sort=stay", "filter[stay]=2026-07-01", "filter[fee][currency]=EUR"])
        assert.is((await app.request(`/admin/posts?${query}`, { headers })).status, 200, query);
    });
  });
});
