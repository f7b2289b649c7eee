import { Changes } from "../../generators/support/changes.ts";
import { addAssociations, addMembers, addScope, addStatic, importFrom } from "../../generators/support/model_edits.ts";
import { assert, describe, throwsCode } from "../support/index.ts";
import { temporaryFolder } from "./support.ts";

const path = "app/models/user.ts";
const module = "framewright/plugins/database";
const profile = { name: "profile", code: 'hasOne({ class: "UserProfile" })' };

function edited(text: string, edit: (changes: Changes) => void): string {
  const changes = new Changes(temporaryFolder());
  changes.create(path, text);
  edit(changes);
  return changes.read(path)!;
}
const model = (body: string) =>
  `import { Model } from "${module}";\n\nexport default class User extends Model("users") {\n${body}}\n`;

describe("Edits of a model's file", (it) => {
  for (const [what, body, expected] of [
    ["no associations", "", '  static override associations = { profile: hasOne({ class: "UserProfile" }) };\n'],
    [
      "associations on one line",
      "  static override associations = { posts: hasMany() };\n",
      '  static override associations = { posts: hasMany(), profile: hasOne({ class: "UserProfile" }) };\n',
    ],
    [
      "associations on several lines, with a comment and a brace in a string",
      '  static override associations = {\n    posts: hasMany({ class: "P}" }), // profile: later }\n  };\n',
      '  static override associations = {\n    posts: hasMany({ class: "P}" }), // profile: later }\n    profile: hasOne({ class: "UserProfile" }),\n  };\n',
    ],
  ] as const)
    it(`An association is added to a model with ${what}, once, with the import of its function`, () => {
      const after = edited(model(body), (changes) => {
        addAssociations(changes, path, [profile]);
        addAssociations(changes, path, [profile]);
      });
      assert.match(after, `import { hasOne, Model } from "${module}";`);
      assert.ok(after.includes(expected), after);
    });
  for (const [what, body, expected] of [
    ["no statics", "", '  static override money = { price: "price_cents" };\n'],
    [
      "amounts on one line",
      '  static override money = { fee: "fee_cents" };\n',
      '  static override money = { fee: "fee_cents", price: "price_cents" };\n',
    ],
    [
      "associations and validations that have an entry of the name inside",
      "  static override associations = { a: belongsTo() };\n  static override validations = { a: { price: true } };\n",
      '  static override associations = { a: belongsTo() };\n  static override money = { price: "price_cents" };\n',
    ],
  ] as const)
    it(`An amount of money is added to a model with ${what}, once, below the associations`, () => {
      const add = (changes: Changes) =>
        addStatic(changes, path, { list: "money", name: "price", code: '"price_cents"' });
      const after = edited(model(body), (changes) => [add(changes), add(changes)]);
      assert.ok(after.includes(expected), after);
      assert.is(after.match(/price: "/g)?.length, 1);
    });
  it("An object that gets too long for its line has an entry on each line, nested ones as they are", () => {
    const long = (name: string) => ({ name, code: `hasMany({ class: "Blogging::${name}", dependent: "destroy" })` });
    const body = "  static override associations = { author: belongsTo({ class: 'User' }), tags: hasMany() };\n";
    const after = edited(model(body), (changes) => {
      addAssociations(changes, path, [long("comments")]);
      addAssociations(changes, path, [long("reviews")]);
    });
    const lines = [
      "  static override associations = {",
      "    author: belongsTo({ class: 'User' }),",
      "    tags: hasMany(),",
      '    comments: hasMany({ class: "Blogging::comments", dependent: "destroy" }),',
      '    reviews: hasMany({ class: "Blogging::reviews", dependent: "destroy" }),',
      "  };",
    ];
    assert.ok(after.includes(`${lines.join("\n")}\n`), after);
  });
  it("A static and an import that are too long for a line are written on several", () => {
    const code = `[${Array.from({ length: 12 }, (_, at) => `"value-${at}"`).join(", ")}]`;
    const after = edited(model(""), (changes) => {
      addStatic(changes, path, { list: "enums", name: "state", code });
      importFrom(changes, path, module, [
        "belongsTo",
        "findOrCreate",
        "hasMany",
        "hasOne",
        "type Query",
        "type QueryContext",
      ]);
      importFrom(changes, path, module, ["type Transaction"]);
    });
    assert.ok(after.includes(`  static override enums = {\n    state: ${code},\n  };\n`), after);
    const names = ["belongsTo", "findOrCreate", "hasMany", "hasOne", "Model", "type Query", "type QueryContext"];
    const wanted = [...names, "type Transaction"].map((name) => `  ${name},\n`).join("");
    assert.ok(after.startsWith(`import {\n${wanted}} from "${module}";\n`), after);
  });
  it("An association is added to a class without a body", () => {
    const text = `import { Model } from "${module}";\n\nexport default class User extends Model("users") {}\n`;
    const after = edited(text, (changes) => addAssociations(changes, path, [profile]));
    assert.ok(after.includes('Model("users") {\n  static override associations = { profile: hasOne({'), after);
    assert.ok(after.endsWith(" };\n}\n"), after);
  });
  it("A static that is no object literal is left alone", () => {
    const text = model("  static override money = amounts;\n");
    const added = (changes: Changes) =>
      assert.is(addStatic(changes, path, { list: "money", name: "price", code: '"price_cents"' }), false);
    assert.is(edited(text, added), text);
  });
  for (const [what, body, expected] of [
    ["no scopes", "", "  /** The live ones. */\n  static override scopes = {\n    live: (query) => query,\n  };\n"],
    [
      "scopes on one line",
      "  static override scopes = { late: (query) => query };\n",
      "  static override scopes = { late: (query) => query, live: (query) => query };\n",
    ],
    [
      "scopes on several lines",
      "  static override scopes = {\n    late: (query) => query,\n  };\n",
      "  static override scopes = {\n    late: (query) => query,\n    live: (query) => query,\n  };\n",
    ],
  ] as const)
    it(`A scope is added to a model with ${what}, once`, () => {
      const add = (changes: Changes) =>
        addScope(changes, path, { name: "live", summary: "The live ones.", code: "(query) => query" });
      const after = edited(model(body), (changes) => [add(changes), add(changes)]);
      assert.ok(after.includes(expected), after);
      assert.is(after.match(/live:/g)?.length, 1);
    });
  it("Members are added at the end of the exported class, once", () => {
    const add = (changes: Changes) => addMembers(changes, path, "greet(", '  greet() {\n    return "}";\n  }\n');
    const text = `${model("  name = 1;\n")}\nclass Other {}\n`;
    const after = edited(text, (changes) => [add(changes), add(changes)]);
    assert.ok(after.includes('  name = 1;\n\n  greet() {\n    return "}";\n  }\n}\n\nclass Other {}'), after);
    assert.ok(edited(model(""), add).includes('Model("users") {\n  greet() {'));
  });
  it("Members are added below a base class that is called with an object", () => {
    const base = "features(Base, [\n  login(),\n  createAccount({ fields: [name] }),\n])";
    const text = `export default class Plugin extends ${base} {\n  static model = 1;\n}\n`;
    const after = edited(text, (changes) => addMembers(changes, path, "added", "  added = 2;"));
    assert.is(after, `export default class Plugin extends ${base} {\n  static model = 1;\n\n  added = 2;\n}\n`);
  });
  it("Names are added to an import in alphabetical order, and types once beside values", () => {
    const text = `import { Model, type Query } from "${module}";\n`;
    const after = edited(text, (changes) =>
      importFrom(changes, path, module, ["hasOne", "type Query", "type Transaction"]),
    );
    assert.is(after, `import { hasOne, Model, type Query, type Transaction } from "${module}";\n`);
    assert.match(
      edited("", (changes) => importFrom(changes, path, "x", ["a"])),
      'import { a } from "x";',
    );
  });
  it("A file without an exported class is refused with FW_PLACE_MISSING and the line to add by hand", async () => {
    const { message } = await throwsCode("FW_PLACE_MISSING", () =>
      edited("const User = 1;\n", (changes) => addAssociations(changes, path, [profile])),
    );
    assert.match(message, "profile: hasOne");
  });
});
