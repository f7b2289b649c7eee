import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { withPlugin } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { task, taskFiles } from "../resources/tasks_app.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

const config = withPlugin(tenantFiles["plugins.config.ts"]!, "navigation()", "navigation");
const open = (line: string, values: Record<string, string> = {}) =>
  openTenants({ ...taskFiles(line), "plugins.config.ts": config }, values);

const visit = (app: TestApp, path: string, user = "1") =>
  app.request(`/customer/1${path}`, { headers: { accept: "text/html", "x-user": user } });
/** The badge of tasks. */
async function badge(app: TestApp, user?: string): Promise<string | undefined> {
  const answer = await visit(app, "/_badge?line=%2Fcustomer%2F1%2Ftasks", user);
  assert.is(answer.status, 200);
  return /class="badge">([^<]*)</.exec(await answer.text())?.[1];
}
/** The labels of the sidebar in their order. */
async function labels(app: TestApp): Promise<string[]> {
  const html = await (await visit(app, "/tasks")).text();
  const menu = html.slice(html.indexOf('<ul class="fw-nav">'), html.indexOf("</aside>"));
  return [...menu.matchAll(/<span>([^<]+)<\/span>/g)].map(([, label]) => label!);
}

for (const database of await databases({ withPostgres: true })) {
  describe(`Lines of resources in the sidebar, on ${database.name}`, (it) => {
    const can = (sentence: string, line: string, story: (app: TestApp) => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        const app = await open(line, await database.values());
        try {
          await story(app);
        } finally {
          await app.close();
          await database.clean();
        }
      });
    const fill = (app: TestApp, rows: object[]) => databaseOf(app.application).knex("tasks").insert(rows);

    can(
      "A badge counts what the person may see in the tenant, up to 99, and none has none",
      "this.navigation({ order: 10, badge: true });",
      async (app) => {
        assert.equal((await labels(app)).slice(0, 2), ["Dashboard", "Tasks"]);
        assert.is(await badge(app), undefined);
        await fill(app, [task(1), task(2), task(3, { title: "Hidden" }), task(90, {}, 2)]);
        assert.is(await badge(app), "2");
        await fill(
          app,
          Array.from({ length: 97 }, (_, at) => task(200 + at)),
        );
        assert.is(await badge(app), "99");
        await fill(app, [task(300)]);
        assert.is(await badge(app), "99+");
        assert.is((await visit(app, "/_badge?line=%2Fcustomer%2F1%2Ftasks", "99")).status, 401);
      },
    );
    can(
      "A function narrows what is counted, and a later call changes what it names",
      'this.navigation({ order: 10, badge: (tasks) => tasks.where("status", "open").orderBy("title") }); this.navigation({ order: 90 });',
      async (app) => {
        await fill(app, [
          task(1, { status: "open" }),
          task(2, { status: "done" }),
          task(3, { title: "Hidden", status: "open" }),
        ]);
        assert.is((await labels(app)).at(-1), "Tasks");
        assert.is(await badge(app), "1");
      },
    );
  });
}

describe("Lines of resources in the sidebar", (it) => {
  it("A badge may be a text for the person, which is escaped, and one that fails leaves the line", async () => {
    const app = await open(
      "this.navigation({ badge: async (_, { currentUser }) => currentUser.id === 1 ? '<1>' : fail() });",
    );
    app.application.log.level = "silent";
    try {
      assert.is(await badge(app), "&lt;1&gt;");
      assert.is(await badge(app, "3"), undefined);
      assert.ok((await labels(app)).includes("Tasks"));
    } finally {
      await app.close();
    }
  });
  it("Options that do not exist are refused at boot", async () => {
    for (const options of ["{ sort: 1 }", '{ order: "first" }', "{ badge: false }", "true", "null"])
      await throwsCode("FW_NAVIGATION_SHAPE", () => open(`this.navigation(${options} as never);`));
  });
});
