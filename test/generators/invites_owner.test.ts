import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { ensureBuilt, fwOk, newApp, runFw, snapshot, typeCheck } from "./support.ts";

const owner = ["g", "fw:invites:owner", "--user_model=Customer", "--entity_model=Organization", "--dest=admin_portal"];
/** Takes a text out of a file. */
function edit(path: string, ...pairs: [before: string, now: string][]): void {
  let text = readFileSync(path, "utf8");
  for (const [before, now] of pairs) {
    assert.match(text, before, path);
    text = text.replace(before, now);
  }
  writeFileSync(path, text);
}

describe("fw:invites:owner", (it) => {
  it("An application of an earlier release gets the action, its columns and an optional inviter, and doctor says so", async () => {
    await ensureBuilt();
    const app = await newApp();
    await fwOk(app, "g", "fw:saas:setup", "--user=Customer", "--entity=Organization", "--no_profile");
    await fwOk(app, "g", "fw:authlib:admin");
    await fwOk(app, "g", "fw:pkg:portal", "admin", "--auth=admin");
    const migrations = join(app, "db/migrate");
    const file = readdirSync(migrations).find((name) => name.includes("create_organization_customer_invites"))!;
    edit(
      join(migrations, file),
      ['"inviter", { table: "customers",', '"inviter", { table: "customers", null: false,'],
      ['    t.string("administrator_type", 50);\n', ""],
      ['    t.bigint("administrator_id");\n', ""],
    );
    edit(join(app, "app/models/organization_customer_invite.ts"), [", optional: true", ""]);
    await fwOk(app, "db:migrate");
    const refused = await runFw(app, ...owner);
    assert.is(refused.code, 2);
    assert.match(refused.err, "a portal that Organization is connected to");
    const entered = await runFw(app, ...owner.slice(0, -1), "--dest=dashboard_portal");
    assert.match(entered.err, "a portal of administrators");
    await fwOk(app, "g", "fw:res:conn", "Organization", "--dest=admin_portal");
    assert.match(
      (await runFw(app, "doctor")).out,
      /ok +invitations of OrganizationCustomerInvite: .*fw generate fw:invites:owner/,
    );
    await fwOk(app, ...owner);
    assert.match(readFileSync(join(app, "app/models/organization_customer_invite.ts"), "utf8"), "optional: true");
    await fwOk(app, "db:migrate");
    assert.not.match((await runFw(app, "doctor")).out, "invitations of OrganizationCustomerInvite");
    assert.equal(await typeCheck(app).then(({ code, out }) => [code, out]), [0, ""]);
    const before = snapshot(app);
    await fwOk(app, ...owner);
    assert.equal(snapshot(app), before);
  });
});
