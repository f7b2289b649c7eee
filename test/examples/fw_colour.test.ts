import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { key, keyed } from "../generators/keyed_client.ts";
import { fwOk, newApp, typeCheck } from "../generators/support.ts";
import { fieldTypeFiles, openFieldTypes } from "../plugins/resources/field_types_app.ts";
import { as } from "../plugins/wizards/mounts_support.ts";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { npmInstall, type Published, publish } from "./publish.ts";

// A type of fields as its author publishes it: compiled against the package's types alone, packed, and installed.

const source = join(import.meta.dirname, "fw-colour");

const wizard = `import { steps, succeed, Wizard } from "framewright/plugins/wizards";
const flow = steps().step("paint", {}, (f) => f.field("tint", { as: "colour", presence: true }));
export default class PaintWizard extends Wizard(flow, {}) {
  async execute() {
    const tint: \`#\${string}\` = this.data.paint.tint;
    return succeed().withMessage(tint);
  }
}
`;
const misspelt = `import type { FieldOptions } from "framewright/plugins/fields";
import type { InteractionAttributes, InteractionValues } from "framewright/plugins/resources";
// @ts-expect-error there is no such type
export const shown: FieldOptions = { as: "colur" };
export const attributes = { tint: { as: "colour", required: true } } as const satisfies InteractionAttributes;
export const tint: InteractionValues<typeof attributes>["tint"] = "#aabbcc";
// @ts-expect-error no colour
export const none: InteractionValues<typeof attributes>["tint"] = "red";
`;

describe("The package fw-colour, compiled and packed by its author", (it, { before }) => {
  let published: Published;
  before(async () => {
    published = await publish("fw-colour");
  });

  it("Its source has no cast, and its archive nothing but what is built", () => {
    const text = readFileSync(join(source, "src/index.ts"), "utf8");
    assert.not.match(text, /\bas (?!in\b)|\bany\b|@ts-/);
    assert.equal(readdirSync(published.unpacked).sort(), ["README.md", "dist", "package.json"]);
  });

  it("An application that installs it scaffolds a field by its word, compiles, and serves form, list, filter and JSON", async () => {
    const app = await newApp();
    await npmInstall(app, [published.archive]);
    const config = readFileSync(join(app, "plugins.config.ts"), "utf8");
    writeFileSync(
      join(app, "plugins.config.ts"),
      `import { colour } from "fw-colour";\n${config.replace("definePlugins([", "definePlugins([colour(), ")}`,
    );
    await fwOk(app, "g", "fw:res:scaffold", "Thing", "title", "tint:colour");
    await fwOk(app, "db:migrate");
    await fwOk(app, "g", "fw:res:field", "Thing", "shade:colour?");
    await fwOk(app, "db:migrate");
    await fwOk(app, "g", "fw:pkg:portal", "admin", "--byo");
    await fwOk(app, "g", "fw:res:conn", "Thing", "--dest=admin_portal");
    const read = (path: string) => readFileSync(join(app, path), "utf8");
    const migration = readdirSync(join(app, "db/migrate")).find((name) => name.endsWith("_create_things.ts"))!;
    assert.match(read(`db/migrate/${migration}`), 't.string("tint", 7).notNull();');
    const definition = read("app/definitions/thing_definition.ts");
    for (const name of ["tint", "shade"]) assert.match(definition, `this.input("${name}", { as: "colour" });`);
    assert.match(read("test/resources/thing.test.ts"), 'tint: "#aabbcc"');
    writeFileSync(
      join(app, "app/definitions/thing_definition.ts"),
      definition.replace('this.input("tint"', 'this.filter("tint");\n    this.input("tint"'),
    );
    mkdirSync(join(app, "app/wizards"), { recursive: true });
    writeFileSync(join(app, "app/wizards/paint_wizard.ts"), wizard);
    mkdirSync(join(app, "lib"), { recursive: true });
    writeFileSync(join(app, "lib/misspelt.ts"), misspelt);
    const checked = await typeCheck(app);
    assert.is(checked.code, 0, checked.out);

    const { child, url } = await serveApp(app, { NODE_ENV: "development", ADMIN_API_KEY: key });
    try {
      const client = keyed(url);
      assert.match(await client.page("/admin/things/new"), /name="thing\[tint\]"[^>]*data-colour/);
      const refused = await client.submit("/admin/things/new", { "thing[title]": "A", "thing[tint]": "red" });
      assert.equal([refused.status, (await refused.text()).includes("is not a colour, as in #aabbcc")], [422, true]);
      const sent = { "thing[title]": "A", "thing[tint]": "AABBCC" };
      assert.is((await client.submit("/admin/things/new", sent)).status, 303);
      assert.match(await client.page("/admin/things?filter[tint]=aabbcc"), '<svg class="fw-colour"');
      assert.is((await client.json("/admin/things?filter[tint]=red")).status, 422);
      const { body } = await client.json("/admin/things/1");
      assert.is((body.data as { tint: string }).tint, "#aabbcc");
    } finally {
      child.kill("SIGTERM");
      await exitOf(child);
    }
  }, 180_000);

  it("A step of a wizard asks for it, and the review shows it", async () => {
    const files: Record<string, string> = {};
    for (const path of ["package.json", "dist/index.js"])
      files[`node_modules/fw-colour/${path}`] = readFileSync(join(published.unpacked, path), "utf8");
    files["plugins.config.ts"] = fieldTypeFiles()["plugins.config.ts"]!.replace("./lib/colour.ts", "fw-colour");
    const app = await openFieldTypes({}, files);
    try {
      const client = as(app.client(), 1);
      const path = (answer: Response) => answer.headers.get("location")!.replace(app.url, "");
      const step = path(await client.request("/admin/tint"));
      assert.is((await client.submit(step, { "wizard[tint]": "red" })).status, 422);
      const review = path(await client.submit(step, { "wizard[tint]": "AABBCC" }));
      assert.match(await client.page(review), "<code>#aabbcc</code>");
    } finally {
      await app.close();
    }
  });
});
