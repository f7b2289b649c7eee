import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fwOk, newApp, runFw, typeCheck } from "../generators/support.ts";
import { assert, describe } from "../support/index.ts";
import { must, npmInstall, type Published, publish } from "./publish.ts";

// The worked example of docs/how-to/write-a-plugin.md, as its author publishes it: built against the package's types,
// packed, and installed.

const source = join(import.meta.dirname, "fw-audit");
const clone = join(import.meta.dirname, "../..");
const guide = readFileSync(join(clone, "docs/how-to/write-a-plugin.md"), "utf8");
let package_: Promise<Published> | undefined;
const published = () => (package_ ??= publish("fw-audit"));

const sourcesBelow = (folder: string): [path: string, text: string][] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:ts|js|json|liquid)$/.test(path))
    .map((path) => [path, readFileSync(join(folder, path), "utf8")]);

describe("The package fw-audit, compiled and packed by its author", (it) => {
  it("Its source has no cast, and its archive what runs alone", async () => {
    for (const [path, text] of sourcesBelow(join(source, "src")))
      assert.not.match(text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ""), /\bas (?!const\b|in\b)\w+|\bany\b|@ts-/, path);
    const { unpacked } = await published();
    assert.equal(readdirSync(unpacked).sort(), ["README.md", "dist", "locales", "migrate", "package.json", "views"]);
  });
  it("Its types check strictly with its tests, which pass", async () => {
    const { folder } = await published();
    await must(process.execPath, [join(clone, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.json"], folder);
    const tested = ["--import", "framewright/register", "--test", "test/audit.test.ts"];
    assert.match(await must(process.execPath, tested, folder), "# pass 4");
  });
  it("What docs/how-to/write-a-plugin.md shows of it, and of fw-inbox, is its code", () => {
    const names = ["fw-audit", "fw-inbox"];
    const sources = names.flatMap((name) =>
      sourcesBelow(join(import.meta.dirname, name)).map(([path, text]) => [`${name}/${path}`, text] as const),
    );
    const files = new Map<string, string>(sources);
    const shown = [...guide.matchAll(/^```\w+ (fw-(?:audit|inbox)\/\S+)\n([\s\S]*?)^```$/gm)];
    assert.ok(shown.length >= 10);
    for (const [, path, text] of shown)
      for (const part of text!.split(/^ *(?:\/\/ )?…\n/m))
        assert.ok(files.get(path!)?.includes(part), `${path} does not contain\n${part}`);
  });
  it("An application that installs it compiles; its command, its generator and its job are there", async () => {
    const app = await newApp();
    await npmInstall(app, [(await published()).archive]);
    const config = join(app, "plugins.config.ts");
    const text = readFileSync(config, "utf8").replace("definePlugins([", "definePlugins([audit({ keepDays: 90 }), ");
    writeFileSync(config, `import { audit } from "fw-audit";\n${text}`);
    await fwOk(app, "g", "fw:jobs:install");
    await fwOk(app, "g", "fw:res:scaffold", "Post", "title");
    await fwOk(app, "db:migrate");
    await fwOk(app, "g", "fw:pkg:portal", "admin", "--byo");
    await fwOk(app, "g", "fw:res:conn", "Post", "--dest=admin_portal");
    await generatePolicies(app);
    const checked = await typeCheck(app);
    assert.is(checked.code, 0, checked.out);
    assert.equal(JSON.parse((await fwOk(app, "audit:list", "Post", "--json")).out), []);
    assert.match((await fwOk(app, "audit:list")).out, /^.*When +Who +What/);
    assert.match((await fwOk(app, "jobs", "--schedules")).out, "audit:prune");
    assert.match((await runFw(app, "audit:list", "Pots")).err, 'Did you mean "Post"');
    const refused = await runFw(app, "audit:list", "--limit=many");
    assert.equal([refused.code, refused.err.includes("AUDIT_LIMIT")], [1, true]);
  }, 180_000);

  /** In a portal first, then in the feature, then in a portal whose policy inherits it. */
  async function generatePolicies(app: string): Promise<void> {
    const paths = ["app", "packages/admin_portal/app"].map((folder) => join(app, folder, "policies"));
    const [own, ofPortal] = [join(paths[0]!, "post_policy.ts"), join(paths[1]!, "admin_portal/post_policy.ts")];
    const before = readFileSync(ofPortal, "utf8");
    await fwOk(app, "g", "audit:policy", "Post", "--dest=admin_portal");
    assert.match(readFileSync(ofPortal, "utf8"), /^ {2}canAudit\(\)/m);
    await fwOk(app, "g", "audit:policy", "Post");
    assert.match(readFileSync(own, "utf8"), /^ {2}canAudit\(\) \{\n {4}return this\.canUpdate\(\);/m);
    assert.match(readFileSync(ofPortal, "utf8"), /^ {2}override canAudit\(\)/m);
    const written = readFileSync(own, "utf8");
    await fwOk(app, "g", "audit:policy", "Post");
    assert.is(readFileSync(own, "utf8"), written);
    writeFileSync(ofPortal, before);
    await fwOk(app, "g", "audit:policy", "Post", "--dest=admin");
    assert.match(readFileSync(ofPortal, "utf8"), /^ {2}override canAudit\(\)/m);
    assert.is((await runFw(app, "g", "audit:policy", "Pots")).code, 2);
  }
});
