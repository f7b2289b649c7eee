import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { ensureBuilt, fwOk, newApp, runCommand, runFw, temporaryFolder } from "./support.ts";

const clone = join(import.meta.dirname, "../..");

/** What `npm install` would bring. */
function linkPackages(root: string): void {
  mkdirSync(join(root, "node_modules/@types"), { recursive: true });
  symlinkSync(clone, join(root, "node_modules/framewright"));
  for (const name of ["typescript", "@types/node"])
    symlinkSync(join(clone, "node_modules", name), join(root, "node_modules", name));
}

describe("The generator of plugins", (it, { before }) => {
  const folder = temporaryFolder();
  const plugin = join(folder, "acme-audit");
  const node = (...args: string[]) => runCommand(process.execPath, args, plugin);
  before(async () => {
    await ensureBuilt();
    await fwOk(folder, "g", "fw:plugin", "AcmeAudit");
  });

  it("fw g fw:plugin writes a package outside of an application; run again it changes nothing", async () => {
    const written = JSON.parse(readFileSync(join(plugin, "package.json"), "utf8")) as {
      peerDependencies: object;
      devDependencies: Record<string, string>;
    };
    assert.match(written.devDependencies.typescript ?? "", /^\^\d/);
    assert.equal(Object.keys(written.peerDependencies), ["framewright"]);
    assert.not.match((await fwOk(folder, "g", "fw:plugin", "acme-audit")).out, /^ +(create|overwrite)/m);
    assert.is((await runFw(folder, "g", "fw:plugin", "2fast")).code, 2);
  });
  it("The package checks, its tests pass, it is built, and an application from npm's packed file of it runs it", async () => {
    linkPackages(plugin);
    const tsc = join(plugin, "node_modules/typescript/bin/tsc");
    const checked = await node(tsc, "-p", "tsconfig.json");
    assert.is(checked.code, 0, checked.out);
    const tested = await node("--import", "framewright/register", "--test", "test/acme_audit.test.ts");
    assert.is(tested.code, 0, tested.out);
    assert.match(tested.out, /^[#ℹ] pass 3$/m);
    const built = await node(tsc, "-p", "tsconfig.build.json");
    assert.is(built.code, 0, built.out);
    const packed = await runCommand("npm", ["pack", "--ignore-scripts", "--silent", "--offline"], plugin);
    assert.is(packed.code, 0, packed.err);
    await useIn(await newApp());
  });

  /** Unpacks the packed file as npm does into an application, which then lists the plugin. */
  async function useIn(app: string): Promise<void> {
    const archive = readdirSync(plugin).find((name) => name.endsWith(".tgz"))!;
    const target = join(app, "node_modules/acme-audit");
    await runCommand("mkdir", ["-p", target], app);
    await runCommand("tar", ["-xzf", join(plugin, archive), "-C", target, "--strip-components=1"], app);
    const files = readdirSync(target).sort();
    assert.equal(files, ["README.md", "dist", "locales", "migrate", "package.json"]);
    const config = join(app, "plugins.config.ts");
    const text = readFileSync(config, "utf8").replace("definePlugins([", "definePlugins([acmeAudit(), ");
    writeFileSync(config, `import { acmeAudit } from "acme-audit";\n${text}`);
    await fwOk(app, "db:migrate");
    assert.ok(existsSync(join(app, "db/types.d.ts")));
    assert.match((await fwOk(app, "acme:count")).out, "0 events");
    assert.match((await fwOk(app, "--help")).out, "acme:count");
    const tsc = join(app, "node_modules/typescript/bin/tsc");
    const checked = await runCommand(process.execPath, [tsc, "-p", "tsconfig.json"], app);
    assert.is(checked.code, 0, checked.out);
  }
});
