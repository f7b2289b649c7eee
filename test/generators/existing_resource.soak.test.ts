import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import type { Client } from "../testing/client.ts";
import { key, keyed } from "./keyed_client.ts";
import { ensureBuilt, fwOk, newApp, runFw, snapshot, typeCheck } from "./support.ts";

const feature = "packages/blogging/app";
const portal = "packages/admin_portal/app";
const files = {
  model: `${feature}/models/blogging/post.ts`,
  policy: `${feature}/policies/blogging/post_policy.ts`,
  definition: `${feature}/definitions/blogging/post_definition.ts`,
  portalPolicy: `${portal}/policies/admin_portal/blogging/post_policy.ts`,
  portalDefinition: `${portal}/definitions/admin_portal/blogging/post_definition.ts`,
  test: "test/resources/blogging/post.test.ts",
};

/** A portal's policy, which inherits the lists of its feature, with lists of its own. */
const withLists = (policy: string): string =>
  `import type { Attributes, ReadAttributes } from "framewright/plugins/database";
import type Post from "#packages/blogging/app/models/blogging/post.ts";
${policy.replace(
  / *\/\/.*\n/,
  `  override permittedAttributesForCreate(): Attributes<Post> {
    return ["title"];
  }
  override permittedAttributesForRead(): ReadAttributes<Post> {
    return ["title", "created_at", "updated_at"];
  }
`,
)}`;

describe("The generators that change an existing resource", (it, { before }) => {
  let app: string;
  const g = (...words: string[]) => fwOk(app, "g", ...words);
  const read = (path: string) => readFileSync(join(app, path), "utf8");
  const write = (path: string, text: string) => writeFileSync(join(app, path), text);
  async function visit(body: (client: Client) => Promise<void>): Promise<void> {
    const { child, url } = await serveApp(app, { NODE_ENV: "development", ADMIN_API_KEY: key });
    try {
      await body(keyed(url));
    } finally {
      child.kill("SIGTERM");
      await exitOf(child);
    }
  }
  async function refused(words: readonly string[], ...parts: string[]): Promise<void> {
    const files = snapshot(app);
    const { code, err } = await runFw(app, "g", ...words);
    assert.is(code, 2, err);
    for (const part of parts) assert.match(err, part);
    assert.equal(snapshot(app), files);
  }

  before(async () => {
    await ensureBuilt();
    app = await newApp();
    await g("fw:pkg:package", "blogging");
    await g("fw:res:scaffold", "Author", "name");
    await g("fw:res:scaffold", "Post", "title", "--dest=blogging");
    await fwOk(app, "db:migrate");
    await g("fw:pkg:portal", "admin", "--byo");
    await g("fw:res:conn", "Author", "Blogging::Post", "--dest=admin_portal");
    write(files.portalPolicy, withLists(read(files.portalPolicy)));
    await visit(async (client) => {
      await client.submit("/admin/authors/new", { "author[name]": "Ada" });
      await client.submit("/admin/blogging/posts/new", { "blogging_post[title]": "Old" });
    });
  });

  const fields = ["subtitle:string", "price:money?", "author:belongs_to?", "slug?:uniq{scope:author}", "api_key?"];

  it("fw:res:field adds fields to migration, model, the policies of feature and portal, and the test", async () => {
    const { out } = await g("fw:res:field", "Post", ...fields, "--dest=blogging");
    const migration = Object.entries(snapshot(app)).find(([path]) =>
      /_add_subtitle_and_.*_to_blogging_posts/.test(path),
    );
    assert.match(migration![0], /^packages\/blogging\/db\/migrate\//);
    for (const line of [
      'await db.addColumns("blogging_posts", (t) => {\n    t.string("subtitle");\n    t.money("price");',
      't.index(["slug", "author_id"], { unique: true });',
      'await db.removeColumns("blogging_posts", ["subtitle", "price_cents", "author_id", "slug", "api_key"]);',
    ])
      assert.match(migration![1], line);
    for (const line of [
      "static override associations = { author: belongsTo({ optional: true }) };",
      'static override money = { price: "price_cents" };',
      "{\n    title: { presence: true },\n    subtitle: { presence: true },\n    slug: { uniqueness",
      "import { belongsTo, Model }",
    ])
      assert.match(read(files.model), line);
    for (const path of [files.policy, files.portalPolicy]) {
      assert.match(read(path), 'return ["title", "subtitle", "price", "author", "slug"];');
      assert.match(read(path), 'return ["title", "subtitle", "price", "author", "slug", "created_at", "updated_at"];');
    }
    assert.match(read(files.test), 'insert({ title: "title", subtitle: "subtitle" })');
    for (const line of [
      "--- a/packages/blogging",
      '+    return ["title", "subtitle"',
      "api_key",
      "subtitle is required by",
    ])
      assert.match(out, line);
  });

  it("The fields that fw:res:field adds are in the forms of the portal, and its test and types pass", async () => {
    await fwOk(app, "db:migrate");
    assert.is((await typeCheck(app)).out, "");
    await fwOk(app, "test");
    await visit(async (client) => {
      const posts = "/admin/blogging/posts";
      const empty = await client.submit(`${posts}/new`, { "blogging_post[title]": "New" });
      assert.is(empty.status, 422);
      const given = { title: "New", subtitle: "Sub", price: "9.90", author: "1" };
      const named = Object.entries(given).map(([name, value]) => [`blogging_post[${name}]`, value]);
      const made = await client.submit(`${posts}/new`, Object.fromEntries(named));
      const { data } = (await client.json(made.headers.get("location")!)).body as { data: Record<string, unknown> };
      assert.equal([data.subtitle, data.price, data.author], ["Sub", "9.90", { id: 1, label: "Ada" }]);
      const old = await client.submit(`${posts}/1/edit`, {
        "blogging_post[title]": "Older",
        "blogging_post[subtitle]": "S",
      });
      assert.is(old.status, 303);
    });
  });

  it("A second run of fw:res:field and a dry run write nothing, and a column that exists or is pending is refused by name", async () => {
    const files = snapshot(app);
    await g("fw:res:field", "Post", ...fields, "--dest=blogging");
    assert.equal(snapshot(app), files);
    const dry = await g("fw:res:field", "Blogging::Post", "teaser:text?", "--dry-run");
    assert.match(dry.out, '+    t.text("teaser");');
    assert.equal(snapshot(app), files);
    await refused(["fw:res:field", "Blogging::Post", "teaser:text?", "title"], "FW_COLUMN_EXISTS", '"title"');
    await refused(["fw:res:field", "Post", "teaser"], "FW_RESOURCE_UNKNOWN", 'Did you mean "Blogging::Post"?');
    await refused(["fw:res:field", "Blogging::Post", "x:strng"], "FW_FIELD_TYPE_UNKNOWN");
    await g("fw:res:field", "Author", "born_on:date?");
    await refused(
      ["fw:res:field", "Author", "born_on:date", "died_on:date?"],
      "FW_COLUMN_EXISTS",
      "_add_born_on_to_authors",
    );
    await fwOk(app, "db:migrate");
  });

  it("A list that fw:res:field can't edit is left alone and named with what to add", async () => {
    const computed = 'return this.user ? ["title"] : [];';
    const before = read(files.portalPolicy);
    write(
      files.portalPolicy,
      before
        .replace(/return \["title"[^\]]*"slug"\];/, computed)
        .replace(/return \["title".*updated_at"\];/, 'return [...super.permittedAttributesForRead(), "created_at"];'),
    );
    const { out } = await g("fw:res:field", "Blogging::Post", "teaser:text?");
    assert.match(out, `Left alone: permittedAttributesForCreate() of ${files.portalPolicy}`);
    assert.match(out, 'Add to it: "teaser"');
    assert.not.match(out, `permittedAttributesForRead() of ${files.portalPolicy}`);
    assert.match(read(files.portalPolicy), computed);
    assert.match(read(files.policy), '"slug", "teaser"];');
    write(files.portalPolicy, before);
    await fwOk(app, "db:migrate");
    await fwOk(app, "db:rollback");
    await fwOk(app, "db:migrate");
    assert.is((await typeCheck(app)).out, "");
  });

  it("A portal's list from which fields were taken out stays as it is, and is named with what to add", async () => {
    const before = read(files.portalPolicy);
    const narrowed = before.replace(/return \["title"[^\]]*"slug"\];/, "return [];");
    write(files.portalPolicy, narrowed);
    const { out } = await g("fw:res:field", "Blogging::Post", "motto:string?");
    assert.match(out, `Left alone: permittedAttributesForCreate() of ${files.portalPolicy} has fewer fields`);
    assert.match(out, 'Add where wanted: "motto"');
    assert.match(read(files.portalPolicy), "return [];");
    assert.match(read(files.policy), '"teaser", "motto"];');
    write(files.portalPolicy, before);
    await fwOk(app, "db:migrate");
  });

  const reject = ["fw:res:interaction", "Post", "reject", "reason:text", "days:integer{default:3}", "--dest=blogging"];

  it("fw:res:interaction writes the class, its action and its predicate, on records, on the list and in one portal", async () => {
    const { out } = await g(...reject);
    await g("fw:res:interaction", "Blogging::Post", "importAll", "--collection");
    await g("fw:res:interaction", "Author", "retire", "note:string?{80}", "--dest=admin");
    assert.match(out, "canReject() of packages/blogging/app/policies/blogging/post_policy.ts");
    assert.match(read(files.definition), 'this.action("reject", { interaction: Reject });');
    assert.match(
      read(files.definition),
      'this.action("import_all", { interaction: ImportAll, resourceAction: true });',
    );
    assert.match(read(files.policy), "  canReject() {\n    return this.canUpdate();\n  }");
    assert.match(read(files.policy), "  canImportAll() {\n    return this.canCreate();\n  }");
    const text = read(`${feature}/interactions/blogging/post/reject.ts`);
    assert.match(
      text,
      'const attributes = {\n  reason: { as: "text", required: true },\n  days: { as: "integer", required: true, default: 3 },\n} as const',
    );
    assert.match(text, "extends ResourceInteraction<Post, InteractionValues<typeof attributes>> {");
    assert.match(read(`${portal}/policies/admin_portal/author_policy.ts`), "canRetire()");
    assert.match(
      read(`${portal}/interactions/admin_portal/author/retire.ts`),
      'note: { as: "string", length: { maximum: 80 } }',
    );
    assert.is((await typeCheck(app)).out, "");
  });

  it("The buttons of generated interactions are shown, ask for the inputs and run", async () => {
    await visit(async (client) => {
      const posts = "/admin/blogging/posts";
      assert.match(await client.page(`${posts}/1`), `${posts}/1/actions/reject`);
      assert.match(await client.page(posts), `${posts}/actions/import_all`);
      const empty = await client.submit(`${posts}/1/actions/reject`, { "interaction[days]": "x" });
      assert.is(empty.status, 422);
      const done = await client.submit(`${posts}/1/actions/reject`, { "interaction[reason]": "Spam" });
      assert.is(done.headers.get("location"), `${posts}/1`);
      assert.match(await client.page(`${posts}/1`), "Reject: done.");
      assert.is((await client.submit(`${posts}/actions/import_all`, {})).headers.get("location"), posts);
      assert.is(
        (await client.submit("/admin/authors/1/actions/retire", {})).headers.get("location"),
        "/admin/authors/1",
      );
    });
  });

  it("A second run of fw:res:interaction writes nothing, and wrong names and inputs are refused by name", async () => {
    const files = snapshot(app);
    await g(...reject);
    await g("fw:res:interaction", "Blogging::Post", "import_all", "--collection");
    assert.equal(snapshot(app), files);
    await refused(["fw:res:interaction", "Author", "destroy"], "FW_NAME_INVALID", '"destroy"');
    await refused(["fw:res:interaction", "Author", "mark done"], "FW_NAME_INVALID");
    await refused(["fw:res:interaction", "Author", "tell", "post:belongs_to"], "FW_FIELD_SHAPE", "with choices");
    await refused(["fw:res:interaction", "Author", "tell", "to:uniq"], "FW_FIELD_SHAPE", "no column");
    await refused(["fw:res:interaction", "Author", "tell", "--dest=nowhere"], "FW_PACKAGE_UNKNOWN");
    rmSync(join(app, "app/definitions/author_definition.ts"));
    const { code, err } = await runFw(app, "g", "fw:res:interaction", "Author", "tell");
    assert.is(code, 2);
    assert.match(err, "FW_RESOURCE_CLASS");
    write("app/definitions/author_definition.ts", files["app/definitions/author_definition.ts"]!);
  });
});
