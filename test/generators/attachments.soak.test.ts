import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { fwOk, inConsole, newApp, rowsOf, runFw, snapshot, typeCheck } from "./support.ts";

describe("Files of records in generators", (it) => {
  it("A column's files become attachments; the words of a scaffold then have no column, and all compiles", async () => {
    const app = await newApp();
    const read = (path: string) => readFileSync(join(app, path), "utf8");
    await fwOk(app, "g", "fw:res:scaffold", "Paper", "title", "document:file?");
    await fwOk(app, "db:migrate");
    const stored = `{ key: "0f/" + "0f".repeat(20), filename: "a.txt", type: "text/html", size: 1 }`;
    await inConsole(
      app,
      {},
      `await app.kernel.service("database").query(app.constants.get("Paper").value).insert({ title: "A", document: ${stored} })`,
    );
    const unknown = await runFw(app, "g", "fw:res:scaffold", "Permit", "photos:files?");
    assert.match(unknown.err, "FW_FIELD_TYPE_UNKNOWN");

    await fwOk(app, "g", "fw:install", "attachments");
    assert.match((await runFw(app, "doctor")).out, "FW_ATTACHMENTS_TABLE");
    assert.match(read("plugins.config.ts"), "  attachments(),\n");
    await fwOk(app, "db:migrate");
    await fwOk(app, "g", "fw:attachments:move", "Paper", "document");
    assert.match(read("app/definitions/paper_definition.ts"), 'this.file("document");');
    assert.match(read("app/models/paper.ts"), "  declare document: OneFile;\n");
    const before = snapshot(app);
    await fwOk(app, "g", "fw:attachments:move", "Paper", "document");
    assert.equal(snapshot(app), before);
    await fwOk(app, "db:migrate");
    const [row] = JSON.parse(/\[.*\]/.exec(await rowsOf(app, {}, "framewright_attachments"))![0]) as Record<
      string,
      unknown
    >[];
    assert.equal(
      [row!.owner_type, row!.owner_id, row!.field, row!.name, row!.state],
      ["Paper", "1", "document", "a.txt", "held"],
    );
    assert.not.match(await rowsOf(app, {}, "papers"), "document");
    await fwOk(app, "db:rollback");
    assert.match(await rowsOf(app, {}, "papers"), /a\.txt/);
    await fwOk(app, "db:migrate");

    await fwOk(app, "g", "fw:res:scaffold", "Permit", "number", "plan:file", "photos:files?", "cover:image?");
    const model = read("app/models/permit.ts");
    assert.match(model, 'import type { Files, OneFile } from "framewright/plugins/attachments";');
    for (const line of ["declare plan: OneFile;", "declare photos: Files;", "declare cover: OneFile;"])
      assert.match(model, line);
    const definition = read("app/definitions/permit_definition.ts");
    for (const line of ['this.file("plan", { required: true });', 'this.files("photos");', 'this.image("cover");'])
      assert.match(definition, line);
    const migration = readdirSync(join(app, "db/migrate")).find((name) => name.endsWith("create_permits.ts"))!;
    assert.not.match(read(`db/migrate/${migration}`), /plan|photos|cover/);
    assert.match(read("app/policies/permit_policy.ts"), '["number", "plan", "photos", "cover"]');
    await fwOk(app, "db:migrate");
    await fwOk(app, "g", "fw:res:field", "Permit", "scans:files?");
    assert.match(read("app/models/permit.ts"), "declare scans: Files;");
    assert.match(read("app/policies/permit_policy.ts"), '"scans"');
    const refused = await runFw(app, "g", "fw:res:field", "Permit", "x:files:uniq");
    assert.match(refused.err, "has no column");
    await fwOk(app, "db:migrate");
    assert.is((await typeCheck(app)).out, "");
    await fwOk(app, "test", "test/resources/permit.test.ts");
  });
});
