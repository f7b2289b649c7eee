import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { fwOk, newApp, runFw, snapshot } from "./support.ts";

const migration = `import type { Schema } from "framewright/plugins/database";
export async function up(db: Schema): Promise<void> {
  await db.createTable("makers", (t) => { t.id(); t.string("name").notNull(); });
  await db.createTable("gadgets", (t) => {
    t.id(); t.string("title", 40).notNull(); t.text("story"); t.belongsTo("maker", { table: "makers" });
    t.integer("price_cents"); t.string("api_key"); t.boolean("live").notNull().default(false); t.timestamps();
  });
}
export async function down(db: Schema): Promise<void> { await db.dropTable("gadgets"); await db.dropTable("makers"); }
`;
const model = (name: string, table: string, body = "") =>
  `import { belongsTo, Model } from "framewright/plugins/database";\nexport const one = belongsTo;\nexport default class ${name} extends Model("${table}") {${body}}\n`;

describe("A scaffold over an existing table or model", (it, { before }) => {
  let app: string;
  const read = (path: string) => readFileSync(join(app, path), "utf8");
  const migrations = () => Object.keys(snapshot(app)).filter((path) => /migrate\/\d/.test(path));
  before(async () => {
    app = await newApp();
    for (const folder of ["db/migrate", "app/models"]) mkdirSync(join(app, folder), { recursive: true });
    writeFileSync(join(app, "db/migrate/20250101000000_start.ts"), migration);
    writeFileSync(join(app, "app/models/maker.ts"), model("Maker", "makers"));
    await fwOk(app, "db:migrate");
  });

  it("A scaffold without fields reads the columns of an existing table and writes no migration", async () => {
    const { out } = await fwOk(app, "g", "fw:res:scaffold", "Gadget");
    assert.equal(migrations(), ["db/migrate/20250101000000_start.ts"]);
    const policy = read("app/policies/gadget_policy.ts");
    assert.match(policy, 'return ["title", "story", "maker", "price", "live"];');
    assert.match(read("app/models/gadget.ts"), "maker: belongsTo({ optional: true })");
    assert.match(read("app/models/gadget.ts"), 'price: "price_cents"');
    assert.match(out, "look like credentials: api_key");
    assert.match(out, "The table gadgets exists");
  });

  it("A scaffold of an existing model reads its columns and leaves the model unchanged, even with --force", async () => {
    const own = model(
      "Gadget",
      "gadgets",
      ' static override associations = { maker: belongsTo() }; static override money = { price: "price_cents" };',
    );
    writeFileSync(join(app, "app/models/gadget.ts"), own);
    await fwOk(app, "g", "fw:res:scaffold", "Gadget", "--force");
    assert.is(read("app/models/gadget.ts"), own);
    assert.equal(migrations(), ["db/migrate/20250101000000_start.ts"]);
    assert.match(
      read("app/policies/gadget_policy.ts"),
      '"title", "story", "maker", "price", "live", "created_at", "updated_at"',
    );
    await fwOk(app, "test");
  });

  it("--no-model leaves the model unchanged and seeds the policy with the given fields, and needs a model", async () => {
    await fwOk(app, "g", "fw:res:scaffold", "Maker", "name", "--no-model");
    assert.is(read("app/models/maker.ts"), model("Maker", "makers"));
    assert.match(read("app/policies/maker_policy.ts"), 'return ["name"];');
    assert.equal(migrations(), ["db/migrate/20250101000000_start.ts"]);
    const { code, err } = await runFw(app, "g", "fw:res:scaffold", "Nothing", "--no-model");
    assert.is(code, 2);
    assert.match(err, "FW_RESOURCE_UNKNOWN");
  });

  it("FW_TABLE_UNMIGRATED stops a scaffold of a model whose table does not exist", async () => {
    writeFileSync(join(app, "app/models/widget.ts"), model("Widget", "widgets"));
    const { code, err } = await runFw(app, "g", "fw:res:scaffold", "Widget");
    assert.is(code, 1);
    assert.match(err, "FW_TABLE_UNMIGRATED");
  });
});
