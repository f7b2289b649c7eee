import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { key, keyed } from "./keyed_client.ts";
import { ensureBuilt, fwOk, newApp, runFw, snapshot, typeCheck } from "./support.ts";

const portal = "packages/admin_portal";
const classesOf = (name: string, plural: string) =>
  [
    `policies/admin_portal/${name}_policy`,
    `definitions/admin_portal/${name}_definition`,
    `controllers/admin_portal/${plural}_controller`,
  ].map((path) => `${portal}/app/${path}.ts`);

describe("The destinations of fw:res:conn", (it, { before }) => {
  let app: string;
  const g = (...words: string[]) => fwOk(app, "g", ...words);
  const read = (path: string) => readFileSync(join(app, path), "utf8");
  const written = (paths: readonly string[]) => paths.map((path) => existsSync(join(app, path)));
  before(async () => {
    await ensureBuilt();
    app = await newApp();
    await g("fw:pkg:package", "blogging");
    await g("fw:res:scaffold", "Post", "title", "--dest=Blogging");
    await g("fw:res:scaffold", "Author", "name");
    await g("fw:model", "Visit", "path");
    await fwOk(app, "db:migrate");
    await g("fw:pkg:portal", "admin", "--byo");
  });

  it("A destination is found by the names that people spell: Blogging, AdminPortal, admin-portal, MainApp", async () => {
    assert.ok(existsSync(join(app, "packages/blogging/app/models/blogging/post.ts")));
    const before = snapshot(app);
    const dry = await g("fw:res:conn", "Author", "--dest=admin-portal", "--dry-run");
    assert.match(dry.out, `+++ b/${portal}/config/routes.ts`);
    assert.match((await g("fw:res:conn", "Author", "--dest=MainApp", "--dry-run")).out, "+++ b/config/routes.ts");
    assert.equal(snapshot(app), before);
  });

  it("--policy and --definition write those alone, and --label names the resource in the portal", async () => {
    const first = await g("fw:res:conn", "Author", "--dest=AdminPortal", "--definition", "--label=Writer");
    assert.equal(written(classesOf("author", "authors")), [false, true, false]);
    assert.match(first.out, "app/policies/author_policy.ts decides in admin_portal");
    await g("fw:res:conn", "Blogging::Post", "--dest=admin", "--policy", "--singular");
    assert.equal(written(classesOf("blogging/post", "blogging/posts")), [true, false, false]);
    const routes = read(`${portal}/config/routes.ts`);
    assert.match(routes, 'routes.registerResource(Author, { label: "Writer" });');
    assert.match(routes, "routes.registerResource(Post, { singular: true });");
    const again = snapshot(app);
    const { out } = await g("fw:res:conn", "Author", "--dest=AdminPortal", "--definition", "--label=Scribe");
    assert.match(out, '{ label: "Scribe" }');
    assert.equal(snapshot(app), again);
  });

  it("--controller writes the portal's controller alone, which has what the feature's has", async () => {
    const feature = "app/controllers/authors_controller.ts";
    const text = read(feature);
    writeFileSync(join(app, feature), text.replace("{}", '{\n  mood = "calm";\n}'));
    const without = await g("fw:res:conn", "Author", "--dest=admin", "--definition");
    assert.match(without.out, `${feature} does not serve admin_portal`);
    assert.match(without.out, "which --controller writes");
    const { out } = await g("fw:res:conn", "Author", "--dest=admin", "--controller");
    assert.not.match(out, "does not serve");
    assert.equal(written(classesOf("author", "authors")), [false, true, true]);
    assert.match(
      read(`${portal}/app/controllers/admin_portal/authors_controller.ts`),
      "class AuthorsController extends Controller(FeatureAuthorsController) {}",
    );
    const { code, out: routes } = await fwOk(app, "routes");
    assert.equal([code, /\/admin\/authors\b/.test(routes)], [0, true]);
    rmSync(join(app, `${portal}/app/controllers/admin_portal/authors_controller.ts`));
    writeFileSync(join(app, feature), text);
  });

  it("--dest=main_app registers a resource in the application's routes, with classes where it has none, and says who may not come in", async () => {
    const { out } = await g("fw:res:conn", "Author", "Visit", "--dest=main_app");
    assert.match(read("config/routes.ts"), "  routes.registerResource(Author);\n  routes.registerResource(Visit);\n");
    assert.match(read("app/policies/visit_policy.ts"), 'return ["path"];');
    assert.match(out, "Nobody may come in yet: app/controllers/authors_controller.ts");
    const before = snapshot(app);
    await g("fw:res:conn", "Author", "Visit", "--dest=main_app");
    assert.equal(snapshot(app), before);
    const controller = "app/controllers/resource_controller.ts";
    const text = read(controller)
      .replace(
        "import",
        'import { concern } from "framewright";\nimport { PublicAccess } from "framewright/plugins/portals";\nimport',
      )
      .replace("extends FrameworkResourceController", "extends concern(FrameworkResourceController, PublicAccess)");
    writeFileSync(join(app, controller), text);
    assert.is((await typeCheck(app)).out, "");
    const { child, url } = await serveApp(app, { NODE_ENV: "development", ADMIN_API_KEY: key });
    try {
      const client = keyed(url);
      for (const [path, title] of [
        ["/authors", "Authors"],
        ["/visits", "Visits"],
        ["/admin/authors", "Writers"],
      ] as const)
        assert.match(await client.page(path), `<title>${title}`);
    } finally {
      child.kill("SIGTERM");
      await exitOf(child);
    }
  });

  it("A feature package, an unknown portal and options that exclude each other are refused by name, and nothing is written", async () => {
    const before = snapshot(app);
    for (const [words, ...parts] of [
      [["Author", "--dest=Blogging"], "FW_PORTAL_FEATURE", '"Blogging" is a feature package', "admin_portal"],
      [["Author", "--dest=AdmnPortal"], "FW_PORTAL_UNKNOWN", "admin_portal"],
      [["Author", "--dest=main_app", "--policy"], "FW_FLAGS_CLASH", "--policy"],
      [["Author", "--dest=main_app", "--controller"], "FW_FLAGS_CLASH", "--controller"],
      [["Author", "Visit", "--dest=admin", "--label=Person"], "FW_ARGUMENT_UNUSED", '"Visit"'],
    ] as const) {
      const { code, err } = await runFw(app, "g", "fw:res:conn", ...words);
      assert.is(code, 2, err);
      for (const part of parts) assert.match(err, part);
    }
    assert.equal(snapshot(app), before);
  });
});
