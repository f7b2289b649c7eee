import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { Client } from "../testing/client.ts";
import { ensureBuilt, fw, fwOk, newApp, runCommand } from "./support.ts";

// From an empty folder to pages, by commands alone and the one edit that a developer makes: the other side of a
// belongs_to. On both databases, served from source and from what `fw build` wrote.

for (const database of await databases()) {
  describe(`a shop made by commands, on ${database.name}`, (it, { after }) => {
    let app = "";
    let values: Record<string, string> = {};
    after(() => database.clean());
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);

    can("is generated, migrated and connected, and type-checks", async () => {
      await ensureBuilt();
      values = await database.values();
      app = await newApp("shop", `--database=${database.name}`);
      if (values.DATABASE_URL) {
        for (const env of ["development", "test", "production"]) {
          const file = join(app, `.env.${env}`);
          const others = readFileSync(file, "utf8").replace(/^DATABASE_URL=.*\n?/m, "");
          writeFileSync(file, `${others.trimEnd()}\nDATABASE_URL=${values.DATABASE_URL}\n`);
        }
      }
      const g = (...words: string[]) => fwOk(app, "g", ...words);
      await g("fw:pkg:package", "blogging");
      await g("fw:res:scaffold", "Author", "name:string", "email:string:uniq");
      const fields = ["title:string", "body:text?", "author:belongs_to{class:Author}", "price:money?"];
      await g("fw:res:scaffold", "Blogging::Post", ...fields, "--dest=blogging");
      await g("fw:res:scaffold", "Blogging::Comment", "body:text", "post:belongs_to", "--dest=blogging");
      const post = join(app, "packages/blogging/app/models/blogging/post.ts");
      const text = readFileSync(post, "utf8").replace("{ belongsTo", "{ belongsTo, hasMany");
      writeFileSync(post, text.replace(/(associations = \{ .*) \};/, "$1, comments: hasMany() };"));
      await fwOk(app, "db:migrate");
      await g("fw:pkg:portal", "admin", "--byo");
      await g("fw:res:conn", "Author", "Blogging::Post", "Blogging::Comment", "--dest=admin_portal");
      await fwOk(app, "types");
      const tsc = [join(app, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.json"];
      const checked = await runCommand(process.execPath, tsc, app);
      assert.is(checked.code, 0, checked.out);
    });

    can("serves lists, pages, forms, nested forms and their JSON", async () => {
      const { child, url } = await serveApp(app, { ...values, NODE_ENV: "development", ADMIN_API_KEY: key });
      try {
        await tour(keyed(url));
      } finally {
        child.kill("SIGTERM");
        assert.is(await exitOf(child), 0);
      }
    });

    can("serves the same when it was built, and stops with exit 0", async () => {
      const production = { ...values, NODE_ENV: "production", HOST: "127.0.0.1", ADMIN_API_KEY: key };
      for (const command of ["build", "db:migrate"]) {
        const ran = await runCommand(process.execPath, [fw, command], app, production);
        assert.is(ran.code, 0, ran.out + ran.err);
      }
      const { child, url } = await serveApp(app, production, "start");
      try {
        const client = keyed(url);
        assert.is((await client.request("/")).status, 200);
        assert.is((await client.json("/admin/blogging/posts")).status, 200);
      } finally {
        child.kill("SIGTERM");
        assert.is(await exitOf(child), 0);
      }
    });
  });
}

const key = "k".repeat(40);
/** Somebody whom the portal knows by the key. */
function keyed(url: string): Client {
  const client = new Client(url);
  const request = client.request.bind(client);
  client.request = (path, init = {}) =>
    request(path, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), "x-api-key": key } });
  return client;
}

async function tour(client: Client): Promise<void> {
  assert.is((await client.request("/")).status, 200);
  assert.is((await client.request("/admin")).status, 200);
  const authors = "/admin/authors";
  const made = await client.submit(`${authors}/new`, { "author[name]": "Ada", "author[email]": "ada@x.test" });
  assert.is(made.status, 303);
  const twice = await client.submit(`${authors}/new`, { "author[name]": "Eve", "author[email]": "ada@x.test" });
  assert.is(twice.status, 422);
  assert.match(await twice.text(), /already been taken/);
  const author = made.headers.get("location")!.split("/").at(-1)!;
  const posts = "/admin/blogging/posts";
  const fields = { "blogging_post[title]": "Hello", "blogging_post[author]": author, "blogging_post[price]": "9.90" };
  const post = (await client.submit(`${posts}/new`, fields)).headers.get("location")!;
  assert.match(post, /^\/admin\/blogging\/posts\/\d+$/);
  assert.match(await client.page(posts), /Hello/);
  assert.match(await client.page(post), /Hello/);
  const { body } = await client.json(post);
  assert.equal((body.data as Record<string, unknown>).author, { id: Number(author), label: "Ada" });
  assert.is((body.data as Record<string, unknown>).price, "9.90");
  assert.is((await client.submit(`${post}/edit`, { "blogging_post[title]": "Changed" })).status, 303);
  const nested = await client.submit(`${post}/nested_comments/new`, { "blogging_comment[body]": "Well said" });
  assert.match(nested.headers.get("location") ?? "", new RegExp(`^${post}/nested_comments/\\d+$`));
  assert.match(await client.page(post), /Well said/);
  assert.equal((await client.json(`${post}/nested_comments`)).body.meta, { total: 1, page: 1, per_page: 20 });
  assert.equal((await client.json(posts)).body.meta, { total: 1, page: 1, per_page: 20 });
  assert.is((await client.submit(`${nested.headers.get("location")}/actions/destroy`, {})).status, 303);
  assert.is((await client.submit(`${post}/actions/destroy`, {})).status, 303);
  assert.is((await client.json(post)).status, 404);
}
