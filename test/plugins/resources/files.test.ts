import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type TestApp, writeApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { copyFixture, edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openMigrated, openShop, shopFiles } from "../../support/shop.ts";
import type { Client } from "../../testing/client.ts";

/** Posts with a paper and an optional cover, an action that asks for a file and a word, and guests at `x-guest`. */
const filesApp = copyFixture("files");
const definition = "packages/blogging/app/definitions/blogging/post_definition.ts";
const posts = "/admin/blogging/posts";
const text = (content: string, name: string) => new File([content], name, { type: "text/plain" });
const hiddenOf = (html: string, name: string) =>
  new RegExp(`type="hidden" name="${name.replace(/[[\]]/g, "\\$&")}" value="([^"]+)"`).exec(html)?.[1];

for (const database of await databases()) {
  describe(`Files in forms, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openMigrated(writeApp(filesApp), await database.values());
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    /** Sends the form of a page as a browser does: its hidden fields, and what is filled in. */
    const send = async (client: Client, html: string, action: string, fields: Record<string, string | File>) => {
      const form = [...html.matchAll(/<form\b[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].find(
        ([tag, to]) => to === action && tag!.includes("fw-form"),
      )![2]!;
      const body = new FormData();
      for (const [, name, value] of form.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g))
        body.set(name!, value!);
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      return client.request(action, { method: "POST", body });
    };
    const latest = () => databaseOf(app.application).knex("blogging_posts").orderBy("id", "desc").first();
    const paperOf = async (column = "paper") => {
      const value: unknown = (await latest())[column];
      return (typeof value === "string" ? JSON.parse(value) : value) as { key: string; filename: string } | null;
    };
    const service = () => app.application.kernel.service("storage");
    const create = async (client: Client, fields: Record<string, string | File>) =>
      send(client, await client.page(`${posts}/new`), posts, fields);
    const lasting = () => {
      const files = readdirSync(join(app.root, "storage/files"), { recursive: true }).map(String);
      return files.filter((file) => /^[0-9a-f]{2}.[0-9a-f]{40}$/.test(file)).length;
    };

    can(
      "An interaction's file is kept and named when another field is refused, and may be replaced or removed",
      async () => {
        const client = app.client();
        await create(client, { "blogging_post[title]": "A", "blogging_post[paper]": text("1", "a.txt") });
        const path = `${posts}/${(await latest()).id}/actions/attach`;
        const first = {
          "interaction[paper]": text("mine", "mine.txt"),
          "interaction[proof]": text("seen", "seen.txt"),
        };
        const answer = await send(client, await client.page(path), path, first);
        assert.is(answer.status, 422);
        const html = await answer.text();
        assert.match(html, "<span>mine.txt <small>(4 B)</small></span>");
        assert.match(html, "Leave empty to keep the current file.");
        assert.not.match(html, /name="interaction\[_remove_paper\]"/); // it is required
        assert.match(html, /name="interaction\[_remove_proof\]"/);
        const again = await (await send(client, html, path, {})).text();
        const done = await send(client, again, path, { "interaction[word]": "x" });
        assert.match(await client.page(done.headers.get("location")!), "mine.txt=mine seen.txt=seen");
        const other = {
          "interaction[word]": "x",
          "interaction[paper]": text("new", "new.txt"),
          "interaction[_remove_proof]": "1",
        };
        const replaced = await send(client, html, path, other);
        assert.match(await client.page(replaced.headers.get("location")!), "new.txt=new none");
      },
    );
    can(
      "A record's file is kept when another field is refused, stored with the record, and named in page and JSON",
      async () => {
        const client = app.client();
        const refused = await create(client, { "blogging_post[paper]": text("kept", "kept.txt") });
        assert.is(refused.status, 422);
        const html = await refused.text();
        assert.match(html, "<span>kept.txt <small>(4 B)</small></span>");
        const saved = await send(client, html, posts, { "blogging_post[title]": "With a paper" });
        assert.is(saved.status, 303);
        const { key, filename } = (await paperOf())!;
        assert.is(filename, "kept.txt");
        assert.is(String(await service().bytes(key)), "kept");
        const path = saved.headers.get("location")!;
        assert.match(await client.page(path), "kept.txt <small>(4 B)</small>");
        const { body } = await client.json(path);
        assert.equal((body.data as { paper: unknown }).paper, { filename: "kept.txt", type: "text/plain", size: 4 });
      },
    );
    can(
      "An edit keeps a file, replaces it, or removes it where it is optional, and deletes what is no longer used",
      async () => {
        const client = app.client();
        const [a, b] = [text("a", "a.txt"), text("b", "b.png")];
        await create(client, { "blogging_post[title]": "One", "blogging_post[paper]": a, "blogging_post[cover]": b });
        const path = `${posts}/${(await latest()).id}`;
        const edit = async (fields: Record<string, string | File>) => {
          const html = await client.page(`${path}/edit`);
          return send(client, html, path, { "blogging_post[title]": "One", ...fields });
        };
        const [paper, cover] = [(await paperOf())!, (await paperOf("cover"))!];
        assert.is((await edit({})).status, 303);
        assert.equal([await paperOf(), await paperOf("cover")], [paper, cover]);
        assert.is((await edit({ "blogging_post[paper]": text("c", "c.txt") })).status, 303);
        const next = (await paperOf())!;
        assert.is(next.filename, "c.txt");
        assert.is(await service().exists(paper.key), false);
        assert.is((await edit({ "blogging_post[_remove_cover]": "1" })).status, 303);
        assert.is(await paperOf("cover"), null);
        assert.is(await service().exists(cover.key), false);
        assert.is((await edit({ "blogging_post[_remove_paper]": "1" })).status, 422);
        assert.is(await service().exists(next.key), true);
        await client.submit(`${path}/actions/destroy`, {});
        assert.is(await service().exists(next.key), false);
      },
    );
    can(
      "A file of a wrong type or size is not kept, and a record that can't be saved leaves no file in storage",
      async () => {
        const client = app.client();
        const before = lasting();
        for (const [file, why] of [
          [text("x", "x.pdf"), "must be one of .txt"],
          [text("<html>", "x.txt"), "must be one of .txt"],
          [text("x".repeat(21), "x.txt"), "is too large (at most 20 B)"],
        ] as const) {
          const html = await (
            await create(client, { "blogging_post[title]": "T", "blogging_post[paper]": file })
          ).text();
          assert.match(html, why);
          assert.is(hiddenOf(html, "blogging_post[_kept_paper]"), undefined);
        }
        const fields = { "blogging_post[title]": "T", "blogging_post[secret_token]": "same" };
        assert.is((await create(client, { ...fields, "blogging_post[paper]": text("1", "1.txt") })).status, 303);
        assert.is(lasting(), before + 1);
        assert.is((await create(client, { ...fields, "blogging_post[paper]": text("2", "2.txt") })).status, 422);
        assert.is(lasting(), before + 1);
      },
    );
    can("A kept file is refused in another browser or input, forged or expired, and must be chosen again", async () => {
      const client = app.client();
      const html = await (await create(client, { "blogging_post[paper]": text("mine", "mine.txt") })).text();
      const kept = hiddenOf(html, "blogging_post[_kept_paper]")!;
      const gone = "Paper must be chosen again";
      const title = { "blogging_post[title]": "T" };
      const foreign = await create(app.client(), { ...title, "blogging_post[_kept_paper]": kept });
      assert.is(foreign.status, 422);
      assert.match(await foreign.text(), gone);
      const elsewhere = await create(client, { ...title, "blogging_post[_kept_cover]": kept });
      assert.match(await elsewhere.text(), "Cover must be chosen again");
      const forged = await create(client, { ...title, "blogging_post[_kept_paper]": `${kept.slice(0, -4)}AAAA` });
      assert.match(await forged.text(), gone);
      const real = Date.now;
      Date.now = () => real() + 8 * 3_600_000;
      await (service() as unknown as { sweep(): Promise<void> }).sweep();
      Date.now = real;
      assert.match(await (await send(client, html, posts, title)).text(), gone);
    });
    can("A file in JSON is refused with 422, and null is accepted only where the file is optional", async () => {
      const patch = async (paper: unknown, name = "cover") => {
        const answer = await app.request(`${posts}/${(await latest()).id}`, {
          method: "PATCH",
          headers: { accept: "application/json", "content-type": "application/json" },
          body: JSON.stringify({ blogging_post: { [name]: paper } }),
        });
        return answer.status;
      };
      for (const paper of ["x", { key: "../x", filename: "x", type: "", size: 1 }, [], { bytes: "x" }])
        assert.is(await patch(paper), 422, JSON.stringify(paper));
      assert.is(await patch(null), 200);
      assert.is(await patch(null, "paper"), 422);
    });
    can("A conflict keeps the uploaded file, names it and stores it when the form is sent again", async () => {
      const client = app.client();
      await create(client, { "blogging_post[title]": "One", "blogging_post[paper]": text("1", "1.txt") });
      const path = `${posts}/${(await latest()).id}`;
      const html = await client.page(`${path}/edit`);
      const headers = { accept: "application/json", "content-type": "application/json" };
      const body = JSON.stringify({ blogging_post: { title: "Theirs" } });
      assert.is((await app.request(path, { method: "PATCH", headers, body })).status, 200);
      const mine = { "blogging_post[title]": "Mine", "blogging_post[paper]": text("2", "2.txt") };
      const conflict = await send(client, html, path, mine);
      assert.is(conflict.status, 409);
      const page = await conflict.text();
      assert.match(page, "<span>2.txt <small>(1 B)</small></span>");
      assert.is((await send(client, page, path, { "blogging_post[title]": "Mine" })).status, 303);
      assert.is((await paperOf())!.filename, "2.txt");
    });
    can("A file that a guest uploads is not kept when another field is refused", async () => {
      const client = app.client();
      const request = client.request.bind(client);
      client.request = (path, init = {}) => {
        const headers = new Headers(init.headers);
        headers.set("x-guest", "1");
        return request(path, { ...init, headers });
      };
      const answer = await create(client, { "blogging_post[paper]": text("1", "1.txt") });
      assert.is(answer.status, 422);
      assert.is(hiddenOf(await answer.text(), "blogging_post[_kept_paper]"), undefined);
    });
  });
}

describe("The configuration of a file field", (it) => {
  const input = 'super.configure(); this.input("secret_token", { as: "file" });';
  const file = { [definition]: edited(shopFiles, definition, ["super.configure();", input]) };
  const pick = (path: string) => ({ [path]: filesApp[path]! });
  const stored = pick("plugins.config.ts");
  const refused = (files: Record<string, string>) =>
    openShop(files).then(
      (app) => app.close().then(() => "it booted"),
      (error: Error) => error.message,
    );
  it("Boot fails with FW_FILE_FIELD for a file field whose column is not json or without storage", async () => {
    assert.match(await refused({ ...stored, ...file }), /FW_FILE_FIELD.*"secret_token".*not of the type json/);
    const json = pick("db/migrate/20260102000000_add_paper.ts");
    const paper = {
      [definition]: edited(file, definition, ['"secret_token", { as: "file" }', '"paper" as never, { as: "file" }']),
    };
    assert.match(await refused({ ...json, ...paper }), /FW_FILE_FIELD.*"paper".*storage/);
    assert.is(await refused({ ...stored, ...json, ...paper }), "it booted");
  });
});
