import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { fwOk, newApp, runFw, typeCheck } from "./support.ts";

// What fw:res:conn writes opens nothing that the feature's policy does not, and nothing to accounts that it was not written for.

describe("The policy that fw:res:conn writes", (it, { before }) => {
  let app = "";
  const g = (...words: string[]) => fwOk(app, "g", ...words);
  const policyIn = (portal: string) =>
    readFileSync(join(app, `packages/${portal}/app/policies/${portal}/permit_policy.ts`), "utf8");
  before(async () => {
    app = await newApp("town");
    await g("fw:authlib:admin");
    await g("fw:authlib:account", "citizen");
    await g("fw:authlib:account", "api_user", "--api_only", "--jwt");
    await g("fw:res:scaffold", "Permit", "number", "state", "street");
    const feature = join(app, "app/policies/permit_policy.ts");
    const text = readFileSync(feature, "utf8");
    writeFileSync(feature, text.replace('["number", "state", "street"];', '["street"];'));
    for (const flags of [
      ["staff", "--auth=admin"],
      ["town", "--auth=citizen"],
      ["site", "--public"],
      ["api", "--auth=api_user"],
    ])
      await g("fw:pkg:portal", ...flags);
    await fwOk(app, "db:migrate");
  });

  it("It inherits the feature's lists, and what they leave out is printed", async () => {
    const { out } = await g("fw:res:conn", "Permit", "--dest=staff_portal");
    assert.not.match(policyIn("staff_portal"), /permittedAttributes|return true|return false/);
    assert.match(
      out,
      "The form of a new Permit has no number, state there: permittedAttributesForCreate() of app/policies/permit_policy.ts leaves them out.",
    );
  });
  it("A portal without tenants for accounts that anybody may create is closed, and the command says how to open it", async () => {
    const { out } = await g("fw:res:conn", "Permit", "--dest=town_portal");
    assert.match(policyIn("town_portal"), /override canRead\(\) \{\n {4}return false;\n {2}\}/);
    assert.match(policyIn("town_portal"), /override canCreate\(\) \{\n {4}return false;\n {2}\}/);
    assert.match(out, "Nobody sees Permit in town_portal yet: anybody may sign up as citizen");
    assert.match(out, "fw generate fw:res:conn Permit --dest=town_portal --open");
    await fwOk(app, "types");
  });
  it("With --open the feature's policy decides there", async () => {
    await g("fw:res:conn", "Permit", "--dest=town_portal", "--open", "--force");
    assert.not.match(policyIn("town_portal"), "return false");
  });
  it("fw doctor names what policies of before open", async () => {
    const { out } = await runFw(app, "doctor");
    assert.match(out, "whoever signs up as citizen sees all of Permit in TownPortal");
    const path = join(app, "packages/town_portal/app/policies/town_portal/permit_policy.ts");
    const before = readFileSync(path, "utf8");
    writeFileSync(
      path,
      before.replace(
        /\n\}\n$/,
        '\n  override permittedAttributesForCreate() {\n    return ["street", "state"] as const;\n  }\n}\n',
      ),
    );
    assert.match((await runFw(app, "doctor")).out, "permit_policy.ts (TownPortal) lets people write state");
    const byContext = `  static override prepare = async () => undefined;
  override canRead() {
    return this.context !== undefined;
  }
`;
    writeFileSync(path, before.replace(/\n\}\n$/, `\n${byContext}}\n`));
    assert.not.match((await runFw(app, "doctor")).out, "sees all of Permit");
    writeFileSync(path, before);
  });
  it("Portals of guests and of programs are as the feature's policy permits, and what is written compiles", async () => {
    for (const portal of ["site_portal", "api_portal"]) {
      const { out } = await g("fw:res:conn", "Permit", `--dest=${portal}`);
      assert.not.match(policyIn(portal), "return false");
      assert.is(out.includes("The form of a new Permit has no"), portal === "api_portal", "guests have no form");
    }
    await typeCheck(app);
  });
});
