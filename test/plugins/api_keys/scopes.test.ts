import type { OpenApiDocument } from "../../../plugins/openapi/index.ts";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { createKey, type KeyClient, openKeys } from "./keys_app.ts";

const posts = "/customer/1/posts";

for (const database of await databases({ withPostgres: true })) {
  describe(`What scopes of API keys open, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let reader: KeyClient;
    let writer: KeyClient;
    if (database.skip === undefined) {
      before(async () => {
        app = await openKeys(await database.values());
        reader = await createKey(app, "ann", "posts:read");
        writer = await createKey(app, "ann", "posts:write");
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);
    const knex = () => databaseOf(app.application).knex;
    const forget = () => knex()("user_api_keys").where({ account_id: 3 }).delete();
    const titled = (title: string) => ({ post: { title, status: "live", author_id: 1 } });

    can(
      "A key that may read reads lists and records, and is 403 with the missing scope for all that writes",
      async () => {
        const list = await reader.get(`${posts}.json`);
        assert.is(list.status, 200, list.text);
        assert.is(list.body.data[0]?.title, "Post Alpine");
        assert.is((await reader.get(`${posts}/1`)).status, 200, "a bearer is answered in JSON");
        const refused = await reader.send("POST", posts, titled("No"));
        assert.equal([refused.status, refused.body.code], [403, "FW_API_KEY_SCOPE"]);
        assert.match(refused.text, "posts:write");
        assert.match(refused.headers.get("content-type")!, "application/problem+json");
        assert.is((await knex()("posts").where({ title: "No" })).length, 0);
      },
    );

    can("Of every route of the portal, a key opens those that its scope is for, and no other one", async () => {
      const { routes } = app.application.routeSets.get("CustomerPortal")!;
      const registry = app.application.kernel.service("resources").registry;
      const opened: string[] = [];
      for (const route of routes) {
        const path = `/customer/1${`/${route.pattern}`.replace(/\/+/g, "/")}`
          .replace(/:action_key/, "publish")
          .replace(/:association/, "author")
          .replaceAll(/:\w+/g, "1")
          .replace(/\/$/, "");
        if (/:(?:user|category|organization|comment)_id\b/.test(route.pattern)) continue; // as below posts
        const answer = await reader.send(route.verb, path, route.verb === "GET" ? undefined : {});
        const isRefused = /^FW_API_KEY/.test(String(answer.body.code));
        assert.is(answer.status < 400 && /<!doctype|<body|<form/i.test(answer.text), false, `a page: ${route.pattern}`);
        if (!isRefused) opened.push(`${route.verb} ${route.pattern}`);
        else
          assert.match(
            String(answer.body.code),
            /^FW_API_KEY_(?:SCOPE|CLOSED|FORMAT)$/,
            `${route.verb} ${route.pattern}`,
          );
        const about = registry.routes.get(route);
        if (route.metadata.checksScopes) continue; // its records are those of the scopes
        if (about?.registration.path !== "posts" || route.verb !== "GET")
          assert.ok(isRefused, `${route.verb} ${route.pattern}`);
      }
      assert.is(
        opened.some((one) => /\/new$|\/edit$|actions|panels|duplicate/.test(one)),
        false,
        opened.join("\n"),
      );
      assert.ok(opened.includes("GET /posts") || opened.includes("GET posts"), opened.join("\n"));
      assert.is(
        opened.some((one) => /typeahead|options|_live/.test(one)),
        false,
        opened.join("\n"),
      );
    });

    can(
      "The search of a portal finds records of the resources that the key may read, and offers it no pages",
      async () => {
        const search = `/customer/1/_search.json`;
        const found = await reader.get(`${search}?q=Alpine`);
        assert.equal(
          (found.body.data as unknown as { resource: string }[]).map(({ resource }) => resource),
          ["posts"],
        );
        const none = await createKey(app, "ann", "notes:delete");
        assert.equal((await none.get(`${search}?q=Alpine`)).body.data, []);
        assert.match((await reader.get(search)).text, '"actions":[]');
        assert.is((await reader.get("/customer/1/_search", { accept: "text/html" })).status, 406);
        await forget();
      },
    );

    can("Writing includes reading and the actions, and not deleting", async () => {
      const created = await writer.send("POST", posts, titled("Written"));
      assert.is(created.status, 201, created.text);
      const at = `${posts}/${created.body.data.id}`;
      assert.is((await writer.get(at)).status, 200);
      assert.is((await writer.send("PATCH", at, { post: { title: "Changed" } })).status, 200);
      assert.is((await writer.send("POST", `${at}/actions/publish`, {})).status, 200);
      const deleted = await writer.send("DELETE", at);
      assert.equal([deleted.status, deleted.body.code], [403, "FW_API_KEY_SCOPE"]);
      assert.match(deleted.text, "posts:delete");
      const bulk = await writer.send("POST", `${posts}/bulk/destroy`, { ids: [created.body.data.id] });
      assert.equal([bulk.status, bulk.body.code], [403, "FW_API_KEY_SCOPE"], bulk.text);
      const deleter = await createKey(app, "ann", "posts:delete");
      assert.is((await deleter.get(at)).status, 403, "it may not read");
      assert.ok([200, 204].includes((await deleter.send("DELETE", at)).status));
      assert.is((await knex()("posts").where({ title: "Changed" })).length, 0);
      await knex()("user_api_keys").where({ id: deleter.id }).delete();
    });

    can("The scope of an action opens that action alone", async () => {
      const publisher = await createKey(app, "cat", "posts:publish");
      assert.is((await publisher.send("POST", `${posts}/1/actions/publish`, {})).status, 200);
      assert.is((await publisher.get(posts)).status, 403);
      assert.is((await publisher.send("PATCH", `${posts}/1`, { post: { title: "x" } })).status, 403);
      await forget();
    });

    can("Another resource needs its own scope: below a parent, and in the choices of a form, too", async () => {
      const nested = await reader.get(`${posts}/1/nested_comments`);
      assert.equal([nested.status, nested.body.code], [403, "FW_API_KEY_SCOPE"]);
      assert.match(nested.text, "comments:read");
      const choices = await reader.get(`${posts}/typeahead/author?q=a`);
      assert.equal([choices.status, choices.body.code], [403, "FW_API_KEY_SCOPE"]);
      assert.match(choices.text, "users:read");
      const both = await createKey(app, "cat", "posts:read comments:read users:read");
      assert.is((await both.get(`${posts}/1/nested_comments`)).status, 200);
      assert.is((await both.get(`${posts}/typeahead/author?q=a`)).status, 200);
      await forget();
    });

    can("What a program includes needs the scope of its resource, at every step of its way", async () => {
      await knex()("comments").insert({ id: 900, title: "For other eyes", post_id: 1 });
      for (const path of [`${posts}/1?include=comments`, `${posts}/1?include=author`, `${posts}.json?include=author`]) {
        const { status, body, text } = await reader.get(path);
        assert.equal([status, body.code], [403, "FW_API_KEY_SCOPE"], `${path} ${text}`);
        assert.match(text, path.includes("comments") ? "comments:read" : "users:read");
      }
      const commenter = await createKey(app, "cat", "comments:read");
      const commented = "/customer/1/comments/900";
      assert.is((await commenter.get(commented)).status, 200);
      assert.is((await commenter.get(`${commented}?include=post`)).status, 403);
      const both = await createKey(app, "cat", "comments:read posts:read");
      const far = await both.get(`${commented}?include=post.author`);
      assert.equal([far.status, far.body.code], [403, "FW_API_KEY_SCOPE"], far.text);
      const near = await both.get(`${posts}/1?include=comments`);
      assert.is(near.status, 200, near.text);
      assert.match(near.text, "For other eyes");
      await knex()("comments").where({ id: 900 }).delete();
      await forget();
    });

    can("A star is every resource; a person's policies and tenants apply as always", async () => {
      const all = await createKey(app, "ann", "*:read");
      for (const name of ["posts", "comments", "users", "notes"])
        assert.is((await all.get(`/customer/1/${name}`)).status, 200, name);
      assert.is((await all.send("POST", posts, titled("No"))).status, 403);
      assert.is((await all.get("/customer/2/posts")).status, 404, "another tenant");
      assert.is((await all.get("/customer/1")).body.code, "FW_API_KEY_CLOSED");
      for (const path of ["/customer/1/_history", "/customer/1/openapi.json", "/customer/1/_keys"])
        assert.is((await all.get(path)).status, 403, path);
      await knex()("user_api_keys").where({ id: all.id }).delete();
    });

    can("A page is refused to a key, and a key in the query is none", async () => {
      const page = await reader.get(posts, { accept: "text/html" });
      assert.equal([page.status, /Post Alpine/.test(page.text)], [406, false]);
      const query = await app.request(`${posts}.json?access_token=${reader.key}&api_key=${reader.key}`);
      assert.is(query.status, 401);
    });

    can("An answer that is sent again is for the same key alone", async () => {
      const headers = { "idempotency-key": "once" };
      const first = await writer.send("POST", posts, titled("Once"), headers);
      assert.is(first.status, 201, first.text);
      const again = await writer.send("POST", posts, titled("Once"), headers);
      assert.equal([again.status, again.headers.get("idempotency-replayed")], [201, "true"]);
      const other = await reader.send("POST", posts, titled("Once"), headers);
      assert.equal([other.status, other.body.code, other.text.includes("Once")], [403, "FW_API_KEY_SCOPE", false]);
      const second = await createKey(app, "ann", "posts:write");
      const own = await second.send("POST", posts, titled("Once"), headers);
      assert.equal([own.status, own.headers.get("idempotency-replayed")], [201, null]);
      assert.is((await knex()("posts").where({ title: "Once" })).length, 2);
      await knex()("user_api_keys").where({ id: second.id }).delete();
    });

    can("The history of what a key changed names the key, and nothing secret", async () => {
      const named = await createKey(app, "cat", "posts:write", { name: "Importer at night" });
      const { body } = await named.send("POST", posts, titled("By a key"));
      const row = await knex()("framewright_history")
        .where({ record: String(body.data.id), model: "Post" })
        .first();
      assert.equal([row.means, row.source], ["key", "Importer at night"]);
      assert.is(JSON.stringify(row).includes(named.key), false);
      const cat = app.client();
      await cat.submit("/users/login", { login: "cat@example.test", password: "correct horse battery" });
      assert.match(await cat.page(`${posts}/${body.data.id}/history`), "by a program with the key Importer at night");
      await forget();
    });

    can("The document of OpenAPI describes keys for reading and for writing", async () => {
      const ann = app.client();
      await ann.submit("/users/login", { login: "ann@example.test", password: "correct horse battery" });
      const { body } = await ann.json<OpenApiDocument>("/customer/1/openapi.json");
      assert.is(body.components.securitySchemes.apiKey?.scheme, "bearer");
      assert.ok(body.security.some((one: object) => "apiKey" in one));
      const writes = Object.values(body.paths).flatMap(({ post }) => (post?.security ? [post.security] : []));
      assert.ok(writes.length > 0);
      for (const security of writes) assert.ok(security.some((one) => "apiKey" in one));
    });
  });
}
