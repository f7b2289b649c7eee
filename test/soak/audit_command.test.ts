import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt, fw, type Ran, runCommand } from "../generators/support.ts";
import { databases, namesOnServer } from "../support/databases.ts";
import { editedText } from "../support/fixtures.ts";
import { assert, describe } from "../support/index.ts";
import type { TenancyReport } from "../testing/index.ts";

const clone = join(import.meta.dirname, "../..");
/** Two audits of an application with many routes, on a machine that does other work. */
const DEADLINE_MS = 240_000;
const all = await databases();
const dashboards = "packages/customer_portal/app/controllers/customer_portal/dashboards_controller.ts";

const memberships = ["organization_users", "organization/nested_organization_users"];
/** A member leaves by their own membership alone, and no policy permits to remove selected ones: the audit sends each request as everybody. */
const notPermitted = ["GET", "POST"].flatMap((verb) =>
  [
    ...memberships.map((path) => `${path}/:id/actions/leave`),
    ...[...memberships, "organization_user_invites"].map((path) => `${path}/bulk/destroy`),
  ].map((path) => `${verb} /customer/:organization_id/${path}: answers 403 to members`),
);

describe("The command fw audit:tenancy", (it, { before, after }) => {
  const root = join(mkdtempSync(join(tmpdir(), "fw-audit-")), "demo");
  const run = (values: Record<string, string>, ...words: string[]): Promise<Ran> =>
    runCommand(process.execPath, [fw, ...words], root, values);
  before(async () => {
    await ensureBuilt();
    const make = `import { makeDemo } from ${JSON.stringify(join(clone, "test/support/demo/make.js"))}; await makeDemo(${JSON.stringify(root)});`;
    const { code, out, err } = await runCommand(process.execPath, ["--input-type=module", "-e", make], clone);
    assert.is(code, 0, out + err);
  });
  after(async () => {
    for (const database of all) await database.clean();
  });

  for (const database of all)
    it.unless(
      database.skip,
      `All routes of the demo's scoped portal are covered and leak nothing on ${database.name}`,
      async () => {
        const values = await database.values();
        if (database.name === "mysql")
          for (const command of ["db:migrate", "db:seed"]) assert.is((await run(values, command)).code, 0, command);
        const file = join(root, "storage/development.sqlite3");
        const digest = () => createHash("sha256").update(readFileSync(file)).digest("hex");
        const earlier = digest();
        const { code, out, err } = await run(values, "audit:tenancy");
        assert.is(code, 0, out + err);
        assert.match(out, /(\d{3}) of \1 routes of CustomerPortal covered by \d+ requests; 0 leaks/);
        const gaps = [...out.matchAll(/^not tried: (.*)/gm)].map(([, gap]) => gap!);
        assert.equal([...new Set(gaps)].sort(), [...notPermitted].sort(), out);
        assert.is(digest(), earlier);
        if (database.name === "mysql") assert.equal(await namesOnServer("%\\_audit\\_%", values.DATABASE_URL!), []);
      },
      DEADLINE_MS,
    );

  it(
    "A leak is printed with its route and the command exits 1, also with --json",
    async () => {
      const path = join(root, "packages/customer_portal/config/routes.ts");
      const controller = join(root, "packages/customer_portal/app/controllers/customer_portal/reports_controller.ts");
      writeFileSync(
        path,
        editedText(readFileSync(path, "utf8"), [
          /(\n {2}routes\.registerDashboard)/,
          '\n  routes.get("report", { to: "reports#index" });$1',
        ]),
      );
      writeFileSync(
        controller,
        editedText(
          readFileSync(join(root, dashboards), "utf8"),
          [/import \{ WizardGate \}.*\n/, 'import { Queries } from "framewright/plugins/database";\n'],
          [/import OnboardingWizard.*\n/, 'import Post from "#packages/blogging/app/models/blogging/post.ts";\n'],
          ["DashboardsController", "ReportsController"],
          [
            "WizardGate(OnboardingWizard)) {}",
            "Queries) { async index() { return this.json(await this.unscopedQuery(Post)); } }",
          ],
        ),
      );
      const { code, out } = await run({}, "audit:tenancy", "--portal=CustomerPortal");
      assert.is(code, 1, out);
      assert.match(out, "LEAK GET /customer/:organization_id/report");
      assert.match(out, "the body has a text of the other tenant");
      const json = await run({}, "audit:tenancy", "--json");
      assert.is(json.code, 1);
      const report = JSON.parse(json.out) as TenancyReport;
      assert.equal([...new Set(report.leaks.map(({ route }) => route))], ["GET /customer/:organization_id/report"]);
    },
    DEADLINE_MS,
  );

  it("A portal that does not exist or is not scoped exits 2, and the scoped ones are named", async () => {
    for (const name of ["CustomPortal", "AdminPortal"]) {
      const { code, err } = await run({}, "audit:tenancy", `--portal=${name}`);
      assert.is(code, 2, err);
      assert.match(err, "Scoped are: CustomerPortal");
    }
    assert.is((await run({}, "audit:tenancy", "--portals=CustomerPortal")).code, 2);
  });
});
