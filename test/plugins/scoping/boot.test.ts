import type { TestApp } from "../../support/apps.ts";
import { addFiles, openApp, writeApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { openTenants, tenantFiles } from "./tenants.ts";

const engine = (block: string) => ({
  "packages/customer_portal/lib/engine.ts": `import { definePortal } from "framewright/plugins/portals"; import type {} from "framewright/plugins/scoping"; import Organization from "#app/models/organization.ts";
    export const CustomerPortal = definePortal("CustomerPortal", (engine) => { engine.config.afterInitialize(() => { ${block}; }); }); void Organization;`,
});
const model = (name: string, table: string, body: string) => ({
  [`app/models/${name.toLowerCase()}.ts`]: `import { belongsTo, hasMany, hasOne, Model, type Query } from "framewright/plugins/database";
    export default class ${name} extends Model("${table}") { ${body} } export type Used = [typeof belongsTo, typeof hasMany, typeof hasOne, Query];`,
});
const concernOf = (access: string, body = "") => ({
  "packages/customer_portal/app/controllers/customer_portal/concerns/controller.ts": `import { concern, type ControllerClass } from "framewright"; import { CurrentUser, PortalController, PublicAccess } from "framewright/plugins/portals"; import User from "#app/models/user.ts";
    export default <B extends ControllerClass>(Base: B) => class extends (concern(Base, PortalController, ${access}) as unknown as ControllerClass) { ${body} }; void [CurrentUser, PublicAccess, User];`,
});
const account = `PublicAccess, CurrentUser(async (request) => (await User.query().findById(Number(request.header("x-user") ?? 0))) as object | undefined)`;

function rootOf(changes: Record<string, string>): string {
  const root = writeApp({ ...tenantFiles });
  addFiles(root, changes);
  return root;
}
async function refused(code: string, changes: Record<string, string>): Promise<string> {
  const root = rootOf(changes);
  const { message } = await throwsCode(code, async () => (await openApp(root)).close());
  return message;
}
async function withTenants(
  changes: Record<string, string>,
  body: (get: (path: string, headers?: Record<string, string>) => Promise<Response>, app: TestApp) => Promise<void>,
) {
  const app = await openTenants(changes);
  try {
    await body((path, headers = {}) => app.request(path, { headers: { accept: "application/json", ...headers } }), app);
  } finally {
    await app.close();
  }
}
const titles = async (answer: Response) =>
  ((await answer.json()) as { data: { title: string }[] }).data.map(({ title }) => title);

describe("Boot checks of scopeToEntity", (it) => {
  it("Invalid options, strategies and models of scopeToEntity, and a second call, are refused by name", async () => {
    assert.match(
      await refused("FW_SCOPE_OPTION", engine(`engine.scopeToEntity(Organization, { stratgy: "path" } as never)`)),
      `"stratgy". Did you mean "strategy"?`,
    );
    assert.match(
      await refused("FW_SCOPE_STRATEGY", engine(`engine.scopeToEntity(Organization, { strategy: 3 } as never)`)),
      "got a number",
    );
    assert.match(
      await refused("FW_SCOPE_STRATEGY", engine(`engine.scopeToEntity(Organization, { strategy: "by path" })`)),
      `"by path"`,
    );
    assert.match(await refused("FW_SCOPE_MODEL", engine(`engine.scopeToEntity(class Shop {} as never)`)), "got Shop");
    assert.match(
      await refused("FW_SCOPE_TWICE", engine("engine.scopeToEntity(Organization); engine.scopeToEntity(Organization)")),
      "CustomerPortal",
    );
  });
  it("Boot fails with FW_SCOPE_FORM for a form that offers records without a tenant, naming policy and association", async () => {
    const country = {
      ...model("Country", "countries", ""),
      "app/models/note.ts": `import { belongsTo, Model } from "framewright/plugins/database"; export default class Note extends Model("notes") { static override associations = { post: belongsTo(), country: belongsTo() }; }`,
    };
    const policy = (list: string) => ({
      "app/policies/note_policy.ts": `import { Policy } from "framewright/plugins/resources"; export default class NotePolicy extends Policy { override permittedAttributesForCreate() { return [${list}]; } }`,
    });
    for (const name of ["country", "country_id"]) {
      const message = await refused("FW_SCOPE_FORM", { ...country, ...policy(`"title", "${name}"`) });
      assert.match(message, /NotePolicy permits "country".*Country.*Organization.*(Customer|Guest|Domain)Portal/);
    }
    await (await openApp(rootOf({ ...country, ...policy(`"title"`) }))).close();
    const shared = {
      ...model(
        "Country",
        "countries",
        "static override scopes = { associatedWithOrganization: (query: Query<Country>) => query };",
      ),
      "app/models/note.ts": edited(country, "app/models/note.ts", [
        " };",
        " }; static override scopes = { associatedWithOrganization: (query: never) => query };",
      ]),
    };
    await (await openApp(rootOf({ ...shared, ...policy(`"country"`) }))).close();
  });
  it("Boot fails with FW_SCOPE_METHOD for a controller without the strategy's method, and suggests the intended one", async () => {
    const message = await refused(
      "FW_SCOPE_METHOD",
      engine(`engine.scopeToEntity(Organization, { strategy: "currentOrganisation" })`),
    );
    for (const part of [
      "CustomerPortal",
      "DashboardController",
      `"currentOrganisation"`,
      `Did you mean "currentOrganization"?`,
    ])
      assert.match(message, part);
  });
  it("Boot fails with FW_SCOPE_PATH for a resource that does not lead to the tenant, and shows the three fixes", async () => {
    const message = await refused("FW_SCOPE_PATH", model("Note", "notes", ""));
    for (const part of ["Note", "Organization", "belongsTo(", "hasOne({ through", "associatedWithOrganization"])
      assert.match(message, part);
  });
  it("Boot fails with FW_SCOPE_AMBIGUOUS when two associations lead to the tenant, naming both", async () => {
    const two = `static override associations = { organization: belongsTo(), category: belongsTo(), author: belongsTo({ class: "User" }), partner: belongsTo({ class: "Organization", foreignKey: "organization_id" }), comments: hasMany(), note: hasOne() };`;
    const widest = `static override scopes = { widest: (query: Query<Post>) => query };`;
    assert.match(await refused("FW_SCOPE_AMBIGUOUS", model("Post", "posts", two + widest)), "organization and partner");
  });
  it("Boot fails with FW_SCOPE_AMBIGUOUS when two chains of equal length lead to the tenant, naming both", async () => {
    const chains = `static override associations = { post: belongsTo(), other: belongsTo({ class: "Post", foreignKey: "post_id" }) };`;
    const message = await refused("FW_SCOPE_AMBIGUOUS", model("Note", "notes", chains));
    assert.match(message, "post.organization and other.organization");
    const through = 'organization: hasOne({ through: "post" })';
    assert.match(message, `associations = { ${through} }`);
    const chosen = chains.replace("post:", `${through}, post:`);
    await withTenants(model("Note", "notes", chosen), async (get) => {
      assert.is((await get("/guest/1/notes")).status, 200);
    });
  });
});

describe("The path from a model to its tenant", (it) => {
  it("A model's own tenant scope wins over its associations, also at the end of a chain", async () => {
    const own = `static override associations = { organization: belongsTo(), partner: belongsTo({ class: "Organization", foreignKey: "organization_id" }), category: belongsTo(), author: belongsTo({ class: "User" }), comments: hasMany(), note: hasOne() };
      static override scopes = { widest: (query: Query<Post>) => query, associatedWithOrganization: (query: Query<Post>, organization: { id: number }) => query.where("posts.organization_id", organization.id).orWhere("posts.title", "Post Baltic") };`;
    await withTenants(model("Post", "posts", own), async (get) => {
      assert.equal(await titles(await get("/guest/1/posts?sort=id")), ["Post Alpine", "Post Baltic"]);
      assert.equal(await titles(await get("/guest/2/posts?sort=id")), ["Post Baltic"]);
      assert.equal(await titles(await get("/guest/1/comments?sort=id")), ["Comment Alpine", "Comment Baltic"]);
      assert.equal(await titles(await get("/guest/2/comments?sort=id")), ["Comment Baltic"]);
    });
  });
  const memberScope = `static override scopes = { associatedWithOrganization: (query: Query<User>, organization: { id: number }) => query.whereIn("users.id", User.knex()("memberships").select("user_id").where("organization_id", organization.id) as never) };`;
  const memberships = `static override associations = { memberships: hasMany(), organizations: hasMany({ through: "memberships" }), posts: hasMany({ foreignKey: "author_id" }) };`;
  it("A tenant scope of accounts that restates their memberships is no closer to the tenant than a belongsTo", async () => {
    const both = `static override associations = { post: belongsTo(), author: belongsTo({ class: "User", foreignKey: "post_id" }) };`;
    const changes = { ...model("User", "users", memberships + memberScope), ...model("Note", "notes", both) };
    await withTenants(changes, async (get) => {
      assert.equal(await titles(await get("/guest/1/notes")), ["Note Alpine"]);
      assert.equal(await titles(await get("/guest/2/notes")), ["Note Baltic"]);
    });
  });
  it("Records are within the tenant by an association alone, and the same by a scope, also where their table has another name", async () => {
    const dashboard = {
      "packages/guest_portal/app/controllers/guest_portal/dashboard_controller.ts": `import { BaseController, concern } from "framewright"; import { Queries } from "framewright/plugins/database";
        import Post from "#app/models/post.ts"; import User from "#app/models/user.ts"; import Controller from "./concerns/controller.ts";
        export default class DashboardController extends concern(Controller(BaseController) as typeof BaseController, Queries) {
          async index() {
            const users = await this.query(User).alias("person").orderBy("person.id");
            const posts = (await this.query(Post).withGraphJoined("author")) as unknown as { author: { name: string } | null }[];
            return this.json({ users: users.map(({ name }) => name), authors: posts.map(({ author }) => author?.name ?? null) });
          } }`,
    };
    for (const body of [memberships, memberships + memberScope])
      await withTenants({ ...dashboard, ...model("User", "users", body) }, async (get) => {
        assert.equal(await (await get("/guest/1")).json(), { users: ["Ann Alpine", "Cat"], authors: ["Cat"] });
        assert.equal(await (await get("/guest/2")).json(), { users: ["Bob Baltic", "Cat"], authors: ["Cat"] });
      });
  });
  it("Records of a key of several columns are within the tenant by all of them, where their table has another name", async () => {
    const shelves = {
      "db/migrate/20260301000000_create_shelves.ts": `export async function up(db: { knex: any }) {
        await db.knex.schema.createTable("shelves", (t) => { t.integer("aisle"); t.integer("number"); t.integer("owner"); t.primary(["aisle", "number"]); });
        await db.knex("shelves").insert([{ aisle: 1, number: 1, owner: 1 }, { aisle: 1, number: 2, owner: 2 }, { aisle: 2, number: 1, owner: 2 }]); }`,
      "app/models/shelf.ts": `import { Model, type Query } from "framewright/plugins/database";
        export default class Shelf extends Model("shelves") {
          declare aisle: number; declare number: number;
          static override idColumn = ["aisle", "number"];
          static override scopes = { associatedWithOrganization: (query: Query<Shelf>, { id }: { id: number }) => query.where("shelves.owner", id) };
        }`,
      "packages/guest_portal/app/controllers/guest_portal/dashboard_controller.ts": `import { BaseController, concern } from "framewright"; import { Queries } from "framewright/plugins/database";
        import Shelf from "#app/models/shelf.ts"; import Controller from "./concerns/controller.ts";
        export default class DashboardController extends concern(Controller(BaseController) as typeof BaseController, Queries) {
          async index() {
            const found = await this.query(Shelf).alias("one").orderBy(["one.aisle", "one.number"]);
            return this.json(found.map(({ aisle, number }) => [aisle, number]));
          } }`,
    };
    await withTenants(shelves, async (get) => {
      assert.equal(await (await get("/guest/1")).json(), [[1, 1]]);
      assert.equal(await (await get("/guest/2")).json(), [
        [1, 2],
        [2, 1],
      ]);
    });
  });
  it("The path to the tenant may be a hasOne through another association, or lead through a hasOne", async () => {
    const through = `static override associations = { post: belongsTo(), organization: hasOne({ through: "post" }) };`;
    const behind = `static override associations = { comments: hasMany({ foreignKey: "post_id" }), latest: hasOne({ class: "Post", foreignKey: "category_id" }), posts: hasMany() };`;
    await withTenants(
      { ...model("Note", "notes", through), ...model("Category", "categories", behind) },
      async (get) => {
        assert.equal(await titles(await get("/guest/1/notes")), ["Note Alpine"]);
        assert.equal(await titles(await get("/guest/2/notes")), ["Note Baltic"]);
        assert.is(((await (await get("/guest/2/categories")).json()) as { meta: { total: number } }).meta.total, 1);
      },
    );
  });
});

describe("Entry to a scoped portal", (it) => {
  it("The method authorizeEntity decides who enters a tenant, and which tenants are listed", async () => {
    const own = concernOf(
      account,
      `async authorizeEntity(entity: { name: string }) { return entity.name === "Baltic"; }`,
    );
    await withTenants(own, async (get) => {
      assert.is((await get("/customer/1/posts", { "x-user": "1" })).status, 404);
      assert.is((await get("/customer/2/posts", { "x-user": "1" })).status, 200);
      assert.is((await get("/customer", { "x-user": "1" })).headers.get("location"), "/customer/2");
    });
  });
  it("An account that is not a record enters no tenant without authorizeEntity", async () => {
    await withTenants(concernOf(`PublicAccess, CurrentUser(async () => ({ id: "partner" }))`), async (get) => {
      assert.is((await get("/customer/1/posts")).status, 404);
      assert.equal(await (await get("/customer")).json(), { data: [] });
    });
  });
  it("Membership is read from the association with the tenant's name, and not guessed from others", async () => {
    const associations = (
      second: string,
    ) => `static override associations = { memberships: hasMany(), ${second}: hasMany({ through: "memberships", source: "organization" }), favourites: hasMany({ through: "memberships", source: "organization" }), posts: hasMany({ foreignKey: "author_id" }) };
      static override scopes = { associatedWithOrganization: (query: Query<User>) => query };`;
    const policy = {
      "app/policies/user_policy.ts": `import { Policy } from "framewright/plugins/resources"; export default class UserPolicy extends Policy {}`,
    };
    await withTenants({ ...model("User", "users", associations("organizations")), ...policy }, async (get) => {
      assert.is((await get("/customer/1/posts", { "x-user": "1" })).status, 200);
      assert.is((await get("/customer/2/posts", { "x-user": "1" })).status, 404);
    });
    await withTenants({ ...model("User", "users", associations("companies")), ...policy }, async (get) => {
      assert.is((await get("/customer/1/posts", { "x-user": "1" })).status, 404);
    });
  });
  it("The method of a strategy may redirect instead of returning a tenant", async () => {
    const changes = {
      ...engine(`engine.scopeToEntity(Organization, { strategy: "chosen" })`),
      ...concernOf(account, `async chosen() { this.redirectTo("/guest"); return undefined; }`),
    };
    await withTenants(changes, async (get) => {
      const answer = await get("/customer/posts", { "x-user": "1" });
      assert.is(answer.status, 303);
      assert.is(answer.headers.get("location"), "/guest");
    });
  });
  it("The method of a strategy that returns something other than a tenant fails with FW_SCOPE_ENTITY", async () => {
    const changes = {
      ...engine(`engine.scopeToEntity(Organization, { strategy: "chosen" })`),
      ...concernOf(account, `chosen() { return { id: 1 }; }`),
    };
    await withTenants(changes, async (get) => {
      const answer = await get("/customer/posts", { "x-user": "1" });
      assert.is(answer.status, 500);
      assert.is(((await answer.json()) as { code: string }).code, "FW_SCOPE_ENTITY");
    });
  });
  it("Reads and writes of a scoped portal without a tenant fail with FW_SCOPE_CLOSED", async () => {
    const lost = {
      "packages/customer_portal/app/controllers/customer_portal/posts_controller.ts": `import ResourceController from "./resource_controller.ts";
        export default class PostsController extends ResourceController { lose() { this.currentScopedEntity = undefined; } static override beforeActions = ["lose"]; preview() { return this.head(204); } }`,
    };
    await withTenants(lost, async (get, app) => {
      const asked = await get("/customer/1/posts", { "x-user": "1" });
      assert.is(((await asked.json()) as { code: string }).code, "FW_SCOPE_CLOSED");
      const headers = { accept: "application/json", "content-type": "application/json", "x-user": "1" };
      const written = await app.request("/customer/1/posts", {
        method: "POST",
        headers,
        body: `{"post":{"title":"x"}}`,
      });
      assert.is(((await written.json()) as { code: string }).code, "FW_SCOPE_CLOSED");
    });
  });
  it("A portal without scopeToEntity shows the records of all tenants beside a scoped one", async () => {
    const open = {
      "packages/guest_portal/lib/engine.ts": `import { definePortal } from "framewright/plugins/portals"; export const GuestPortal = definePortal("GuestPortal");`,
    };
    await withTenants(open, async (get) => {
      const answer = await get("/guest/posts/1");
      assert.equal(((await answer.json()) as { data: { organization: unknown } }).data.organization, {
        id: 1,
        label: "Alpine",
      });
      assert.equal(await titles(await get("/guest/posts?sort=id")), ["Post Alpine", "Post Baltic"]);
    });
  });
  it("The list of routes states the tenant rule of each portal", async () => {
    await withTenants({}, async (_, { application }) => {
      const rules = application.routes().map(({ engine: owner, tenant }) => `${owner} ${tenant}`);
      assert.equal([...new Set(rules)].sort(), [
        "CustomerPortal path",
        "DomainPortal currentOrganization",
        "GuestPortal path",
      ]);
    });
  });
});

describe("The slot scoping", (it) => {
  const byHeader = (
    condition: string,
  ) => `const headers = definePlugin({ name: "by-header", requires: ["host", "database", "resources"], provides: "scoping", replaces: true, apply({ services, hooks }) {
      const rules = new Map();
      services.host.engineMacros.define("by-header", "scopeToEntity", (engine) => (entity) => {
        rules.set(engine.name, { engine, entity: services.database.model(entity), strategy: "header", parameter: undefined });
        engine.prepare.push(async (controller) => { controller.currentScopedEntity = await services.database.query(entity).findById(Number(controller.request.header("x-tenant") ?? 0)); });
      });
      hooks.resources.scope.tap("by-header", (narrow, controller) => {
        const id = (controller.currentScopedEntity as { id: number } | undefined)?.id ?? 0;
        if (narrow.model.columns.has("organization_id")) ${condition};
      });
      return { ruleOf: (engine) => rules.get(typeof engine === "string" ? engine : engine?.name), hasMembership: async () => true };
    } });
    export default definePlugins([headers, `;
  const conditions = {
    "a condition of each request": 'narrow.addCondition("by-header", (group) => group.where("organization_id", id))',
    "a condition that is the same but for a value":
      'narrow.addCondition("by-header", (group, [value]) => group.where("organization_id", ">=", 0).where("organization_id", value as number), [id])',
  };
  for (const [kind, condition] of Object.entries(conditions))
    it(`A small plugin of a third party replaces the scoping plugin without other changes, with ${kind}`, async () => {
      const config = edited(tenantFiles, "plugins.config.ts", ["export default definePlugins([", byHeader(condition)]);
      await withTenants({ "plugins.config.ts": config }, async (get) => {
        for (let round = 0; round < 2; round++) {
          for (const [tenant, title] of [
            ["1", "Post Alpine"],
            ["2", "Post Baltic"],
          ] as const) {
            const headers = { "x-tenant": tenant, "x-user": "1" };
            assert.equal(await titles(await get("/customer/posts", headers)), [title]);
            for (const id of ["1", "2"])
              for (const page of ["", "/edit"])
                assert.is((await get(`/customer/posts/${id}${page}`, headers)).status, id === tenant ? 200 : 404);
            const form = await (await get("/customer/comments/new", headers)).text();
            assert.equal(form.match(/Post (?:Alpine|Baltic)/g), [title], "what may be chosen");
          }
        }
        assert.equal(await titles(await get("/customer/posts", { "x-user": "1" })), [], "without a tenant");
      });
    });
});
