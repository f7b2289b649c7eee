import { openApp, type TestApp, writeApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf, openMigrated } from "../../support/shop.ts";
import { Client } from "../../testing/client.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";
import { slugFiles } from "./slugs_app.ts";

// Addresses of records by a column of their own.

type Row = Record<string, unknown>;
const json = { accept: "application/json", "content-type": "application/json" };
const posts = "/customer/1/posts";
const tokens = /(csrf-token" content|_token" value)="[^"]*"/g;

class Ann extends Client {
  override request(path: string, init: RequestInit = {}) {
    return super.request(path, { ...init, headers: { ...(init.headers as object), "x-user": "1" } });
  }
}

/** Fills what openTenants inserts without them. */
const withSlugs = () => slugFiles('t.string("slug").unique();');

for (const database of await databases({ mysqlInSoak: true }))
  describe(`Addresses by a slug, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let values: Record<string, string>;
    const knex = () => databaseOf(app.application).knex;
    if (database.skip === undefined) {
      before(async () => {
        values = await database.values();
        app = await openTenants(withSlugs(), values);
        await knex()("posts").where({ id: 1 }).update({ slug: "post-alpine" });
        await knex()("posts").where({ id: 2 }).update({ slug: "post-baltic" });
        await knex()("posts").insert({ id: 3, title: "Hidden", status: "live", slug: "hidden", organization_id: 1 });
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);
    const ask = async (path: string, init: RequestInit = {}, user = 1) => {
      const answer = await app.request(path, {
        ...init,
        headers: { "x-user": String(user), ...json, ...(init.headers as object) },
      });
      const text = await answer.text();
      const isJson = /json/.test(answer.headers.get("content-type") ?? "");
      const body = (isJson ? JSON.parse(text) : {}) as { data: Row; errors: Record<string, string[]> };
      return { status: answer.status, text, headers: answer.headers, body };
    };
    const page = (path: string, user = 1) => ask(path, { headers: { accept: "text/html" } }, user);
    const send = (method: string, path: string, body: unknown) => ask(path, { method, body: JSON.stringify(body) });

    can("Lists, pages, forms, nested lists and choices lead to the slug, and JSON keeps the id", async () => {
      const list = await page(posts);
      assert.ok(list.text.includes(`href="${posts}/post-alpine?_list"`), list.text);
      assert.not.ok(/href="\/customer\/1\/posts\/1["/]/.test(list.text));
      const show = await page(`${posts}/post-alpine`);
      assert.is(show.status, 200);
      assert.ok(show.text.includes(`${posts}/post-alpine/edit`));
      assert.ok(show.text.includes(`${posts}/post-alpine/nested_comments`));
      assert.ok((await page(`${posts}/post-alpine/edit`)).text.includes(`action="${posts}/post-alpine"`));
      assert.is((await page(`${posts}/post-alpine/nested_comments`)).status, 200);
      assert.is((await ask(`${posts}/post-alpine`)).body.data.id, 1);
      const comments = await page("/customer/1/comments");
      assert.ok(comments.text.includes(`href="${posts}/post-alpine"`));
      assert.match((await page("/customer/1/comments/1/edit")).text, /<option value="1" selected>Post Alpine/);
      const choices = (await ask("/customer/1/comments/typeahead/post")).body.data as unknown as Row[];
      assert.equal(choices.at(-1), { id: 1, label: "Post Alpine" });
    });

    can("Redirects, Location, custom routes and addresses for jobs have the slug", async () => {
      const created = await send("POST", posts, { post: { title: "New", status: "live", slug: "brand-new" } });
      assert.is(created.headers.get("location"), `${posts}/brand-new`, created.text);
      const renamed = await send("PATCH", `${posts}/brand-new`, { post: { slug: "newer" } });
      assert.is(renamed.status, 200);
      assert.is((await page(`${posts}/newer`)).status, 200);
      const saved = await new Ann(app.url).submit(`${posts}/newer/edit`, { "post[slug]": "newest" });
      assert.is(saved.headers.get("location"), `${posts}/newest`);
      const preview = (await ask(`${posts}/newest/preview`)).body as unknown as Row;
      assert.equal([preview.here, preview.there], [`${posts}/newest/edit`, "/customer/2/posts/newest"]);
      const database = databaseOf(app.application);
      const post = (await database.query(database.model("Post").class).findById(1))!;
      const urlFor = (options: object) =>
        app.application.kernel.service("resources").urlFor(post, { portal: "CustomerPortal", entity: 1, ...options });
      assert.match(urlFor({}), /\/customer\/1\/posts\/post-alpine$/);
      assert.match(urlFor({ action: "publish" }), /\/posts\/post-alpine\/actions\/publish$/);
      assert.is((await send("POST", `${posts}/newest/actions/publish`, { interaction: {} })).status, 200);
      assert.is((await send("DELETE", `${posts}/newest`, {})).status, 204);
    });

    can("What is foreign, missing, hidden, written otherwise or an id is the same 404 on every route", async () => {
      const below = [
        ...new Set(
          app.application
            .routes()
            .filter(({ path }) => path.startsWith("/customer/:organization_id/posts/:"))
            .map(({ path, verb }) => `${verb} ${path}`),
        ),
      ];
      assert.ok(below.length > 15, below.join());
      for (const named of [
        "post-baltic",
        "hidden",
        "Post-Alpine",
        "POST-ALPINE",
        "1",
        "2",
        "01",
        "new-post",
        "post-alpine%20",
        "%E2%80%8B",
        "p%2Fq",
        "x".repeat(300),
      ])
        for (const route of below) {
          const [verb, path] = route.split(" ") as [string, string];
          const filled = path
            .replace(":organization_id", "1")
            .replace(/:(id|post_id)/, named)
            .replace(/:\w+/g, "1");
          const headers = { accept: "text/html", "x-user": "3" };
          const client = { method: verb, headers: { ...headers, "sec-fetch-site": "same-origin" } };
          const answer = await ask(
            filled,
            verb === "GET"
              ? { headers }
              : { ...client, headers: { ...client.headers, accept: "application/json" }, body: "{}" },
            3,
          );
          assert.is(answer.status, 404, `${verb} ${filled}: ${answer.status}`);
        }
      const absent = await page(`${posts}/absent`, 3);
      for (const named of ["post-baltic", "hidden", "1"])
        assert.is((await page(`${posts}/${named}`, 3)).text, absent.text);
      assert.is((await page(`${posts}/hidden`)).status, 200);
    });

    can("A slug that is a route's, or no part of an address, is refused with the field's name", async () => {
      for (const word of ["new", "New", "actions", "typeahead", "wizards", "edit", "archive"]) {
        const answer = await send("POST", posts, { post: { title: "x", slug: word } });
        assert.equal([answer.status, answer.body.errors], [422, { slug: ["is reserved"] }]);
      }
      for (const text of ["a b", "a/b", "a.json", "ä", "..", "%2e"]) {
        const answer = await send("POST", posts, { post: { title: "x", slug: text } });
        assert.equal(
          [answer.status, answer.body.errors],
          [422, { slug: ["may only have letters from a to z, digits, - and _"] }],
        );
      }
      const taken = await send("POST", posts, { post: { title: "x", slug: "Post-Alpine" } });
      assert.equal([taken.status, taken.body.errors], [422, { slug: ["has already been taken"] }]);
      assert.is((await page(`${posts}/archive`)).status, 200);
    });

    can("A record without a slug has its id in its address until it gets one", async () => {
      await knex()("posts").insert({ id: 70, title: "Bare", status: "live", organization_id: 1 });
      assert.ok((await page(posts)).text.includes(`href="${posts}/70?_list"`));
      assert.is((await page(`${posts}/70`)).status, 200);
      assert.is((await send("PATCH", `${posts}/70`, { post: { slug: "no-longer-bare" } })).status, 200);
      assert.is((await page(`${posts}/70`)).status, 404);
      await knex()("posts").where({ id: 70 }).delete();
    });

    can("A form that was opened for a record does not overwrite another that has its address now", async () => {
      await knex()("posts").insert({ id: 80, title: "First", slug: "swapped", status: "live", organization_id: 1 });
      const form = (await page(`${posts}/swapped/edit`)).text;
      const version = /name="lock_version" value="([^"]*)"/.exec(form)![1]!;
      await knex()("posts").where({ id: 80 }).update({ slug: "moved" });
      await knex()("posts").insert({ id: 81, title: "Second", slug: "swapped", status: "live", organization_id: 1 });
      const stale = await ask(`${posts}/swapped`, {
        method: "PATCH",
        headers: { "if-match": `"${version}"` },
        body: JSON.stringify({ post: { title: "Lost" } }),
      });
      assert.is(stale.status, 409, stale.text);
      const fine = await send("PATCH", `${posts}/swapped`, { post: { title: "Kept", lock_version: 0 } });
      assert.is(fine.status, 200, fine.text);
      await knex()("posts").whereIn("id", [80, 81]).delete();
    });

    can("Pages are the same without the database's fast paths", async () => {
      const paths = [
        posts,
        `${posts}/post-alpine`,
        `${posts}/post-alpine/edit`,
        `${posts}/post-alpine/nested_comments`,
        "/customer/1/comments/1",
        `${posts}/Post-Alpine`,
      ];
      const all = async () => {
        const answers = await Promise.all(paths.flatMap((path) => [page(path), ask(path)]));
        return answers.map(({ text }) => text.replace(tokens, ""));
      };
      const fast = await all();
      await app.close();
      app = await openApp(app.root, { values: { ...values, FW_DATABASE_FAST: "off" } });
      for (const [at, text] of (await all()).entries()) assert.ok(text === fast[at], `${paths[at >> 1]}: ${text}`);
    });
  });

describe("Columns for addresses, at boot", (it) => {
  const refused = async (code: string, changes: Record<string, string>, sentence: RegExp) => {
    const { message } = await throwsCode(code, () => openMigrated(writeApp({ ...tenantFiles, ...changes })));
    assert.match(message, sentence);
  };
  it("A column that is not unique is refused with the index to add", () =>
    refused(
      "FW_PARAM_UNIQUE",
      slugFiles('t.string("slug");'),
      /Post.*"slug".*not unique.*addIndex\("posts", \["slug"\], \{ unique: true \}\)/s,
    ));
  it("A column that is not there, or of a kind that no address has, is refused", async () => {
    await refused(
      "FW_MODEL_SHAPE",
      slugFiles('t.string("slugg").unique();'),
      /paramKey for "slug".*Did you mean "slugg"/s,
    );
    await refused("FW_PARAM_KEY", slugFiles('t.date("slug").unique();'), /of the type date/);
  });
});
