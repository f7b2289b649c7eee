import { openPolicies } from "../../../plugins/resources/commands/open_policies.ts";
import { writeApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { openMigrated } from "../../support/shop.ts";
import { auditTenancy, type TenancyReport } from "../../testing/index.ts";
import { permitDefinition, permitFiles, publicPolicy } from "../resources/permits_app.ts";
import { secret } from "./audit_apps.ts";

const portal = "packages/public_portal";
const controllers = `${portal}/app/controllers/public_portal`;
const dashboard = `${portal}/app/dashboards/public_portal/main_dashboard.ts`;

interface Planted {
  /** The files that leak, made of those of the application so far. */
  plant(files: Record<string, string>): Record<string, string>;
  route: string;
  what: string;
  /** What else it finds of it. */
  also?: string;
}
const custom = (name: string, path: string, body: string) => (files: Record<string, string>) => ({
  [`${portal}/config/routes.ts`]: edited(files, `${portal}/config/routes.ts`, [
    'routes.root({ to: "dashboard#index" });',
    `routes.root({ to: "dashboard#index" });\n  routes.get("${path}", { to: "${path}#index" });`,
  ]),
  [`${controllers}/${path}_controller.ts`]: `import { BaseController, concern, Reply } from "framewright";
import { Queries } from "framewright/plugins/database";
import Document from "#app/models/document.ts";
import Town from "#app/models/town.ts";
import Controller from "./concerns/controller.ts";
export default class ${name}Controller extends Controller(concern(BaseController, Queries)) { async index() { ${body} } }
void [Document, Town, Reply];
`,
});

/** Each leaks in its own way; nothing else of the application does. */
const planted: Record<string, Planted> = {
  "a search that looks in a column which it does not declare": {
    plant: (files) => ({
      [permitDefinition]: edited(files, permitDefinition, [
        'one.orWhere((other) => void contains(other, "email", term)); }));',
        'one.orWhere((other) => void contains(other, "email", term)); }), { reads: ["number"] });',
      ]),
    }),
    route: "GET /public/:town_id/permits",
    what: "a search by the hidden column email of Permit finds other rows than one by nonsense",
    also: "a search by the hidden column name of Permit",
  },
  "a label of a hidden record in a controller": {
    plant: custom(
      "Latest",
      "latest",
      'const found = await this.query(Document).withGraphFetched("citizen"); return this.json(found.map((one) => (one as never as { citizen: { toLabel(): string } | null }).citizen?.toLabel() ?? null));',
    ),
    route: "GET /public/:town_id/latest",
    what: "the body has a text of a hidden Citizen",
  },
  "a card that counts hidden records": {
    plant: (files) => ({
      [dashboard]: edited(files, dashboard, [
        "super.configure();",
        'super.configure();\n    this.metric("drafts", { value: () => this.context.kernel.service("database").query(Permit).where("state", "draft").where("town_id", (this.context.controller as never as { currentScopedEntity: { id: number } }).currentScopedEntity.id).resultSize() });',
      ]),
    }),
    route: "GET /public/:town_id/dashboards/main/cards/:card",
    what: "the answer changes when records are added that the policy hides: Permit",
  },
  "a rule of uniqueness": {
    plant: (files) => ({
      "app/models/permit.ts": edited(files, "app/models/permit.ts", [
        "static override associations",
        "static override validations = { number: { uniqueness: true } };\n  static override associations",
      ]),
    }),
    route: "POST /public/:town_id/permits",
    what: 'the answer has a problem with "number" where another tenant has the value',
  },
  "an echo that is none": {
    plant: custom(
      "Compare",
      "compare",
      'const slug = new URL(this.request.raw.url ?? "", "http://shop.example").searchParams.get("town_id") ?? ""; const town = await this.unscopedQuery(Town).findOne({ slug } as never) as { slug: string } | undefined; return this.answer(new Reply(200, "<a href=\\"?town_id=" + encodeURIComponent(slug) + "\\">again</a><a href=\\"/public/" + (town?.slug ?? "") + "\\">there</a>", { "content-type": "text/html" }));',
    ),
    route: "GET /public/:town_id/compare",
    what: "the body has a text of the other tenant",
  },
};

const migration = "db/migrate/20260101000000_create_tables.ts";
/** Towns with slugs, in a portal without lists of citizens. */
const slugged: Record<string, string> = {
  ...permitFiles,
  [migration]: edited(permitFiles, migration, [
    '"towns", (t) => { t.id();',
    '"towns", (t) => { t.id(); t.string("slug").unique();',
  ]),
  "app/models/town.ts": edited(permitFiles, "app/models/town.ts", [
    "static override associations",
    'static override paramKey = "slug"; static override slug = { from: "name" }; static override associations',
  ]),
};

const leaking = ({ leaks }: TenancyReport) => [...new Set(leaks.map(({ route, what }) => `${route}: ${what}`))].sort();

describe("An audit of an application with planted leaks", (it, { before }) => {
  let report: TenancyReport;
  before(async () => {
    let files = slugged;
    for (const { plant } of Object.values(planted)) files = { ...files, ...plant(files) };
    const root = writeApp(files);
    await (await openMigrated(root)).close();
    report = await auditTenancy({ root, portal: "PublicPortal", values: secret });
  });

  for (const [what, one] of Object.entries(planted))
    it(`Finds ${what}`, () => {
      const found = report.leaks.filter(({ route }) => route === one.route).map((leak) => leak.what);
      assert.ok(
        found.some((text) => text.includes(one.what)),
        `${one.route}: ${found.slice(0, 3).join("\n")}\n${leaking(report).join("\n")}`,
      );
    });

  it("A list that a portal's policy restates wider than its feature's is what fw doctor finds: to the audit it is permitted", async () => {
    const policy = "packages/public_portal/app/policies/public_portal/document_policy.ts";
    const app = await openMigrated(
      writeApp({
        ...permitFiles,
        [migration]: edited(permitFiles, migration, [
          't.string("title").notNull(); t.belongsTo("permit");',
          't.string("title").notNull(); t.string("access_token"); t.belongsTo("permit");',
        ]),
        [policy]: publicPolicy(
          "Document",
          'override permittedAttributesForRead() { return ["title", "access_token"]; }',
        ),
      }),
    );
    const found = openPolicies(app.application).filter(({ what }) => what === "lists that a portal widens");
    await app.close();
    assert.match(found.map(({ detail }) => detail).join("\n"), "lets people read access_token");
  });

  it("Finds nothing else", () => {
    const names = Object.values(planted);
    const others = report.leaks.filter(
      ({ what }) => !names.some((one) => what.includes(one.what) || (one.also && what.includes(one.also))),
    );
    assert.equal(leaking({ ...report, leaks: others }), []);
  });
});
