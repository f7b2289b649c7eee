import { readFileSync } from "node:fs";
import { join } from "node:path";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { key, keyed } from "./keyed_client.ts";
import { ensureBuilt, fwOk, newApp, runCommand, runFw, snapshot, typeCheck, useDatabase } from "./support.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f-]{17}$/;

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Primary keys, slugs and polymorphic associations by the words of fields, on ${database.name}`, (it, {
    before,
    after,
  }) => {
    let app: string;
    const g = (...words: string[]) => fwOk(app, "g", ...words);
    if (database.skip === undefined) {
      before(async () => {
        await ensureBuilt();
        app = await newApp();
        const { DATABASE_URL } = await database.values();
        if (DATABASE_URL !== undefined) useDatabase(app, DATABASE_URL);
        await g("fw:res:scaffold", "Maker", "id:uuid", "name", "slug:slug", "boss:belongs_to?{class:Maker}");
        await g("fw:model", "Tag", "id:string{40}", "label:uniq", "maker:belongs_to");
        await g("fw:res:scaffold", "Gadget", "title", "maker:belongs_to");
        await fwOk(app, "db:migrate");
        await g("fw:pkg:portal", "admin", "--byo");
        await g("fw:res:conn", "Maker", "Gadget", "--dest=admin_portal");
      });
      after(() => database.clean());
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const read = (path: string) => readFileSync(join(app, path), "utf8");
    const migration = (name: string) =>
      Object.entries(snapshot(app)).find(([path]) => path.endsWith(`_${name}.ts`))?.[1] ?? "";

    can("Migrations, models and definitions have the key, the slug and the kind of foreign keys", async () => {
      const makers = migration("create_makers");
      for (const line of [
        't.id({ type: "uuid" });',
        't.string("slug", 100).unique();',
        't.belongsTo("boss", { table: "makers", type: "uuid" });',
      ])
        assert.match(makers, line);
      const tags = migration("create_tags");
      assert.match(tags, 't.id({ type: "string", length: 40 });');
      assert.match(tags, 't.belongsTo("maker", { table: "makers", null: false, type: "uuid" });');
      const maker = read("app/models/maker.ts");
      assert.match(maker, '  static override paramKey = "slug";\n  static override slug = { from: "name" };\n');
      assert.match(read("app/definitions/maker_definition.ts"), 'this.defaultSort("-created_at");');
      const tag = read("app/models/tag.ts");
      assert.match(tag, 'static override defaults = { id: () => randomBytes(8).toString("hex") };');
      assert.match(read("db/types.d.ts"), /makers: \{\s+columns: \{\s+id: string;/);
    });

    can("The application compiles, and its own tests pass", async () => {
      assert.equal(await typeCheck(app), { code: 0, out: "", err: "" });
      const { code, out, err } = await runCommand("npm", ["test"], app);
      assert.is(code, 0, `${out}${err}`);
      assert.match(out, "Maker");
    });

    can("Records get their ids and slugs, and addresses name them by the slug", async () => {
      const { child, url } = await serveApp(app, { NODE_ENV: "development", ADMIN_API_KEY: key });
      try {
        const client = keyed(url);
        const sent = await client.submit("/admin/makers/new", { "maker[name]": "Crème & Co", "maker[slug]": "" });
        assert.match(sent.headers.get("location") ?? "", /\/admin\/makers\/creme-and-co$/);
        const { body } = await client.json("/admin/makers/creme-and-co");
        const { id } = body.data as { id: string };
        assert.match(id, uuid);
        await client.submit("/admin/gadgets/new", { "gadget[title]": "Old One", "gadget[maker]": id });
        const list = await client.json("/admin/gadgets");
        assert.equal((list.body.data as { maker: { id: string } }[])[0]?.maker.id, id);
      } finally {
        child.kill("SIGTERM");
        await exitOf(child);
      }
    });

    can("A slug of a resource that exists is added with an index, and rows that exist get theirs", async () => {
      await g("fw:res:field", "Gadget", "path:slug{title}");
      const added = migration("add_path_to_gadgets");
      assert.match(added, 'import { type Schema, slugOf } from "framewright/plugins/database";');
      assert.match(added, 't.string("path", 100).unique();');
      assert.match(
        read("app/models/gadget.ts"),
        '  static override paramKey = "path";\n  static override slug = { from: "title" };',
      );
      assert.match(read("app/policies/gadget_policy.ts"), '"path"');
      await fwOk(app, "db:migrate");
      assert.equal(await typeCheck(app), { code: 0, out: "", err: "" });
      const { child, url } = await serveApp(app, { NODE_ENV: "development", ADMIN_API_KEY: key });
      try {
        assert.is((await keyed(url).json("/admin/gadgets/old-one-1")).status, 200);
      } finally {
        child.kill("SIGTERM");
        await exitOf(child);
      }
    });

    can("A record of one of several models has the columns, the model and a form of its own", async () => {
      await g("fw:res:scaffold", "Part", "title");
      await g("fw:res:scaffold", "Remark", "text", "subject:polymorphic:uniq{Gadget,Part,scope:text}");
      await g("fw:res:field", "Gadget", "kept_by:polymorphic?{Part,Gadget}");
      const created = migration("create_remarks");
      assert.match(created, 't.polymorphic("subject", { null: false });');
      assert.match(created, 't.index(["subject_type", "subject_id", "text"], { unique: true });');
      const added = migration("add_kept_by_to_gadgets");
      assert.match(added, 't.polymorphic("kept_by");');
      assert.match(added, 'removeColumns("gadgets", ["kept_by_type", "kept_by_id"])');
      assert.match(read("app/models/remark.ts"), 'subject: belongsTo({ polymorphic: ["Gadget", "Part"] })');
      assert.match(read("app/policies/remark_policy.ts"), '["text", "subject"]');
      await fwOk(app, "db:migrate");
      await fwOk(app, "db:rollback");
      await fwOk(app, "db:migrate");
      assert.match(read("db/types.d.ts"), 'subject: One<"gadgets"> | One<"parts">;');
      await g("fw:res:conn", "Part", "Remark", "--dest=admin_portal");
      assert.equal(await typeCheck(app), { code: 0, out: "", err: "" });
      const { code, out, err } = await runCommand("npm", ["test"], app);
      assert.is(code, 0, `${out}${err}`);
      const { child, url } = await serveApp(app, { NODE_ENV: "development", ADMIN_API_KEY: key });
      try {
        const client = keyed(url);
        await client.submit("/admin/parts/new", { "part[title]": "Wheel" });
        await client.submit("/admin/remarks/new", { "remark[text]": "Round", "remark[subject]": "Part/1" });
        const { body } = await client.json("/admin/remarks/1");
        assert.equal((body.data as { subject: object }).subject, { type: "Part", id: 1, label: "Wheel" });
      } finally {
        child.kill("SIGTERM");
        await exitOf(child);
      }
    });

    can("Where they make no sense they are refused, and nothing is written", async () => {
      const before = snapshot(app);
      for (const [words, part] of [
        [["fw:res:field", "Gadget", "id:uuid"], "whose kind is chosen where the table is created"],
        [["fw:migration", "add_id_to_gadgets", "id:uuid"], "whose kind is chosen where the table is created"],
        [["fw:model", "Page", "id:integer", "title"], "the id is a number"],
        [["fw:res:field", "Gadget", "handle:slug{titel}"], 'did you mean "title"'],
        [["fw:res:field", "Maker", "handle:slug{name}"], "app/models/maker.ts has another paramKey already"],
        [["fw:res:interaction", "Gadget", "rename", "slug:slug{title}"], "part of a model and its table"],
        [["fw:model", "Page", "about:polymorphic"], "it names the models that it may be of"],
        [["fw:model", "Page", "about:polymorphic{Gadget,Maker}"], "of different kinds, and one column holds them"],
        [["fw:model", "Page", "about:polymorphic{Gadgt}"], "about:polymorphic{Gadget}"],
        [["fw:res:interaction", "Gadget", "rename", "about:polymorphic{Part}"], "has no association"],
        [["fw:saas:entity", "Organization", "--extra_attributes=id:uuid"], "numbers as their ids"],
      ] as const) {
        const { code, err } = await runFw(app, "g", ...words);
        assert.is(code, 2, words.join(" "));
        assert.match(err, part);
      }
      assert.equal(snapshot(app), before);
    });
  });
}
