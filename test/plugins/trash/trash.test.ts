import type { BaseModel, Transaction } from "framewright/plugins/database";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { trashFiles } from "./trash_app.ts";

const as = (id: number) => ({ "x-user": String(id) });
const [ann, bob, cat] = [as(1), as(2), as(3)];
const posts = "/customer/1/posts";
const json = { accept: "application/json", "content-type": "application/json" };

const failureOf = async (work: PromiseLike<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

for (const database of await databases()) {
  describe(`The trash, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const heard: string[] = [];
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(trashFiles("trash({ purgeAfter: { days: 30 } })"), await database.values());
        await knex()("notes").delete();
        await knex()("attachments").delete();
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const knex = () => databaseOf(app.application).knex;
    const model = (name: string) => databaseOf(app.application).model(name).class;
    const service = () => app.application.kernel.service("trash");
    const can = (sentence: string, body: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await knex()("comments").update({ reply_to_id: null });
        for (const table of ["notes", "attachments", "comments", "posts"]) await knex()(table).delete();
        heard.length = 0;
        (globalThis as { heard?: string[] }).heard = heard;
        for (const [id, mark] of [
          [1, "Alpine"],
          [2, "Baltic"],
        ] as const) {
          await knex()("posts").insert({
            id,
            title: `Post ${mark}`,
            status: "live",
            organization_id: id,
            author_id: 3,
            category_id: 1,
          });
          await knex()("comments").insert({ id, title: `Comment ${mark}`, post_id: id });
        }
        await body();
      });
    const page = async (path: string, headers: Record<string, string> = ann) => {
      const response = await app.request(path, { headers });
      return { status: response.status, text: await response.text() };
    };
    const send = async (path: string, body: object, headers: Record<string, string> = ann) => {
      const response = await app.request(path, {
        method: "POST",
        headers: { ...headers, ...json },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
    };
    /** A person with cookies, who follows redirects. */
    const visitor = () => {
      const cookies = new Map<string, string>();
      const visit = async (path: string, body?: URLSearchParams): Promise<string> => {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        const answer = await app.request(path, {
          headers: { ...ann, cookie },
          ...(body ? { method: "POST", body } : {}),
        });
        for (const line of answer.headers.getSetCookie())
          cookies.set(...(line.split(";")[0]!.split(/=(.*)/, 2) as [string, string]));
        return answer.status === 303 ? visit(answer.headers.get("location")!) : answer.text();
      };
      return visit;
    };
    const formOf = (html: string, action: RegExp) => {
      const form = [...html.matchAll(/<form\b[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].find(([, url]) =>
        action.test(url!),
      )!;
      const fields = [...form[2]!.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
      return [
        form[1]!,
        new URLSearchParams(fields.map(([, name, value]) => [name!, value!] as [string, string])),
      ] as const;
    };
    const read = async (path: string, headers: Record<string, string> = ann) =>
      (await (await app.request(path, { headers: { ...headers, accept: "application/json" } })).json()) as {
        data: Record<string, unknown>[];
        meta: { total: number };
      };
    const remove = async (path: string, headers: Record<string, string> = ann) =>
      (await app.request(path, { method: "DELETE", headers: { ...headers, ...json } })).status;
    const row = async (table: string, id: number) =>
      (await knex()(table).where({ id }).first()) as Record<string, unknown> | undefined;

    can("A deleted record is marked, and nobody finds it but in the trash", async () => {
      assert.is(await remove(`${posts}/1`), 204);
      const stored = await row("posts", 1);
      assert.ok(stored!.deleted_at !== null);
      assert.is(stored!.deleted_by, "User/1");
      assert.is((await row("comments", 1))!.deleted_batch, stored!.deleted_batch);
      assert.equal((await read(`${posts}.json`)).data, []);
      assert.is((await read(`${posts}.json`)).meta.total, 0);
      for (const path of [`${posts}/1`, `${posts}/1/edit`, `${posts}/1/comments`, "/customer/1/comments/1"])
        assert.is((await page(path)).status, 404, path);
      for (const path of [
        `${posts}?scope=widest`,
        `${posts}?q[search]=Post`,
        `${posts}?status=live`,
        `${posts}?foreign=1`,
        "/customer/1/comments",
        "/customer/1/comments/typeahead/post?q=Post",
        "/customer/1/comments/new",
        "/customer/1/categories/1",
        `${posts}/export.csv`,
      ])
        assert.not.match((await page(path)).text, "Post Alpine", path);
      const shown = await read(`${posts}/trash.json`);
      assert.equal(
        shown.data.map(({ title, deleted_by }) => [title, deleted_by]),
        [["Post Alpine", "Ann Alpine"]],
      );
      const html = await page(`${posts}/trash`);
      assert.is(html.status, 200);
      assert.match(html.text, "Post Alpine");
      assert.match(html.text, 'value="restore 1"');
      assert.not.match(html.text, 'value="purge 1"');
      assert.match((await page(`${posts}/trash`, cat)).text, 'value="purge 1"');
      assert.match((await page(posts)).text, `href="${posts}/trash"`);
    });

    can("Queries of code leave it out: joins, graphs, counts, updates and keys", async () => {
      const [Post, Comment, User] = [model("Post"), model("Comment"), model("User")];
      await knex()("comments").insert({ id: 5, title: "Deleted alone", post_id: 2 });
      await Comment.query().deleteById(5);
      await Post.query().deleteById(1);
      const length = async (query: PromiseLike<unknown>) => ((await query) as unknown[]).length;
      assert.is(await Post.query().resultSize(), 1);
      assert.is(await length(Post.query().where("id", 1).orWhereRaw("1 = 1")), 1);
      assert.is(await Post.query().findById(1), undefined);
      assert.is(await length(Post.query().withDeleted()), 2);
      assert.is(await length(Post.query().onlyDeleted()), 1);
      const two = (await Post.query().findById(2).withGraphFetched("comments")) as unknown as { comments: unknown[] };
      assert.is(two.comments.length, 1);
      const joined = (await Post.query().withGraphJoined("comments")) as unknown as { comments: unknown[] }[];
      assert.equal(
        joined.map(({ comments }) => comments.length),
        [1],
      );
      assert.is(await length(User.query().joinRelated("posts").where("posts.id", 1)), 0);
      assert.is(await length(User.relatedQuery("posts").for(3)), 1);
      assert.is(await length(User.relatedQuery("posts").for(3).withDeleted()), 2);
      assert.is(await length(User.query().whereExists(User.relatedQuery("posts").where("posts.id", 1))), 0);
      assert.is(
        await Post.query()
          .patch({ title: "New" } as never)
          .where("id", 1),
        0,
      );
      assert.is(await Post.query().deleteById(1), 0, "a second deletion");
      const orphan = (await Comment.query().withDeleted().findById(1).withGraphFetched("post")) as unknown as {
        post: unknown;
      };
      assert.is(orphan.post ?? null, null);
      await knex()("comments").where({ id: 1 }).update({ deleted_at: null });
      const listed = await read("/customer/1/comments.json");
      assert.not.match(JSON.stringify(listed.data), "Post Alpine");
      const late = await failureOf(Comment.query().insert({ title: "Late", post_id: 1 } as never));
      assert.equal(Object.keys((late as { problems?: object }).problems ?? {}), ["post"]);
    });

    can("What must be unique is so among records in use, also at the same time", async () => {
      await remove(`${posts}/1`);
      const body = { post: { title: "Post Alpine", status: "live" } };
      const answers = await Promise.all(Array.from({ length: 8 }, () => send(`${posts}.json`, body)));
      assert.equal(answers.map(({ status }) => status).sort(), [201, ...Array.from({ length: 7 }, () => 422)]);
      const refused = await send(`${posts}/trash.json`, { operation: "restore", ids: ["1"] });
      assert.is(refused.status, 422);
      assert.ok(Array.isArray(refused.body.errors?.title ?? refused.body.fields?.title), JSON.stringify(refused.body));
      assert.ok((await row("posts", 1))!.deleted_at !== null);
      assert.ok((await row("comments", 1))!.deleted_at !== null);
      await knex()("posts").where({ title: "Post Alpine" }).whereNull("deleted_at").update({ title: "Other" });
      const races = await Promise.all([
        send(`${posts}/trash.json`, { operation: "restore", ids: ["1"] }),
        ...Array.from({ length: 4 }, () => send(`${posts}.json`, body)),
      ]);
      assert.is(races.filter(({ status }) => status < 300).length, 1, JSON.stringify(races));
      assert.ok(await failureOf(knex()("posts").insert([1, 2].map(() => ({ title: "Twice", organization_id: 1 })))));
    });

    can("A tree comes back whole, a part of it not alone, and what went before stays", async () => {
      await knex()("comments").insert([
        { id: 3, title: "Second", post_id: 1 },
        { id: 4, title: "Earlier", post_id: 1 },
      ]);
      await model("Comment").query().deleteById(4);
      await remove(`${posts}/1`);
      assert.is((await row("comments", 4))!.deleted_batch, null);
      const part = await send("/customer/1/comments/trash.json", { operation: "restore", ids: [3] });
      assert.is(part.status, 422);
      assert.match(JSON.stringify(part.body), "what it belongs to is in the trash");
      const whole = await send(`${posts}/trash.json`, { operation: "restore", ids: [1] });
      assert.equal(whole.body.data, { done: [1], left: [] });
      assert.is((await read(`${posts}.json`)).meta.total, 1);
      const ids = (await read("/customer/1/comments.json")).data.map(({ id }) => id);
      assert.equal(ids.sort(), [1, 3]);
      assert.is((await row("posts", 1))!.deleted_by, null);
    });

    can("An action on selected records is no deletion: its message offers nothing to restore", async () => {
      const visit = visitor();
      const asked = await visit(`${posts}/bulk/publish?ids[]=1`);
      const after = await visit(...formOf(asked, /bulk\/publish$/));
      assert.match(after, "Published 1.");
      assert.not.match(after, "It is in the trash.");
      assert.not.match(after, /trash\/1\/restore/);
    });
    can("The message about a deletion has one button, which restores; each change is reported once", async () => {
      const visit = visitor();
      const asked = await visit(`${posts}/1/actions/destroy`);
      assert.match(asked, "You can restore this from the trash for 30 days.");
      const after = await visit(...formOf(asked, /posts\/1$/));
      assert.is(after.match(/class="fw-flash-action"/g)?.length, 1);
      assert.match(after, "It is in the trash.");
      assert.equal(heard, ["deleted Comment 1", "deleted Post 1"]);
      const restored = await visit(...formOf(after, /trash\/1\/restore$/));
      assert.match(restored, "1 record was restored.");
      assert.equal(heard.slice(2), ["restored Post 1", "restored Comment 1"]);
      assert.match(await visit(...formOf(after, /trash\/1\/restore$/)), "It is not in the trash any more.");
      await remove(`${posts}/1`);
      const page = await visit(`${posts}/trash`);
      const [url, body] = formOf(page, /trash$/);
      body.set("only", "restore 1");
      assert.match(await visit(url, body), "The trash is empty.");
      assert.is((await row("posts", 1))!.deleted_at, null);
      await remove(`${posts}/1`);
      heard.length = 0;
      const cats = async (fields: object) => (await send(`${posts}/trash.json`, fields, cat)).status;
      assert.is(await cats({ operation: "purge", ids: [1] }), 200);
      assert.equal(heard, ["purged Comment 1", "purged Post 1"]);
    });

    can("What refers to a record without going with it keeps it", async () => {
      await knex()("notes").insert({ id: 1, title: "Note", post_id: 1 });
      assert.is(await remove(`${posts}/1`), 409);
      assert.is((await row("posts", 1))!.deleted_at, null);
      assert.is((await row("comments", 1))!.deleted_at, null);
    });

    can("Other tenants, guests and people without the right change nothing", async () => {
      await remove(`${posts}/1`);
      assert.is((await send("/customer/2/posts/trash.json", { operation: "restore", ids: [1] }, bob)).status, 404);
      assert.is((await send("/customer/2/posts/trash.json", { operation: "purge", ids: [1] }, cat)).status, 404);
      assert.equal((await read("/customer/2/posts/trash.json", bob)).data, []);
      assert.ok((await page(`${posts}/trash`, bob)).status >= 400);
      assert.ok((await page(`${posts}/trash`, {})).status >= 300);
      assert.is((await page("/guest/1/posts/trash", {})).status, 404);
      assert.is((await send(`${posts}/trash.json`, { operation: "purge", ids: [1] })).status, 422);
      assert.ok((await row("posts", 1))!.deleted_at !== null);
      const sneaked = await send(`${posts}.json`, { post: { title: "Sneaked", deleted_at: "2026-01-01T00:00:00Z" } });
      assert.is(sneaked.body.data?.deleted_at, undefined);
      assert.equal(await knex()("posts").where({ title: "Sneaked" }).whereNotNull("deleted_at"), []);
      assert.is((await send(`${posts}/trash.json`, { operation: "drop", ids: [1] })).status, 422);
      assert.is(
        (
          await send(`${posts}/trash.json`, {
            operation: "restore",
            ids: Array.from({ length: 101 }, (_, at) => at + 1),
          })
        ).status,
        422,
      );
      assert.is((await send(`${posts}/trash.json`, { operation: "restore", ids: ["1abc"] })).status, 404);
    });

    can(
      "A tree whose records refer to each other goes, comes back and is purged, and hidden ones show nowhere",
      async () => {
        await knex()("comments").insert({ id: 7, title: "Hidden", post_id: 1 });
        await knex()("comments").where({ id: 1 }).update({ reply_to_id: 7 });
        assert.is((await send("/customer/1/comments/trash.json", { operation: "restore", ids: [7] })).status, 404);
        assert.is(await remove(`${posts}/1`), 204);
        assert.equal(heard, ["deleted Comment 1", "deleted Comment 7", "deleted Post 1"]);
        const listed =
          JSON.stringify(await read("/customer/1/comments/trash.json")) +
          (await page("/customer/1/comments/trash")).text;
        assert.match(listed, "Comment Alpine");
        assert.not.match(listed, "Hidden");
        assert.is((await send("/customer/1/comments/trash.json", { operation: "restore", ids: [7] })).status, 404);
        assert.is((await send(`${posts}/trash.json`, { operation: "restore", ids: [1] })).status, 200);
        assert.equal(heard.slice(3), ["restored Post 1", "restored Comment 7", "restored Comment 1"]);
        await remove(`${posts}/1`);
        assert.is((await send(`${posts}/trash.json`, { operation: "purge", ids: [1] }, cat)).status, 200);
        assert.equal([await row("comments", 7), await row("posts", 1)], [undefined, undefined]);
      },
    );

    can("Nobody adds to a record while it is deleted", async () => {
      const usual = await send("/customer/1/comments.json", { comment: { title: "Usual", post: 1 } });
      assert.is(usual.status, 201, JSON.stringify(usual.body));
      for (let round = 0; round < 4; round++) {
        const id = 100 + round;
        await knex()("posts").insert({ id, title: `Race ${id}`, organization_id: 1 });
        const add = () => send("/customer/1/comments.json", { comment: { title: "Late", post: id } });
        await Promise.all([add(), add(), remove(`${posts}/${id}`), add(), add()]);
        const left = await knex()("comments").where({ post_id: id }).whereNull("deleted_at");
        assert.is((await row("posts", id))!.deleted_at !== null, true);
        assert.equal(left, [], `round ${round}`);
      }
    });

    can("Purging deletes a record with what went along, once", async () => {
      await remove(`${posts}/1`);
      assert.equal((await send(`${posts}/trash.json`, { operation: "purge", ids: [1] }, cat)).body.data, {
        done: [1],
        left: [],
      });
      assert.is(await row("posts", 1), undefined);
      assert.is(await row("comments", 1), undefined);
      assert.is((await send(`${posts}/trash.json`, { operation: "purge", ids: [1] }, cat)).status, 404);
      await remove("/customer/2/posts/2", bob);
      assert.is(await service().purgeExpired(), 0);
      assert.is((await service().purgeExpired(new Date(Date.now() + 31 * 86_400_000))) >= 1, true);
      assert.is(await row("posts", 2), undefined);
    });

    can("What they belong to takes them along for good, those in the trash as well", async () => {
      const Category = model("Category");
      await knex()("posts").insert({ id: 9, title: "Gone", organization_id: 1, category_id: 1 });
      await model("Post").query().deleteById(9);
      heard.length = 0;
      const { associations } = Category;
      Category.associations = { posts: { kind: "hasMany", dependent: "destroy" } };
      await databaseOf(app.application).link();
      try {
        const category = (await Category.query().findById(1)) as unknown as BaseModel;
        await category.$query().delete();
        assert.equal(heard.filter((line) => line.startsWith("deleted")).sort(), [
          "deleted Comment 1",
          "deleted Comment 2",
          "deleted Post 1",
          "deleted Post 2",
        ]);
        assert.equal([await knex()("posts"), await knex()("comments")], [[], []]);
      } finally {
        Category.associations = associations;
        await databaseOf(app.application).link();
        await knex()("categories").insert({ id: 1, name: "Shared" }).onConflict("id").ignore();
      }
    });

    can("A deletion is rolled back with its transaction", async () => {
      const failing = databaseOf(app.application).transaction(async (transaction: Transaction) => {
        await model("Post").query(transaction).deleteById(1);
        throw new Error("stop");
      });
      assert.match(String(await failureOf(failing)), "stop");
      assert.is((await row("posts", 1))!.deleted_at, null);
    });
  });
}
