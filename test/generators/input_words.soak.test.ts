import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { key, keyed } from "./keyed_client.ts";
import { ensureBuilt, fwOk, newApp, runFw, typeCheck } from "./support.ts";

const fields = [
  "title",
  "state:enum{draft,live,default:draft}",
  "contact:email",
  "phone:tel?",
  "site:url?",
  "shade:color?",
  "paper:file?",
  "marks:checkboxes{red,dark-blue}",
];

describe("Fields by the words for what people type in", (it, { before }) => {
  let app: string;
  before(async () => {
    await ensureBuilt();
    app = await newApp();
    await fwOk(app, "g", "fw:res:scaffold", "Gadget", ...fields);
    await fwOk(app, "db:migrate");
    await fwOk(
      app,
      "g",
      "fw:res:field",
      "Gadget",
      "meta:json{default:{}}",
      "size:enum?{small,large}",
      "second:tel?",
      "hues:checkboxes?{a,b}",
    );
    await fwOk(app, "db:migrate");
    await fwOk(app, "g", "fw:res:interaction", "Gadget", "paint", "marks:checkboxes{red,blue}");
    await fwOk(app, "g", "fw:pkg:portal", "admin", "--byo");
    await fwOk(app, "g", "fw:res:conn", "Gadget", "--dest=admin_portal");
  });
  const read = (path: string) => readFileSync(join(app, path), "utf8");

  it("Model and definition have the choices, the checks and the inputs, and compile", async () => {
    const model = read("app/models/gadget.ts");
    assert.match(model, 'state: ["draft", "live"]');
    assert.match(model, 'size: ["small", "large"]');
    assert.match(model, "contact: { presence: true, format: { with:");
    const definition = read("app/definitions/gadget_definition.ts");
    for (const [name, as] of Object.entries({
      contact: "email",
      phone: "tel",
      site: "url",
      second: "tel",
      shade: "color",
      paper: "file",
    }))
      assert.match(definition, `this.input("${name}", { as: "${as}" });`);
    assert.match(definition, 'this.field("marks", { as: "checkboxes", choices: ["red", "dark-blue"] });');
    assert.match(definition, 'this.field("hues", { as: "checkboxes", choices: ["a", "b"] });');
    assert.not.match(model, "red");
    assert.match(
      read("app/interactions/gadget/paint.ts"),
      'marks: { as: "checkboxes", choices: ["red", "blue"], required: true }',
    );
    assert.match(read("test/resources/gadget.test.ts"), 'marks: ["red"]');
    assert.is((await typeCheck(app)).code, 0);
  });

  it("Check boxes without choices, and with one that is no value or stands twice, are refused", async () => {
    for (const [field, why] of [
      ["marks:checkboxes", "checkboxes names its values: tags:checkboxes{draft,live}"],
      ["marks:checkboxes{a b}", '"a b" is no value'],
      ["marks:checkboxes{a,a}", "checkboxes names each value once"],
    ] as const) {
      const { code, err } = await runFw(app, "g", "fw:res:scaffold", "Other", field);
      assert.is(code, 2, field);
      assert.match(err, why);
    }
  });

  it("The tests that the scaffold wrote pass", async () => {
    await fwOk(app, "test");
  });

  it("The form has their inputs, and refuses what is none of them", async () => {
    const { child, url } = await serveApp(app, { NODE_ENV: "development", ADMIN_API_KEY: key });
    try {
      const client = keyed(url);
      const html = await client.page("/admin/gadgets/new");
      for (const type of ["email", "tel", "url", "color", "file"]) assert.match(html, `<input type="${type}"`);
      assert.match(html, '<option value="draft" selected>');
      const wrong = {
        "gadget[title]": "A",
        "gadget[contact]": "none",
        "gadget[shade]": "red",
        "gadget[site]": "javascript:alert(1)",
        "gadget[state]": "gone",
        "gadget[marks][]": "green",
      };
      const refused = await client.submit("/admin/gadgets/new", wrong);
      assert.is(refused.status, 422);
      const text = await refused.text();
      for (const name of ["Contact", "Shade", "Site", "State", "Marks"])
        assert.match(text, new RegExp(`href="#gadget_${name.toLowerCase()}"`));
      const right = {
        "gadget[title]": "A",
        "gadget[contact]": "a@b.test",
        "gadget[shade]": "#aabbcc",
        "gadget[site]": "https://a.test",
        "gadget[marks][]": "dark-blue",
      };
      assert.is((await client.submit("/admin/gadgets/new", right)).status, 303);
      const { body } = await client.json("/admin/gadgets/1");
      const { state, meta, marks, hues } = body.data as Record<string, unknown>;
      assert.equal([state, meta, marks, hues], ["draft", {}, ["dark-blue"], null]);
    } finally {
      child.kill("SIGTERM");
      await exitOf(child);
    }
  });
});
