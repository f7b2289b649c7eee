import type { ModelClass } from "framewright/plugins/database";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { tenantFiles } from "../scoping/tenants.ts";
import { historyFiles, openHistory, Person } from "./history_app.ts";

// Records that are called by what they belong to, and records without a name of their own.

const labelled = (own: string, read: string) => `{
  static override labelAssociations = ["post"];
  override toLabel(): string {
    const { title, post } = this as unknown as { title: string; post?: { title?: string; api_token?: string } | null };
    return \`\${title} ${own} \${post ? ${read} : "nothing"}\`;
  }`;
const changes = {
  "app/models/comment.ts": edited(
    historyFiles,
    "app/models/comment.ts",
    ['Model("comments") {', `Model("comments") ${labelled("on", "post.title")}`],
    ["  static history = { keepFor: { days: 30 } };\n", ""],
  ),
  "app/models/note.ts": edited(tenantFiles, "app/models/note.ts", [
    'Model("notes") {',
    `Model("notes") ${labelled("about", "String(post.title) + post.api_token")}`,
  ]),
  "app/models/attachment.ts": edited(
    tenantFiles,
    "app/models/attachment.ts",
    ["import { belongsTo, Model }", "import { belongsTo, Model, ModelInfo }"],
    [
      'Model("attachments") {',
      `Model("attachments") {
  static override labelAssociations = ["comment"];
  override toLabel() {
    const { name, comment } = this as unknown as { name: string; comment?: { title: string } | null };
    return name === "nameless" ? ModelInfo.ofRecord(this).numberLabel(ModelInfo.keyOf(this)) : \`\${name} in \${comment?.title}\`;
  }`,
    ],
  ),
  ...Object.fromEntries(
    ["comment", "attachment"].map((name) => {
      const path = `app/policies/${name}_policy.ts`;
      const deleted = "  canShowDeletedHistory() {\n    return true;\n  }\n  override canCreate() {";
      return [path, edited(tenantFiles, path, ["  override canCreate() {", deleted])];
    }),
  ),
  "config/locales/de.json": JSON.stringify({ models: { attachment: { one: "Anlage", many: "Anlagen" } } }),
};

interface Item {
  label: string;
  model: string;
  kind: string;
}

for (const database of await databases({ withPostgres: true })) {
  describe(`The names of records in the history, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openHistory(changes, await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const service = () => databaseOf(app.application);
    const model = (name: string): ModelClass => service().model(name).class;
    const table = () => service().knex("framewright_history");
    const taken = async () => {
      const found = await table().orderBy("at").orderBy("id");
      await table().delete();
      return found.map(({ kind, model: name, label }) => `${kind} ${name} ${label}`);
    };
    const listed = async () => {
      const { body } = await new Person(app.url, 1).json("/customer/1/_history");
      return (body as { data: Item[] }).data.map(({ kind, model: name, label }) => `${kind} ${name} ${label}`);
    };

    can("An entry has the label with what its model declares that labels read, without secrets of that", async () => {
      await taken();
      const created = await service().insert(model("Comment"), { title: "New", post_id: 1 });
      assert.equal(Object.hasOwn(created, "post"), false);
      await created.$query().patch({ title: "Newer" } as never);
      await created.$query().delete();
      assert.equal(await taken(), [
        "created Comment New on Post Alpine",
        "updated Comment Newer on Post Alpine",
        "deleted Comment Newer on Post Alpine",
      ]);
      await service().knex("posts").where({ id: 1 }).update({ api_token: "tok_12345678" });
      await model("Note")
        .query()
        .findById(1)
        .patch({ title: "Kept" } as never);
      assert.equal(await taken(), ["updated Note Kept about Post Alpineundefined"]);
    });

    can("What many entries of a transaction need is read at once, and once deleted it is still known", async () => {
      const queries: string[] = [];
      await service().knex("posts").insert({ id: 70, title: "Short-lived", organization_id: 1 });
      const listen = ({ sql }: { sql: string }) => void (/^select .*from .posts. where/.test(sql) && queries.push(sql));
      await service().transaction(async (transaction) => {
        for (let index = 0; index < 5; index++)
          await service().insert(model("Comment"), { title: `Of ${index}`, post_id: 70 }, { transaction });
        service().knex.on("query", listen);
      });
      service().knex.off("query", listen);
      assert.is(queries.length, 2, queries.join("\n")); // for the tenants, and for the labels
      assert.equal((await taken())[4], "created Comment Of 4 on Short-lived");
      const post = await model("Post").query().findById(70);
      await post!.$query().delete();
      const gone = await taken();
      assert.equal(gone.filter((line) => line.includes("Comment"))[4], "deleted Comment Of 4 on Short-lived");
    });

    can("The list of all changes calls records as their pages do, those that were deleted as well", async () => {
      const comment = await service().insert(model("Comment"), { title: "Listed", post_id: 1 });
      const page = await new Person(app.url, 1).page(`/customer/1/comments/${comment.$id()}`);
      assert.match(page, "Listed on Post Alpine");
      assert.equal(await listed(), ["created Comment Listed on Post Alpine"]);
      assert.match(await new Person(app.url, 1).page("/customer/1/_history"), ">Listed on Post Alpine<");
      await service().knex("posts").where({ id: 1 }).update({ status: "hidden" });
      assert.equal(await listed(), ["created Comment Listed on nothing"], "the policy hides the post");
      await service().knex("posts").where({ id: 1 }).update({ status: "live" });
      const attachment = await service().insert(model("Attachment"), { name: "Plan", comment_id: comment.$id() });
      await comment.$query().patch({ title: "Renamed" } as never);
      assert.equal((await listed()).at(-2), "created Attachment Plan in Renamed");
      await attachment.$query().delete();
      assert.equal((await listed())[0], "deleted Attachment Plan in Renamed");
      assert.equal(
        (await taken()).filter((line) => line.includes("Plan")),
        ["created Attachment Plan in Listed", "deleted Attachment Plan in Renamed"],
      );
    });

    can(
      "A record without a name is called by its number, as its resource is called in the language of the page",
      async () => {
        const attachment = await service().insert(model("Attachment"), { name: "nameless", comment_id: 1 });
        const id = String(attachment.$id());
        const page = async (language: string) => {
          const headers = { "accept-language": language };
          return (await new Person(app.url, 1).request("/customer/1/_history", { headers })).text();
        };
        assert.match(await page("de"), new RegExp(`what"><a [^>]*>Anlage #${id}</a>: angelegt`));
        assert.match(await page("en"), new RegExp(`what"><a [^>]*>Attachment #${id}</a>: created`));
        await attachment.$query().delete();
        assert.match(await page("de"), new RegExp(`what"><span>Anlage #${id}</span>: gelöscht`));
      },
    );
  });
}
