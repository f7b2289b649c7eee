import { indexLines, inputLine, schemaLine, validationOf } from "../../plugins/database/generators/fields/code.ts";
import { parseFields } from "../../plugins/database/generators/fields/fields.ts";
import { takeKey } from "../../plugins/database/generators/fields/keys.ts";
import { modelParts } from "../../plugins/database/generators/fields/model_parts.ts";
import { withinTenant } from "../../plugins/database/generators/fields/tenant_scope.ts";
import { fieldList } from "../../plugins/memberships/generators/saas/names.ts";
import { inputsOf } from "../../plugins/resources/generators/interaction/inputs.ts";
import { assert, describe, throwsCode } from "../support/index.ts";

const one = (text: string) => parseFields([text])[0]!;
const line = (text: string) => schemaLine(one(text));

describe("The field grammar", (it) => {
  it("A field without a type is a required string", () => {
    assert.is(line("title"), 't.string("title").notNull();');
    assert.is(line("title:string"), 't.string("title").notNull();');
    assert.is(validationOf(one("title")), "title: { presence: true }");
  });

  it("What is unique in a tenant's model is so within the tenant, unless it says everywhere", () => {
    const rulesIn = (text: string, tenants: readonly string[]) => {
      const fields = withinTenant(parseFields([text, "town:belongs_to"]), tenants);
      return [validationOf(fields[0]!), ...indexLines(fields)];
    };
    assert.equal(rulesIn("number:string:uniq", ["Town"]), [
      'number: { presence: true, uniqueness: { scope: "town" } }',
      't.index(["number", "town_id"], { unique: true });',
    ]);
    assert.equal(rulesIn("number:string:uniq", []), ["number: { presence: true, uniqueness: true }"]);
    assert.equal(rulesIn("number:string:uniq{everywhere}", ["Town"]), [
      "number: { presence: true, uniqueness: { everywhere: true } }",
    ]);
    throwsCode("FW_FIELD_SHAPE", () => parseFields(["number:string{everywhere}"]));
  });

  it("A question mark makes a field optional", () => {
    assert.is(line("body:text?"), 't.text("body");');
    assert.is(line("nick?"), 't.string("nick");');
    assert.is(line("amount:decimal?{10,2}"), 't.decimal("amount", 10, 2);');
    assert.is(line("amount:decimal{10,2}?"), 't.decimal("amount", 10, 2);');
    assert.is(validationOf(one("body:text?")), undefined);
  });

  it("Braces give a field its size and its default", () => {
    assert.is(line("amount:decimal{10,2}"), 't.decimal("amount", 10, 2).notNull();');
    assert.is(line("status:string{default:draft}"), 't.string("status").notNull().default("draft");');
    assert.is(line("code:string{8,default:a:b}"), 't.string("code", 8).notNull().default("a:b");');
    assert.is(line("count:integer{default:-3}"), 't.integer("count").notNull().default(-3);');
    assert.is(line("open:boolean"), 't.boolean("open").notNull().default(false);');
  });

  it("Words for what people type in have a column, an input and a check", () => {
    const { input, values } = one("state:enum{draft,live,default:draft}");
    assert.equal([input, values], ["enum", ["draft", "live"]]);
    assert.is(line("state:enum{draft,live,default:draft}"), 't.string("state").notNull().default("draft");');
    assert.equal(modelParts([one("state:enum{draft,live}")]).enums, [{ name: "state", code: '["draft", "live"]' }]);
    assert.is(line("contact:email?:uniq"), 't.string("contact").unique();');
    assert.is(inputLine(one("contact:email")), 'this.input("contact", { as: "email" });');
    assert.is(inputLine(one("work_email:email")), undefined);
    assert.match(validationOf(one("contact:email"))!, "format: { with: /^[^\\s@]+@[^\\s@]+$/ }");
    assert.is(line("phone:tel"), 't.string("phone").notNull();');
    assert.is(inputLine(one("shade:color?")), 'this.input("shade", { as: "color" });');
    assert.is(line("paper:file?"), 't.json("paper");');
    assert.is(inputLine(one("paper:file")), 'this.input("paper", { as: "file", required: true });');
    const asked = inputsOf(["state:enum{draft,live}", "contact:email?", "paper:file"]);
    assert.equal(asked, [
      'state: { as: "select", choices: ["draft", "live"], required: true }',
      'contact: { as: "email" }',
      'paper: { as: "file", required: true }',
    ]);
  });

  it("A slug is an optional text with an index, made of the field that is named, or of the title or the name", async () => {
    const slugIn = (...texts: string[]) => parseFields(texts, { slugs: "own" }).find(({ slug }) => slug !== undefined)!;
    for (const text of ["slug:slug", "slug:slug?", "slug:slug:uniq", "slug:slug{title}"])
      assert.is(schemaLine(slugIn("title", text)), 't.string("slug", 100).unique();');
    assert.is(slugIn("body:text", "name", "slug:slug").slug, "name");
    assert.is(slugIn("note:text", "slug:slug{note}").slug, "note");
    const path = slugIn("name", "team:belongs_to", "path:slug{scope:team}");
    assert.is(validationOf(path), undefined);
    assert.equal(modelParts([path]).address, [
      { name: "paramKey", code: '"path"' },
      { name: "slug", code: '{ from: "name", scope: "team" }' },
    ]);
    for (const [texts, why] of [
      [["slug:slug"], "Say of which: slug:slug{title}"],
      [["titel", "slug:slug{title}"], 'did you mean "titel"'],
      [["number:integer", "slug:slug{number}"], "is not one of the texts"],
      [["title", "slug:slug{default:x}"], "no default"],
      [["title", "slug:slug{20}"], "no size"],
      [["title", "a:slug", "b:slug"], "one slug"],
    ] as const) {
      const { message } = await throwsCode("FW_FIELD_SHAPE", () => parseFields(texts, { slugs: "own" }));
      assert.match(message, why);
    }
    const { message } = await throwsCode("FW_FIELD_SHAPE", () => inputsOf(["title", "slug:slug{title}"]));
    assert.match(message, "part of a model and its table");
  });

  it("A primary key is taken from the fields of a new table, and from no others", async () => {
    assert.equal(takeKey(["id:uuid", "title"]), { key: { type: "uuid" }, texts: ["title"] });
    assert.equal(takeKey(["title", "id:string{40}"]).key, { type: "string", length: 40 });
    assert.equal(takeKey(["title", "identity"]), { key: undefined, texts: ["title", "identity"] });
    for (const text of ["id", "id?", "id:uuid?", "id:uuid{36}", "id:integer", "id:uuid:uniq", "id:string{2}"])
      await throwsCode("FW_FIELD_SHAPE", () => takeKey([text]));
    assert.match((await throwsCode("FW_FIELD_SHAPE", () => one("id:uuid"))).message, "every table has an id");
    assert.match((await throwsCode("FW_FIELD_SHAPE", () => fieldList("name,id:uuid"))).message, "numbers as their ids");
    const user = { ...one("user:belongs_to"), table: "users", key: { type: "string", length: 40 } as const };
    assert.is(schemaLine(user), 't.belongsTo("user", { table: "users", null: false, type: "string", length: 40 });');
  });

  it("JSON takes a default of its own braces", async () => {
    assert.is(line("meta:json{default:{}}"), 't.json("meta").notNull().default({});');
    assert.is(line("tags:json?{default:[1, 2]}"), 't.json("tags").default([1,2]);');
    assert.is(
      line('meta:json{default:{"a":{"b":[1,2]}}}:index'),
      't.json("meta").notNull().default({"a":{"b":[1,2]}}).index();',
    );
    for (const text of [
      "meta:json{default:{}",
      "meta:json{default:nope}",
      "state:enum",
      "state:enum{a,a}",
      "state:enum{a b}",
      "state:enum{draft,default:live}",
      "paper:file{default:x}",
      "a:string{b{c}}",
    ])
      await throwsCode("FW_FIELD_SHAPE", () => one(text));
  });

  it("A field is unique or indexed by uniq and index, uniq also without a type", () => {
    assert.is(line("email:string:uniq"), 't.string("email").notNull().unique();');
    assert.is(line("email:uniq"), 't.string("email").notNull().unique();');
    assert.is(line("email:string?:index"), 't.string("email").index();');
    assert.is(validationOf(one("email:uniq")), "email: { presence: true, uniqueness: true }");
  });

  it("A unique field is unique in model and table, by itself or within the fields of its scope", () => {
    const linked = { table: "users" };
    assert.is(validationOf(one("user:belongs_to:uniq")), "user: { uniqueness: true }");
    assert.is(
      schemaLine({ ...one("user:belongs_to:uniq"), ...linked }),
      't.belongsTo("user", { table: "users", null: false, unique: true });',
    );
    const fields = parseFields(["user:belongs_to:uniq{scope:team,scope:nick}", "team:belongs_to?", "nick?"]);
    assert.is(validationOf(fields[0]!), 'user: { uniqueness: { scope: ["team", "nick"] } }');
    assert.is(schemaLine({ ...fields[0]!, ...linked }), 't.belongsTo("user", { table: "users", null: false });');
    assert.equal(indexLines(fields), ['t.index(["user_id", "team_id", "nick"], { unique: true });']);
    const [slug] = parseFields(["slug:uniq{scope:team}", "team:belongs_to"]);
    assert.is(schemaLine(slug!), 't.string("slug").notNull();');
    assert.is(validationOf(slug!), 'slug: { presence: true, uniqueness: { scope: "team" } }');
  });

  it("A field is money by its type or by the suffix _cents", () => {
    for (const text of ["price:money", "price_cents:integer", "price_cents:bigint"]) {
      assert.equal([one(text).name, one(text).column, one(text).type], ["price", "price_cents", "money"]);
    }
    assert.is(line("price:money?"), 't.money("price");');
  });

  it("belongs_to and references name the target by the field, by a path or by a class", () => {
    const pick = (text: string) => [one(text).name, one(text).column, one(text).target];
    assert.equal(pick("author:belongs_to"), ["author", "author_id", "Author"]);
    assert.equal(pick("author:references"), ["author", "author_id", "Author"]);
    assert.equal(pick("blogging/post:belongs_to"), ["post", "post_id", "Blogging::Post"]);
    assert.equal(pick("author:belongs_to{class:User}"), ["author", "author_id", "User"]);
    assert.is(
      schemaLine({ ...one("author:belongs_to?"), table: "users" }),
      't.belongsTo("author", { table: "users" });',
    );
    assert.is(
      schemaLine({ ...one("author:belongs_to"), table: "users" }),
      't.belongsTo("author", { table: "users", null: false });',
    );
  });

  it("FW_FIELD_TYPE_UNKNOWN quotes an unknown type and suggests one", async () => {
    const error = await throwsCode("FW_FIELD_TYPE_UNKNOWN", () => one("title:strnig"));
    assert.match(error.message, '"strnig"');
    assert.match(error.message, 'Did you mean "string"?');
    for (const [word, meant] of Object.entries({ attachment: "file", int: "integer", timestamp: "datetime" })) {
      const foreign = await throwsCode("FW_FIELD_TYPE_UNKNOWN", () => one(`x:${word}?`));
      assert.match(foreign.message, `Did you mean "${meant}"?`);
    }
  });

  for (const text of [
    "",
    ":string",
    "Title",
    "2nd",
    "title:string:unique",
    "a:string{",
    "a:string{x:1}",
    "a:integer{3}",
    "a:string{0}",
    "a:boolean{default:maybe}",
    "a:integer{default:1.5}",
    "a:json{default:x}",
    "a:decimal{70,2}",
    "a:decimal{2,3}",
    "id",
    "created_at:datetime",
    "blog/post:string",
    "constructor",
    "slug:uniq{scope:team}",
    "slug{scope:slug}",
    "a".repeat(65),
    `${"a".repeat(62)}:belongs_to`,
  ]) {
    it(`FW_FIELD_SHAPE refuses the field "${text}" and quotes it`, async () => {
      const error = await throwsCode("FW_FIELD_SHAPE", () => one(text));
      assert.match(error.message, `"${text}"`);
    });
  }

  it("FW_FIELD_SHAPE joins the braces of a field that has two pairs", async () => {
    const { message } = await throwsCode("FW_FIELD_SHAPE", () => one("rate:decimal{4,2}{default:1.5}"));
    assert.match(message, "one pair of braces: {4,2,default:1.5}");
  });
  it("FW_FIELD_DUPLICATE refuses two fields of one column", async () => {
    await throwsCode("FW_FIELD_DUPLICATE", () => parseFields(["author:belongs_to", "author_id:integer"]));
  });
});
