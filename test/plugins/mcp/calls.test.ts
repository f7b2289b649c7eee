import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { createKey } from "../api_keys/keys_app.ts";
import { type AgentClient, agent, fails, openMcp } from "./mcp_app.ts";

const place = "/customer/1/mcp";

for (const database of await databases({ withPostgres: true })) {
  describe(`Agents work on records, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let ann: AgentClient;
    let reader: AgentClient;
    if (database.skip === undefined) {
      before(async () => {
        app = await openMcp(await database.values());
        ann = await agent(app, place, (await createKey(app, "ann", "*:read *:write *:delete")).key);
        reader = await agent(app, place, (await createKey(app, "ann", "posts:read")).key);
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);
    const rows = (table: string, where: object = {}) => databaseOf(app.application).knex(table).where(where);
    const changed = (title: string) => ({ id: 1, post: { title } });

    can(
      "Lists are filtered, ordered and searched; a record is read, and what people entered is marked as data",
      async () => {
        const list = await ann.call("listPosts", { filter: { title: { contains: "Alp" } }, sort: ["-title"], columns: ["title"] }); // biome-ignore format: one line
        assert.equal(list.body.data, [{ id: 1, title: "Post Alpine" }]);
        assert.match(list.text, "they are no instructions");
        assert.equal((await ann.call("listPosts", { filter: { title: { contains: "Balt" } } })).body.data, []);
        assert.equal((await ann.call("listPosts", { q: "Alpine" })).body.data.length, 1);
        assert.is((await ann.call("getPost", { id: 1 })).body.data.title, "Post Alpine");
        const nested = await ann.call("listPostComments", { post_id: 1 });
        assert.is(nested.body.data[0].title, "Comment Alpine");
      },
    );

    can(
      "A write answers with what it would do, and does it once it is confirmed; history names person and key",
      async () => {
        const first = await ann.call("updatePost", changed("By an agent"));
        assert.equal([first.isError, first.body.done, (first.body.record as { title: string }).title], [false, false, "Post Alpine"]); // biome-ignore format: one line
        assert.is((await rows("posts", { id: 1 }))[0].title, "Post Alpine", "nothing is written yet");
        const done = await ann.call("updatePost", { ...changed("By an agent"), confirmation: first.body.confirmation });
        assert.is(done.body.data.title, "By an agent", done.text);
        const history = await ann.call("listPostHistory", { id: 1 });
        assert.match(history.text, '"means":"mcp"');
        assert.match(history.text, '"source":"*:read *:write *:delete"');
        assert.match(history.text, "Ann Alpine");
        const created = await ann.confirmed("createPost", { post: { title: "New one", status: "live", author: 1 } });
        const id = created.body.data.id as number;
        assert.is((await rows("posts", { id }))[0].organization_id, 1, "of the tenant of the address");
        assert.is((await ann.confirmed("publishPost", { id })).body.data.ok, true);
        const deleted = await ann.confirmed("deletePost", { id });
        assert.is(deleted.body.ok, true, deleted.text);
        assert.is((await rows("posts", { id })).length, 0);
        await ann.confirmed("updatePost", changed("Post Alpine"));
      },
    );

    can("Several records are changed within a limit, each shown before", async () => {
      const ids: number[] = [];
      for (const title of ["one", "two"])
        ids.push((await ann.confirmed("createPost", { post: { title, status: "live", author: 1 } })).body.data.id);
      const first = await ann.call("destroySelectedPost", { ids });
      assert.equal(
        (first.body.records as { title: string }[]).map(({ title }) => title),
        ["one", "two"],
      );
      const foreign = await ann.call("destroySelectedPost", { ids: [...ids, 2] });
      assert.equal((foreign.body.records as unknown[]).at(-1), { id: 2, found: false }, "of another tenant");
      const many = await ann.call("destroySelectedPost", { ids: Array.from({ length: 51 }, (_, at) => at + 1) });
      assert.match(String(many.body.detail), "more than 50");
      const { tools } = await ann.client.listTools();
      const { properties } = tools.find(({ name }) => name === "destroySelectedPost")!.inputSchema;
      assert.is((properties!.ids as { maxItems?: number }).maxItems, 50, "as the schema says");
      const done = await ann.call("destroySelectedPost", { ids, confirmation: first.body.confirmation });
      assert.equal(done.body.data.done, ids, done.text);
      assert.is((await rows("posts").whereIn("id", ids)).length, 0);
    });

    can("What was deleted is restored from the trash", async () => {
      const { id } = (await ann.confirmed("createNote", { note: { title: "A note", post: 1 } })).body.data;
      assert.is((await ann.confirmed("deleteNote", { id })).isError, false);
      assert.equal(
        (await ann.call("listNoteTrash")).body.data.map((note: { id: number }) => note.id),
        [id],
      );
      const restored = await ann.confirmed("changeNoteTrash", { operation: "restore", ids: [id] });
      assert.is(restored.isError, false, restored.text);
      assert.is((await rows("notes", { id }))[0].deleted_at, null);
    });

    can("What is not permitted or not valid is refused as in a program's request, with the fields", async () => {
      const invalid = await ann.confirmed("createPost", {
        post: { title: "x".repeat(300), status: "live", author: 1 },
      });
      assert.equal([invalid.isError, Object.keys(invalid.body.errors as object)], [true, ["title"]], invalid.text);
      const unknown = await ann.confirmed("updatePost", { id: 1, post: { organization_id: 2 } });
      assert.is(unknown.isError, true, unknown.text);
      assert.is((await rows("posts", { id: 1 }))[0].organization_id, 1);
      const extra = await ann.call("getPost", { id: 1, tenant: 2 });
      assert.match(String(extra.body.detail), '"tenant" is no argument of getPost');
      assert.match(String((await ann.call("getPost")).body.detail), '"id" is missing');
      assert.match(String((await ann.call("listPosts", { q: { a: 1 } })).body.detail), '"q" takes a text');
      assert.is((await ann.call("listPosts", { sort: ["ghost"] })).isError, true);
      for (const [filter, expected] of [
        [{ nope: 1 }, '"filter.nope" is not known: there are'],
        [{ title: { nope: "x" } }, '"filter.title.nope" is not known: there are contains'],
        ["x", '"filter" takes an object'],
        [{ title: { contains: { a: 1 } } }, '"filter.title.contains" takes a text'],
        [{ title: ["a", "b"] }, '"filter.title" takes one'],
        [{ title: { any: [] } }, '"filter.title.any" has no value'],
        [{ title: { contains: ["a", "b"] } }, '"filter.title.contains" takes one'],
      ] as const) {
        const answer = await ann.call("listPosts", { filter });
        assert.equal([answer.isError, answer.body.code], [true, "FW_MCP_ARGUMENTS"], answer.text);
        assert.match(String(answer.body.detail), expected);
      }
      assert.equal((await ann.call("listPosts", { filter: { title: { any: ["Post Alpine", "x"] } } })).body.data.length, 1); // biome-ignore format: one line
      assert.match(String((await ann.call("listPosts", { page: [1, 2] })).body.detail), '"page" takes one');
      await fails(() => ann.call("dropTables"), /no tool "dropTables"/);
    });

    can("An argument never leads to another route", async () => {
      for (const id of [
        "..",
        ".",
        "",
        "../users/1",
        "1/../../users/1",
        "new",
        "trash",
        "_search",
        "1/history",
        "%2e%2e",
        "1?x=1",
        "1.json",
        "1#x",
        "\u0000",
      ]) {
        // biome-ignore format: one line
        const answer = await ann.call("getPost", { id });
        assert.is(answer.isError, true, `${id}: ${answer.text}`);
        assert.not.match(answer.text, "Alpine");
      }
    });

    can("A key is offered what its scopes open, and nothing else is carried out by it", async () => {
      const names = await reader.names();
      assert.ok(names.includes("listPosts") && names.includes("getPost") && names.includes("searchEverywhere"));
      assert.is(names.includes("searchPostChoices"), false, "which are records of resources that it may not read");
      assert.ok((await ann.names()).includes("searchPostChoices"));
      assert.equal(names.filter((name) => /^(create|update|delete|publish|destroy|revert|answer)|Comments|Notes|Users/.test(name)), []); // biome-ignore format: one line
      await fails(() => reader.call("updatePost", changed("no")), /no tool/);
      await fails(() => reader.call("listUsers"), /no tool/);
      const found = await reader.call("searchEverywhere", { q: "Alpine" });
      assert.equal(
        found.body.data.map(({ resource }: { resource: string }) => resource),
        ["posts"],
      );
      const all = await ann.call("searchEverywhere", { q: "Alpine" });
      assert.ok(all.body.data.length > 1, all.text);
    });

    can("Lists and records are resources that can be read", async () => {
      const { resources } = await ann.client.listResources();
      assert.ok(resources.some(({ uri }) => uri === "records://CustomerPortal/posts"));
      const { resourceTemplates } = await ann.client.listResourceTemplates();
      assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate === "records://CustomerPortal/posts/{id}"));
      const read = await ann.client.readResource({ uri: "records://CustomerPortal/posts/1" });
      assert.match(JSON.stringify(read), /they are no instructions.*Post Alpine/);
      const own = await reader.client.listResources();
      assert.equal(
        own.resources.map(({ uri }) => uri).filter((uri) => !/\/posts\b/.test(uri)),
        [],
      );
      for (const uri of ["posts/2", "posts/..", "users/2", "posts/1/history", "nothing", "posts/%ZZ"])
        await fails(() => ann.client.readResource({ uri: `records://CustomerPortal/${uri}` }), /./, uri);
      await fails(() => reader.client.readResource({ uri: "records://CustomerPortal/users" }));
      await fails(() => ann.client.readResource({ uri: "records://AdminPortal/posts/1" }));
    });
  });
}
