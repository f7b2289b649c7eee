import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { ensureBuilt, runCommand, temporaryFolder } from "./support.ts";

const root = join(import.meta.dirname, "../..");

/** The parts of the package that decide what runs. An installed one has no tests. */
async function packageWith(tests: boolean): Promise<string> {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "generators"));
  cpSync(join(root, "generators/bin/built.js"), join(folder, "generators/bin/built.js"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  mkdirSync(join(folder, "kernel"));
  writeFileSync(join(folder, "kernel/index.ts"), "export const a = 1;\n");
  if (tests) {
    mkdirSync(join(folder, "test/support"), { recursive: true });
    writeFileSync(join(folder, "test/support/run.ts"), "");
  }
  mkdirSync(join(folder, "dist"));
  const recorded = await evaluate(folder, "JSON.stringify({ sources: sourcesDigest(), state: sourcesState() })");
  writeFileSync(join(folder, "dist/build.json"), recorded);
  return folder;
}
async function evaluate(folder: string, expression: string): Promise<string> {
  const script = `import { isBuilt, sourcesDigest, sourcesState } from "./generators/bin/built.js"; console.log(${expression});`;
  return (await runCommand(process.execPath, ["--input-type=module", "-e", script], folder)).out.trim();
}

describe("The choice between sources and the build", (it) => {
  it("A build is current as long as the contents of its sources are, whatever their modification times", async () => {
    const folder = await packageWith(true);
    const source = join(folder, "kernel/index.ts");
    assert.is(await evaluate(folder, "isBuilt()"), "true");
    utimesSync(source, new Date(), new Date(Date.now() + 3_600_000));
    assert.is(await evaluate(folder, "isBuilt()"), "true");
    const { atime, mtime } = statSync(source);
    writeFileSync(source, "export const a = 2;\n");
    utimesSync(source, atime, mtime);
    assert.is(await evaluate(folder, "isBuilt()"), "false"); // of the same size and time
  });
  it("An installed package counts as built, whatever sources it contains", async () => {
    const folder = await packageWith(false);
    assert.is(await evaluate(folder, "isBuilt()"), "true");
  });
  it("The build records the digest of its sources and counts as current", async () => {
    await ensureBuilt();
    const { sources } = JSON.parse(readFileSync(join(root, "dist/build.json"), "utf8")) as { sources: string };
    assert.match(sources, /^[0-9a-f]{64}$/);
    assert.is(await evaluate(root, "isBuilt()"), "true");
  });
  it("Every entry point of the built package loads, and definePlugin is one instance in framewright and its kernel", async () => {
    await ensureBuilt();
    const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { exports: object };
    const plugins = readdirSync(join(root, "plugins"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const entries = [
      ...Object.keys(exports).filter((name) => !name.includes("*") && !name.endsWith(".json")),
      ...plugins.map(({ name }) => `./plugins/${name}`),
    ].map((name) => name.replace(".", "framewright"));
    const script = `const loaded = await Promise.all(${JSON.stringify(entries)}.map((entry) => import(entry)));
      const [framewright, kernel] = await Promise.all([import("framewright"), import("framewright/kernel")]);
      console.log(loaded.length, framewright.definePlugin === kernel.definePlugin);`;
    const { out } = await runCommand(process.execPath, ["--input-type=module", "-e", script], root);
    assert.is(out.trim(), `${entries.length} true`);
  });
});
