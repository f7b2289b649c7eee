import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openShop } from "../../support/shop.ts";

const accept = { accept: "application/json" };
const json = { ...accept, "content-type": "application/json" };
const posts = "/admin/blogging/posts";
type Body = { data: Record<string, unknown>; errors: Record<string, string[]> };

for (const database of await databases({ withPostgres: true })) {
  describe(`Resources, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openShop({}, await database.values());
        const { knex } = databaseOf(app.application);
        const stamps = { created_at: "2026-01-01 10:00:00.000", updated_at: "2026-01-01 10:00:00.000" };
        await knex("authors").insert({ name: "Ada", email: "ada@x.test", ...stamps });
        await knex("authors").insert({ name: "Bo & Co", email: "bo@x.test", ...stamps });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const send = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
      app.request(path, { method, headers: { ...json, ...headers }, body: JSON.stringify(body) });
    const create = async (values: Record<string, unknown>) => {
      const answer = await send("POST", posts, { blogging_post: values });
      return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Body };
    };
    const get = async (path: string) => {
      const answer = await app.request(path, { headers: accept });
      return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Body };
    };
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);

    can("Creating a record is 201 with Location, and only permitted attributes are written and read", async () => {
      const made = await create({
        title: "One",
        author: 1,
        price: "12.50",
        published_at: "2026-03-01T10:00:00Z",
        secret_token: "marked",
        id: 99,
      });
      assert.is(made.status, 201);
      const id = made.body.data.id as number;
      assert.is(made.headers.get("location"), `${posts}/${id}`);
      const { body } = await get(`${posts}/${id}`);
      assert.equal(body.data.author, { id: 1, label: "Ada" });
      assert.is(body.data.price, "12.50");
      assert.is(body.data.published_at, "2026-03-01T10:00:00.000Z");
      assert.is(body.data.status, "draft");
      assert.is("secret_token" in body.data, false);
      const { knex } = databaseOf(app.application);
      assert.is((await knex("blogging_posts").where({ id }).first()).secret_token, null);
    });
    can("Invalid values are 422 with an error for each field", async () => {
      const { status, body } = await create({
        title: "",
        author: 999,
        price: "12.345",
        position: "x",
        due_on: "2026-02-30",
        published: "maybe",
      });
      assert.is(status, 422);
      assert.equal(Object.keys(body.errors).sort(), ["author", "due_on", "position", "price", "published", "title"]);
      const second = await create({ title: "x".repeat(101), price: "12.345" });
      assert.equal(Object.keys(second.body.errors).sort(), ["price", "title"]);
    });
    can("Values of a wrong shape are 422 by name, and a missing form key is 400", async () => {
      const { status, body } = await create({ title: { deep: 1 }, status: ["a"] });
      assert.is(status, 422);
      assert.equal(Object.keys(body.errors).sort(), ["status", "title"]);
      assert.is((await send("POST", posts, { post: {} })).status, 400);
      assert.is((await send("POST", posts, { blogging_post: "text" })).status, 422);
    });
    can("A list has a total, search, filters, scopes, sorts and pages", async () => {
      for (const [title, status] of [
        ["Alpha", "live"],
        ["Beta", "draft"],
        ["100%", "live"],
      ] as const)
        await create({ title, status, author: 2 });
      const list = async (query: string) => {
        const { status, body } = await get(`${posts}?${query}`);
        const { data, meta } = body as unknown as { data: { title: string }[]; meta: { total: number } };
        return { status, titles: data?.map(({ title }) => title), total: meta?.total };
      };
      assert.equal((await list("sort=title&per_page=2")).titles, ["100%", "Alpha"]);
      assert.equal((await list("sort=title&per_page=2&page=2")).titles, ["Beta", "One"]);
      assert.is((await list("sort=title&per_page=2")).total, 4);
      assert.equal((await list("q=100%25")).titles, ["100%"]);
      assert.equal((await list("q=%25")).titles, ["100%"]);
      assert.equal((await list("scope=live&sort=-title")).titles, ["Alpha", "100%"]);
      assert.equal((await list("filter[status]=draft&sort=title")).titles, ["Beta", "One"]);
    });
    can("Sorts and filters by hidden names are refused with the same answer as by unknown names", async () => {
      const [hidden, unknown] = await Promise.all([
        app.request(`${posts}?sort=secret_token`, { headers: accept }),
        app.request(`${posts}?sort=nonsense`, { headers: accept }),
      ]);
      assert.is(hidden.status, 422);
      assert.is(await hidden.text(), await unknown.text());
      const [one, two] = await Promise.all([
        app.request(`${posts}?filter[secret_token]=a`, { headers: accept }),
        app.request(`${posts}?filter[nonsense]=a`, { headers: accept }),
      ]);
      assert.is(await one.text(), await two.text());
      assert.is((await app.request(`${posts}?filter[status][x]=1`, { headers: accept })).status, 422);
      assert.is((await app.request(`${posts}?page=0`, { headers: accept })).status, 422);
      assert.is((await app.request(`${posts}?filter[author]=1abc`, { headers: accept })).status, 422);
    });
    can("An id that is not in canonical form gets the same 404 as an absent record", async () => {
      const absent = await app.request(`${posts}/999`, { headers: accept });
      const bytes = await absent.text();
      for (const id of ["1abc", "01", "1e0", "9007199254740993", "+1", "%201", "0", "-1", "1.0"]) {
        const answer = await app.request(`${posts}/${id}`, { headers: accept });
        assert.is(answer.status, 404, id);
        assert.is(await answer.text(), bytes, id);
      }
    });
    can("An update or a deletion with an outdated If-Match is 409, and without one it succeeds", async () => {
      const made = await create({ title: "Versioned" });
      const path = `${posts}/${made.body.data.id}`;
      const etag = (await get(path)).headers.get("etag")!;
      assert.is((await send("PATCH", path, { blogging_post: { title: "First" } }, { "if-match": etag })).status, 200);
      assert.is((await send("PATCH", path, { blogging_post: { title: "Second" } }, { "if-match": etag })).status, 409);
      assert.is((await get(path)).body.data.title, "First");
      assert.is((await send("DELETE", path, {}, { "if-match": etag })).status, 409);
      assert.is((await send("DELETE", path, {})).status, 204);
      assert.is((await get(path)).status, 404);
    });
    can("A deletion or a creation that the policy denies is 403", async () => {
      const made = await create({ title: "Kept" });
      assert.is((await send("DELETE", `${posts}/${made.body.data.id}`, {})).status, 403);
      assert.is((await send("POST", "/admin/authors", { author: { name: "x" } })).status, 403);
    });
    can("Nested routes of has-many and has-one are confined to the parent", async () => {
      const [a, b] = [await create({ title: "Parent A" }), await create({ title: "Parent B" })];
      const nested = `${posts}/${a.body.data.id}/nested_comments`;
      const made = await send("POST", nested, { blogging_comment: { body: "Nested" } });
      assert.is(made.status, 201);
      const id = ((await made.json()) as Body).data.id;
      assert.is(made.headers.get("location"), `${nested}/${id}`);
      assert.is((await get(`${posts}/${b.body.data.id}/nested_comments/${id}`)).status, 404);
      assert.is((await get(`${posts}/99999/nested_comments`)).status, 404);
      const moved = await send("PATCH", `${nested}/${id}`, {
        blogging_comment: { body: "Still", post: b.body.data.id },
      });
      assert.is(moved.status, 200);
      assert.is((await get(`${nested}/${id}`)).body.data.body, "Still");
      const note = `${posts}/${a.body.data.id}/nested_note`;
      assert.is((await get(note)).status, 404);
      assert.is((await send("POST", note, { blogging_note: { title: "Only" } })).status, 201);
      assert.is((await get(note)).body.data.title, "Only");
      assert.is((await send("POST", note, { blogging_note: { title: "Again" } })).status, 409);
      assert.is((await send("DELETE", `${posts}/${a.body.data.id}`, {})).status, 409);
    });
    can("A custom route runs on its record, and has a URL only when it is drawn with as:", async () => {
      const made = await create({ title: "Custom" });
      const path = `${posts}/${made.body.data.id}`;
      assert.equal((await get(`${path}/preview`)).body as unknown, { preview: "Custom", url: `${path}/preview` });
      assert.is((await get(`${posts}/999/preview`)).status, 404);
      assert.is((await get(`${posts}/report`)).status, 200);
      assert.is((await get(`${path}/nameless`)).status, 500);
    });
    can("An interaction that fails undoes what it wrote, and one that the policy denies is 404", async () => {
      const made = await create({ title: "Act" });
      const path = `${posts}/${made.body.data.id}`;
      const act = (note: string | undefined) =>
        send("POST", `${path}/actions/publish`, { interaction: note === undefined ? {} : { note } });
      assert.is((await act(undefined)).status, 422);
      assert.is((await act("bad")).status, 422);
      assert.is((await get(path)).body.data.status, "draft");
      assert.is((await act("good")).status, 200);
      assert.is((await get(path)).body.data.status, "live");
      assert.is((await act("again")).status, 404);
      assert.is((await send("POST", `${posts}/actions/tidy`, {})).status, 200);
      assert.is((await send("POST", `${posts}/actions/nonsense`, {})).status, 404);
    });
    can("The typeahead offers choices for a writable association and is 404 for any other name", async () => {
      const found = await get(`${posts}/typeahead/author?q=Bo%20%26`);
      assert.equal(found.body.data as unknown, [{ id: 2, label: "Bo & Co" }]);
      assert.is((await get(`${posts}/typeahead/comments`)).status, 404);
      assert.is((await get(`${posts}/typeahead/nonsense`)).status, 404);
    });
    can("A list of ten rows takes as many queries as one of two", async () => {
      const { knex } = databaseOf(app.application);
      let queries = 0;
      knex.on("query", () => queries++);
      const count = async (query: string) => {
        queries = 0;
        await app.request(`${posts}?${query}`);
        return queries;
      };
      for (let index = 0; index < 12; index++) await create({ title: `Many ${index}`, author: (index % 2) + 1 });
      assert.is(await count("per_page=2"), await count("per_page=10"));
    });
    can("Records are created, edited and deleted by forms without JavaScript", async () => {
      const client = app.client();
      const bad = await client.submit(`${posts}/new`, {
        "blogging_post[title]": "",
        "blogging_post[body]": "Kept <b>text</b>",
      });
      assert.is(bad.status, 422);
      const html = await bad.text();
      assert.match(html, /Kept &lt;b&gt;text&lt;\/b&gt;/);
      assert.match(html, /aria-invalid="true"/);
      const made = await client.submit(`${posts}/new`, {
        "blogging_post[title]": "By form",
        "blogging_post[published]": "1",
        "blogging_post[author]": "1",
      });
      assert.is(made.status, 303);
      const path = made.headers.get("location")!;
      assert.match(await client.page(path), /By form was created/);
      assert.is(/was created/.test(await client.page(path)), false);
      const saved = await client.submit(`${path}/edit`, { "blogging_post[title]": "Edited" });
      assert.is(saved.status, 303);
      assert.match(await client.page(path), /<h1>Edited<\/h1>/);
      const gone = await client.submit(`${path}/actions/destroy`, {});
      assert.is(gone.status, 303);
      assert.is((await client.request(path)).status, 404);
    });
    can(
      "What is saved is taken field by field on the page of a conflict, and nothing is written until it is sent",
      async () => {
        const made = await create({ title: "Shared", body: "start" });
        const path = `${posts}/${made.body.data.id}`;
        const client = app.client();
        const form = await client.page(`${path}/edit`);
        const hidden = (html: string) => {
          const fields = new URLSearchParams();
          for (const [, name, value] of html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g))
            fields.append(name!, value!);
          return fields;
        };
        await send("PATCH", path, { blogging_post: { title: "Theirs", body: "theirs" } });
        const body = hidden(form);
        body.set("blogging_post[title]", "Mine");
        body.set("blogging_post[body]", "mine");
        const conflict = await (await client.request(path, { method: "POST", body })).text();
        const rows = (html: string) => [...html.matchAll(/name="_use_saved" value="(\w+)"/g)].map(([, name]) => name);
        assert.equal(rows(conflict), ["title", "body"]);
        body.set("lock_version", hidden(conflict).get("lock_version")!);
        body.set("_use_saved", "title");
        const again = await client.request(path, { method: "POST", body });
        assert.is(again.status, 409);
        const html = await again.text();
        assert.equal(rows(html), ["body"]);
        assert.match(html, /<input(?=[^>]*name="blogging_post\[title\]")[^>]*value="Theirs"/);
        assert.match(html, />\s*mine<\/textarea>/);
        assert.is((await get(path)).body.data.body, "theirs");
        for (const name of ["body", "no_such_field", "__proto__", "id"]) {
          body.set("_use_saved", name);
          const other = await client.request(path, { method: "POST", body });
          assert.is(other.status, 409, name);
        }
        assert.equal((await get(path)).body.data.title, "Theirs");
        body.delete("_use_saved");
        body.set("blogging_post[title]", "Theirs");
        assert.is((await client.request(path, { method: "POST", body })).status, 303);
        const { title, body: text } = (await get(path)).body.data;
        assert.equal([title, text], ["Theirs", "mine"]);
      },
    );
    can("What only they changed stays as they saved it, and what only I changed is mine", async () => {
      const made = await create({ title: "Shared", body: "start\nof it" });
      const path = `${posts}/${made.body.data.id}`;
      const client = app.client();
      const form = await client.page(`${path}/edit`);
      const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
      const begun = Object.fromEntries(hidden.map(([, name, value]): [string, string] => [name!, value!]));
      await send("PATCH", path, { blogging_post: { body: "theirs" } });
      const typed = { "blogging_post[title]": "Mine", "blogging_post[body]": "start\r\nof it" };
      const body = new URLSearchParams({ ...begun, ...typed });
      const conflict = await client.request(path, { method: "POST", body });
      assert.is(conflict.status, 409);
      const html = await conflict.text();
      assert.match(html, />\s*theirs<\/textarea>/, "the form has their value");
      assert.match(html, /Changed by you.*name="_use_saved" value="title".*Changed by others: kept as saved.*theirs/s);
      assert.not.match(html, "Changed by both");
      const again = new URLSearchParams();
      for (const [, name, value] of html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g))
        again.set(name!, value!);
      again.set("blogging_post[title]", "Mine");
      again.set("blogging_post[body]", "theirs");
      assert.is((await client.request(path, { method: "POST", body: again })).status, 303);
      const { title, body: text } = (await get(path)).body.data;
      assert.equal([title, text], ["Mine", "theirs"]);
    });
    can("A form that is sent again without a conflict writes what was changed alone", async () => {
      const made = await create({ title: "Long", body: "kept" });
      const path = `${posts}/${made.body.data.id}`;
      const client = app.client();
      const form = await client.page(`${path}/edit`);
      const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
      const body = new URLSearchParams(Object.fromEntries(hidden.map(([, name, value]) => [name!, value!])));
      await databaseOf(app.application)
        .knex("blogging_posts")
        .where({ id: made.body.data.id })
        .update({ title: "x".repeat(9) });
      const now = await client.page(`${path}/edit`);
      body.set("lock_version", /name="lock_version" value="([^"]+)"/.exec(now)![1]!);
      const values = hidden.find(([, name]) => name === "_originals")![2]!;
      assert.match(values, /^[\w-]{16,}$/, "marks, and no values");
      body.set("blogging_post[title]", "Long");
      body.set("blogging_post[body]", "changed");
      assert.is((await client.request(path, { method: "POST", body })).status, 303);
      const { title, body: text } = (await get(path)).body.data;
      assert.equal([title, text], ["x".repeat(9), "changed"], "the title was left alone");
    });
    can("A program gets by 409 what is saved of what it sent, and the version to send next", async () => {
      const made = await create({ title: "Shared", body: "start" });
      const path = `${posts}/${made.body.data.id}`;
      const etag = made.headers.get("etag") ?? (await get(path)).headers.get("etag")!;
      await send("PATCH", path, { blogging_post: { title: "Theirs" } });
      const late = await send("PATCH", path, { blogging_post: { title: "Mine", body: "start" } }, { "if-match": etag });
      assert.is(late.status, 409);
      assert.equal(((await late.json()) as { errors: unknown }).errors, { title: ["is saved as “Theirs” by now"] });
      const next = late.headers.get("etag")!;
      assert.is((await send("PATCH", path, { blogging_post: { title: "Mine" } }, { "if-match": next })).status, 200);
    });
    can("A conflicting edit is 409 with both values, and overwrites the other when it is sent again", async () => {
      const made = await create({ title: "Shared", body: "start" });
      const path = `${posts}/${made.body.data.id}`;
      const client = app.client();
      const form = await client.page(`${path}/edit`);
      await send("PATCH", path, { blogging_post: { body: "theirs" } });
      const fields = Object.fromEntries(
        [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
          name!,
          value!,
        ]),
      );
      const body = new URLSearchParams({
        ...fields,
        "blogging_post[title]": "Shared",
        "blogging_post[body]": "mine",
      });
      const conflict = await client.request(path, { method: "POST", body });
      assert.is(conflict.status, 409);
      const html = await conflict.text();
      assert.match(html, /theirs/);
      assert.match(html, /mine/);
      const version = /name="lock_version" value="([^"]+)"/.exec(html)![1]!;
      assert.is(version === fields.lock_version, false);
      body.set("lock_version", version);
      assert.is((await client.request(path, { method: "POST", body })).status, 303);
      assert.is((await get(path)).body.data.body, "mine");
    });
  });
}
