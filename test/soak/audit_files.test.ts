import { audit, controllers, leaking, portal, post, small, withAll } from "../plugins/scoping/audit_apps.ts";
import { tenantFiles } from "../plugins/scoping/tenants.ts";
import { edited } from "../support/fixtures.ts";
import { assert, describe } from "../support/index.ts";

/** Posts with a paper, which a route of their own serves. */
const withPapers = (paper: string, input = '{ as: "file", accept: [".pdf"] }'): Record<string, string> => ({
  ...withAll,
  "db/migrate/20260104000000_add_paper.ts": `import type { Schema } from "framewright/plugins/database";
    export const up = (db: Schema) => db.addColumns("posts", (t) => { t.json("paper"); });
    export const down = (db: Schema) => db.removeColumns("posts", ["paper"]);`,
  "app/definitions/post_definition.ts": edited(tenantFiles, "app/definitions/post_definition.ts", [
    "super.configure();",
    `super.configure(); this.input("paper", ${input});`,
  ]),
  "app/policies/post_policy.ts": edited(tenantFiles, "app/policies/post_policy.ts", [
    /"category"\];/,
    '"category", "paper"] as never;',
  ]),
  [`${portal}/config/routes.ts`]: edited(small, `${portal}/config/routes.ts`, [
    'r.member((m) => m.get("preview", { as: "preview" }));',
    'r.member((m) => m.get("preview", { as: "preview" })); r.member((m) => m.get("paper"));',
  ]),
  [`${controllers}/posts_controller.ts`]: edited(
    tenantFiles,
    `${controllers}/posts_controller.ts`,
    [
      "import ResourceController",
      `${post}import { Reply } from "framewright"; import type { StoredFile } from "framewright/plugins/storage"; import { gzipSync } from "node:zlib";\nimport ResourceController`,
    ],
    [
      "  preview() {",
      `  async paper() { const storage = this.request.kernel.service("storage"); ${paper} }\n  preview() {`,
    ],
  ),
});
/** A controller of its own, which finds a post of any tenant. */
const withController = (path: string, serve: string): Record<string, string> => {
  const files = withPapers(own);
  return {
    ...files,
    [`${portal}/config/routes.ts`]: edited(files, `${portal}/config/routes.ts`, [
      'routes.root({ to: "dashboard#index" });',
      `routes.root({ to: "dashboard#index" }); routes.get("${path}", { to: "papers#show" });`,
    ]),
    [`${controllers}/papers_controller.ts`]: `import { BaseController, concern, notFound, Reply } from "framewright"; import { Queries } from "framewright/plugins/database"; import type { StoredFile } from "framewright/plugins/storage"; import { gzipSync } from "node:zlib"; import Controller from "./concerns/controller.ts"; ${post}
      export default class PapersController extends Controller(concern(BaseController, Queries)) { async show() {
        const storage = this.request.kernel.service("storage"); const { id, key } = this.request.routeParams;
        const row = key === undefined ? await this.unscopedQuery(Post).findById(Number(id)) : (await this.unscopedQuery(Post)).find((one) => one.paper?.key === key);
        const found = row?.paper as StoredFile | undefined; if (!found) throw notFound(); ${serve} } }`,
  };
};
const own =
  "return this.answer(await storage.download((this.record as Post & { paper: unknown }).paper as StoredFile));";
const route = "GET /customer/:organization_id/posts/:id/paper";

describe("An audit of tenants with files", (it) => {
  it("Files are sent to the members of their tenant, and nothing leaks", async () => {
    const files = withPapers(own);
    const report = await audit(files, { portal: "CustomerPortal" });
    assert.equal(report.leaks, []);
    assert.is(report.routes.find((one) => one.route === route)!.result, "ok");
    const served = report.rows.filter((row) => row.route === route && row.status === 200);
    assert.equal([...new Set(served.map(({ as }) => as))].sort(), ["byo of A", "byo of B"]);
    const created = report.rows.filter((row) => row.route === "POST /customer/:organization_id/posts" && row.mayEnter);
    assert.ok(created.some(({ status }) => status === 303));
  });

  const planted: Record<string, { path: string; serve: string; what: string }> = {
    "with its mark": {
      path: "documents/posts/:id",
      serve: "return this.answer(await storage.download(found));",
      what: "the body has a text",
    },
    "of a record whose model the route does not name": {
      path: "papers/:id",
      serve: "return this.answer(await storage.download(found));",
      what: "the body has a text",
    },
    "by the key of its storage": {
      path: "papers/:key",
      serve: "return this.answer(await storage.download(found));",
      what: "the body has a text",
    },
    "packed, so that no mark shows": {
      path: "documents/posts/:id",
      serve:
        'const body = gzipSync(await storage.bytes(found.key)); return this.answer(new Reply(200, body, { "content-type": "application/gzip", "content-disposition": "attachment" }));',
      what: "answers 200 with a file",
    },
    "by the address of its storage": {
      path: "documents/posts/:id",
      serve: 'return this.answer(new Reply(302, "", { location: "https://files.example.test/" + found.key }));',
      what: "a header has a text",
    },
    "by a signed address": {
      path: "documents/posts/:id",
      serve:
        'return this.answer(new Reply(302, "", { location: "https://files.example.test/?signature=" + found.size }));',
      what: "redirects to https://files.example.test",
    },
  };
  for (const [how, { path, serve, what }] of Object.entries(planted))
    it(`A file of another tenant that a controller serves ${how} is found, with its route`, async () => {
      const report = await audit(withController(path, serve), { portal: "CustomerPortal" });
      assert.equal(leaking(report), [`GET /customer/:organization_id/${path}`]);
      assert.match(report.leaks.map((leak) => leak.what).join("\n"), what);
      assert.equal([...new Set(report.leaks.map(({ as }) => as))].sort(), ["byo of A", "byo of B"]);
    });

  it("A staged upload that another tenant's member may take over is found, with its route", async () => {
    const files = withPapers(own);
    const controller = `${controllers}/posts_controller.ts`;
    const staged = edited(files, controller, [
      "  preview() {",
      `  override async create() {
    const sent = this.params.nested("post"); const file = sent.get("paper") as { filename: string; bytes: Buffer } | undefined; const kept = sent.string("_kept_paper");
    if (file?.bytes && !sent.has("title")) {
      const stored = await this.request.kernel.service("storage").put({ filename: file.filename, type: "text/plain", bytes: file.bytes }, { temporary: true });
      const value = JSON.stringify(stored).replaceAll('"', "&quot;");
      return this.answer(new Reply(422, '<form method="post" action=""><input type="hidden" name="post[_kept_paper]" value="' + value + '"></form>'));
    }
    const organization_id = (this.currentScopedEntity as { id: number }).id;
    if (kept) await this.request.kernel.service("database").insert(Post, { title: "x", organization_id, paper: JSON.parse(kept) } as never);
    return kept ? this.redirectTo(this.listUrl) : super.create();
  }
  preview() {`,
    ]);
    const report = await audit({ ...files, [controller]: staged }, { portal: "CustomerPortal" });
    const route = "POST /customer/:organization_id/posts";
    assert.equal(leaking(report), [route]);
    assert.match(report.leaks[0]!.what, "has a text or a file of it");
  });
});
