import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { fwOk, newApp, typeCheck } from "./support.ts";

// A number and a state are written by their plugins: what is generated sends none, and its tests are green.

describe("A resource with states and numbers", (it) => {
  it("Its generated tests are green, and send neither", async () => {
    const app = await newApp("town");
    const g = (...words: string[]) => fwOk(app, "g", ...words);
    await g("fw:authlib:account", "user");
    await g("fw:pkg:portal", "admin", "--auth=user");
    await g("fw:res:scaffold", "Permit", "title:string", "number:string", "status:string{default:draft}");
    await g("fw:install", "numbers");
    const model = join(app, "app/models/permit.ts");
    const text = readFileSync(model, "utf8");
    const changed = text.replace(
      /(export default class Permit[^{]*\{)/,
      `$1
  static numbers = numbered("number", { format: "{year}-{0000}" });
  static states = states("status", { draft: { submit: "submitted" }, submitted: {} });`,
    );
    writeFileSync(
      model,
      `import { numbered } from "framewright/plugins/numbers";\nimport { states } from "framewright/plugins/states";\n${changed}`,
    );
    const policy = join(app, "app/policies/permit_policy.ts");
    writeFileSync(
      policy,
      readFileSync(policy, "utf8")
        .replace(/\n\}\n$/, "\n  canSubmit() {\n    return this.user !== undefined;\n  }\n}\n")
        .replace('["title", "number", "status"];', '["title"];'),
    );
    await fwOk(app, "db:migrate");
    const { out: notes } = await g("fw:res:conn", "Permit", "--dest=admin_portal", "--open");
    assert.not.match(notes, "The form of a new Permit has no");
    const test = readFileSync(join(app, "test/portals/admin_portal/permit.test.ts"), "utf8");
    assert.match(test, '"permit[title]": "First title"');
    assert.not.match(test, /permit\[(?:number|status)\]/);
    const checked = await typeCheck(app);
    assert.is(checked.code, 0, checked.out);
    const { out } = await fwOk(app, "test");
    assert.match(out, /^[#ℹ] pass 5\n[#ℹ] fail 0$/m);
  });
});
