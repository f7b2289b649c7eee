import { addFiles, writeApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { auditTenancy } from "../../testing/index.ts";
import { audit, controllers, leaking, portal, post, routes, secret, small, withAll } from "./audit_apps.ts";
import { tenantFiles } from "./tenants.ts";

interface Planted {
  files: Record<string, string>;
  route: string;
  what: string;
}
const planted: Record<string, Planted> = {
  "a custom controller": {
    files: {
      [`${portal}/config/routes.ts`]: routes('routes.get("report", { to: "reports#index" });'),
      [`${controllers}/reports_controller.ts`]: `import { BaseController, concern } from "framewright"; import { Queries } from "framewright/plugins/database"; import Controller from "./concerns/controller.ts"; ${post}
        export default class ReportsController extends Controller(concern(BaseController, Queries)) { async index() { return this.json(await this.unscopedQuery(Post)); } }`,
    },
    route: "GET /customer/:organization_id/report",
    what: "the body has a text of the other tenant",
  },
  "a dashboard's card that counts": {
    files: {
      [`${portal}/config/routes.ts`]: routes(
        'routes.registerDashboard(FiguresDashboard, { at: "figures" });',
        'import FiguresDashboard from "../app/dashboards/customer_portal/figures_dashboard.ts"; import type {} from "framewright/plugins/dashboards";\n',
      ),
      [`${portal}/app/dashboards/customer_portal/figures_dashboard.ts`]: `import { Dashboard } from "framewright/plugins/dashboards"; ${post}
        export default class FiguresDashboard extends Dashboard { override configure() { super.configure(); this.metric("posts", { value: () => this.context.kernel.service("database").query(Post).resultSize() }); } }`,
    },
    route: "GET /customer/:organization_id/dashboards/figures/cards/:card",
    what: "the answer changes when rows of the other tenant are added",
  },
  "an export": {
    files: {
      [`${portal}/config/routes.ts`]: edited(small, `${portal}/config/routes.ts`, [
        'r.member((m) => m.get("preview", { as: "preview" }));',
        'r.member((m) => m.get("preview", { as: "preview" })); r.collection((c) => c.get("download"));',
      ]),
      [`${controllers}/posts_controller.ts`]: edited(
        tenantFiles,
        `${controllers}/posts_controller.ts`,
        ["import ResourceController", `${post}import { Reply } from "framewright";\nimport ResourceController`],
        [
          "  preview() {",
          '  async download() { const posts = await this.unscopedQuery(Post); return this.answer(new Reply(200, posts.map(({ title }) => title).join("\\n"), { "content-type": "text/csv" })); }\n  preview() {',
        ],
      ),
    },
    route: "GET /customer/:organization_id/posts/download",
    what: "the body has a text of the other tenant",
  },
  "an interaction": {
    files: {
      "app/interactions/publish_post.ts": `import { Interaction, succeed } from "framewright/plugins/resources"; import Post from "../models/post.ts";
        export default class PublishPost extends Interaction { async execute() { await this.unscopedQuery(Post).where("id", ">", 0).patch({ status: "live" }); return succeed(this.record); } }`,
    },
    route: "POST /customer/:organization_id/posts/:id/actions/:action_key",
    what: "rows of the other tenant: changed posts",
  },
  "a step of a wizard": {
    files: {
      [`${portal}/config/routes.ts`]: routes(
        'routes.registerWizard(ImportWizard, { at: "import" });',
        'import ImportWizard from "#app/wizards/import_wizard.ts"; import type {} from "framewright/plugins/wizards";\n',
      ),
      "app/wizards/import_wizard.ts": `import { steps, succeed, Wizard } from "framewright/plugins/wizards"; import Post from "../models/post.ts";
        const flow = steps().step("first", { label: "First" }, (f) => f.string("title", { presence: true }))
          .onSubmit("first", async ({ unscopedQuery, fail }) => { const found = await unscopedQuery(Post); fail("Taken: " + found.map(({ title }) => title).join()); });
        export default class ImportWizard extends Wizard(flow, {}) { async execute() { return succeed(); } }`,
    },
    route: "POST /customer/:organization_id/import/:token/:step",
    what: "the body has a text of the other tenant",
  },
};

describe("An audit of tenants that leak", (it) => {
  for (const [place, { files, route, what }] of Object.entries(planted))
    it(`A query of all tenants in ${place} is found, with its route`, async () => {
      const report = await audit({ ...withAll, ...files }, { portal: "CustomerPortal" });
      assert.ok(leaking(report).includes(route), JSON.stringify(report.leaks.slice(0, 3)));
      const found = report.leaks.find((leak) => leak.route === route)!;
      assert.match(found.what, what);
      assert.is(report.routes.find((one) => one.route === route)!.result, "leak");
    });

  it("A model whose record can't be made is reported with the reason, and its routes are not covered", async () => {
    const files = {
      "app/models/note.ts": edited(tenantFiles, "app/models/note.ts", [
        "static override associations",
        'static override validations = { title: { custom: () => "is never right" } };\n  static override associations',
      ]),
    };
    const report = await audit({ ...tenantFiles, ...files }, { portal: "GuestPortal" });
    assert.equal(leaking(report), []);
    const { reason = "" } = report.uncovered.find(({ what }) => what === "Note") ?? {};
    assert.match(reason, "is never right");
    const route = report.routes.find(({ route: name }) => name === "GET /guest/:organization_id/notes/:id");
    assert.is(route?.result, "not covered");
    assert.match(route?.detail ?? "", "is never right");
  });

  it("A model that refers to records of several models has records of both tenants, and guests' routes have their answers", async () => {
    const files = {
      "app/models/note.ts": edited(tenantFiles, "app/models/note.ts", [
        "static override associations = {",
        'static override associations = { subject: belongsTo({ polymorphic: ["Comment", "Post"], optional: true }),',
      ]),
      "db/migrate/20260103000002_add_subject.ts": `import type { Schema } from "framewright/plugins/database";
        export async function up(db: Schema) { await db.addColumns("notes", (t) => { t.polymorphic("subject"); }); }
        export async function down() {}`,
    };
    const report = await audit({ ...tenantFiles, ...files }, { portal: "GuestPortal" });
    assert.equal(leaking(report), []);
    assert.is(report.uncovered.find(({ what }) => what === "Note")?.reason, undefined);
    assert.equal(
      report.uncovered.filter(({ reason }) => reason.includes("answers  to")),
      [],
    );
  });

  it("A portal that is not scoped can't be chosen, and an application without one has nothing to audit", async () => {
    const failure = await audit(tenantFiles, { portal: "CustomrPortal" }).catch((error: unknown) => error);
    assert.match(String(failure), 'no scoped portal is called "CustomrPortal". Did you mean "CustomerPortal"?');
  });

  it("A connection that a plugin opens to another database stops the audit before anything is written", async () => {
    const root = writeApp(tenantFiles);
    addFiles(root, {
      "plugins.config.ts": edited(
        tenantFiles,
        "plugins.config.ts",
        [
          "const widening",
          'const other = definePlugin({ name: "other", requires: ["database"], apply({ hooks }) { hooks.database.connect.tap({ name: "other", stage: -5000 }, (settings, options) => connect({ ...options, url: "sqlite:storage/other.sqlite3" })); } });\nconst widening',
        ],
        ["import { database }", "import { connect, database }"],
        ["  widening,", "  widening,\n  other,"],
      ),
    });
    const failure = await auditTenancy({ root, values: secret }).catch((error: unknown) => error);
    assert.match(String(failure), "another database than its copy");
  });
});
