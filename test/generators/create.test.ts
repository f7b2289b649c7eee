import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { subset } from "semver";
import { assert, describe } from "../support/index.ts";
import { packFolder } from "../support/packing.ts";
import { reasonToSkip } from "../support/requirements.ts";
import { ensureBuilt, runCommand, snapshot, temporaryFolder, typeCheck } from "./support.ts";

const clone = join(import.meta.dirname, "../..");
const reason = await reasonToSkip("registry");
const DOWNLOADS_WITHIN = 300_000;

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}
const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

/** The tarballs of both packages: those of a release, or our own. */
async function packed(): Promise<Record<"framewright" | "create-framewright", string>> {
  await ensureBuilt();
  const to = temporaryFolder();
  return {
    framewright: process.env.FW_TEST_PACKED ?? packFolder(clone, to).archive,
    "create-framewright": process.env.FW_TEST_PACKED_CREATE ?? packFolder(join(clone, "generators/create"), to).archive,
  };
}

/** Unpacks packages into node_modules as npm does, beside links to what the clone has of npm. */
async function unpack(folder: string, archives: Record<string, string>): Promise<void> {
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, ".bin"), { recursive: true });
  for (const name of readdirSync(join(clone, "node_modules")).filter((one) => !one.startsWith(".")))
    symlinkSync(join(clone, "node_modules", name), join(modules, name));
  for (const [name, archive] of Object.entries(archives)) {
    const { code, err } = await runCommand("tar", ["-xzf", archive, "-C", modules], folder);
    assert.is(code, 0, err);
    renameSync(join(modules, "package"), join(modules, name));
  }
  symlinkSync("../create-framewright/create.js", join(modules, ".bin/create-framewright"));
}

describe("npm create framewright", (it, { before }) => {
  let archives: Awaited<ReturnType<typeof packed>>;
  let folder: string;
  const create = (...args: string[]) => runCommand("npm", ["create", "--offline", "framewright", ...args], folder);
  before(async () => {
    archives = await packed();
    folder = temporaryFolder();
    writeFileSync(join(folder, "package.json"), '{ "private": true }');
    await unpack(folder, archives);
  });

  it("Creates an application that depends on the framework of its version, with the compiler", async () => {
    const { code, out, err } = await create("shop");
    assert.is(code, 0, out + err);
    assert.match(out, "cd shop\n  npm install\n  npx fw db:migrate");
    const { dependencies, devDependencies } = manifestOf(join(folder, "shop"));
    const own = JSON.parse(readFileSync(join(clone, "package.json"), "utf8"));
    assert.is(dependencies.framewright, `^${own.version}`);
    assert.is(devDependencies.typescript, own.devDependencies.typescript);
    assert.ok(
      subset(devDependencies.typescript!, own.peerDependencies.typescript),
      "a compiler that the framework takes",
    );
    symlinkSync(join(folder, "node_modules"), join(folder, "shop/node_modules"));
    const { code: types, out: problems } = await typeCheck(join(folder, "shop"));
    assert.is(types, 0, problems);
  });
  it("Passes options on, and exits as fw new does", async () => {
    const { code } = await create("desk", "--", "--database=postgres");
    assert.is(code, 0);
    assert.match(snapshot(join(folder, "desk"))["plugins.config.ts"]!, "postgres(),");
    const refused = await create("desk");
    assert.is(refused.code, 2);
    assert.match(refused.err, "FW_DIRECTORY_NOT_EMPTY");
  });
  it("Its package has the command, a README and the licence, and the framework's package has none of it", () => {
    const own = packFolder(join(clone, "generators/create")).files;
    assert.equal([...own].sort(), ["LICENSE", "README.md", "create.js", "package.json"]);
    const { files } = packFolder(clone);
    assert.equal(
      files.filter((path) => /generators\/create\//.test(path)),
      [],
    );
  });
  it.unless(
    reason,
    "npm downloads what both packages need, and runs it in an empty folder",
    async () => {
      const empty = temporaryFolder();
      const from = Object.values(archives).map((archive) => `--package=${archive}`);
      const args = ["exec", "--yes", "--prefer-offline", ...from, "--", "create-framewright", "shop"];
      const { code, out, err } = await runCommand("npm", args, empty);
      assert.is(code, 0, out + err);
      assert.match(manifestOf(join(empty, "shop")).dependencies.framewright!, /^file:.*framewright-\d.*\.tgz$/);
    },
    DOWNLOADS_WITHIN,
  );
});
