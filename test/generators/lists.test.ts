import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { fwOk, newApp, runFw, typeCheck } from "./support.ts";

describe("Rows of a json column in generators", (it) => {
  it("The word list declares rows in the definition and in an interaction, and all compiles and passes its test", async () => {
    const app = await newApp();
    const read = (path: string) => readFileSync(join(app, path), "utf8");
    await fwOk(
      app,
      ...["g", "fw:res:scaffold", "Invoice", "number", "lines:list{text,hours:integer?,amount:money}", "notes:list?"],
    );
    const definition = read("app/definitions/invoice_definition.ts");
    for (const line of [
      'this.repeated("lines", {',
      "      minimum: 1,",
      '        text: { as: "string", presence: true },',
      '        hours: { as: "integer" },',
      '        amount: { as: "money", presence: true },',
      'this.repeated("notes", { fields: { text: { as: "string", presence: true } } });',
    ])
      assert.ok(definition.includes(line), `${line}\n${definition}`);
    assert.not.match(read("app/models/invoice.ts"), "lines:");
    assert.match(read("test/resources/invoice.test.ts"), '[{ text: "text", hours: 1, amount: "1.00" }]');
    await fwOk(app, "db:migrate");
    await fwOk(app, "g", "fw:res:field", "Invoice", "extras:list{name}?");
    assert.match(read("app/definitions/invoice_definition.ts"), 'this.repeated("extras"');
    await fwOk(
      app,
      "g",
      "fw:res:interaction",
      "Invoice",
      "add_lines",
      "lines:list{text,hours:integer?}",
      "labels:key_value",
      "why?",
    );
    assert.match(
      read("app/interactions/invoice/add_lines.ts"),
      /lines: \{\s*as: "repeated",\s*minimum: 1,\s*fields: \{ text: \{ as: "string", presence: true \}, hours: \{ as: "integer" \} \},?\s*\}/,
    );
    assert.match(read("app/interactions/invoice/add_lines.ts"), 'labels: { as: "key_value", required: true }');
    const execute = "app/interactions/invoice/add_lines.ts";
    writeFileSync(
      join(app, execute),
      read(execute).replace(
        /(execute\(\)[^{]*\{)/,
        "$1\n    const size: string | undefined = this.values.labels.size;\n    void size;",
      ),
    );
    assert.match(read(execute), "this.values.labels.size");
    for (const [field, why] of [
      ["a:list:uniq", "take no modifiers"],
      ["a:list{b:belongs_to}", "no plain value"],
      ["a:list{b:file}", "no plain value"],
    ] as const)
      assert.match((await runFw(app, "g", "fw:res:scaffold", "Other", field)).err, why);
    const change = (path: string, from: string, to: string) =>
      writeFileSync(join(app, path), read(path).replace(from, to));
    change(
      "app/models/invoice.ts",
      "export default class",
      'import type { VirtualInput } from "framewright/plugins/nested_records";\nexport default class',
    );
    change("app/models/invoice.ts", " {\n", " {\n  declare remark: VirtualInput;\n");
    change(
      "app/definitions/invoice_definition.ts",
      "this.repeated(",
      'this.virtual("remark", { as: "text" });\n    this.repeated(',
    );
    change("app/policies/invoice_policy.ts", '["number",', '["number", "remark",');
    assert.match(read("app/policies/invoice_policy.ts"), '"remark"');
    assert.match(read("app/models/invoice.ts"), "declare remark");
    await typeCheck(app);
    await fwOk(app, "db:migrate");
    const tested = await runFw(app, "test");
    assert.is(tested.code, 0, tested.out + tested.err);
  });
});
