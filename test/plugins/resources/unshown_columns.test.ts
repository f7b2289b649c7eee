import type { TestApp } from "../../support/apps.ts";
import { databases, type TestDatabase } from "../../support/databases.ts";
import { filledRows } from "../../support/filled_rows.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openShop, shopFiles } from "../../support/shop.ts";
import { Client } from "../../testing/client.ts";

const policy = "packages/blogging/app/policies/blogging/post_policy.ts";
const definition = "packages/blogging/app/definitions/blogging/post_definition.ts";
const model = "packages/blogging/app/models/blogging/post.ts";
const list = "/admin/blogging/posts";
/** The posts may be deleted that this expression of the policy finds so. */
const deletable = (expression: string) => ({
  [policy]: edited(shopFiles, policy, ['this.record?.title !== "Kept"', expression]),
});
const readable = {
  [policy]: edited(shopFiles, policy, [
    'return ["title", "author", "price", "status", "created_at"];',
    'return ["title", "author", "price", "status", "created_at", "body"];',
  ]),
  [definition]: edited(shopFiles, definition, ["super.configure();", 'super.configure(); this.sort("body");']),
};
/** Tags whose key is a text without a limit, as databases of others have it. */
const tagged = {
  "db/migrate/20260102000000_create_tags.ts": `import type { Schema } from "framewright/plugins/database";
export async function up({ knex }: Schema) {
  await knex.schema.createTable("blogging_tags", (table) => {
    table.text("code").primary();
    table.string("label", 20).notNullable();
  });
  await knex.schema.alterTable("blogging_posts", (table) => {
    table.text("tag_code").references("blogging_tags.code");
  });
}
export async function down() {}
`,
  "packages/blogging/app/models/blogging/tag.ts": `import { Model } from "framewright/plugins/database";
export default class Tag extends Model("blogging_tags") {
  static override idColumn = "code";
  override toLabel() {
    return this.label;
  }
}
`,
  [model]: edited(shopFiles, model, [
    "    note: hasOne(),",
    '    note: hasOne(), tag: belongsTo({ class: "Blogging::Tag", foreignKey: "tag_code", optional: true }),',
  ]),
  [policy]: edited(shopFiles, policy, [
    'return ["title", "author", "price", "status", "created_at"];',
    'return ["title", "tag" as never, "author", "price", "status", "created_at"];',
  ]),
};
const stamps = { created_at: "2026-01-01 10:00:00.000", updated_at: "2026-01-01 10:00:00.000" };
const long = "A long text. ".repeat(400);

for (const database of await databases()) {
  describe(`Long texts that a list does not show, on ${database.name}`, (it) => {
    const can = (sentence: string, story: (reads: Reads, app: TestApp) => Promise<void>, changes = {}) =>
      it.unless(database.skip, sentence, () => withPosts(database, changes, story));

    can("They are not read, once the columns of the table are known", async (reads) => {
      const first = await reads(list);
      const [next, json] = [await reads(list), await reads(`${list}.json?page=1`)];
      assert.is(withoutTokens(next.text), withoutTokens(first.text), "the page is the same");
      for (const { sql } of [next, json]) {
        assert.not.match(sql, "body", "neither the page nor its JSON asks for them");
        assert.not.match(sql, ".*", "nor for all columns");
      }
      assert.match(json.text, '"title":"Kept"');
      assert.not.match(json.text, "A long text");
    });

    can(
      "They are read where the list shows them or is sorted by them",
      async (reads) => {
        const narrow = `${list}?columns=title,status`;
        await reads(narrow);
        assert.not.match((await reads(narrow)).sql, "body");
        const shown = await reads(`${list}?columns=title,body`);
        assert.match(shown.sql, /body|\.\*/);
        assert.match(shown.text, "A long text");
        const page = `${list}.json?columns=title&sort=body&per_page=1`;
        await reads(page);
        const { data, meta } = JSON.parse((await reads(page)).text) as Listed;
        assert.equal([data[0]!.title, meta.total], ["Second", 3]);
        assert.match((await reads(`${list}/1.json`)).text, "A long text", "a record has all");
      },
      readable,
    );

    can("A policy is given records without them, and with all that was read", async (reads) => {
      await reads(list);
      const { sql, text } = await reads(list);
      assert.not.match(sql, "body");
      assert.equal(deleteButtons(text), [false, true, true], "Kept, Second, Third");
    });

    for (const [what, expression] of Object.entries({
      "reads one of them": 'this.record?.body !== "short"',
      "looks at all that a record has": 'this.record === undefined || !JSON.stringify(this.record).includes("short")',
      "does not let errors pass": '{ try { return this.record?.body !== "short"; } catch { return false; } }',
    }))
      can(
        `A policy that ${what} sees them, on the first page already`,
        async (reads, app) => {
          await databaseOf(app.application).knex("blogging_posts").where({ id: 2 }).update({ body: "short" });
          for (let turn = 0; turn < 3; turn++)
            assert.equal(deleteButtons((await reads(list)).text), [true, false, true], `request ${turn}`);
          assert.match((await reads(list)).sql, /body|\.\*/, "they are read from then on");
        },
        deletable(expression.startsWith("{") ? `(() => ${expression})()` : expression),
      );

    for (const [what, files] of Object.entries({
      "A condition of an action": {
        [definition]: edited(shopFiles, definition, [
          'condition: ({ record }) => record?.status !== "live",',
          "condition: (about) => (about.record as { body?: string } | undefined)?.body !== undefined,",
        ]),
      },
      "A condition of an input in a cell": {
        [definition]: edited(shopFiles, definition, [
          'this.filter("author");',
          'this.filter("author"); this.column("title", { edit: true }); this.input("title", { condition: ({ record }) => record?.body !== "short" });',
        ]),
      },
      "A label": {
        [model]: edited(shopFiles, model, [
          "  static override money",
          '  override toLabel() { return this.title + " (" + this.body?.length + ")"; }\n  static override money',
        ]),
      },
      "A format of a column": {
        [definition]: edited(shopFiles, definition, [
          'this.filter("author");',
          'this.filter("author"); this.column("title", { format: (title, post) => title + " (" + post.body?.length + ")" });',
        ]),
      },
    }))
      can(
        `${what} that reads one of them has it, in one reading of the list`,
        async (reads) => {
          for (let turn = 0; turn < 3; turn++) {
            const { sql, text } = await reads(list);
            assert.match(
              text,
              what === "A condition of an action"
                ? "/actions/publish"
                : what.includes("cell")
                  ? "/cells/title"
                  : `Kept (${long.length})`,
            );
            assert.is(sql.split("\n").length, 1, `request ${turn}`);
          }
        },
        files,
      );

    if (database.name !== "mysql")
      can(
        "A text by which a row refers to another record is read, as its label is shown",
        async (reads, app) => {
          const { knex } = databaseOf(app.application);
          await knex("blogging_tags").insert({ code: "ink", label: "Ink" });
          await knex("blogging_posts").where({ title: "Kept" }).update({ tag_code: "ink" });
          for (let turn = 0; turn < 3; turn++) {
            const { text, sql } = await reads(`${list}?columns=title,tag`);
            assert.match(text, "Ink");
            if (turn > 0) assert.not.match(sql, "body");
            const { data } = JSON.parse((await reads(`${list}.json?columns=title,tag`)).text) as Listed;
            assert.is(data.find(({ title }) => title === "Kept")?.tag?.label, "Ink");
          }
        },
        tagged,
      );

    const readsPosts = /parent_0[`"]\.[`"]body|blogging_posts[`"]\.(?:\*|[`"]?body)/;
    const comments = "/admin/blogging/comments?columns=body,post";
    const comment = async (app: TestApp) => {
      const { knex } = databaseOf(app.application);
      for (const post_id of [1, 2, 2]) await knex("blogging_comments").insert({ body: "Agreed", post_id, ...stamps });
    };
    can("Those of what its rows belong to are not read either", async (reads, app) => {
      await comment(app);
      const first = await reads(comments);
      await reads(list);
      await reads(comments);
      const next = await reads(comments);
      assert.is(withoutTokens(next.text), withoutTokens(first.text));
      assert.match(next.text, ">Second</a>");
      assert.not.match(next.sql, readsPosts);
    });
    can(
      "Nor are those of records that stand below another one, unless somebody asks for them",
      async (reads, app) => {
        const { knex } = databaseOf(app.application);
        await knex("authors").insert({ name: "Ada", ...stamps });
        await knex("blogging_posts").update({ author_id: 1 });
        await reads(list);
        for (const page of ["/admin/authors/1", "/admin/authors/1?posts[sort]=title"]) {
          const { sql, text } = await reads(page);
          assert.equal(deleteButtons(text).sort(), [false, true, true], page);
          assert.not.match(sql, "body");
          assert.not.match(sql, ".*");
        }
        assert.match((await reads("/admin/authors/1?posts[sort]=-body")).text, ">Second</a>");
      },
      {
        "app/policies/author_policy.ts": edited(shopFiles, "app/policies/author_policy.ts", [
          "override permittedAttributesForRead",
          'override permittedAssociations() { return ["posts"] as const; } override permittedAttributesForRead',
        ]),
        [definition]: readable[definition]!,
      },
    );
    can(
      "They are read where the policy of what the rows belong to asks for them",
      async (reads, app) => {
        await comment(app);
        await databaseOf(app.application).knex("blogging_posts").where({ id: 2 }).update({ body: "short" });
        for (let turn = 0; turn < 4; turn++) {
          const { text } = await reads(comments);
          assert.match(text, ">Kept</a>");
          assert.not.match(text, ">Second</a>", `request ${turn}: it may not be seen`);
        }
        assert.match((await reads(comments)).sql, readsPosts);
      },
      { [policy]: edited(shopFiles, policy, [/return true;/, 'return this.record?.body !== "short";']) },
    );

    can(
      "A message is shown once, and the page drawn whole, where a policy asks for them",
      async (reads, app) => {
        await reads(`${list}.json`); // the columns are known now, and no policy was asked of a record
        const client = new Client(app.url);
        const { status } = await client.submit(`${list}/3/actions/destroy`, {});
        assert.is(status, 303);
        const message = "fw-flash-success";
        const page = await client.page(list);
        assert.match(page, message);
        assert.equal(deleteButtons(page), [true, true]);
        assert.not.match(await client.page(list), message);
        assert.match((await reads(list)).sql, /body|\.\*/);
      },
      deletable("this.record?.body !== undefined"),
    );
  });
}

const withoutTokens = (page: string): string => page.replace(/[\w-]{86}/g, "");
type Reads = (path: string) => Promise<{ sql: string; text: string }>;
interface Listed {
  data: { title: string; tag?: { label: string } | null }[];
  meta: { total: number };
}

/** For each row of a page, from the oldest, whether it can be deleted. */
const deleteButtons = (page: string): boolean[] => {
  const rows = filledRows(page).split("<tr><td").slice(1);
  return rows.map((row) => row.includes("/actions/destroy")).reverse();
};

/** Runs a story in a shop of three posts; `reads` asks for a path, and gives what was selected from the table for it. */
async function withPosts(
  database: TestDatabase,
  changes: Record<string, string>,
  story: (reads: Reads, app: TestApp) => Promise<void>,
): Promise<void> {
  const app = await openShop(changes, { ...(await database.values()), FW_DATABASE_FAST: "on" });
  try {
    const { knex } = databaseOf(app.application);
    for (const [title, body] of Object.entries({ Kept: long, Second: "B", Third: "C" }))
      await knex("blogging_posts").insert({ title, body: body === "B" ? `1 ${long}` : body, ...stamps });
    const statements: string[] = [];
    knex.on("query", ({ sql }: { sql: string }) => void statements.push(sql));
    await story(async (path) => {
      statements.length = 0;
      const text = await (await app.request(path)).text();
      return { sql: statements.filter((sql) => /blogging_posts/.test(sql) && !/count/.test(sql)).join("\n"), text };
    }, app);
  } finally {
    await app.close();
    await database.clean();
  }
}
