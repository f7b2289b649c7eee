import { audit, controllers, leaking, portal, post, routes, withAll } from "../plugins/scoping/audit_apps.ts";
import { tenantFiles } from "../plugins/scoping/tenants.ts";
import { edited } from "../support/fixtures.ts";
import { assert, describe } from "../support/index.ts";

interface Planted {
  files: Record<string, string>;
  route: string;
  what: string | RegExp;
  /** Who meets it; members of A unless told. */
  as?: string[];
}
const comments = `${controllers}/comments_controller.ts`;
const dashboards = `${portal}/app/dashboards/customer_portal`;
const cached = (cache: string) => ({
  [`${portal}/config/routes.ts`]: routes(
    'routes.registerDashboard(FiguresDashboard, { at: "figures" });',
    'import FiguresDashboard from "../app/dashboards/customer_portal/figures_dashboard.ts"; import type {} from "framewright/plugins/dashboards";\n',
  ),
  "app/views/dashboard_cards/recent.liquid": "<p>{{ titles }}</p>",
  [`${dashboards}/figures_dashboard.ts`]: `import { Dashboard } from "framewright/plugins/dashboards"; ${post}
    const kept = new Map<string, Promise<string>>();
    export default class FiguresDashboard extends Dashboard { override configure() { super.configure();
      this.custom("recent", { view: "dashboard_cards/recent", locals: async (period) => ({ titles: await this.titles(${cache}) }) }); }
      titles(key: string) { const found = kept.get(key) ?? this.read(); kept.set(key, found); return found; }
      async read() { return (await this.query(Post)).map(({ title }) => title).join(); } }`,
});
const cards = "GET /customer/:organization_id/dashboards/figures/cards/:card";

const planted: Record<string, Planted> = {
  "an association that a controller stores as it was sent": {
    files: {
      [comments]: `import { BaseController, concern } from "framewright"; import { Queries } from "framewright/plugins/database"; import Comment from "#app/models/comment.ts"; import ResourceController from "./resource_controller.ts";
        export default class CommentsController extends ResourceController { override async create() {
          const sent = this.params.nested("comment"); const post = await this.query((await import("#app/models/post.ts")).default).first();
          await this.request.kernel.service("database").query(Comment).insert({ title: "x", post_id: post!.id, reply_to_id: Number(sent.string("reply_to") ?? 0) || null } as never);
          return this.redirectTo(this.listUrl); } }`,
    },
    route: "POST /customer/:organization_id/comments",
    what: /comments \d+ refers by reply_to_id to its comments/,
  },
  "an input of an interaction": {
    files: {
      "app/interactions/publish_post.ts": `import { Interaction, succeed } from "framewright/plugins/resources"; import Post from "../models/post.ts";
        export default class PublishPost extends Interaction { static override attributes = { author_id: { as: "integer" } } as const;
          async execute() { const author_id = this.values.author_id; if (author_id) await this.query(Post).findById(this.record.$id() as number).patch({ author_id } as never); return succeed(this.record); } }`,
    },
    route: "POST /customer/:organization_id/posts/:id/actions/:action_key",
    what: /posts \d+ refers by author_id to its users/,
  },
  "an input of an interaction whose name tells no model": {
    files: {
      "app/interactions/publish_post.ts": `import { Interaction, succeed } from "framewright/plugins/resources"; import Post from "../models/post.ts";
        export default class PublishPost extends Interaction { static override attributes = { target: { as: "integer" } } as const;
          async execute() { const found = await this.unscopedQuery(Post).findById(Number(this.values.target ?? 0)); return succeed(this.record).withMessage("Linked with " + found?.title); } }`,
    },
    route: "POST /customer/:organization_id/posts/:id/actions/:action_key",
    what: "the body has a text of the other tenant",
  },
  "ids of a bulk action": {
    files: {
      "app/interactions/publish_post.ts": `import { Interaction, succeed } from "framewright/plugins/resources"; import Post from "../models/post.ts";
        export default class PublishPost extends Interaction { static override attributes = { ids: { as: "string" } } as const;
          async execute() { await this.unscopedQuery(Post).whereIn("id", String(this.values.ids ?? "").split(",").map(Number)).patch({ status: "live" }); return succeed(); } }`,
      "app/definitions/post_definition.ts": edited(tenantFiles, "app/definitions/post_definition.ts", [
        "{ interaction: PublishPost }",
        "{ interaction: PublishPost, resourceAction: true }",
      ]),
    },
    route: "POST /customer/:organization_id/posts/actions/:action_key",
    what: /rows of the other tenant: changed posts/,
  },
  "ids in the body of a controller's own route": {
    files: {
      [`${portal}/config/routes.ts`]: routes('routes.post("archive", { to: "archives#create" });'),
      [`${controllers}/archives_controller.ts`]: `import { BaseController, concern } from "framewright"; import { Queries } from "framewright/plugins/database"; import Controller from "./concerns/controller.ts"; ${post}
        export default class ArchivesController extends Controller(concern(BaseController, Queries)) { async create() {
          const ids = (this.params.get("ids") ?? []) as never[]; await this.unscopedQuery(Post).whereIn("id", ids).patch({ status: "old" }); return this.json({ ids }); } }`,
    },
    route: "POST /customer/:organization_id/archive",
    what: /rows of the other tenant: changed posts/,
  },
  "a parameter of a controller's own search": {
    files: {
      [`${portal}/config/routes.ts`]: routes('routes.get("lookup", { to: "lookups#index" });'),
      [`${controllers}/lookups_controller.ts`]: `import { BaseController, concern } from "framewright"; import { Queries } from "framewright/plugins/database"; import Controller from "./concerns/controller.ts"; ${post}
        export default class LookupsController extends Controller(concern(BaseController, Queries)) { async index() {
          return this.json((await this.unscopedQuery(Post).findById(Number(this.params.string("post_id") ?? 0))) ?? {}); } }`,
    },
    route: "GET /customer/:organization_id/lookup",
    what: "the body has a text of the other tenant",
    as: ["byo of A", "byo of B"],
  },
  "a filter": {
    files: {
      "app/definitions/post_definition.ts": edited(tenantFiles, "app/definitions/post_definition.ts", [
        "super.configure();",
        'super.configure(); this.filter("author");',
      ]),
      [`${controllers}/posts_controller.ts`]: edited(
        tenantFiles,
        `${controllers}/posts_controller.ts`,
        [
          "  preview() {",
          `  override async index() {
    const chosen = this.params.nested("filter").string("author");
    if (!chosen) return super.index();
    return this.json({ by: (await this.unscopedQuery(User).findById(Number(chosen)))?.name });
  }
  preview() {`,
        ],
        ["import ResourceController", 'import User from "#app/models/user.ts";\nimport ResourceController'],
      ),
    },
    route: "GET /customer/:organization_id/posts",
    what: "the body has a text of the other tenant",
    as: ["byo of A", "byo of B"],
  },
  "a field of a wizard": {
    files: {
      [`${portal}/config/routes.ts`]: routes(
        'routes.registerWizard(ImportWizard, { at: "import" });',
        'import ImportWizard from "#app/wizards/import_wizard.ts"; import type {} from "framewright/plugins/wizards";\n',
      ),
      "app/wizards/import_wizard.ts": `import { steps, succeed, Wizard } from "framewright/plugins/wizards"; import Post from "../models/post.ts"; import Comment from "../models/comment.ts";
        const flow = steps().step("first", { label: "First" }, (f) => f.string("title", { presence: true }).integer("reply_to_id")).step("second", { label: "Second" }, (f) => f.string("word"));
        export default class ImportWizard extends Wizard(flow, {}) { async execute() {
          const post = await this.query(Post).first(); const { title, reply_to_id } = this.data.first;
          await this.query(Comment).insert({ title, post_id: post!.id, reply_to_id } as never); return succeed(); } }`,
    },
    route: "POST /customer/:organization_id/import/:token/:step",
    what: /comments \d+ refers by reply_to_id to its comments/,
  },
  "a page that shows the first tenant to everybody": {
    files: {
      [`${portal}/config/routes.ts`]: routes('routes.get("about", { to: "about#index" });'),
      [`${controllers}/about_controller.ts`]: `import { BaseController, concern } from "framewright"; import { Queries } from "framewright/plugins/database"; import Controller from "./concerns/controller.ts"; import Organization from "#app/models/organization.ts";
        export default class AboutController extends Controller(concern(BaseController, Queries)) { async index() { return this.json(await this.unscopedQuery(Organization).orderBy("id").first() ?? {}); } }`,
    },
    route: "GET /customer/:organization_id/about",
    what: "the body has a text of the other tenant",
    as: ["byo of B"],
  },
  "a card that is kept for all tenants, by period": {
    files: cached("period.key"),
    route: cards,
    what: "the body has a text of the other tenant",
    as: ["byo of A", "byo of B"],
  },
};

describe("An audit of tenants whose members name what is another's", (it) => {
  for (const [place, { files, route, what, as = ["byo of A"] }] of Object.entries(planted))
    it(`A leak by ${place} is found, with its route`, async () => {
      const report = await audit({ ...withAll, ...files }, { portal: "CustomerPortal" });
      assert.ok(leaking(report).includes(route), JSON.stringify(report.leaks.slice(0, 3)));
      const found = report.leaks.filter((leak) => leak.route === route);
      assert.match(found.map((leak) => leak.what).join("\n"), what);
      assert.equal([...new Set(found.map((leak) => leak.as))].sort(), as);
    }, 60_000);
});
