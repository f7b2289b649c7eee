import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { fwOk, newApp, runFw } from "./support.ts";

const policy = `import type { Accounts } from "framewright/plugins/authlib";
import FeaturePostPolicy from "#app/policies/post_policy.ts";
import ResourcePolicy from "#packages/admin_portal/app/policies/admin_portal/resource_policy.ts";

export default class PostPolicy extends ResourcePolicy(FeaturePostPolicy) {
  declare readonly user: Accounts["admin"];
  override canCreate() { return true; }
  override canDestroy() { return this.user.role === "super_admin"; }
  override canUpdate() { return this.user.role === "super_admin" || this.record?.title === "Draft"; }
  override permittedAttributesForCreate(): ("title" | "body")[] { return this.user.role === "super_admin" ? ["title", "body"] : ["title"]; }
  override permittedAttributesForRead(): ("title" | "body")[] { return ["title", "body"]; }
}
`;

describe("The command fw policies", (it, { before }) => {
  let app = "";
  const policyFile = () => join(app, "packages/admin_portal/app/policies/admin_portal/post_policy.ts");
  const report = () => join(app, "config/policies.md");
  before(async () => {
    app = await newApp("shop");
    const g = (...words: string[]) => fwOk(app, "g", ...words);
    await g("fw:authlib:admin");
    await g("fw:res:scaffold", "Post", "title", "body:text?");
    await g("fw:pkg:portal", "admin", "--auth=admin");
    await g("fw:pkg:portal", "site", "--public");
    await fwOk(app, "db:migrate");
    await g("fw:res:conn", "Post", "--dest=admin_portal");
    await g("fw:res:conn", "Post", "--dest=site_portal");
    writeFileSync(policyFile(), policy);
  });

  it("fw policies prints each action and field by role, and names what an answer depends on", async () => {
    const { out } = await fwOk(app, "policies");
    const [admin = "", site = ""] = out.split("## SitePortal");
    for (const line of [
      "| Action | admin (super_admin) | admin (admin) |",
      "| index | yes | yes |",
      "| export | no | no |",
      "| destroy | yes | no |",
      "| update | yes | if record.title |",
      "| body | index, show, create, update | index, show |",
      "| title | index, show, create, update | index, show, create, update |",
    ])
      assert.match(admin, line);
    for (const line of ["| Action | guest |", "| index | yes |", "| create | no |", "| destroy | no |"])
      assert.match(site, line);
    assert.not.ok(existsSync(report()));
  });
  it("fw policies --check asks for the file, accepts the written one, and shows a changed policy as a diff", async () => {
    const missing = await runFw(app, "policies", "--check");
    assert.is(missing.code, 1);
    assert.match(missing.err, "FW_POLICIES_MISSING");
    await fwOk(app, "policies", "--write");
    const written = readFileSync(report(), "utf8");
    assert.match((await fwOk(app, "policies", "--check")).out, "up to date");
    writeFileSync(policyFile(), policy.replace('"super_admin"; }', '"super_admin" || this.user.role === "admin"; }'));
    const changed = await runFw(app, "policies", "--check");
    assert.is(changed.code, 1);
    assert.match(changed.err, "FW_POLICIES_CHANGED");
    assert.match(changed.out, "-| destroy | yes | no |");
    assert.match(changed.out, "+| destroy | yes | yes |");
    assert.is(readFileSync(report(), "utf8"), written);
  });
  it("fw policies refuses --write together with --check", async () => {
    const { code, err } = await runFw(app, "policies", "--write", "--check");
    assert.is(code, 2);
    assert.match(err, "exclude each other");
  });
});
