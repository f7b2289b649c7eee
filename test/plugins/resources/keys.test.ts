import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { openApp, type TestApp, writeApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf, openMigrated } from "../../support/shop.ts";
import { accountFiles, tenantFiles } from "../scoping/tenants.ts";
import { backgroundFiles } from "./background_app.ts";

// The tenants' application with another kind of primary key in every table: what numbers can do, UUIDs and strings can.

type Row = Record<string, unknown>;
const json = { accept: "application/json", "content-type": "application/json" };
const kinds = {
  uuid: { of: () => randomUUID() as string, missing: "00000000-0000-4000-8000-000000000000", wrong: "1abc" },
  string: { of: (at: number) => `key:${at}/ä`, missing: "key-0", wrong: "k".repeat(101) },
  named: { of: (at: number) => String(at), missing: "999999", wrong: "1abc" },
};
/** The column of a table's key, where it has a name of its own: `PostNo`. */
const columnOf = (kind: Kind, table: string) =>
  kind === "named" ? `${table[0]!.toUpperCase()}${table.slice(1).replace(/ies$/, "y").replace(/s$/, "")}No` : "id";
const namedTables = ["organizations", "users", "memberships", "posts", "comments", "categories", "tags", "taggings"];
type Kind = keyof typeof kinds;

const keyed = (text: string, kind: Kind) =>
  text
    .replaceAll("t.id()", `t.id({ type: "${kind}" })`)
    .replace(/t\.belongsTo\("(\w+)"(?:, \{([^}]*)\})?\)/g, (_, name, more = "") =>
      `t.belongsTo("${name}", { type: "${kind}", ${more} })`.replace(/,\s*\}/, " }"),
    );
const migration = "db/migrate/20260101000000_create_tables.ts";
const concern = "packages/customer_portal/app/controllers/customer_portal/concerns/controller.ts";

/** The tenants' application on tables whose keys are called otherwise, as of a database that was there before. */
function namedFiles(): Record<string, string> {
  const files = { ...tenantFiles, ...backgroundFiles };
  const tables = namedTables.filter((table) => files[migration]!.includes(`createTable("${table}"`));
  const renamed = tables.map(
    (table) =>
      `await db.knex.schema.alterTable("${table}", (t) => t.renameColumn("id", "${columnOf("named", table)}"));`,
  );
  const models = Object.entries(files).filter(([path]) => path.startsWith("app/models/"));
  const keyedModels = models.map(([path, text]) => {
    const table = tables.find((one) => text.includes(`Model("${one}")`));
    const own = `static override idColumn = "${table && columnOf("named", table)}";\n  static override associations`;
    return [path, table ? text.replace("static override associations", own) : text];
  });
  return {
    ...files,
    ...Object.fromEntries(keyedModels),
    "db/migrate/20260103000000_name_keys.ts": `export async function up(db: { knex: any }) { ${renamed.join(" ")} }`,
    "app/interactions/mark_posts.ts": files["app/interactions/mark_posts.ts"]!.replaceAll("record.id", "record.$id()"),
  };
}

function filesOf(kind: Kind): Record<string, string> {
  if (kind === "named") return namedFiles();
  const files = { ...tenantFiles, ...backgroundFiles };
  const strings = 'import { randomUUID } from "node:crypto";\n';
  const models = Object.entries(files).filter(([path]) => path.startsWith("app/models/"));
  const generated = models.map(([path, text]) => [
    path,
    strings +
      text.replace(
        "static override associations",
        "static override defaults = { id: () => 'k:' + randomUUID() };\n  static override associations",
      ),
  ]);
  return {
    ...files,
    ...(kind === "string" ? Object.fromEntries(generated) : {}),
    [migration]: keyed(files[migration]!, kind),
    [concern]: edited(files, concern, [
      'findById(Number(request.header("x-user") ?? 0))',
      'findById(decodeURIComponent(request.header("x-user") ?? "-"))',
    ]),
    "plugins.config.ts": files["plugins.config.ts"]!.replace("findById(Number(id))", "findById(id)"),
    "db/migrate/20260102000000_create_marks.ts": files["db/migrate/20260102000000_create_marks.ts"]!.replace(
      't.bigint("post")',
      't.string("post")',
    ),
    "app/interactions/mark_posts.ts": files["app/interactions/mark_posts.ts"]!.replace(
      "Number(this.record.id)",
      "this.record.id as never",
    ),
  };
}

interface Ids {
  organizations: string[];
  users: string[];
  posts: string[];
  comments: string[];
}

/** Two tenants with a person, a post and a comment each. */
async function fill(app: TestApp, kind: Kind): Promise<Ids> {
  const { knex } = databaseOf(app.application);
  const two = (at: number) => [kinds[kind].of(at), kinds[kind].of(at + 1)];
  const ids: Ids = { organizations: two(1), users: two(3), posts: two(5), comments: two(7) };
  for (const at of [0, 1]) {
    const mark = ["Alpine", "Baltic"][at];
    const [organization_id, user_id, post_id] = [ids.organizations[at], ids.users[at], ids.posts[at]];
    await knex("organizations").insert({ [columnOf(kind, "organizations")]: organization_id, name: mark });
    await knex("users").insert({ [columnOf(kind, "users")]: user_id, name: `Person ${mark}` });
    await knex("memberships").insert({
      [columnOf(kind, "memberships")]: kinds[kind].of(20 + at),
      user_id,
      organization_id,
    });
    await knex("posts").insert({
      [columnOf(kind, "posts")]: post_id,
      title: `Post ${mark}`,
      status: "live",
      organization_id,
      author_id: user_id,
    });
    await knex("comments").insert({
      [columnOf(kind, "comments")]: ids.comments[at],
      title: `Comment ${mark}`,
      post_id,
    });
  }
  return ids;
}

for (const database of await databases({ withPostgres: true }))
  for (const kind of ["uuid", "string", "named"] as const)
    describe(`Records with a ${kind} as their key, on ${database.name}`, (it, { before, after }) => {
      let app: TestApp;
      let ids: Ids;
      let values: Record<string, string>;
      if (database.skip === undefined) {
        before(async () => {
          values = await database.values();
          app = await openMigrated(writeApp(filesOf(kind)), values);
          ids = await fill(app, kind);
        });
        after(async () => {
          await app?.close();
          await database.clean();
        });
      }
      const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);
      const segment = encodeURIComponent;
      const own = (id: string | undefined) => (kind === "named" ? Number(id) : id);
      const base = (at = 0) => `/customer/${segment(ids.organizations[at]!)}`;
      const post = (at = 0) => `${base()}/posts/${segment(ids.posts[at]!)}`;
      const ask = async (path: string, init: RequestInit = {}) => {
        const headers = { "x-user": segment(ids.users[0]!), ...json, ...(init.headers as object) };
        const answer = await app.request(path, { ...init, headers });
        const text = await answer.text();
        const isJson = /json/.test(answer.headers.get("content-type") ?? "");
        return { status: answer.status, text, headers: answer.headers, body: (isJson ? JSON.parse(text) : {}) as Row };
      };
      const page = (path: string) => ask(path, { headers: { accept: "text/html" } });
      const send = (method: string, path: string, body: unknown) => ask(path, { method, body: JSON.stringify(body) });

      can("Lists, pages and forms lead to it, and its associations are shown", async () => {
        const list = await ask(`${base()}/posts`);
        assert.equal(
          (list.body.data as Row[]).map(({ id }) => String(id)),
          [ids.posts[0]],
        );
        assert.equal((list.body.data as Row[])[0]!.author, { id: own(ids.users[0]), label: "Person Alpine" });
        const html = await page(`${base()}/posts`);
        assert.ok(html.text.includes(`href="${post()}?_list"`), html.text);
        for (const path of [post(), `${post()}/edit`, `${post()}/nested_comments`])
          assert.is((await page(path)).status, 200);
        assert.is(String(((await ask(post())).body.data as Row).id), ids.posts[0]);
      });

      can("Records are created, changed and deleted, and get a key of their own", async () => {
        const created = await send("POST", `${base()}/posts`, {
          post: { title: "New", status: "live", author: ids.users[0] },
        });
        assert.is(created.status, 201, created.text);
        const id = String((created.body.data as Row).id);
        assert.match(id, { uuid: /^[0-9a-f-]{36}$/, string: /^k:/, named: /^\d+$/ }[kind]);
        const url = `${base()}/posts/${segment(id)}`;
        assert.is(created.headers.get("location"), url);
        assert.is((await send("PATCH", url, { post: { title: "Newer" } })).status, 200);
        const nested = await send("POST", `${url}/nested_comments`, { comment: { title: "Nested" } });
        assert.is(nested.status, 201, nested.text);
        const comment = String((nested.body.data as Row).id);
        assert.is((await ask(`${url}/nested_comments/${segment(comment)}`)).status, 200);
        assert.is((await send("DELETE", url, {})).status, 204);
        assert.is((await ask(url)).status, 404);
        const left = await databaseOf(app.application).knex("comments").where({ post_id: id });
        assert.is(left.length, 0);
      });

      can("Choices of associations are keys of the tenant's own records", async () => {
        const found = await ask(`${base()}/comments/typeahead/post?q=post`);
        assert.equal(found.body.data, [{ id: own(ids.posts[0]), label: "Post Alpine" }]);
        for (const foreign of [ids.posts[1], kinds[kind].missing, kinds[kind].wrong]) {
          const answer = await send("POST", `${base()}/comments`, { comment: { title: "x", post: foreign } });
          assert.is(answer.status, 422, answer.text);
          assert.ok("post" in (answer.body.errors as Row));
        }
      });

      can("What is foreign, missing or no key at all is the same 404", async () => {
        const shapes = (at: string) => [
          `${base()}/posts/${at}`,
          `${base()}/posts/${at}/edit`,
          `${base()}/posts/${at}/nested_comments`,
          `${base()}/posts/${at}/preview`,
        ];
        const wanted = (await page(`${base()}/posts/${segment(kinds[kind].missing)}`)).text;
        for (const key of [ids.posts[1]!, kinds[kind].missing, kinds[kind].wrong, "1", "0"])
          for (const path of shapes(segment(key))) {
            const answer = await page(path);
            assert.is(answer.status, 404, path);
            assert.is(answer.text, wanted);
          }
        for (const key of [ids.organizations[1]!, kinds[kind].missing, kinds[kind].wrong, "01"]) {
          const answer = await page(`/customer/${segment(key)}/posts`);
          assert.is(answer.status, 404);
          assert.is(answer.text, wanted);
        }
      });

      can("The mount's root leads to the tenant, and interactions act on a record and on a list", async () => {
        assert.is((await page("/customer")).headers.get("location"), base());
        assert.is((await send("POST", `${post()}/actions/publish`, { interaction: {} })).status, 200);
        const { knex } = databaseOf(app.application);
        const organization_id = ids.organizations[0];
        const many = Array.from({ length: 105 }, (_, at) => ({
          [columnOf(kind, "posts")]: kinds[kind].of(100 + at),
          title: "Many",
          status: "live",
        }));
        await knex("posts").insert(many.map((row) => ({ ...row, organization_id })));
        const started = await send("POST", `${base()}/posts/actions/mark`, { interaction: { label: "red" } });
        assert.is(started.status, 202, started.text);
        let run: Row = {};
        for (let tries = 0; tries < 800 && !["done", "failed"].includes(String(run.state)); tries++) {
          await sleep(25);
          run = (await ask(started.headers.get("location")!)).body.data as Row;
        }
        assert.equal([run.state, run.done, run.refused, run.failed], ["done", 106, 0, 0]);
        const marked: Row[] = await knex("marks").select("post");
        assert.is(new Set(marked.map(({ post }) => post)).size, 106);
        const one = await send("POST", `${post()}/actions/mark_one`, { interaction: { label: "one" } });
        assert.is(one.status, 202, one.text);
      });

      can("Pages are the same without the database's fast paths", async () => {
        const paths = [
          `${base()}/posts`,
          `${base()}/posts?filter[title]=Post`,
          post(),
          `${post()}/nested_comments`,
          `${post()}/edit`,
        ];
        const all = async () => {
          const answers = await Promise.all(paths.flatMap((path) => [page(path), ask(path)]));
          return answers.map(({ text }) => text.replace(/(csrf-token" content|_token" value)="[^"]*"/g, ""));
        };
        const fast = await all();
        await app.close();
        app = await openApp(app.root, { values: { ...values, FW_DATABASE_FAST: "off" } });
        for (const [at, text] of (await all()).entries()) assert.ok(text === fast[at], `${paths[at >> 1]}: ${text}`);
      });
    });

describe("Kinds of keys at boot", (it) => {
  it("A foreign key of another kind than the id is refused by name", async () => {
    const root = writeApp({
      ...tenantFiles,
      [migration]: tenantFiles[migration]!.replace(
        'createTable("posts", (t) => {\n    t.id()',
        'createTable("posts", (t) => {\n    t.id({ type: "uuid" })',
      ),
    });
    const { message } = await throwsCode("FW_ASSOCIATION_KEY_TYPE", () => openMigrated(root));
    assert.match(message, /comments\.post_id is of the type bigint, and posts\.id.*type: "uuid"/s);
  });
  it("Accounts whose ids are no numbers are refused by name", async () => {
    const root = writeApp({ ...tenantFiles, ...accountFiles, [migration]: keyed(tenantFiles[migration]!, "uuid") });
    const { message } = await throwsCode("FW_ACCOUNT_KEY", () => openMigrated(root));
    assert.match(message, /"user".*the ids of User are of the type uuid/);
  });
  it("A key of a kind that no address can name is refused by name", async () => {
    const root = writeApp({
      ...tenantFiles,
      [migration]: tenantFiles[migration]!.replace(
        /await db\.createTable\("categories"[\s\S]*?\}\);/,
        'await db.knex.raw("create table categories (id real primary key, name text)");',
      ).replace('t.belongsTo("category")', 't.string("category_id")'),
    });
    const { message } = await throwsCode("FW_RESOURCE_KEY", () => openMigrated(root));
    assert.match(message, /Category.*"id" of the type float/s);
  });
});
