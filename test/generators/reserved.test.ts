import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { fwOk, newApp, runFw, snapshot } from "./support.ts";

describe("Names that generated code or files can't have", (it, { before }) => {
  let app: string;
  before(async () => {
    app = await newApp();
  });

  it("FW_NAME_INVALID refuses reserved names with the reason, and nothing is written", async () => {
    const lines: [string[], string][] = [
      [["fw:res:scaffold", "Class", "title"], "JavaScript"],
      [["fw:res:scaffold", "Default", "title"], "JavaScript"],
      [["fw:res:scaffold", "Nul", "title"], "files with that name"],
      [["fw:res:scaffold", "Blogging::Con", "title"], "files with that name"],
      [["fw:res:scaffold", "Model", "title"], "generated code uses"],
      [["fw:res:scaffold", "ResourcePolicy", "title"], "app/policies/resource_policy.ts does"],
      [["fw:pkg:package", "con"], "files with that name"],
      [["fw:pkg:package", "default"], "JavaScript"],
      [["fw:authlib:account", "default"], "JavaScript"],
    ];
    const files = snapshot(app);
    for (const [line, reason] of lines) {
      const { code, err } = await runFw(app, "g", ...line);
      assert.is(code, 2, line.join(" "));
      assert.match(err, "FW_NAME_INVALID");
      assert.match(err.replaceAll(/\s+/g, " "), reason, line.join(" "));
    }
    assert.equal(snapshot(app), files);
  });
  it("Keys of actions and wizards can't be what every policy has a predicate for", async () => {
    await fwOk(app, "g", "fw:core:install");
    await fwOk(app, "g", "fw:res:scaffold", "Post", "title");
    const files = snapshot(app);
    for (const key of ["Export", "import", "share_views", "Search", "Typeahead"])
      for (const line of [
        ["fw:wizard", key, "--anchored=Post", "--steps=first"],
        ["fw:res:interaction", "Post", key],
      ]) {
        const { code, err } = await runFw(app, "g", ...line);
        assert.is(code, 2, line.join(" "));
        assert.match(
          err.replaceAll(/\s+/g, " "),
          /FW_NAME_INVALID.*every policy has a predicate of that name/,
          line.join(" "),
        );
      }
    assert.equal(snapshot(app), files);
    await fwOk(app, "g", "fw:wizard", "Export", "--steps=first", "--dry-run");
  });
  it("An action can't be called as a transition of the model", async () => {
    const model = join(app, "app/models/post.ts");
    const text = readFileSync(model, "utf8");
    const table = `{
    // publish: no transition
    draft: { submit: "submitted", hold: { to: "held", label: "publish: {" } },
    submitted: { approve: { to: "approved", if: (post) => !!post || "{ publish: no }", category: "primary" } },
    approved: {},
    held: {},
  }`;
    writeFileSync(
      model,
      text.replace(/(export default class Post[^{]*\{)/, `$1\n  static states = states("status", ${table});`),
    );
    const files = snapshot(app);
    for (const key of ["submit", "hold", "approve"]) {
      const { code, err } = await runFw(app, "g", "fw:res:interaction", "Post", key);
      assert.is(code, 2, key);
      assert.match(err.replaceAll(/\s+/g, " "), /FW_NAME_INVALID.*app\/models\/post.ts has a transition of that name/);
    }
    assert.equal(snapshot(app), files);
    for (const key of ["draft", "publish", "category"])
      await fwOk(app, "g", "fw:res:interaction", "Post", key, "--dry-run");
    writeFileSync(model, text);
  });
  it("Names that only contain a reserved one are accepted", async () => {
    await fwOk(app, "g", "fw:res:scaffold", "Classroom", "default_color", "--dry-run");
    await fwOk(app, "g", "fw:pkg:package", "contacts", "--dry-run");
  });
});
