import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { fwOk, newApp, runFw } from "./support.ts";

describe("The command fw eject", (it, { before }) => {
  let app: string;
  before(async () => {
    app = await newApp();
    await fwOk(app, "g", "fw:pkg:portal", "admin", "--public");
  });

  it("fw eject lists the templates of the framework, partials included", async () => {
    const { out } = await fwOk(app, "eject");
    for (const name of ["resource/index", "resource/_header", "layouts/basic"]) assert.match(out, `\n${name} `);
  });
  it("A template is copied for the application or for one portal, which is then the application's own", async () => {
    assert.match(
      (await fwOk(app, "eject", "resource/index", "--dry-run")).out,
      "+++ b/app/views/resource/index.liquid",
    );
    assert.match((await fwOk(app, "eject", "resource/index")).out, "create  app/views/resource/index.liquid");
    const text = readFileSync(join(app, "app/views/resource/index.liquid"), "utf8");
    assert.match(text, "table");
    const again = await runFw(app, "eject", "resource/index");
    assert.is(again.code, 2);
    assert.match(again.err, "FW_TEMPLATE_OWN");
    await fwOk(app, "eject", "resource/show", "--dest=admin_portal");
    writeFileSync(join(app, "packages/admin_portal/app/views/resource/show.liquid"), "mine");
    assert.not.match((await fwOk(app, "eject", "--dest=admin_portal")).out, "resource/show");
    assert.match((await fwOk(app, "eject")).out, "resource/show");
  });
  it("A misspelt template or portal exits 2 with a suggestion", async () => {
    const { code, err } = await runFw(app, "eject", "resource/indx");
    assert.equal([code, /Did you mean "resource\/index"\?/.test(err)], [2, true]);
    assert.is((await runFw(app, "eject", "resource/new", "--dest=amdin_portal")).code, 2);
    assert.is((await runFw(app, "eject", "../../package")).code, 2);
  });
});
