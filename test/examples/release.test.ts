import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand, temporaryFolder } from "../generators/support.ts";
import { assert, describe } from "../support/index.ts";

const root = join(import.meta.dirname, "../..");
const script = join(root, "test/support/release/index.ts");
const loader = join(root, "test/support/loader.js");
const CHECKS = "tree,branch,tag,manifests,changelog";
const version: string = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;

/** A clone in a temporary folder, on its main branch, with the files that the checks read. */
async function cloned() {
  const folder = join(temporaryFolder(), "clone");
  const git = async (...args: string[]) => {
    const author = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"];
    const { code, err } = await runCommand("git", [...author, ...args], existsSync(folder) ? folder : root);
    assert.is(code, 0, `git ${args.join(" ")}: ${err}`);
  };
  await git("clone", "--quiet", "--no-tags", "--sparse", root, folder);
  await git("sparse-checkout", "set", "generators/create");
  await git("switch", "--quiet", "--force-create", "main");
  const release = (...args: string[]) =>
    runCommand(process.execPath, ["--conditions=framewright-source", "--import", loader, script, ...args], folder);
  const commit = (files: Record<string, string>) => {
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
    return git("commit", "--quiet", "--all", "--message", "Change");
  };
  return { folder, git, release, commit, read: (path: string) => readFileSync(join(folder, path), "utf8") };
}
/** A manifest as it is released. */
const published = (text: string, changes: object = {}): string => {
  const repository = { type: "git", url: "git+https://git.example/shop/framewright.git" };
  return JSON.stringify({ ...JSON.parse(text), repository, ...changes });
};
const dated = (text: string) =>
  text.replace(/^# Changes\n[\s\S]*?(?=^## \d)/m, "# Changes\n\n").replace(/^## .*/m, `## ${version}, 2026-12-01`);

describe("npm run release -- --dry-run", (it) => {
  it("Refuses changes without a commit, another branch, a missing repository and a version without its section", async () => {
    const { folder, git, release, commit, read } = await cloned();
    const create = "generators/create/package.json";
    await commit({
      "CHANGELOG.md": "# Changes\n\n## 0.0.1, 2026-01-01\n\n- One\n",
      [create]: read(create).replaceAll(version, "0.0.9"),
    });
    await git("switch", "--quiet", "--create", "other");
    appendFileSync(join(folder, "LICENSE"), "\n");
    const { code, out, err } = await release("--dry-run", `--steps=${CHECKS},publish`);
    assert.is(code, 1);
    assert.is(out, "");
    const lines = err.trim().split("\n");
    for (const [index, text] of [
      "in no commit: LICENSE. Commit or discard them.",
      "Run: git switch main",
      `is of version 0.0.9 and depends on framewright 0.0.9. Write ${version} at both places.`,
      'package.json has no "repository"',
      'generators/create/package.json has no "repository"',
      `CHANGELOG.md has no section of ${version}. Write: ## ${version}, `,
    ].entries())
      assert.match(lines[index]!, text);
    assert.is(lines.length, 6, err);
  });
  it("Refuses a section that has no date or no entry, entries without a version, and a tag of another commit", async () => {
    const { git, release, commit } = await cloned();
    await commit({ "CHANGELOG.md": `# Changes\n\n## Unreleased\n\n- One\n\n## ${version}, unreleased\n` });
    await git("tag", "--annotate", `v${version}`, "--message", "Early", "HEAD~1");
    const { code, err } = await release("--dry-run", "--steps=tag,changelog");
    assert.is(code, 1);
    assert.match(err, `v${version} is the tag of another commit.`);
    assert.match(err, `gives ${version} "unreleased" for a date. Write: ## ${version}, `);
    assert.match(err, `no entry below ${version}.`);
    assert.match(err, 'entries below "Unreleased". Move them below');
    assert.match((await release("--steps=publish")).err, "A release does all steps. Add --dry-run to do some of them.");
    const misspelt = await release("--dry-run", "--steps=changelgo");
    assert.match(misspelt.err, "no step is called changelgo. There are tree, ");
  });
  it("Writes the bill of materials, and prints what it would tag and publish once everything holds", async () => {
    const { folder, release, commit, read } = await cloned();
    const create = "generators/create/package.json";
    await commit({
      "CHANGELOG.md": dated(read("CHANGELOG.md")),
      "package.json": published(read("package.json")),
      [create]: published(read(create)),
    });
    const early = await release("--dry-run", `--steps=${CHECKS},publish`);
    assert.is(early.code, 1);
    assert.match(early.err, "is not there. Run the step pack before.");
    const { code, out, err } = await release("--dry-run", `--steps=${CHECKS},pack,materials,publish`);
    assert.is(code, 0, err);
    for (const name of ["framewright", "create-framewright"])
      assert.match(out, `npm publish ${folder}/.release/${name}-${version}.tgz --provenance --access public`);
    assert.match(out, `git tag --annotate v${version} --message Framewright ${version}`);
    assert.match(out, `git push origin v${version}`);
    assert.is((await runCommand("git", ["tag"], folder)).out, "", "a dry run tags nothing");
    const { metadata, components } = JSON.parse(read(`.release/framewright-${version}.cdx.json`)) as {
      metadata: { component: { name: string } };
      components: { name: string; version: string }[];
    };
    assert.is(metadata.component.name, "framewright");
    const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, { version: string }> };
    const names = components.map(({ name }) => name);
    for (const name of ["knex", "libsql", "tapable"]) {
      const found = components.find((one) => one.name === name);
      assert.is(found?.version, packages[`node_modules/${name}`]!.version, name);
    }
    for (const name of ["fastify", "@biomejs/biome"]) assert.not.ok(names.includes(name), name);
  });
});
