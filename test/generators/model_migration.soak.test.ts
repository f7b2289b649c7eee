import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { ensureBuilt, fwOk, newApp, runCommand, runFw, snapshot, typeCheck } from "./support.ts";

describe("The generators fw:model and fw:migration", (it, { before }) => {
  let app: string;
  const g = (...words: string[]) => fwOk(app, "g", ...words);
  const migrations = () => Object.entries(snapshot(app)).filter(([path]) => /migrate\/\d/.test(path));
  const textOf = (name: string) => migrations().find(([path]) => path.endsWith(`_${name}.ts`))?.[1] ?? "";
  before(async () => {
    await ensureBuilt();
    app = await newApp();
    await g("fw:pkg:package", "blogging");
    await g("fw:model", "User", "name");
  });

  it("fw:model writes a model and its migration and nothing else, once", async () => {
    const before = Object.keys(snapshot(app));
    const words = ["fw:model", "Visit", "path", "user:belongs_to?", "--dest=blogging"];
    await g(...words);
    const after = snapshot(app);
    const added = Object.keys(after).filter((path) => !before.includes(path));
    assert.equal(
      added.map((path) => path.replace(/\d{14}/, "STAMP")),
      [
        "packages/blogging/app/models/blogging/visit.ts",
        "packages/blogging/db/migrate/STAMP_create_blogging_visits.ts",
      ],
    );
    assert.match(after["packages/blogging/app/models/blogging/visit.ts"]!, "user: belongsTo({ optional: true })");
    await g(...words);
    assert.equal(snapshot(app), after);
  });

  it("A model with many parts is written as a formatter would, of lines of at most 120 letters", async () => {
    const values = Array.from({ length: 12 }, (_, at) => `state_${at}`).join(",");
    await g(
      "fw:model",
      "Parcel",
      `state:enum{${values}}`,
      "mail:email:uniq{scope:owner,scope:recipient,scope:state}",
      ...["owner", "recipient", "carrier_of_it"].map((name) => `${name}:belongs_to{class:User}`),
    );
    const paths = ["app/models", "db/migrate"];
    const style = ["format", "--indent-style=space", "--line-width=120", ...paths];
    const { code, err } = await runCommand(join(import.meta.dirname, "../../node_modules/.bin/biome"), style, app);
    assert.is(code, 0, err);
    assert.match(
      readFileSync(join(app, "app/models/parcel.ts"), "utf8"),
      '\n    owner: belongsTo({ class: "User" }),\n',
    );
  });

  it("fw:migration writes an empty migration, or one that its name and fields fill in, all of which run and are undone", async () => {
    await g("fw:migration", "backfill_names");
    assert.match(textOf("backfill_names"), "export async function up(_db: Schema): Promise<void> {}");
    const { out } = await g(
      "fw:migration",
      "AddRatingToBloggingVisits",
      "rating:integer",
      "title:string{default:none}",
      "user:belongs_to{class:User}",
      "--dest=blogging",
    );
    const added = textOf("add_rating_to_blogging_visits");
    for (const line of ['t.integer("rating");', 't.string("title").notNull().default("none");', 'table: "users" }'])
      assert.match(added, line);
    assert.match(added, 'await db.removeColumns("blogging_visits", ["rating", "title", "user_id"]);');
    assert.match(out, "rating may be empty");
    await g("fw:migration", "create_tags", "name:uniq", "user:belongs_to?");
    assert.match(textOf("create_tags"), 't.string("name").notNull().unique();');
    const before = snapshot(app);
    await g("fw:migration", "create_tags", "name:uniq", "user:belongs_to?");
    await g("fw:migration", "backfill_names");
    assert.equal(snapshot(app), before);
    await fwOk(app, "db:migrate");
    assert.is((await typeCheck(app)).out, "");
    await fwOk(app, "db:rollback", "--steps=6");
    await fwOk(app, "db:migrate");
  });

  it("fw:migration prints what its fields are in the model and the definition, which it leaves alone", async () => {
    await g("fw:res:scaffold", "Page", "title");
    await fwOk(app, "db:migrate");
    const path = "app/models/page.ts";
    const words = ["add_state_to_pages", "state:enum{draft,live,default:draft}", "contact:email?", "code:slug{title}"];
    const { out } = await g("fw:migration", ...words);
    assert.match(textOf("add_state_to_pages"), 't.string("state").notNull().default("draft");');
    for (const line of [
      `fw:res:field writes both. Add to ${path}:`,
      '  static override paramKey = "code";',
      '  static override slug = { from: "title" };',
      '  static override enums = { state: ["draft", "live"] };',
      "  static override validations = { contact: { format: { with:",
      "Add to configure() of app/definitions/page_definition.ts:",
      '    this.input("contact", { as: "email" });',
    ])
      assert.match(out, line);
    const model = readFileSync(join(app, path), "utf8");
    assert.not.match(model, "enums");
    const lines = /Add to app\/models\/page\.ts:\n((?: {2}static .*\n)+)/.exec(out)![1]!;
    const title = "  static override validations = { title: { presence: true } };\n";
    const merged = lines.replace("validations = {", "validations = { title: { presence: true },");
    writeFileSync(join(app, path), model.replace(title, merged));
    const again = await g("fw:migration", ...words);
    assert.not.match(again.out, `Add to ${path}`);
    await fwOk(app, "db:migrate");
    assert.is((await typeCheck(app)).out, "");
    const created = await g("fw:migration", "create_moods", "id:string", "mood:enum{glad,sad}");
    for (const line of ["The model of moods has:", "fw:model writes both", "id: () => randomBytes(8)", "mood: ["])
      assert.match(created.out, line);
  });

  it("A migration that was written by hand is kept, and wrong names and fields are refused by name", async () => {
    const [path] = migrations().find(([path]) => path.endsWith("_backfill_names.ts"))!;
    writeFileSync(join(app, path), "// mine\nexport async function up() {}\nexport async function down() {}\n");
    const before = snapshot(app);
    assert.match((await g("fw:migration", "backfill_names")).out, "kept");
    assert.equal(snapshot(app), before);
    for (const [words, ...parts] of [
      [["fw:migration", "fix it"], "FW_NAME_INVALID", '"fix it"'],
      [["fw:migration", "backfill_slugs", "slug"], "FW_NAME_INVALID", "add_slug_to_posts"],
      [["fw:migration", "create_pages", "a:strng"], "FW_FIELD_TYPE_UNKNOWN", 'Did you mean "string"?'],
      [["fw:migration", "create_pages", "usr:belongs_to"], "FW_ASSOCIATION_TARGET", 'Did you mean "User"?'],
      [["fw:migration", `create_${"x".repeat(65)}`, "a"], "FW_TABLE_LENGTH"],
      [["fw:migration", "create_pages", "--dest=nowhere"], "FW_PACKAGE_UNKNOWN"],
      [["fw:model", "9Page"], "FW_NAME_INVALID"],
    ] as const) {
      const { code, err } = await runFw(app, "g", ...words);
      assert.is(code, 2, err);
      for (const part of parts) assert.match(err, part);
    }
    assert.equal(snapshot(app), before);
  });
});
