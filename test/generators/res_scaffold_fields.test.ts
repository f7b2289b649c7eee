import { indexLines, schemaLine, validationOf } from "../../generators/res/scaffold/code.ts";
import { parseFields } from "../../generators/res/scaffold/fields.ts";
import { assert, describe, throwsCode } from "../support/index.ts";

const one = (text: string) => parseFields([text])[0]!;
const line = (text: string) => schemaLine(one(text));

describe("The field grammar", (it) => {
  it("A field without a type is a required string", () => {
    assert.is(line("title"), 't.string("title").notNull();');
    assert.is(line("title:string"), 't.string("title").notNull();');
    assert.is(validationOf(one("title")), "title: { presence: true }");
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

  it("FW_FIELD_DUPLICATE refuses two fields of one column", async () => {
    await throwsCode("FW_FIELD_DUPLICATE", () => parseFields(["author:belongs_to", "author_id:integer"]));
  });
});
