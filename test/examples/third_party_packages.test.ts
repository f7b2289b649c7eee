import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "framewright/kernel";
import type { Database } from "framewright/plugins/database";
import { scoping } from "framewright/plugins/scoping";
import { authModeConformance } from "../conformance/auth_modes.ts";
import { scopingStrategyConformance } from "../conformance/scoping_strategies.ts";
import { temporaryFolder } from "../generators/support.ts";
import { pagePlugins, portalPlugins, refuses } from "../plugins/conformance/suites.ts";
import { askAt, bytesOf } from "../plugins/scoping/subdomain_app.ts";
import { openTenants, tenantFiles } from "../plugins/scoping/tenants.ts";
import { openApp, type TestApp, writeApp } from "../support/apps.ts";
import { edited } from "../support/fixtures.ts";
import { assert, describe } from "../support/index.ts";
import { databaseOf, openMigrated } from "../support/shop.ts";
import { CAST, installed, must, npmInstall, publish, sourceOf } from "./publish.ts";

// Packages as third parties publish them: compiled against the framework's published types, packed, and installed by npm.

const root = join(import.meta.dirname, "../..");
const names = ["fw-auth-header", "fw-tenant-domains"];

/** A folder into which npm has installed the packages. */
async function installPackages(): Promise<string> {
  const folder = temporaryFolder();
  const archives: string[] = [];
  for (const name of names) archives.push((await publish(name)).archive);
  await npmInstall(folder, archives);
  mkdirSync(join(folder, "node_modules/@types"), { recursive: true });
  symlinkSync(join(root, "node_modules/@types/node"), join(folder, "node_modules/@types/node"));
  return folder;
}
/** A package that npm installed, as files of an application. */
const filesOf = (built: string, name: string): Record<string, string> =>
  installed(name, join(built, "node_modules", name));

const migration = `import type { Schema } from "framewright/plugins/database";
      export async function up(db: Schema) { await db.createTable("tenant_domains", (t) => { t.id(); t.string("domain").notNull().unique(); t.integer("tenant_id").notNull(); }); }
      export async function down(db: Schema) { await db.dropTable("tenant_domains"); }`;

const secret = "the proxy's own secret, which is long";
const headerApp = {
  "plugins.config.ts": `import { definePlugins } from "framewright/kernel"; import { headerAuth } from "fw-auth-header";
    const people = new Map([["ann", { id: 1, name: "Ann" }]]);
    export default definePlugins([headerAuth({ secret: ${JSON.stringify(secret)}, find: (name) => people.get(name), signIn: "https://sso.example/" })]);`,
  "config/routes.ts": `import { drawRoutes } from "framewright"; export default drawRoutes((routes) => { routes.get("desk", { to: "desk#show" }); routes.post("desk", { to: "desk#show" }); });`,
  "app/controllers/desk_controller.ts": `import { BaseController, concern } from "framewright"; import { HeaderAuth } from "fw-auth-header";
    export default class DeskController extends concern(BaseController, HeaderAuth<{ id: number; name: string }>()) { show() { return this.json({ name: this.currentUser.name }); } }`,
};

describe("Packages of third parties", (it, { before }) => {
  let built = "";
  before(async () => {
    built = await installPackages();
  });
  it("Their sources have no cast", () => {
    for (const name of names) assert.not.match(sourceOf(name), CAST, name);
  });
  it("fw-auth-header: an application compiles with it, and its controllers know the type of the account", async () => {
    mkdirSync(join(built, "src"), { recursive: true });
    writeFileSync(join(built, "src/desk_controller.ts"), headerApp["app/controllers/desk_controller.ts"]);
    const compilerOptions = { target: "es2023", module: "nodenext", types: ["node"], strict: true, noEmit: true };
    const rules = { noUncheckedIndexedAccess: true, noImplicitOverride: true, skipLibCheck: true };
    const config = { compilerOptions: { ...compilerOptions, ...rules }, include: ["src"] };
    writeFileSync(join(built, "tsconfig.json"), JSON.stringify(config));
    await must(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.json"], built);
  });
  it("fw-auth-header: a proxy with the secret names people, and everybody else is a guest", async () => {
    const app = await openApp(writeApp({ ...headerApp, ...filesOf(built, "fw-auth-header") }));
    const ask = (headers: Record<string, string>, method = "GET") =>
      app.request("/desk", {
        method,
        headers: { accept: "application/json", "content-type": "application/json", ...headers },
        ...(method === "GET" ? {} : { body: "{}" }),
      });
    try {
      const proxy = { "x-proxy-secret": secret };
      const known = await ask({ ...proxy, "x-forwarded-user": "ann" });
      assert.equal([known.status, await known.json()], [200, { name: "Ann" }]);
      for (const headers of [
        {},
        proxy,
        { "x-forwarded-user": "ann" },
        { ...proxy, "x-forwarded-user": "" },
        { ...proxy, "x-forwarded-user": "bob" },
        { "x-proxy-secret": "guessed", "x-forwarded-user": "ann" },
      ])
        for (const method of ["GET", "POST"]) {
          const refused = await ask(headers as Record<string, string>, method);
          assert.equal(
            [refused.status, refused.headers.get("www-authenticate")],
            [401, "Proxy"],
            JSON.stringify(headers),
          );
        }
      const page = await ask({ accept: "text/html", "content-type": "text/html" });
      assert.equal([page.status, page.headers.get("location")], [303, "https://sso.example/"]);
    } finally {
      await app.close();
    }
  });
  it("fw-auth-header does what is asked of every mode of authentication", async () => {
    const plugin = pathToFileURL(join(built, "node_modules/fw-auth-header/dist/index.js")).href;
    const { headerAuth } = (await import(plugin)) as { headerAuth(options: object): Plugin };
    const people = new Map(["ann", "bob"].map((name, id) => [name, { id: id + 1, name }]));
    const named = (name: string) => ({ "x-proxy-secret": secret, "x-forwarded-user": name });
    const subject = {
      plugins: [...pagePlugins(), headerAuth({ secret, find: (name: string) => people.get(name) })],
      mode: "header",
      people: [...people].map(([name, account]) => ({ credentials: named(name), account })),
      wrong: { "an unknown name": named("eve"), "a guess": { ...named("ann"), "x-proxy-secret": "guessed" } },
    };
    await refuses(authModeConformance, subject, {});
  });
  it("fw-tenant-domains does what is asked of every strategy for tenants", async () => {
    const plugin = pathToFileURL(join(built, "node_modules/fw-tenant-domains/dist/index.js")).href;
    const { tenantDomains } = (await import(plugin)) as { tenantDomains(): Plugin };
    const subject = {
      plugins: [...portalPlugins(), scoping(), tenantDomains()],
      strategy: "domain",
      env: { APP_URL: "https://shop.example", ALLOWED_HOSTS: "shop.example" },
      files: { "db/migrate/20260103000000_create_tenant_domains.ts": migration },
      address: (tenant?: { slug: string }) => ({ host: tenant ? `${tenant.slug}.test` : "shop.example" }),
      prepare: async ({ knex }: Database) => {
        const rows = ["alpine", "baltic"].map((slug, index) => ({ domain: `${slug}.test`, tenant_id: index + 1 }));
        await knex("tenant_domains").insert(rows);
      },
    };
    await refuses(scopingStrategyConformance, subject, {});
  });
  it("fw-tenant-domains: tenants at domains of their own, apart as in every scoped portal", async () => {
    const app = await openWithDomains(built);
    const ask = (host: string, path: string, user = "3") => askAt(app, host, path, { headers: { "x-user": user } });
    try {
      assert.match((await ask("www.alpine.test", "/customer/posts")).text, "Post Alpine");
      assert.match((await ask("baltic.test:8080", "/customer/posts")).text, "Post Baltic");
      assert.is(
        bytesOf(await ask("baltic.test", "/customer/posts/1")),
        bytesOf(await ask("baltic.test", "/customer/posts/999999")),
      );
      const foreign = await ask("baltic.test", "/customer/posts", "1");
      assert.is(foreign.status, 404);
      assert.is(bytesOf(foreign), bytesOf(await ask("shop.example", "/customer/posts", "1")));
      assert.is((await ask("evil.test", "/customer/posts")).status, 400);
      const { data } = JSON.parse((await ask("shop.example", "/customer")).text) as { data: { url: string }[] };
      assert.equal(
        data.map(({ url }) => url),
        ["https://alpine.test/customer", "https://baltic.test/customer"],
      );
    } finally {
      await app.close();
    }
  });
});

const engine = "packages/customer_portal/lib/engine.ts";
const posts = "packages/customer_portal/app/controllers/customer_portal/posts_controller.ts";

/** The tenants, whose portal is scoped by the package's strategy. */
async function openWithDomains(built: string): Promise<TestApp> {
  const files = {
    ...filesOf(built, "fw-tenant-domains"),
    "plugins.config.ts": edited(
      tenantFiles,
      "plugins.config.ts",
      ["import { definePlugin,", 'import { tenantDomains } from "fw-tenant-domains"; import { definePlugin,'],
      ["scoping(),", "scoping(), tenantDomains(),"],
    ),
    [engine]: edited(tenantFiles, engine, [
      "scopeToEntity(Organization)",
      'scopeToEntity(Organization, { strategy: "domain" })',
    ]),
    [posts]: `import ResourceController from "./resource_controller.ts"; export default class PostsController extends ResourceController { preview() { return this.json({}); } }`,
    "packages/guest_portal/app/controllers/guest_portal/posts_controller.ts": `import ResourceController from "./resource_controller.ts"; export default class PostsController extends ResourceController { preview() { return this.json({}); } }`,
    "db/migrate/20260103000000_create_tenant_domains.ts": migration,
  };
  const values = { APP_URL: "https://shop.example", ALLOWED_HOSTS: "shop.example,127.0.0.1" };
  const first = await openTenants(files, values);
  await databaseOf(first.application)
    .knex("tenant_domains")
    .insert([
      { domain: "alpine.test", tenant_id: 1 },
      { domain: "www.alpine.test", tenant_id: 1 },
      { domain: "baltic.test", tenant_id: 2 },
    ]);
  await first.close();
  return openMigrated(first.root, values);
}
