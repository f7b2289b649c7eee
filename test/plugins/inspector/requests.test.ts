import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { openInspected, pageOf, textOf } from "./support.ts";

const all = await databases();
for (const database of all) {
  describe(`What /_fw shows of requests, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    if (database.skip === undefined) {
      before(async () => {
        app = await openInspected(await database.values());
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const list = async () => textOf(await (await app.request("/_fw")).text());

    can(
      "A list: its route, controller, statements with rows, policy, templates by where they were found, and hooks",
      async () => {
        const page = await pageOf(app, await app.request("/admin/blogging/posts?scope=all&reset%5Btoken%5D=abc"));
        assert.match(page, "GET /admin/blogging/posts 200");
        assert.match(page, "Route GET /admin/blogging/posts ");
        assert.match(page, "AdminPortal::Blogging::PostsController#index packages/admin_portal/app/controllers");
        assert.match(page, "Portal AdminPortal");
        assert.match(page, "scope=all & reset[token]=[secret]");
        assert.match(page, /from [`"]blogging_posts[`"][^–]* 4 [\d.]+ ms/);
        assert.match(
          page,
          /Blogging::PostPolicy canIndex\(\)[ ×\d]* – allowed canIndex\(\) asked canRead\(\): canRead\(\) of Blogging::PostPolicy answered true\./,
        );
        assert.match(page, /permittedAttributesForIndex\(\).* permitted title, author, price, status, created_at/);
        assert.match(page, /framewright\/plugins\/resources\/views\/resource\/index\.liquid .*framework|plugin/);
        assert.match(page, "framewright/plugins/layout/views/layouts/resource.liquid");
        if (process.env.FW_VIEWS_COMPILE !== "off")
          // only compiling tells which partials a template has
          assert.match(page, /framewright\/_head\.liquid framework/);
        assert.match(page, /kernel\.layout layout \d+ [\d.]+ ms/);
        assert.not.match(page, "[missing");
      },
    );

    can("A view of the application's own is shown with its path and where it was found", async () => {
      const page = await pageOf(app, await app.request("/admin"));
      assert.match(page, /packages\/admin_portal\/app\/views\/admin_portal\/dashboard\/index\.liquid portal/);
    });

    can("A record: who refused what for which record, by what was declared and by what was not", async () => {
      const shown = await pageOf(app, await app.request("/admin/blogging/posts/3"));
      assert.match(
        shown,
        "Blogging::PostPolicy canDestroy() 3 refused canDestroy() of Blogging::PostPolicy answered false.",
      );
      const answer = await app.request("/admin/authors/new");
      assert.is(answer.status, 403);
      const html = await (await app.request("/admin/authors/new", { headers: { accept: "text/html" } })).text();
      assert.match(html, /<a href="\/_fw\/requests\/\d+">Why\? See what was decided for this request<\/a>/);
      const page = await pageOf(app, answer);
      assert.match(
        page,
        "AuthorPolicy canNew() – refused canNew() asked canCreate(): canCreate() is not declared, and is refused by default.",
      );
      assert.match(page, "1 refused");
    });

    can("A query of names and values that are malformed is shown, too", async () => {
      const answer = await app.request("/admin/blogging/posts?password=%zz-hush-hush&a[b]=1&a=2&__proto__[x]=1");
      assert.ok(answer.status >= 200 && answer.status < 500, String(answer.status));
      assert.not.match(await pageOf(app, answer), "hush-hush");
    });

    can("A form that failed, JSON, an address that leads nowhere", async () => {
      const failed = await app.client().submit("/admin/blogging/posts/new", { "blogging_post[title]": "" });
      assert.is(failed.status, 422);
      assert.match(await pageOf(app, failed), "POST /admin/blogging/posts 422");
      const json = await app.request("/admin/blogging/posts/1.json");
      assert.match(await pageOf(app, json), /GET \/admin\/blogging\/posts\/1 200 .* application\/json/);
      const nowhere = await app.request("/nowhere");
      assert.match(await pageOf(app, nowhere), /404 .*Route – Action –/);
      const lines = await list();
      assert.ok(lines.indexOf("/nowhere") < lines.indexOf("/admin/blogging/posts/1"), "the newest first");
      assert.match(lines, /POST \/admin\/blogging\/posts 422/);
    });

    can("An error 500 is shown with its stack, its cause, and its line in the log", async () => {
      const answer = await app.request("/boom");
      assert.is(answer.status, 500);
      const page = await pageOf(app, answer);
      assert.match(page, "GET /boom 500");
      assert.match(page, "it broke with undefined");
      assert.match(page, /probes_controller\.ts:\d+/);
      assert.match(page, "caused by Error: the cause");
      assert.match(page, /Log error GET \/boom failed: it broke/);
    });

    can("The same statement for each record of a list is pointed at, with the line of the application", async () => {
      const page = await pageOf(app, await app.request("/admin/blogging/posts/report"));
      assert.match(page, /The same statement ran 4 times and took [\d.]+ ms/);
      assert.match(page, /It is called from packages\/admin_portal\/.*posts_controller\.ts:\d+\./);
      assert.match(await list(), /\/admin\/blogging\/posts\/report 200 [\d.]+ ms repeated/);
    });

    can("Requests that overlap do not mix: each has its own statements and lines, in transactions too", async () => {
      const names = ["anna", "bert", "carl"];
      const answers = await Promise.all(names.map((name) => app.request(`/slow?name=${name}`)));
      for (const [index, name] of names.entries()) {
        const page = await pageOf(app, answers[index]!);
        for (const other of names) {
          const own = other === name;
          assert.is(page.includes(`"${other}0"`), own, `${name}: ${other}`);
          assert.is(page.includes(`slow for ${other}`), own);
        }
        for (let turn = 0; turn < 5; turn++) assert.match(page, `"${name}${turn}"`);
        assert.is(page.match(/insert into [`"]authors[`"]/g)?.length, 1);
      }
    });

    can(
      "Secrets that a request brings are nowhere, and neither are values of secret columns and addresses",
      async () => {
        const secret = "Tr0ub4dor-and-3";
        const body = new URLSearchParams({ password: secret, name: "x" });
        const headers = { cookie: `mine=biscuit-${secret}`, authorization: `Basic ${secret}` };
        const pages = [
          await pageOf(app, await app.request("/boom", { method: "POST", body, headers })),
          await pageOf(app, await app.request(`/boom?password=${secret}`)),
          await pageOf(app, await app.request("/logs", { headers })),
          await pageOf(app, await app.request(`/join/${secret}`)),
          await pageOf(app, await app.request("/slow?name=dora")),
          await list(),
        ];
        for (const page of pages) {
          for (const hidden of [secret, "biscuit", "hush-hush", "dora@example.com"]) assert.not.match(page, hidden);
        }
        assert.match(pages[0]!, "it broke with [secret]");
        assert.match(pages[2]!, "careful with [secret]");
        assert.match(pages[3]!, "GET /join/[token]");
        assert.match(pages[4]!, "[email]");
      },
    );
  });
}
