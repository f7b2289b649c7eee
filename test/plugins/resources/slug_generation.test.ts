import { slugOf } from "framewright/plugins/database";
import { type TestApp, writeApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf, openMigrated } from "../../support/shop.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";
import { slugFiles } from "./slugs_app.ts";

// Slugs that a model makes of a title, for the whole table and within a tenant.

type Row = Record<string, unknown>;
const json = { accept: "application/json", "content-type": "application/json" };
const perTenant = slugFiles(
  't.string("slug");\n    t.index(["organization_id", "slug"], { unique: true });',
  'static override slug = { from: "title", scope: "organization" };',
);
const routes = "config/routes.ts";

const senderOf =
  (app: () => TestApp) =>
  async (method: string, path: string, body?: unknown, user = 1) => {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const answer = await app().request(path, { ...init, headers: { ...json, "x-user": String(user) } });
    const text = await answer.text();
    return {
      status: answer.status,
      text,
      location: answer.headers.get("location"),
      body: (text === "" ? {} : JSON.parse(text)) as { data: Row; errors: Row },
    };
  };

for (const database of await databases()) {
  describe(`Slugs that are made, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        const files = slugFiles('t.string("slug", 60).unique();', 'static override slug = { from: "title" };');
        app = await openTenants(files, await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);
    const send = senderOf(() => app);
    const create = async (post: Row) => {
      const answer = await send("POST", "/customer/1/posts", { post });
      assert.is(answer.status, 201, answer.text);
      return answer.body.data.slug as string;
    };

    can("A slug is made of the title in ASCII, within the column, and never a word of a route", async () => {
      assert.is(await create({ title: "Crème & Brûlée, groß!" }), "creme-and-brulee-gross");
      assert.is(await create({ title: "New" }), "new-2");
      assert.is(await create({ title: "Archive", slug: "" }), "archive-2");
      assert.is(await create({ title: "x", slug: "Of_my-own" }), "Of_my-own");
      assert.match(await create({ title: "東京" }), /^post-[0-9a-f]{8}$/);
      const long = await create({ title: "many words ".repeat(20) });
      assert.match(long, /^(many-words-?)+(-many)?$/);
      assert.ok(long.length <= 51, long);
      assert.is((await send("GET", "/customer/1/posts/creme-and-brulee-gross")).status, 200);
    });

    can("Equal titles are numbered, also where many are created at once", async () => {
      const slugs = await Promise.all(Array.from({ length: 12 }, () => create({ title: "Same title" })));
      assert.is(new Set(slugs).size, 12, slugs.join());
      assert.ok(slugs.includes("same-title") && slugs.includes("same-title-2"), slugs.join());
      for (const slug of slugs) assert.match(slug, /^same-title(-[2-9]|-[0-9a-f]{8})?$/);
    });

    can("A renamed record keeps its slug, and gets another where the empty one is sent", async () => {
      const slug = await create({ title: "Before" });
      const renamed = await send("PATCH", `/customer/1/posts/${slug}`, { post: { title: "After" } });
      assert.is(renamed.body.data.slug, "before");
      const asked = await send("PATCH", `/customer/1/posts/${slug}`, { post: { slug: "" } });
      assert.is(asked.body.data.slug, "after", asked.text);
      const both = await send("PATCH", "/customer/1/posts/after", { post: { title: "Later", slug: null } });
      assert.is(both.body.data.slug, "later", both.text);
    });

    can(
      "A record from before gets its slug with its next title; several that change at once don't share one",
      async () => {
        const { knex } = databaseOf(app.application);
        await knex("posts").insert({ id: 900, title: "Old", status: "live", organization_id: 1 });
        const saved = await send("PATCH", "/customer/1/posts/900", { post: { title: "Old one" } });
        assert.is(saved.body.data.slug, "old-one", saved.text);
        const model = databaseOf(app.application).model("Post");
        await model.class
          .query()
          .whereIn("id", [1, 2])
          .patch({ title: "Equal" } as never);
        assert.equal(await knex("posts").whereIn("id", [1, 2]).pluck("slug"), [null, null]);
      },
    );
  });

  describe(`Slugs within a tenant, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(
          {
            ...perTenant,
            [routes]: tenantFiles[routes]!.replace(
              "export default",
              'import Post from "../app/models/post.ts";\nexport default',
            ).replace("(routes) => {", "(routes) => {\n  routes.registerResource(Post, { associations: [] });"),
          },
          await database.values(),
        );
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);
    const send = senderOf(() => app);

    can("Two tenants have the same slug, and neither is told of the other's", async () => {
      for (const [tenant, user] of [
        [1, 1],
        [2, 2],
      ] as const) {
        const answer = await send("POST", `/customer/${tenant}/posts`, { post: { title: "Hello world" } }, user);
        assert.equal([answer.status, answer.location], [201, `/customer/${tenant}/posts/hello-world`], answer.text);
        const taken = await send(
          "POST",
          `/customer/${tenant}/posts`,
          { post: { title: "x", slug: "hello-world" } },
          user,
        );
        assert.equal([taken.status, taken.body.errors], [422, { slug: ["has already been taken"] }]);
      }
      const [own, foreign] = [
        await send("GET", "/customer/1/posts/hello-world"),
        await send("GET", "/customer/2/posts/hello-world", undefined, 2),
      ];
      assert.not.equal(own.body.data.id, foreign.body.data.id);
      const free = await send("POST", "/customer/1/posts", { post: { title: "x", slug: "only-theirs" } });
      assert.is(free.status, 201);
      const same = await send("POST", "/customer/2/posts", { post: { title: "y", slug: "only-theirs" } }, 2);
      assert.is(same.status, 201, same.text);
    });

    can("Where the portal is not the tenant's, addresses have the id", async () => {
      const registry = app.application.kernel.service("resources").registry;
      assert.equal(
        registry
          .all()
          .filter(({ constant }) => constant === "Post")
          .map(({ owner, paramKey }) => `${owner}: ${paramKey}`)
          .sort(),
        ["CustomerPortal: slug", "DomainPortal: slug", "GuestPortal: slug", "undefined: id"],
      );
    });
  });
}

describe("The text of a slug", (it) => {
  it("It is lower-case ASCII, cut between words", () => {
    assert.is(slugOf("  Ångström’s  Łódź_Straße -- 2.0 "), "angstroms-lodz-strasse-2-0");
    assert.is(slugOf("!?"), "");
    assert.is(slugOf("one two three", 8), "one-two");
    assert.is(slugOf("abcdefghijkl", 8), "abcdefgh");
  });
  it("A slug without an index within its scope, or of what is not there, is refused at boot", async () => {
    const open = (declared: string, column = 't.string("slug").unique();') =>
      openMigrated(writeApp({ ...tenantFiles, ...slugFiles(column, declared) }));
    const scoped = 'static override slug = { from: "title", scope: "organization" };';
    const { message } = await throwsCode("FW_PARAM_UNIQUE", () => open(scoped, 't.string("slug");'));
    assert.match(message, /addIndex\("posts", \["organization_id","slug"\], \{ unique: true \}\)/);
    const unknown = await throwsCode("FW_SLUG", () => open('static override slug = { from: "titel" };'));
    assert.match(unknown.message, /Post.*"titel"/);
    await throwsCode("FW_SLUG", () => open('static override slug = { from: "title", scop: 1 } as never;'));
  });
});
