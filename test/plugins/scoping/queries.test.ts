import type { Finding } from "framewright/host";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { tables } from "../wizards/mounts_support.ts";
import { openTenants, tenantFiles } from "./tenants.ts";

// Wherever a scoped portal hands an application a query, it stays within the tenant, whatever is said to it later.

/** What an application's code tries with the queries that it was handed; it leaves the tables as they were. */
const probe = `import Attachment from "#app/models/attachment.ts"; import Comment from "#app/models/comment.ts"; import Note from "#app/models/note.ts"; import Organization from "#app/models/organization.ts"; import Post from "#app/models/post.ts"; import Setting from "#app/models/setting.ts"; import Category from "#app/models/category.ts"; import { raw } from "framewright/plugins/database";
  const titles = async (query) => [await query].flat().filter(Boolean).map(({ title, name }) => title ?? name).sort();
  const outcome = async (work) => { try { await work(); return "done"; } catch (error) { return error.code; } };
  export async function probe(at, own) {
    const foreign = 3 - own;
    const posts = () => at.query(Post);
    const found = {
      all: await titles(posts()),
      or: await titles(posts().where("title", "x").orWhereRaw("1 = 1")),
      orFound: await titles(posts().findById(own).orWhere("posts.id", foreign)),
      foreign: (await posts().findById(foreign)) ?? null,
      count: await posts().where("id", 0).orWhereNotNull("id").resultSize(),
      page: (await posts().orderBy("title").page(0, 10)).total,
      joined: await titles(posts().joinRelated("comments").whereNotNull("comments.id")),
      alias: await titles(posts().alias("p").whereNotNull("p.title")),
      replaced: await titles(posts().context({ onBuild() {} })),
      cleared: await titles(posts().clearContext()),
      cloned: await titles(posts().clone().orWhereRaw("1 = 1")),
      comments: await titles(at.query(Comment)),
      attachments: await titles(at.query(Attachment)),
      nested: await titles(at.query(Comment).whereIn("post_id", at.query(Post).select("posts.id"))),
      shared: await titles(at.query(Category)),
      tenants: await titles(at.query(Organization)),
      loaded: (await posts().withGraphFetched("author.[posts]")).flatMap(({ author }) => author?.posts?.map(({ title }) => title) ?? []),
      joinedGraph: (await posts().withGraphJoined("author.[posts.comments]")).flatMap(({ author }) => author?.posts?.flatMap(({ title, comments }) => [title, ...comments.map(({ title }) => title)]) ?? []),
      endless: await outcome(() => at.query(Comment).withGraphJoined("reply_to.^")),
      merged: await outcome(() => posts().insert({ id: foreign, title: "Stolen" }).onConflict("id").merge()),
      ignored: await outcome(() => posts().insert({ id: foreign, title: "Stolen" }).onConflict("id").ignore()),
      unreachable: await outcome(() => at.query(Setting)),
      everything: await titles(at.unscopedQuery(Post)),
      settings: await outcome(() => at.unscopedQuery(Setting)),
      patched: await posts().patch({ status: "live" }).where("id", own).orWhereRaw("1 = 1"),
      fetched: (await posts().patchAndFetchById(own, { status: "live" })).title,
      patchedForeign: await posts().findById(foreign).patch({ title: "Stolen" }),
      deleted: await at.query(Note).delete().where("id", 0).orWhereRaw("1 = 1"),
      note: (await at.query(Note).insert({ title: "Note", post_id: own })).post_id,
      foreignNote: await outcome(() => at.query(Note).insert({ title: "Note", post_id: foreign })),
      foreignBySql: await outcome(() => at.query(Note).insert({ title: "Note", post_id: raw(String(foreign)) })),
      movedBySql: await outcome(() => at.query(Note).patch({ post_id: raw(String(foreign)) })),
      movedNote: await outcome(() => at.query(Note).patch({ post_id: foreign })),
      tenant: await outcome(() => at.query(Organization).insert({ name: "Third" })),
    };
    const made = await posts().insert({ title: "New", organization_id: foreign });
    found.carried = made.organization_id;
    await posts().findById(made.id).patch({ organization_id: foreign });
    found.moved = (await at.unscopedQuery(Post).findById(made.id)).organization_id;
    await posts().findById(made.id).patch({ organization_id: raw(String(foreign)) });
    found.movedBySql = [found.movedBySql, (await at.unscopedQuery(Post).findById(made.id)).organization_id];
    await posts().deleteById(made.id);
    const bySql = await posts().insert({ title: "New", organization_id: raw(String(foreign)) });
    found.carriedBySql = (await at.unscopedQuery(Post).findById(bySql.id)).organization_id;
    await at.unscopedQuery(Post).deleteById(bySql.id);
    return found;
  }`;
const marks = ["", "Alpine", "Baltic"] as const;
const expected = (own: 1 | 2) => {
  const mark = marks[own];
  const [post, comment] = [`Post ${mark}`, `Comment ${mark}`];
  const posts = Object.fromEntries(
    ["all", "or", "orFound", "joined", "alias", "replaced", "cleared", "cloned", "loaded"].map((key) => [key, [post]]),
  );
  return {
    ...posts,
    foreign: null,
    count: 1,
    page: 1,
    comments: [comment],
    nested: [comment],
    attachments: [`Attachment ${mark}`],
    shared: ["Shared"],
    tenants: [mark],
    joinedGraph: [post, comment],
    endless: "FW_CONFINED_GRAPH",
    merged: "FW_CONFINED_MERGE",
    ignored: "done",
    unreachable: "FW_SCOPE_PATH",
    everything: ["Post Alpine", "Post Baltic"],
    settings: "done",
    patched: 1,
    fetched: post,
    patchedForeign: 0,
    deleted: 1,
    note: own,
    foreignNote: "FW_INVALID",
    foreignBySql: "FW_INVALID",
    movedBySql: ["FW_INVALID", own],
    carriedBySql: own,
    movedNote: "FW_INVALID",
    tenant: "FW_SCOPE_INSERT",
    carried: own,
    moved: own,
  };
};

const portal = "packages/customer_portal";
const controllers = `${portal}/app/controllers/customer_portal`;
const files: Record<string, string> = {
  "lib/probe.ts": probe,
  "db/migrate/20260103000000_create_settings.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) { await db.createTable("settings", (t) => { t.id(); t.string("title"); }); } export async function down(db: Schema) { await db.dropTable("settings"); }`,
  "db/migrate/20260103000001_create_wizards.ts": tables,
  "app/models/setting.ts": `import { Model } from "framewright/plugins/database"; export default class Setting extends Model("settings") {}`,
  "plugins.config.ts": edited(
    tenantFiles,
    "plugins.config.ts",
    ["import { definePlugin,", 'import standard from "framewright/plugins.config"; import { definePlugin,'],
    [/definePlugins\(\[.*\]\)/s, "definePlugins([...standard, widening])"],
  ),
  "app/interactions/publish_post.ts": `import { Interaction, succeed } from "framewright/plugins/resources"; import { probe } from "../../lib/probe.ts";
    export default class PublishPost extends Interaction { async execute() { return succeed(this.record).withMessage(JSON.stringify(await probe(this, Number((this.currentScopedEntity as { id: number }).id)))); } }`,
  "app/wizards/probe_wizard.ts": `import { steps, succeed, Wizard } from "framewright/plugins/wizards"; import { probe } from "../../lib/probe.ts";
    const keep = (where: string, found: unknown) => Object.assign(((globalThis as { probed?: object }).probed ??= {}), { [where]: found });
    const of = (at: { currentScopedEntity: unknown }) => Number((at.currentScopedEntity as { id: number }).id);
    const flow = steps().step("first", { label: "First" }, (f) => f.string("title")).onSubmit("first", async (context) => { keep("step", await probe(context, of(context))); });
    export default class ProbeWizard extends Wizard(flow, {}) {
      async authorize() { keep("authorize", await probe(this, of(this))); return true; }
      async execute() { keep("execute", await probe(this, of(this))); return succeed(); }
    }`,
  [`${portal}/config/routes.ts`]: edited(
    tenantFiles,
    `${portal}/config/routes.ts`,
    [
      "export default",
      `import ProbeWizard from "#app/wizards/probe_wizard.ts"; import type {} from "framewright/plugins/wizards"; export default`,
    ],
    [
      `routes.root({ to: "dashboard#index" });`,
      `routes.root({ to: "dashboard#index" }); routes.get("lost", { to: "dashboard#lost" }); routes.registerWizard(ProbeWizard, { at: "probe" });`,
    ],
  ),
  [`${controllers}/dashboard_controller.ts`]: `import { BaseController, concern } from "framewright"; import { Queries } from "framewright/plugins/database"; import Post from "#app/models/post.ts"; import { probe } from "../../../../../lib/probe.ts"; import Controller from "./concerns/controller.ts";
    export default class DashboardController extends (Controller(concern(BaseController, Queries)) as any) {
      async index() { return this.json(await probe(this, Number(this.currentScopedEntity.id))); }
      async lost() { this.currentScopedEntity = undefined; return this.json(await this.query(Post)); }
    }`,
  [`${controllers}/posts_controller.ts`]: `import ResourceController from "./resource_controller.ts"; import { probe } from "../../../../../lib/probe.ts";
    export default class PostsController extends ResourceController { async preview() { return this.json(await probe(this, Number((this.currentScopedEntity as { id: number }).id))); } }`,
};
const headers = { accept: "application/json", "x-user": "3" };
const sent = { ...headers, "content-type": "application/json" };

for (const database of await databases()) {
  describe(`Queries of a scoped portal on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    before(async () => {
      if (!database.skip) app = await openTenants(files, await database.values());
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const get = async (path: string) => (await app.request(path, { headers })).json();

    can("Queries of controllers with and without a resource stay within the tenant", async () => {
      for (const own of [1, 2] as const) {
        assert.equal(await get(`/customer/${own}`), expected(own));
        assert.equal(await get(`/customer/${own}/posts/${own}/preview`), expected(own));
      }
    });
    can("Queries of interactions stay within the tenant", async () => {
      for (const own of [1, 2] as const) {
        const path = `/customer/${own}/posts/${own}/actions/publish`;
        const answer = await app.request(path, { method: "POST", headers: sent, body: "{}" });
        const { data } = (await answer.json()) as { data: { message: string } };
        assert.equal(JSON.parse(data.message), expected(own));
      }
    });
    can("Queries of wizards stay within the tenant in authorize, in steps and in execute", async () => {
      const probed = globalThis as { probed?: unknown };
      for (const own of [1, 2] as const) {
        const launched = await app.request(`/customer/${own}/probe`, { headers });
        const step = launched.headers.get("location")!;
        const body = JSON.stringify({ wizard: { title: "x" } });
        await app.request(step, { method: "POST", headers: sent, body });
        const one = expected(own);
        assert.equal(probed.probed, { authorize: one, step: one, execute: one });
        delete probed.probed;
      }
    });
    can("A query without a tenant is refused with FW_SCOPE_CLOSED", async () => {
      const lost = (await get("/customer/1/lost")) as { code: string };
      assert.is(lost.code, "FW_SCOPE_CLOSED");
    });
    can("The checks of fw doctor list queries of all tenants with their files", async () => {
      const findings: Finding[] = [];
      await app.application.hooks.examine.promise(findings);
      const found = findings.find(({ what }) => what === "queries of all tenants");
      assert.match(found?.detail ?? "", /unscopedQuery in lib\/probe\.ts:\d+/);
    });
    can("A query of the scoping service stays within the tenant that it is given", async () => {
      const { kernel } = app.application;
      const models = databaseOf(app.application);
      const [Post, Organization] = ["Post", "Organization"].map((name) => models.model(name).class);
      const entity = (await models.query(Organization!).findById(2))!;
      const found = (await kernel.service("scoping").query(entity, Post!)) as unknown as { title: string }[];
      assert.equal(
        found.map(({ title }) => title),
        ["Post Baltic"],
      );
    });
  });
}
