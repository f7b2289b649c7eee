import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { as, openWizards, wizardFile, wizardFiles } from "./mounts_support.ts";

const location = (answer: Response) => answer.headers.get("location") ?? "";
const runs = async (app: TestApp): Promise<number> => {
  const [row] = await databaseOf(app.application).knex("framewright_wizard_runs").count({ n: "*" });
  return Number((row as { n: number }).n);
};

describe("The launch of a wizard", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openWizards();
  });
  after(() => app.close());
  const ann = () => as(app.client(), 1);

  it("Launching a tokened wizard is 303 to the first step with a token in the path, and no-store", async () => {
    const answer = await ann().request("/admin/posts/wizards/intake");
    assert.is(answer.status, 303);
    assert.match(location(answer), /^\/admin\/posts\/wizards\/intake\/[\w-]{20,}\/first$/);
    assert.is(answer.headers.get("cache-control"), "no-store");
  });
  it("Launching an anchored or a keyed wizard redirects to a path without a token", async () => {
    assert.is(
      location(await ann().request("/admin/posts/1/wizards/configure")),
      "/admin/posts/1/wizards/configure/first",
    );
    assert.is(location(await ann().request("/admin/onboarding")), "/admin/onboarding/first");
  });
  it("Launching a keyed wizard resumes its run at the current step", async () => {
    const bob = as(app.client(), 2);
    await bob.request("/admin/onboarding");
    await bob.submit("/admin/onboarding/first", { "wizard[title]": "Bob's" }, /first/);
    assert.is(location(await bob.request("/admin/onboarding")), "/admin/onboarding/second");
  });
  it("Reloading the first step creates no second run", async () => {
    const client = ann();
    const first = location(await client.request("/admin/posts/wizards/intake"));
    const before = await runs(app);
    assert.is((await client.request(first)).status, 200);
    assert.is((await client.request(first)).status, 200);
    assert.is(await runs(app), before);
  });
  it("Another user's token is 404 for every method and changes nothing", async () => {
    const client = ann();
    const mine = location(await client.request("/admin/posts/wizards/intake"));
    const bob = as(app.client(), 2);
    const token = await csrfOf(bob);
    assert.is((await bob.request(mine)).status, 404);
    for (const [method, _direction] of [
      ["POST", "next"],
      ["POST", "cancel"],
      ["PUT", "next"],
    ] as const)
      assert.is(
        (
          await bob.request(mine, {
            method,
            headers: { "x-csrf-token": token },
            body: new URLSearchParams({ _direction, "wizard[title]": "Bob" }),
          })
        ).status,
        404,
      );
    assert.is((await client.request(mine)).status, 200);
    assert.not.match(await client.page(mine), "Bob");
  });
  it("HEAD and prefetch requests of a launch create no run", async () => {
    const client = as(app.client(), 2);
    const before = await runs(app);
    const looks: RequestInit[] = [
      { method: "HEAD" },
      { headers: { "sec-purpose": "prefetch" } },
      { headers: { "x-sec-purpose": "prefetch" } },
      { headers: { purpose: "prefetch" } },
      { headers: { "x-moz": "prefetch" } },
    ];
    for (const path of ["/admin/posts/wizards/intake", "/admin/posts/1/wizards/configure"]) {
      for (const look of looks) {
        const answer = await client.request(path, look);
        assert.is(answer.status, 303);
        assert.is(location(answer), `${path}/first`);
        assert.is((await client.request(`${path}/first`, look)).status, 204);
      }
    }
    assert.is(await runs(app), before);
    await client.request("/admin/posts/1/wizards/configure");
    assert.is((await client.request("/admin/posts/1/wizards/configure/first", looks[0])).status, 200);
  });
  it("DELETE and POST of a launch are 405", async () => {
    const client = ann();
    const headers = { "x-csrf-token": await csrfOf(client) };
    assert.is((await client.request("/admin/onboarding", { method: "DELETE", headers })).status, 405);
    assert.is((await client.request("/admin/onboarding", { method: "POST", headers })).status, 405);
  });
});

/** The token that scripts send. */
async function csrfOf(client: ReturnType<typeof as>): Promise<string> {
  return /name="csrf-token" content="([^"]+)"/.exec(await client.page("/admin"))![1]!;
}

describe("The redirect after a cancel", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openWizards();
  });
  after(() => app.close());
  const cancelled = async (launch: string, headers: Record<string, string> = {}): Promise<string> => {
    const client = as(app.client(), 1);
    const first = location(await client.request(launch, { headers }));
    return location(await client.submit(first, { _direction: "cancel" }, /action="[^"]*\/first"/));
  };
  const base = "/admin/posts/wizards/intake";

  it("A cancel redirects to the launch's return_to, else to the referring page", async () => {
    assert.is(await cancelled(`${base}?return_to=${encodeURIComponent("/admin/posts?page=2")}`), "/admin/posts?page=2");
    assert.is(await cancelled(base, { referer: `${app.url}/admin/comments` }), "/admin/comments");
    assert.is(
      await cancelled(`${base}?return_to=/admin/posts`, { referer: `${app.url}/admin/comments` }),
      "/admin/posts",
    );
  });
  it("A cancel redirects to the portal's root where return_to and referrer are missing or unsafe", async () => {
    assert.is(await cancelled(base), "/admin");
    for (const evil of [
      "https://evil.test/x",
      "//evil.test",
      "/\\evil.test",
      "javascript:alert(1)",
      "/\t/evil.test",
      "admin",
      "",
      "/%5cevil.test",
      "http:evil.test",
      "/x\r\nset-cookie:a=b",
    ])
      assert.is(await cancelled(`${base}?return_to=${encodeURIComponent(evil)}`), "/admin", evil);
    assert.is(await cancelled(base, { referer: "https://evil.test/admin/posts" }), "/admin");
  });
  it("A cancel never redirects to the wizard's own path, however it is spelled", async () => {
    const own = [
      base,
      `${base}/first`,
      `${base}?x=1`,
      `${base}#x`,
      `${base}/`,
      `${base}.json`,
      "/admin/posts/../posts/wizards/intake",
      "/admin/posts/wizards/%69ntake",
      "/admin/posts/wizards/%69ntake/first",
    ];
    for (const path of own) assert.is(await cancelled(`${base}?return_to=${encodeURIComponent(path)}`), "/admin", path);
    assert.is(await cancelled(base, { referer: `${app.url}${base}/runs` }), "/admin");
    assert.is(
      await cancelled(`${base}?return_to=${encodeURIComponent("/admin/posts/wizards/intakes")}`),
      "/admin/posts/wizards/intakes",
    );
  });
  it("A stored return_to is checked again when it is used", async () => {
    const client = as(app.client(), 1);
    const first = location(await client.request(`${base}?return_to=/admin/posts`));
    const { knex } = databaseOf(app.application);
    await knex("framewright_wizard_runs").update({ return_to: "https://evil.test/" });
    assert.is(location(await client.submit(first, { _direction: "cancel" }, /action="[^"]*\/first"/)), "/admin");
  });
});

describe("The authorization of a wizard", (it) => {
  const asks = `authorize() { return (this.currentUser as unknown as { name: string }).name === "Ann"; } async execute() { return succeed(); }`;
  it("A wizard's method authorize decides on every request, and false is 403", async () => {
    const app = await openWizards({
      "app/wizards/onboard_wizard.ts": wizardFile(
        "OnboardWizard",
        `concurrencyKey: (run) => run.currentUser, oneTime: true`,
        { body: asks },
      ),
    });
    const [ann, bob] = [as(app.client(), 1), as(app.client(), 2)];
    assert.is((await ann.request("/admin/onboarding")).status, 303);
    const headers = { "x-csrf-token": await csrfOf(bob) };
    assert.is((await bob.request("/admin/onboarding")).status, 403);
    for (const path of ["first", "completed", "runs"])
      assert.is((await bob.request(`/admin/onboarding/${path}`)).status, 403, path);
    for (const method of ["POST", "PUT"])
      assert.is((await bob.request("/admin/onboarding/first", { method, headers })).status, 403);
    const { status, body } = await bob.json("/admin/onboarding/first");
    assert.is(status, 403);
    assert.is(body.code, "FW_FORBIDDEN");
    assert.is(
      app.application.routes().find(({ path }) => path === "/admin/onboarding")!.policy,
      "OnboardWizard#authorize",
    );
    await app.close();
  });
  it("A wizard without authorize admits every signed-in user and answers guests 401", async () => {
    const app = await openWizards();
    assert.is((await as(app.client(), 2).request("/admin/onboarding")).status, 303);
    assert.is((await app.client().request("/admin/onboarding")).status, 401);
    assert.is((await app.client().request("/admin/posts/wizards/intake")).status, 401);
    await app.close();
  });
  it("A guest is redirected to the login where the controller's findCurrentUser redirects there", async () => {
    const login = `import { BaseController, type ControllerClass, concern } from "framewright"; import { PortalController, PublicAccess } from "framewright/plugins/portals";
      export default <B extends ControllerClass>(Base: B) => class extends (concern(Base as ControllerClass, PortalController, PublicAccess) as ControllerClass) {
        override async findCurrentUser() { this.redirectTo("/login"); return undefined; } } as unknown as B;`;
    const app = await openWizards({
      "packages/admin_portal/app/controllers/admin_portal/concerns/controller.ts": login,
    });
    assert.is(location(await app.client().request("/admin/onboarding")), "/login");
    assert.is(location(await app.client().request("/admin/posts/wizards/intake")), "/login");
    await app.close();
  });
});

describe("A wizard in a scoped portal", (it) => {
  it("A wizard in a scoped portal has a run for each tenant and records the tenant", async () => {
    const app = await openWizards({
      "db/migrate/20260101000002_scope.ts": `import type { Schema } from "framewright/plugins/database";
        export async function up(db: Schema) { await db.createTable("organizations", (t) => { t.id(); t.string("name").notNull(); }); await db.addColumns("posts", (t) => { t.belongsTo("organization"); }); }
        export async function down(db: Schema) { await db.dropTable("organizations"); }`,
      "app/models/organization.ts": `import { hasMany, Model } from "framewright/plugins/database"; export default class Organization extends Model("organizations") { static override associations = { posts: hasMany() }; }`,
      "app/models/post.ts": `import { belongsTo, hasMany, Model } from "framewright/plugins/database"; export default class Post extends Model("posts") { static override associations = { comments: hasMany(), organization: belongsTo() }; }`,
      "packages/admin_portal/lib/engine.ts": `import { definePortal } from "framewright/plugins/portals"; import type {} from "framewright/plugins/scoping"; import Organization from "#app/models/organization.ts";
        export const AdminPortal = definePortal("AdminPortal", (engine) => { engine.config.afterInitialize(() => engine.scopeToEntity(Organization)); });`,
      "packages/admin_portal/app/controllers/admin_portal/concerns/controller.ts": edited(
        wizardFiles,
        "packages/admin_portal/app/controllers/admin_portal/concerns/controller.ts",
        [
          "export default <B extends ControllerClass>(Base: B) => concern(",
          "export default <B extends ControllerClass>(Base: B) => class extends (concern(",
        ],
        [/\);\s*$/, ") as ControllerClass) { authorizeEntity() { return true; } } as unknown as B;"],
      ),
    });
    const { knex } = databaseOf(app.application);
    await knex("organizations").insert([
      { id: 1, name: "Alpine" },
      { id: 2, name: "Baltic" },
    ]);
    await knex("posts").where({ id: 1 }).update({ organization_id: 1 });
    const ann = as(app.client(), 1);
    assert.is(location(await ann.request("/admin/1/onboarding")), "/admin/1/onboarding/first");
    await ann.submit("/admin/1/onboarding/first", { "wizard[title]": "Alpine's" }, /\/first"/);
    assert.is(location(await ann.request("/admin/2/onboarding")), "/admin/2/onboarding/first");
    assert.is(location(await ann.request("/admin/1/onboarding")), "/admin/1/onboarding/second");
    assert.not.match(await ann.page("/admin/2/onboarding/first"), "Alpine&#39;s");
    const rows = await knex("framewright_wizard_runs").orderBy("id").pluck("scope_gid");
    assert.equal(rows, ["Organization/1", "Organization/2"]);
    assert.is(
      location(await ann.request("/admin/1/posts/1/wizards/configure")),
      "/admin/1/posts/1/wizards/configure/first",
    );
    assert.is((await ann.request("/admin/2/posts/1/wizards/configure")).status, 404);
    assert.is(
      location(await ann.submit("/admin/1/onboarding/second", { _direction: "cancel" }, /\/second"/)),
      "/admin/1",
    );
    await app.close();
  });
});

describe("A step of a model on an anchored wizard", (it) => {
  it("A step of a model begins with the values of an anchor of that model", async () => {
    const app = await openWizards({
      "app/wizards/configure_wizard.ts": wizardFile("ConfigureWizard", "anchored: anchored({ with: Post })", {
        imports: `import Post from "#app/models/post.ts";`,
        steps: `.step("post", { using: Post, fields: ["title"] }, (f) => f.string("note", { default: "soon" }))`,
      }),
    });
    const ann = as(app.client(), 1);
    await ann.request("/admin/posts/1/wizards/configure");
    const page = await ann.page("/admin/posts/1/wizards/configure/post");
    const inputs = [...page.matchAll(/<input type="text"[^>]*>/g)].map(([input]) => input);
    assert.ok(inputs.some((input) => /value="Hello".*name="wizard\[title\]"/.test(input)));
    assert.ok(inputs.some((input) => /value="soon".*name="wizard\[note\]"/.test(input)));
    await app.close();
  });
});
