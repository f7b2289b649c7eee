import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited, withPlugin } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { schemaMigration } from "../attachments/attachments_app.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";
import { hiddenFields, task, taskFiles, visitor } from "./tasks_app.ts";

const ann = { "x-user": "1" };
const cat = { "x-user": "3" };
const tasks = "/customer/1/tasks";
const gallery = pathToFileURL(join(import.meta.dirname, "gallery_plugin.ts")).href;
const files = {
  ...taskFiles('this.perPage = 5; this.defaultSort("title"); this.filter("hours");'),
  "plugins.config.ts": withPlugin(
    edited(
      tenantFiles,
      "plugins.config.ts",
      ["const widening", `import { gallery, rival } from "${gallery}";\nconst widening`],
      ["  widening,", "  widening,\n  gallery,\n  rival,"],
    ),
    "savedViews()",
    "saved_views",
  ),
  "db/migrate/20260401000000_create_framewright_saved_views.ts": schemaMigration("saved_views"),
};

for (const database of await databases({ withPostgres: true })) {
  describe(`The shapes of a list, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(files, await database.values());
        const rows = Array.from({ length: 12 }, (_, at) => task(at + 1, { title: `Task ${at + 10}` }));
        await databaseOf(app.application)
          .knex("tasks")
          .insert([...rows, task(20, { title: "Hidden" }), task(90, { title: "Task of Baltic" }, 2)]);
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);
    const page = async (path: string, headers: Record<string, string> = ann) =>
      (await app.request(path, { headers })).text();
    const shown = (html: string) => [...html.matchAll(/<li><b>([^<]*)<\/b> ([^<]*)<\/li>/g)].map(([, label]) => label);

    can("A plugin offers them; each is drawn with what the person may read, on pages of the list", async () => {
      const html = await page(`${tasks}?shape=gallery`);
      assert.equal(shown(html), ["Task 10", "Task 11", "Task 12", "Task 13", "Task 14"]);
      assert.match(html, "<b>Task 10</b> title fee</li>");
      assert.match(html, 'href="/customer/1/tasks?shape=gallery&amp;page=2"');
      assert.equal(shown(await page(`${tasks}?shape=gallery&page=3`)), ["Task 20", "Task 21"]);
      assert.match(await page(`${tasks}?shape=gallery`, cat), "<b>Task 10</b> title</li>");
      assert.not.match(await page("/customer/1/posts"), "fw-shapes");
    });
    can("A plugin that takes a name twice costs its own part, and the list is there", async () => {
      const answer = await app.request(tasks, { headers: ann });
      const html = await answer.text();
      assert.is(answer.status, 200);
      assert.match(html, 'title="Gallery of 13"');
      assert.not.match(html, "Rival");
    });
    can("What reads itself reads within the list, and has no pager", async () => {
      const html = await page(`${tasks}?shape=newest&sort=-title`);
      assert.equal(shown(html), ["Task 21", "Task 20", "Task 19"]);
      assert.match(html, "12 tasks");
      assert.not.match(html, "fw-pager");
    });
    can("Every link and form of the list keeps the shape, and what clears its filters too", async () => {
      const html = await page(`${tasks}?filter%5Bhours%5D=4&shape=gallery`);
      assert.match(html, '<input type="hidden" name="shape" value="gallery">');
      assert.match(html, 'href="/customer/1/tasks?shape=gallery"');
      assert.match(html, 'href="/customer/1/tasks?filter%5Bhours%5D=4" title="Table"');
    });
    can("A saved view keeps it", async () => {
      const visit = visitor(app, ann);
      const html = await (await visit(`${tasks}?shape=gallery`)).text();
      const body = hiddenFields(
        html.replace(/<form method="post" action="[^"]*\/views/, '<form class="keep" $&'),
        "keep",
      );
      body.set("name", "Pictures");
      const saved = await visit(`${tasks}/views?shape=gallery`, { method: "POST", body, redirect: "manual" });
      assert.equal([saved.status, saved.headers.get("location")], [303, `${tasks}?shape=gallery`]);
      assert.match(await (await visit(tasks)).text(), /href="\/customer\/1\/tasks\?shape=gallery"[^>]*>\s*Pictures/);
    });
    can("Downloads and JSON are of the list; an unknown shape is refused as other parameters are", async () => {
      const json = async (path: string) => {
        const answer = await app.request(path, { headers: { ...ann, accept: "application/json" } });
        return [answer.status, await answer.json()] as const;
      };
      const [, plain] = await json(tasks);
      const [status, shaped] = await json(`${tasks}?shape=newest`);
      assert.is(status, 200);
      assert.equal((shaped as { data: unknown }).data, (plain as { data: unknown }).data);
      assert.is((await json(`${tasks}?shape=globe`))[0], 422);
      const led = await app.request(`${tasks}?shape=globe&q=Task`, { headers: ann, redirect: "manual" });
      assert.equal([led.status, led.headers.get("location")], [303, `${tasks}?q=Task`]);
    });
  });
}
