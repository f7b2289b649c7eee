import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { fwOk, newApp, runCommand, runFw, snapshot } from "./support.ts";

const g = (app: string, ...words: string[]) => fwOk(app, "g", ...words);
const read = (app: string, path: string) => readFileSync(join(app, path), "utf8");

describe("The generators of packages, portals and resources", (it, { before }) => {
  let app: string;
  before(async () => {
    app = await newApp();
    mkdirSync(join(app, "app/authlib"), { recursive: true });
    writeFileSync(join(app, "app/authlib/user_authlib_plugin.ts"), "export default {};\n");
  });

  const runs = [
    ["fw:core:install"],
    ["fw:pkg:package", "blogging"],
    ["fw:res:scaffold", "User", "name", "email:string:uniq", "api_key:string?"],
    ["fw:res:scaffold", "Organization", "name"],
    [
      "fw:res:scaffold",
      "Post",
      "title",
      "body:text?",
      "author:belongs_to{class:User}",
      "price:money?",
      "--dest=blogging",
    ],
    ["fw:res:scaffold", "Blogging::Comment", "body:text", "post:belongs_to", "user:references?"],
    ["fw:res:scaffold", "Note", "blogging/post:belongs_to", "--dest=main_app"],
    ["fw:pkg:portal", "public", "--public"],
    ["fw:pkg:portal", "partner_portal", "--byo"],
    ["fw:pkg:portal", "customer", "--auth=user", "--scope=Organization"],
  ];

  for (const run of runs) {
    it(`The dry run of "${run.join(" ")}" predicts what the run writes, and a second run changes nothing`, async () => {
      const before = snapshot(app);
      const dry = await g(app, ...run, "--dry-run");
      assert.equal(snapshot(app), before);
      await g(app, ...run);
      const after = snapshot(app);
      assert.equal(await applied(app, before, after, dry.out), withoutStamps(after));
      await g(app, ...run);
      assert.equal(snapshot(app), after);
    });
  }

  it("A generator runs without the prefix fw:, and accepts options with underscores", async () => {
    const before = snapshot(app);
    await g(app, "pkg:portal", "public", "--public", "--dry_run");
    assert.equal(snapshot(app), before);
  });

  it("A portal is mounted once, and one with accounts inside of an authenticate constraint", () => {
    const routes = read(app, "config/routes.ts");
    assert.is(routes.split("PublicPortal, {").length, 2);
    assert.match(routes, 'routes.mount(PublicPortal, { at: "/public" });');
    assert.match(
      routes,
      'routes.constraints(authenticate("user"), (r) => r.mount(CustomerPortal, { at: "/customer" }));',
    );
  });

  it("Each mode of a portal has its own concern, and --scope adds the tenant to the engine", () => {
    const concern = (portal: string) =>
      read(app, `packages/${portal}/app/controllers/${portal}/concerns/controller.ts`);
    assert.match(concern("public_portal"), "concern(Base, PortalController, PublicAccess)");
    assert.match(concern("customer_portal"), 'concern(Base, PortalController, Authlib("user"))');
    assert.match(concern("partner_portal"), 'PortalController, CurrentUser(findByKey, { challenge: "ApiKey" })');
    assert.match(concern("partner_portal"), "settings.values.PARTNER_API_KEY");
    const engine = read(app, "packages/customer_portal/lib/engine.ts");
    assert.match(engine, 'engine.scopeToEntity(Organization, { strategy: "path" })');
    assert.match(engine, 'import Organization from "#app/models/organization.ts";');
  });

  it("An association names its class where the field's name does not imply it", () => {
    assert.match(read(app, "packages/blogging/app/models/blogging/post.ts"), 'author: belongsTo({ class: "User" })');
    assert.match(
      read(app, "packages/blogging/app/models/blogging/comment.ts"),
      "{ post: belongsTo(), user: belongsTo({ optional: true }) }",
    );
    assert.match(read(app, "app/models/note.ts"), 'post: belongsTo({ class: "Blogging::Post" })');
  });

  it("Columns that look like credentials are left out of the policy and named", async () => {
    assert.not.match(read(app, "app/policies/user_policy.ts"), "api_key");
    const { out } = await g(app, "fw:res:scaffold", "User", "name", "email:string:uniq", "api_key:string?");
    assert.match(out, "look like credentials: api_key");
  });

  it("An edited file is kept and reported, also with --skip, and --force overwrites it", async () => {
    const policy = "packages/blogging/app/policies/blogging/post_policy.ts";
    const generated = read(app, policy);
    appendFileSync(join(app, policy), "// mine\n");
    const run = [
      "fw:res:scaffold",
      "Post",
      "title",
      "body:text?",
      "author:belongs_to{class:User}",
      "price:money?",
      "--dest=blogging",
    ];
    const { out } = await g(app, ...run);
    assert.match(out, `kept  ${policy}`);
    assert.match(out, "--force");
    assert.is(read(app, policy), `${generated}// mine\n`);
    await g(app, ...run, "--skip");
    assert.is(read(app, policy), `${generated}// mine\n`);
    await g(app, ...run, "--force");
    assert.is(read(app, policy), generated);
  });

  it("Each of five migrations has its own timestamp", () => {
    const stamps = Object.keys(snapshot(app)).flatMap((path) => /migrate\/(\d{14})_/.exec(path)?.[1] ?? []);
    assert.is(stamps.length, 5);
    assert.is(new Set(stamps).size, stamps.length);
  });

  for (const [words, wanted] of [
    [["fw:res:scaffold", "Post", "title:strng"], 'Did you mean "string"?'],
    [["fw:res:scaffold", "Post", "author:belongs_to"], "Author"],
    [["fw:res:scaffold", "Post", "usr:belongs_to"], 'Did you mean "User"?'],
    [["fw:res:scaffold", "Post", "title", "--dest=bloging"], 'Did you mean "blogging"?'],
    [["fw:res:scaffold", "9Post"], "9Post"],
    [["fw:res:scaffold", `Post${"x".repeat(61)}`], "MySQL and MariaDB allow 64"],
    [["fw:pkg:portal", "x", "--public", "--scope=Organisation"], 'Did you mean "Organization"?'],
    [["fw:pkg:portal", "../x", "--public"], "../x"],
    [["fw:pkg:package", "x_portal"], "fw:pkg:portal"],
    [["fw:pkg:package", "a/b"], "a/b"],
    [["fw:res:conn", "Pst", "--dest=public_portal"], 'Did you mean "Blogging::Post"?'],
    [["fw:res:conn", "User", "--dest=publik_portal"], 'Did you mean "public_portal"?'],
  ] as const) {
    it(`"${words.join(" ")}" exits 2, prints ${wanted} and writes nothing`, async () => {
      const before = snapshot(app);
      const { code, err } = await runFw(app, "g", ...words);
      assert.is(code, 2, err);
      assert.match(err, wanted);
      assert.equal(snapshot(app), before);
    });
  }
});

const stamp = (text: string) => text.replaceAll(/\d{14}_create/g, "STAMP_create");
const withoutStamps = (files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [stamp(path), text]));

/** What `git apply` makes of the dry run's diff, in a copy of the files as they were. */
async function applied(app: string, before: Record<string, string>, after: Record<string, string>, diff: string) {
  const copy = join(app, "node_modules/.copy");
  rmSync(copy, { recursive: true, force: true });
  for (const [path, text] of Object.entries(before)) {
    mkdirSync(join(copy, path, ".."), { recursive: true });
    writeFileSync(join(copy, path), text);
  }
  await runCommand("git", ["init", "-q"], copy);
  const empty = Object.entries(after).filter(([path, text]) => text === "" && !(path in before));
  if (diff !== "") {
    writeFileSync(join(copy, ".git/dry.patch"), diff);
    const { code, err } = await runCommand("git", ["apply", ".git/dry.patch"], copy);
    assert.is(code, 0, err);
  }
  const files = Object.entries(snapshot(copy)).filter(([path]) => !path.startsWith(".git/"));
  for (const [path] of empty)
    if (!files.some(([there]) => there === path)) throw new Error(`the dry run does not say ${path}`);
  return withoutStamps(Object.fromEntries(files));
}
