import { randomUUID } from "node:crypto";
import { type TestApp, writeApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { copyFixture, edited, editedText } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openMigrated } from "../../support/shop.ts";
import { portalRoutes, tables, wizardFiles } from "./mounts_support.ts";
import { whereTo } from "./runs_app.ts";

// Wizards whose people, tenants, anchors, choices and persisted records have keys that are no numbers.

const kinds = {
  uuid: { of: () => randomUUID() as string, missing: "00000000-0000-4000-8000-000000000000", slug: false },
  string: { of: (name: string) => `key:${name}/ä`, missing: "key-0", slug: false },
  "uuid, with slugs in addresses": { of: () => randomUUID() as string, missing: "nobody", slug: true },
} as const;
type Kind = keyof typeof kinds;
const admin = "packages/admin_portal";
const tenants = copyFixture("wizard_tenants");
const first = "db/migrate/20260101000000_create_tables.ts";
const second = "db/migrate/20260101000002_scope.ts";
const concern = `${admin}/app/controllers/admin_portal/concerns/controller.ts`;

const setUp = `import { fail, steps, succeed, Wizard } from "framewright/plugins/wizards"; import Comment from "#app/models/comment.ts"; import Post from "#app/models/post.ts";
  const flow = steps().step("post", {}, (f) => f.association("like", Post, { required: true })).step("comment", { using: Comment, fields: ["title"] })
    .onSubmit("comment", async ({ data, persist }) => { await persist("comment", Comment, { title: data.comment.title, post_id: data.post!.like } as never); }).review();
  export default class SetUpWizard extends Wizard(flow, { concurrencyKey: (run) => [run.currentUser, run.currentScopedEntity] }) { async execute() {
    const { comment } = this.persisted; if (!(comment instanceof Comment)) return fail("gone");
    const post = await this.query(Post).findById(this.data.post.like as never);
    return succeed(comment).withMessage(comment.title + " on " + post?.title); } }`;
const tenantWizard = `import { anchored, steps, succeed, Wizard } from "framewright/plugins/wizards"; import Organization from "#app/models/organization.ts";
  const flow = steps().step("first", { using: Organization, fields: ["name"] }).step("second", {}, (f) => f.string("note"));
  export default class TenantWizard extends Wizard(flow, { anchored: anchored<Organization>({ via: "currentScopedEntity" }), oneTime: true }) { async execute() {
    await this.anchor.$query(this.transaction).patch({ name: this.data.first.name } as never); return succeed(); } }`;
const left = `import { BaseController } from "framewright"; import { openRuns } from "framewright/plugins/wizards"; import Controller from "./concerns/controller.ts"; import Post from "#app/models/post.ts";
  export default class LeftController extends Controller(BaseController) { async index() { const post = await Post.query().findById(this.request.query.string("post") as never);
    return this.json({ runs: await openRuns(this, { anchor: post as never }) }); } }`;

function filesOf(kind: Kind): Record<string, string> {
  const type = kind === "string" ? "string" : "uuid";
  const { slug } = kinds[kind];
  const files: Record<string, string> = { ...wizardFiles, ...tenants };
  const keyed = (text: string) =>
    text
      .replaceAll("t.id()", `t.id({ type: "${type}" })`)
      .replace(/t\.belongsTo\("(\w+)"\)/g, `t.belongsTo("$1", { type: "${type}" })`)
      .replace('t.string("name")', slug ? 't.string("slug").unique(); t.string("name")' : 't.string("name")');
  const made = "static override defaults = { id: () => 'k:' + randomUUID() };";
  const model = (name: string, more = "") => ({
    [`app/models/${name}.ts`]: editedText(files[`app/models/${name}.ts`]!, [
      "static override associations",
      `${kind === "string" ? made : ""} ${more} static override associations`,
    ]).replace(/^/, 'import { randomUUID } from "node:crypto";\n'),
  });
  return {
    ...files,
    ...model("comment", "static override validations = { title: { uniqueness: true } };"),
    ...model("organization", slug ? 'static override paramKey = "slug";' : ""),
    [first]: keyed(files[first]!),
    [second]: keyed(files[second]!),
    "db/migrate/20260101000003_create_framewright_wizards.ts": tables,
    [concern]: edited(files, concern, [
      'findById(Number(request.header("x-user") ?? 0))',
      'findById(decodeURIComponent(request.header("x-user") ?? "-"))',
    ]),
    "app/wizards/set_up_wizard.ts": setUp,
    "app/wizards/tenant_wizard.ts": tenantWizard,
    "app/wizards/once_wizard.ts": edited(files, "app/wizards/configure_wizard.ts", [
      "ConfigureWizard",
      "OnceWizard",
    ]).replace("anchored({ with: Post })", "anchored({ with: Post }), oneTime: true"),
    "app/definitions/post_definition.ts": edited(
      files,
      "app/definitions/post_definition.ts",
      ["import ImportWizard", 'import OnceWizard from "../wizards/once_wizard.ts";\nimport ImportWizard'],
      ['this.wizard("intake"', 'this.wizard("onboard", OnceWizard);\n    this.wizard("intake"'],
    ),
    [`${admin}/app/controllers/admin_portal/left_controller.ts`]: left,
    [`${admin}/config/routes.ts`]: portalRoutes(
      `routes.get("left", { to: "left#index" }); routes.registerWizard(SetUpWizard, { at: "setup" }); routes.registerWizard(TenantWizard, { at: "tenant" });`,
      `import SetUpWizard from "#app/wizards/set_up_wizard.ts"; import TenantWizard from "#app/wizards/tenant_wizard.ts";`,
    ),
    "app/policies/post_policy.ts": edited(files, "app/policies/post_policy.ts", [
      '"posts.id", "<>", 3',
      '"posts.title", "<>", "Unseen"',
    ]),
  };
}

const names = ["alpine", "baltic"];
interface Ids {
  organizations: string[];
  users: string[];
  posts: string[];
}
async function fill(app: TestApp, kind: Kind): Promise<Ids> {
  const { knex } = databaseOf(app.application);
  const { of, slug } = kinds[kind];
  const ids = {
    organizations: names.map(of),
    users: names.map((name) => of(`${name} user`)),
    posts: names.map((name) => of(`${name} post`)),
  };
  for (const [at, name] of names.entries()) {
    const organization_id = ids.organizations[at];
    await knex("organizations").insert({ id: organization_id, name, ...(slug ? { slug: name } : {}) });
    await knex("users").insert({ id: ids.users[at], name });
    await knex("posts").insert({ id: ids.posts[at], title: `Post ${name}`, organization_id });
  }
  return ids;
}

for (const database of await databases({ mysqlInSoak: true }))
  for (const kind of Object.keys(kinds) as Kind[])
    describe(`Wizards with keys of the kind ${kind}, on ${database.name}`, (it, { before, after }) => {
      let app: TestApp;
      let ids: Ids;
      before(async () => {
        if (database.skip) return;
        app = await openMigrated(writeApp(filesOf(kind)), await database.values());
        ids = await fill(app, kind);
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
      const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);
      const path = encodeURIComponent;
      const base = (at = 0) => `/admin/${path(kinds[kind].slug ? names[at]! : ids.organizations[at]!)}`;
      const on = (wizard: string, post = 0, tenant = 0) =>
        `${base(tenant)}/posts/${path(ids.posts[post]!)}/wizards/${wizard}`;
      const ask = (method: string, url: string, body?: object, user = 0) =>
        app.request(url, {
          method,
          headers: { "x-user": path(ids.users[user]!), accept: "application/json", "content-type": "application/json" },
          ...(body ? { body: JSON.stringify(body) } : {}),
        });
      const send = async (url: string, wizard: object, direction = "next") =>
        whereTo(await ask("POST", url, { wizard, _direction: direction }));
      const launch = async (url: string) => whereTo(await ask("GET", url));
      const runs = () => databaseOf(app.application).knex("framewright_wizard_runs");

      can("A wizard on such a record is launched, listed, resumed, cancelled and completed", async () => {
        const url = on("configure");
        assert.is(await launch(url), `303 ${url}/first`);
        assert.is(await send(`${url}/first`, { title: "Changed" }), `303 ${url}/second`);
        assert.is(await launch(url), `303 ${url}/second`);
        const listed = (await (await ask("GET", `${base()}/left?post=${path(ids.posts[0]!)}`)).json()) as {
          runs: { url: string; cancelUrl: string }[];
        };
        assert.equal(
          listed.runs.map((run) => run.url),
          [`${url}/second`],
        );
        const other = (await (await ask("GET", `${base(1)}/left?post=${path(ids.posts[1]!)}`)).json()) as {
          runs: object[];
        };
        assert.equal(other.runs, []);
        assert.is((await ask("DELETE", listed.runs[0]!.cancelUrl, {}, 1)).status, 404);
        assert.is((await ask("DELETE", listed.runs[0]!.cancelUrl, {})).status, 303);
        assert.is(await launch(url), `303 ${url}/first`);
        await send(`${url}/first`, { title: "Changed" });
        assert.is(await send(`${url}/second`, {}), `303 ${url.replace("/wizards/configure", "")}`);
        const post = await databaseOf(app.application).knex("posts").where({ id: ids.posts[0] }).first();
        assert.is(post.title, "Changed");
        await databaseOf(app.application).knex("posts").where({ id: ids.posts[0] }).update({ title: "Post alpine" });
      });

      can("A record of another tenant, and one that does not exist, are the same 404", async () => {
        const missing = `${base()}/posts/${path(kinds[kind].missing)}/wizards/configure`;
        const wanted = await (await ask("GET", missing)).text();
        for (const url of [missing, on("configure", 1), `${base()}/posts/1/wizards/configure`]) {
          const answer = await ask("GET", url);
          assert.is(answer.status, 404, url);
          assert.is(await answer.text(), wanted);
        }
      });

      can("The launch of a completed one-time wizard is hidden on its record, and nowhere else", async () => {
        const url = on("onboard");
        const page = async () =>
          (
            await app.request(url.replace("/wizards/onboard", ""), { headers: { "x-user": path(ids.users[0]!) } })
          ).text();
        assert.match(await page(), "/wizards/onboard");
        await ask("GET", url);
        await send(`${url}/first`, { title: "Post alpine" });
        assert.match(await send(`${url}/second`, {}), "303");
        assert.not.match(await page(), "/wizards/onboard");
        assert.match(await page(), "/wizards/configure");
      });

      can("A step chooses such a record of the tenant, and persists another, which a cancel removes", async () => {
        const url = `${base()}/setup`;
        const comments = () => databaseOf(app.application).knex("comments");
        assert.is(await launch(url), `303 ${url}/post`);
        const found = (await (await ask("GET", `${url}/post?_search=like&q=post`)).json()) as { data: object[] };
        assert.equal(found.data, [{ id: ids.posts[0], label: "Post alpine" }]);
        for (const like of [ids.posts[1], kinds[kind].missing, "1"])
          assert.is((await ask("POST", `${url}/post`, { wizard: { like } })).status, 422, like);
        assert.is(await send(`${url}/post`, { like: ids.posts[0] }), `303 ${url}/comment`);
        assert.is(await send(`${url}/comment`, { title: "Nice" }), `303 ${url}/review`);
        const [comment] = await comments();
        assert.equal([comment.title, comment.post_id], ["Nice", ids.posts[0]]);
        const again = await send(`${url}/comment`, { title: "Nice" });
        assert.is(again, `303 ${url}/review`, "a unique title is not taken by the run's own record");
        await send(`${url}/comment`, { title: "Nicer" });
        assert.equal(await comments().select("id", "title"), [{ id: comment.id, title: "Nicer" }], "the same record");
        const review = await app.request(`${url}/review`, { headers: { "x-user": path(ids.users[0]!) } });
        assert.match(await review.text(), "Post alpine");
        assert.match(await send(`${url}/review`, {}, "cancel"), "303");
        assert.equal(await comments(), []);
        await launch(url);
        await send(`${url}/post`, { like: ids.posts[0] });
        await send(`${url}/comment`, { title: "Nice" });
        assert.is(await send(`${url}/review`, {}), `303 ${base()}`);
        assert.is((await comments()).length, 1);
        const [run] = await runs().where({ wizard: "SetUpWizard" });
        assert.match(run.outcome, "Nice on Post alpine");
        assert.equal([run.owner_id, run.scope_gid], [ids.users[0], `Organization/${ids.organizations[0]}`]);
      });

      can("A wizard about the tenant itself has a run for each tenant, begun with the tenant's values", async () => {
        for (const tenant of [0, 1]) {
          const url = `${base(tenant)}/tenant`;
          assert.is(await launch(url), `303 ${url}/first`);
          const page = await app.request(`${url}/first`, { headers: { "x-user": path(ids.users[0]!) } });
          assert.match(await page.text(), `value="${names[tenant]}"`);
          assert.is(await send(`${url}/first`, { name: `${names[tenant]} AG` }), `303 ${url}/second`);
        }
        assert.match(await send(`${base()}/tenant/second`, {}), "303");
        const known = await databaseOf(app.application).knex("organizations").orderBy("name").select("name");
        assert.equal(
          known.map(({ name }) => name),
          ["alpine AG", "baltic"],
        );
        assert.is(await launch(`${base(1)}/tenant`), `303 ${base(1)}/tenant/second`);
      });
    });
