import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RouteInfo } from "framewright/host";
import { assert, describe } from "../support/index.ts";
import { undefinedTargets } from "../support/route_targets.ts";
import { ensureBuilt, fwOk, newApp, runCommand, runFw, snapshot } from "./support.ts";

const portal = "packages/admin_portal/app";
const comments = 'comments: hasMany({ dependent: "destroy" })';

describe("A generated application", (it, { before }) => {
  let app: string;
  const read = (path: string) => readFileSync(join(app, path), "utf8");
  const edit = (path: string, change: (text: string) => string) => writeFileSync(join(app, path), change(read(path)));
  const g = (...words: string[]) => fwOk(app, "g", ...words);
  before(async () => {
    await ensureBuilt();
    app = await newApp();
    await g("fw:pkg:package", "blogging");
    await g("fw:res:scaffold", "User", "name", "email:string:uniq", "password_hash:string?");
    await g("fw:res:scaffold", "Organization", "name");
    await g("fw:res:scaffold", "Post", "title", "body:text?", "author:belongs_to{class:User}", "price:money?", "amount:decimal?{10,2}", "status:string{default:draft}", "--dest=blogging"); // biome-ignore format: one line as it is typed
    await g("fw:res:scaffold", "Blogging::Comment", "body:text", "post:belongs_to", "--dest=blogging");
    await g("fw:pkg:portal", "admin", "--public");
    await g("fw:pkg:portal", "partner", "--byo");
    await g("fw:pkg:portal", "customer", "--public", "--scope=Organization");
    edit("packages/blogging/app/models/blogging/post.ts", (text) =>
      text.replace("{ belongsTo", "{ belongsTo, hasMany").replace(/(associations = \{ .*) \};/, `$1, ${comments} };`),
    );
  });

  it("Connecting a resource before its migration exits 1, names fw db:migrate and writes nothing", async () => {
    const files = snapshot(app);
    const { code, err } = await runFw(app, "g", "fw:res:conn", "Blogging::Post", "--dest=admin_portal");
    assert.is(code, 1);
    assert.match(err, "fw db:migrate");
    assert.equal(snapshot(app), files);
    await fwOk(app, "db:migrate");
  });

  it("Several resources are connected at once with policies that inherit the feature's lists, as the dry run predicts", async () => {
    const words = ["fw:res:conn", "Blogging::Post", "blogging/comment", "User", "--dest=admin_portal"];
    const dry = await g(...words, "--dry-run");
    assert.is(existsSync(join(app, portal, "policies/admin_portal/blogging/post_policy.ts")), false);
    const { out } = await g(...words);
    for (const [path, text] of Object.entries(snapshot(app))) {
      if (!path.startsWith(`${portal}/policies/admin_portal/blogging`)) continue;
      for (const line of text.trimEnd().split("\n")) assert.ok(dry.out.includes(`+${line}\n`), `${path}: ${line}`);
    }
    assert.match(out, /post_policy|user_policy.*password_hash/);
    const policy = read(`${portal}/policies/admin_portal/blogging/post_policy.ts`);
    assert.match(policy, "class PostPolicy extends ResourcePolicy(FeaturePostPolicy)");
    assert.not.match(policy, "permittedAttributes");
    const feature = read("packages/blogging/app/policies/blogging/post_policy.ts");
    assert.match(feature, 'return ["title", "body", "author", "price", "amount", "status"];');
    assert.match(feature, '"status", "created_at", "updated_at"];');
    assert.not.match(read(`${portal}/policies/admin_portal/user_policy.ts`), "password_hash");
    assert.match(
      read(`${portal}/controllers/admin_portal/blogging/posts_controller.ts`),
      "class PostsController extends Controller(FeaturePostsController)",
    );
    assert.match(
      read(`${portal}/definitions/admin_portal/blogging/post_definition.ts`),
      "class PostDefinition extends FeaturePostDefinition",
    );
    assert.match(read("packages/admin_portal/config/routes.ts"), "  routes.registerResource(Post);\n");
  });

  it("A singular resource without feature classes is connected with the portal's own base classes", async () => {
    mkdirSync(join(app, "db/migrate"), { recursive: true });
    writeFileSync(
      join(app, "app/models/profile.ts"),
      'import { Model, type Query } from "framewright/plugins/database";\n\n/** One profile for all tenants. */\nexport default class Profile extends Model("profiles") {\n  static override scopes = { associatedWithOrganization: (query: Query<Profile>) => query };\n}\n',
    );
    writeFileSync(
      join(app, "db/migrate/20990101000000_create_profiles.ts"),
      'import type { Schema } from "framewright/plugins/database";\nexport async function up(db: Schema): Promise<void> {\n  await db.createTable("profiles", (t) => {\n    t.id();\n    t.text("bio");\n  });\n}\nexport async function down(db: Schema): Promise<void> {\n  await db.dropTable("profiles");\n}\n',
    );
    await fwOk(app, "db:migrate");
    await g("fw:res:conn", "Profile", "--dest=customer", "--singular");
    const base = "packages/customer_portal";
    assert.match(read(`${base}/config/routes.ts`), "routes.registerResource(Profile, { singular: true });");
    assert.match(read(`${base}/app/controllers/customer_portal/profiles_controller.ts`), "extends ResourceController");
    assert.match(
      read(`${base}/app/policies/customer_portal/profile_policy.ts`),
      "ResourcePolicy(AppResourcePolicy<Profile>)",
    );
    assert.match(
      read(`${base}/app/definitions/customer_portal/profile_definition.ts`),
      "extends ResourceDefinition<Profile>",
    );
  });

  it("A second connection changes nothing and keeps an edited policy", async () => {
    const policy = `${portal}/policies/admin_portal/blogging/post_policy.ts`;
    const files = snapshot(app);
    await g("fw:res:conn", "Blogging::Post", "Blogging::Comment", "User", "--dest=admin_portal");
    assert.equal(snapshot(app), files);
    appendFileSync(join(app, policy), "// mine\n");
    const { out } = await g("fw:res:conn", "Blogging::Post", "--dest=admin_portal");
    assert.match(out, `kept  ${policy}`);
    assert.match(read(policy), "// mine");
  });

  it("The application type-checks, and a misspelt column in a policy is a type error", async () => {
    await fwOk(app, "types");
    assert.match(read("db/types.d.ts"), "blogging_posts: {");
    const { code, out } = await check(app);
    assert.is(code, 0, out);
    const policy = "packages/blogging/app/policies/blogging/post_policy.ts";
    const right = read(policy);
    edit(policy, (text) => text.replace('"title"', '"titel"'));
    assert.match((await check(app)).out, "titel");
    writeFileSync(join(app, policy), right);
  });

  it("fw routes and fw hooks print the application's routes and hooks as JSON", async () => {
    const routes = JSON.parse((await fwOk(app, "routes", "--json")).out) as RouteInfo[];
    assert.ok(routes.some(({ path }) => path === "/admin/blogging/posts"));
    assert.equal(undefinedTargets(app, routes), []);
    const ofPosts = JSON.parse((await fwOk(app, "routes", "posts", "--json")).out) as RouteInfo[];
    assert.equal(
      ofPosts,
      routes.filter(({ path, name = "", to }) => `${path} ${name} ${to}`.toLowerCase().includes("posts")),
    );
    const hooks = JSON.parse((await fwOk(app, "hooks", "--json")).out) as { plugin: string }[];
    assert.ok(hooks.some(({ plugin }) => plugin === "database"));
  });

  it("fw views lists each template as compiled or with the reason why it is not", async () => {
    const page = "packages/admin_portal/app/views/admin_portal/odd.liquid";
    mkdirSync(join(app, page, ".."), { recursive: true });
    writeFileSync(join(app, page), "{% render title %}");
    delete process.env.FW_VIEWS_COMPILE; // a run with all templates interpreted sets it
    const views = JSON.parse((await fwOk(app, "views", "--json")).out) as { file: string; compiled: boolean }[];
    const here = views.filter(({ file }) => file === page);
    const why = "a partial whose name is computed while rendering (line 1)";
    assert.equal(here, [{ portal: "admin_portal", file: page, compiled: false, why }]);
    assert.equal(
      views.filter(({ file, compiled }) => file !== page && !compiled),
      [],
    );
    assert.match((await fwOk(app, "views")).out, /layouts\/resource\.liquid +admin_portal +compiled/);
    rmSync(join(app, page));
  });

  it("fw console evaluates queries on the application's models", async () => {
    const script = 'printf \'query(User).resultSize().then((n) => console.log("users: " + n))\\n\' | "$0" "$1" console';
    const { out } = await runCommand(
      "sh",
      ["-c", script, process.execPath, join(app, "node_modules/framewright/generators/bin/fw.js")],
      app,
    );
    assert.match(out, "users: 0");
  });

  it("fw test ends when a test fails that has not closed its application", async () => {
    const failing = `import assert from "node:assert/strict";
import { it } from "node:test";
import { openTestApplication } from "framewright/testing";
it("fails", async () => {
  await openTestApplication();
  assert.fail("before it closes");
});
`;
    writeFileSync(join(app, "test/open.test.ts"), failing);
    try {
      const { code, out } = await runFw(app, "test", "open.test");
      assert.is(code, 1);
      assert.match(out, "before it closes");
    } finally {
      rmSync(join(app, "test/open.test.ts"));
    }
  });

  it("fw test runs the generated tests, and they pass", async () => {
    const { code, out, err } = await runFw(app, "test");
    assert.is(code, 0, out + err);
    assert.match(out, /^[#ℹ] pass [1-9]/m);
  });
});

const check = (app: string) =>
  runCommand(process.execPath, [join(app, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.json"], app);
