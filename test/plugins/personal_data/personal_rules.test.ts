import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { addPeople, databaseOf, signIn } from "../authlib/accounts.ts";
import { placesOf, unzipped } from "./everywhere.ts";
import { models, openPersonalData } from "./personal_data_app.ts";

const note = "app/models/note.ts";
const order = "app/models/order.ts";
const invoice = "app/models/invoice.ts";
const profile = "app/models/profile.ts";
const user = "app/models/user.ts";
const changes = {
  [user]: models[user]!.replace("static personal = {", '$& login: "email",'), // an account is found by its key all the same
  [note]: models[note]!.replace(/columns: \{[^}]*\}/, '$&, files: { keep: "the papers are the company\'s" }'),
  [order]: models[order]!.replace(
    'creator: belongsTo({ class: "User" })',
    '$&, subject: belongsTo({ polymorphic: ["User", "Profile"] })',
  ).replace("static personal = false", 'static personal = { of: "subject", columns: { product: "-" }, export: false }'),
  [invoice]: models[invoice]!.replace('of: "buyer",', 'of: ["buyer", "creator"], erase: "keep",'),
  [profile]: models[profile]!.replace('of: "user",', 'of: "user", erase: "delete",'),
  "db/migrate/20260103000000_add_subject.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) { await db.addColumns("orders", (t) => { t.string("subject_type"); t.bigint("subject_id"); t.integer("lock_version").notNull().default(0); });
      await db.createTable("badges", (t) => { t.id(); t.belongsTo("profile", { null: false }); }); }
    export async function down(_db: Schema) {}`,
};

for (const database of await databases()) {
  describe(`The rules of a person's data, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        const personal = 'personalData({ writtenTexts: "keep" }),';
        app = await openPersonalData({ values: await database.values(), changes, personal });
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const knex = (table: string) => databaseOf(app.application).knex(table);
    const service = () => app.application.kernel.service("personal_data");
    const insert = async (model: string, values: object) => {
      const all = databaseOf(app.application);
      return (await all.insert(all.model(model).class, values)) as unknown as { id: number; $id(): number };
    };

    can(
      "Files and texts that are to stay do, several associations lead to a person, and rows that are kept are kept",
      async () => {
        const [ann, bea] = (await addPeople(app, "user", "ann@example.test", "bea@example.test")) as [number, number];
        const written = await insert("Note", { author_id: ann, title: "Plan", body: "secret plan" });
        const attachments = app.application.kernel.service("attachments");
        await attachments.attach(written as never, "papers", { filename: "plan.txt", bytes: Buffer.from("the plan") });
        const profile = await insert("Profile", { user_id: ann, code: "a" });
        const other = await insert("Profile", { user_id: bea, code: "b" });
        const orderOf = (subject_type: string, subject_id: number, product: string) =>
          insert("Order", { creator_id: ann, subject_type, subject_id, product });
        await orderOf("User", ann, "of Ann");
        await orderOf("Profile", profile.id, "of Ann's profile");
        await orderOf("User", bea, "of Bea");
        await orderOf("Profile", other.id, "of Bea's profile");
        await insert("Invoice", { buyer_id: ann, recipient: "bought", hint: "kept" });
        await insert("Invoice", { buyer_id: bea, creator_id: ann, recipient: "created", hint: "kept" });
        await insert("Invoice", { buyer_id: bea, recipient: "of Bea", hint: "kept" });
        const row = {
          table_name: "notes",
          record: "1",
          author_type: "authlib user",
          internal: false,
          mentions: "[]",
          created_at: new Date(),
        };
        await knex("framewright_comments").insert({
          ...row,
          author_id: String(ann),
          author_label: "Ann",
          text: "What I think",
        });

        const lost = await attachments.attach(written as never, "papers", {
          filename: "lost.txt",
          bytes: Buffer.from("lost"),
        });
        rmSync(join(app.root, "storage/files", lost.storage_key));
        const chunks: Buffer[] = [];
        for await (const chunk of service().export("user", ann)) chunks.push(chunk);
        const files = unzipped(Buffer.concat(chunks));
        const rows = JSON.parse(files.get("models/invoice.json")!.toString()) as { recipient: string }[];
        assert.equal(rows.map(({ recipient }) => recipient).sort(), ["bought", "created"]);
        assert.not.ok(files.has("models/order.json"), "export: false");
        const attached = [...files.keys()]
          .filter((name) => name.startsWith("files/"))
          .map((name) => name.replace(/\d+-/, ""));
        assert.equal(
          attached,
          ["files/plan.txt", "files/lost.txt.missing.txt"],
          "a lost file keeps nobody from the rest",
        );

        await service().erase("user", ann);
        await app.application.kernel.service("jobs").drain();
        const products = (await knex("orders").orderBy("id")).map(({ product }) => product);
        assert.equal(products, ["-", "-", "of Bea", "of Bea's profile"]);
        const versions = (await knex("orders").orderBy("id")).map(({ lock_version }) => lock_version);
        assert.equal(versions, [1, 1, 0, 0], "a form that was open before is not saved over it");
        assert.equal(
          (await knex("invoices")).map(({ hint }) => hint),
          ["kept", "kept", "kept"],
        );
        const [file] = await knex("framewright_attachments");
        assert.equal([file.name, file.detached_at], ["plan.txt", null]);
        assert.is(readFileSync(join(app.root, "storage/files", file.storage_key), "utf8"), "the plan");
        const [comment] = await knex("framewright_comments");
        assert.equal([comment.author_label, comment.text], ["Deleted person", "What I think"]);
        assert.equal(await placesOf(app, "ann@example.test"), []);
      },
    );
    can("What can't be deleted since others refer to it refuses the erasure, and says which model it is", async () => {
      const [cleo] = (await addPeople(app, "user", "cleo@example.test")) as [number];
      const { id } = await insert("Profile", { user_id: cleo, code: "c" });
      await insert("Address", { profile_id: id, street: "High Street" });
      await knex("badges").insert({ profile_id: id });
      const { message } = await throwsCode("FW_PERSONAL_REFERENCED", () => service().erase("user", cleo));
      assert.match(message, /rows of Profile can't be deleted/);
      const root = await signIn(app, "admin", "root@example.test");
      const typed = { "interaction[login]": "cleo@example.test" };
      const refused = await root.submit(`/admin/users/${cleo}/actions/erase_person`, typed, /actions\/erase_person/);
      assert.is(refused.status, 422);
      assert.match(await refused.text(), "other records refer to what would be deleted");
      assert.is((await knex("users").where({ id: cleo }).first()).email, "cleo@example.test");
      assert.is((await knex("addresses").where({ profile_id: id })).length, 1);
      await knex("badges").delete();
      assert.is((await service().erase("user", cleo)).rows.Profile, 1);
    });
  });
}
