import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { withPlugin } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { task, taskFiles } from "../resources/tasks_app.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

const list = "/guest/1/tasks";
const open = (line: string, values: Record<string, string>) =>
  openTenants(
    {
      ...taskFiles(line),
      "plugins.config.ts": withPlugin(tenantFiles["plugins.config.ts"]!, "articles()", "articles"),
    },
    values,
  );
const text = "Bread & <b>butter</b>. Two more sentences follow it here.";

for (const database of await databases({ withPostgres: true })) {
  describe(`Lists and pages as articles, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await open(
          'this.search(["title"]); this.article({ body: "note", date: "starts_at", summary: "internal" });',
          await database.values(),
        );
        const at = (day: number) => `2026-03-0${day} 10:00:00`;
        await databaseOf(app.application)
          .knex("tasks")
          .insert([
            task(1, { title: "First <i>", note: text, starts_at: at(1), internal: "not for guests", author_id: 1 }),
            task(2, { title: "Second", note: "Short.", starts_at: at(2), door_token: "t0ken" }),
            task(3, { title: "Hidden", note: "Never shown", starts_at: at(3) }),
            task(4, { title: "Undated", note: "No date.", starts_at: null }),
          ]);
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, run: () => Promise<void>) => it.unless(database.skip, sentence, run);
    const get = async (path: string, headers: Record<string, string> = {}) => {
      const answer = await app.request(path, { headers: { ...headers } });
      return { status: answer.status, type: answer.headers.get("content-type"), text: await answer.text() };
    };

    can("The list shows how each begins in the place of a table, with its search and its pages", async () => {
      const { text: page } = await get(list);
      assert.not.match(page, "<table");
      assert.match(page, `<h2><a href="${list}/1">First &lt;i&gt;</a></h2>`);
      assert.match(page, "<p>Bread &amp; &lt;b&gt;butter&lt;/b&gt;. Two more sentences follow it here.</p>");
      assert.not.match(page, "Hidden");
      assert.not.match(page, "not for guests");
      assert.not.match(page, /fw-shapes|fw-toolbar-end/);
      assert.match(page, `<link rel="alternate" type="application/atom+xml" title="Tasks" href="${list}/feed.xml">`);
      assert.match(page, /<link rel="canonical" href="http:\/\/[^"]*\/guest\/1\/tasks">/);
      assert.match((await get(`${list}?per_page=1&page=2`)).text, /canonical" href="[^"]*\/guest\/1\/tasks\?page=2"/);
      assert.is((await get(`${list}?per_page=1`)).text.match(/class="fw-teaser"/g)!.length, 1);
      const found = (await get(`${list}?q=Second`)).text;
      assert.is(found.match(/class="fw-teaser"/g)!.length, 1);
      assert.match((await get(`${list}?q=Nobody`)).text, "fw-empty");
      const json = JSON.parse((await get(list, { accept: "application/json" })).text) as { data: object[] };
      assert.is(json.data.length, 3);
    });

    can("The page of a record is its text, and describes itself", async () => {
      const { text: page } = await get(`${list}/1`);
      assert.match(page, /<div class="fw-article-body">.*Bread &amp; &lt;b&gt;butter&lt;\/b&gt;/s);
      assert.match(page, '<meta name="description" content="Bread &amp; &lt;b&gt;butter&lt;/b&gt;. Two more');
      assert.match(page, '<meta property="og:title" content="First &lt;i&gt;">');
      assert.match(page, '<meta property="og:type" content="article">');
      assert.match(page, /<meta property="article:published_time" content="2026-03-01T10:00:00.000Z">/);
      assert.match(page, /<link rel="canonical" href="http:\/\/[^"]*\/guest\/1\/tasks\/1">/);
      assert.not.match(page, "not for guests");
      assert.match(page, "Hours", "the other attributes stand below");
      assert.is((await get(`${list}/3`)).status, 404);
    });

    can("The feed has the latest that have a date, of what guests may see", async () => {
      const { status, type, text: feed } = await get(`${list}/feed.xml`);
      assert.is(status, 200);
      assert.is(type, "application/atom+xml; charset=utf-8");
      assert.equal(
        [...feed.matchAll(/<entry><id>[^<]*\/guest\/1\/tasks\/(\d+)</g)].map(([, id]) => id),
        ["2", "1"],
      );
      assert.match(feed, "<title>First &lt;i&gt;</title>");
      assert.match(feed, /<updated>2026-03-02T10:00:00.000Z<\/updated>/);
      assert.not.match(feed, /Hidden|not for guests|t0ken/);
      assert.is((await get("/guest/1/posts/feed.xml")).status, 404);
    });

    can("The sitemap names the pages that guests may see", async () => {
      const { type, text: index } = await get("/guest/1/sitemap.xml");
      assert.is(type, "application/xml; charset=utf-8");
      assert.match(index, /<loc>http:\/\/[^<]*\/guest\/1\/sitemap\.xml\?list=tasks&amp;page=1<\/loc>/);
      const page = (await get("/guest/1/sitemap.xml?list=tasks&page=1")).text;
      assert.equal(
        [...page.matchAll(/\/guest\/1\/tasks\/(\d+)<\/loc>/g)].map(([, id]) => id),
        ["1", "2", "4"],
      );
      for (const wrong of ["list=posts", "list=tasks&page=0", "list=tasks&page=x", "list[a]=b", "list="])
        assert.is((await get(`/guest/1/sitemap.xml?${wrong}`)).status, 404, wrong);
    });

    can("Another tenant's articles are in no list, feed and sitemap", async () => {
      await databaseOf(app.application)
        .knex("tasks")
        .insert([task(90, { title: "Baltic", note: "x", starts_at: "2026-03-04 10:00:00" }, 2)]);
      const ann = { "x-user": "1" };
      assert.match((await get("/customer/1/tasks", ann)).text, "<table", "people have it beside the table");
      assert.match((await get("/customer/1/tasks?shape=articles", ann)).text, 'class="fw-teaser"');
      for (const path of [
        "/customer/1/tasks?shape=articles",
        "/customer/1/tasks/feed.xml",
        "/customer/1/sitemap.xml?list=tasks",
      ])
        assert.not.match((await get(path, ann)).text, /Baltic|tasks\/90\b/);
      assert.is((await get("/customer/1/tasks/feed.xml")).status, (await get("/customer/1/tasks")).status);
    });
  });
}

describe("What an article is declared with", (it) => {
  const refused = async (line: string, pattern: RegExp) => {
    const error = await open(line, {}).then(
      (app) => app.close(),
      (cause: Error) => cause,
    );
    assert.match((error as Error).message, pattern);
  };
  it("An attribute that is not there, an unknown option and a model without a text are refused at boot", async () => {
    await refused(
      'this.article({ body: "nota" } as never);',
      /FW_ARTICLE_NAME.*"nota" as its body.*Did you mean "note"/,
    );
    await refused('this.article({ text: "note" } as never);', /FW_ARTICLE_SHAPE.*the option "text"/);
    await refused("this.article(3 as never);", /FW_ARTICLE_SHAPE/);
    await refused("this.article();", /FW_ARTICLE_BODY.*this\.article\(\{ body/);
  });
});
