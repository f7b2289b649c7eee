import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { fwOk, newApp, runFw, typeCheck } from "./support.ts";

// Rows of a form need their own resource in each portal that has the form: what connects it must not need it to be connected.

describe("Rows of a form whose resource a portal lacks", (it, { before }) => {
  let app = "";
  const edit = (path: string, from: string, to: string) => {
    const text = readFileSync(join(app, path), "utf8");
    assert.ok(text.includes(from), `${path}: ${from}`);
    writeFileSync(join(app, path), text.replace(from, to));
  };
  before(async () => {
    app = await newApp("town");
    const g = (...words: string[]) => fwOk(app, "g", ...words);
    await g("fw:authlib:account", "user");
    await g("fw:res:scaffold", "Permit", "number");
    await g("fw:res:scaffold", "Parcel", "plot", "permit:belongs_to");
    await g("fw:pkg:portal", "team", "--auth=user");
    await fwOk(app, "db:migrate");
    await g("fw:res:conn", "Permit", "--dest=team_portal", "--open");
    edit("app/models/permit.ts", "import { Model }", "import { hasMany, Model }");
    edit(
      "app/models/permit.ts",
      "static override",
      "static override associations = { parcels: hasMany() };\n  static override",
    );
    edit(
      "app/definitions/permit_definition.ts",
      "super.configure();",
      'super.configure();\n    this.repeated("parcels", { fields: ["plot"] });',
    );
  });

  it("An application with them does not boot, and says which resource is missing where", async () => {
    const { code, err, out } = await runFw(app, "routes");
    assert.is.not(code, 0);
    assert.match(out + err, /FW_ROWS_UNREGISTERED.*"parcels".*Parcel.*TeamPortal/);
  });
  it("fw types and fw:res:conn do their work none the less, and then it boots", async () => {
    await fwOk(app, "types");
    await fwOk(app, "g", "fw:res:conn", "Parcel", "--dest=team_portal", "--open");
    await fwOk(app, "routes");
    const { code, out } = await typeCheck(app);
    assert.is(code, 0, out);
  });
});
