import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { within } from "../support/pace.ts";
import { ensureBuilt, fwOk, newApp, runCommand, runFw, snapshot, temporaryFolder } from "./support.ts";

const clone = join(import.meta.dirname, "../..");
const manifest = (app: string) =>
  JSON.parse(readFileSync(join(app, "package.json"), "utf8")) as {
    name: string;
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };
const secretOf = (text: string) => /^SECRET_KEY_BASE=(.*)$/m.exec(text)![1]!;

describe("The command fw new in a clone", (it) => {
  it("An application made in a clone is linked to the clone", async () => {
    const app = await newApp("book_shop");
    assert.is(manifest(app).name, "book-shop");
    const link = manifest(app).dependencies.framewright!;
    assert.match(link, /^file:/);
    assert.is(realpathSync(join(app, link.slice("file:".length))), realpathSync(clone));
    assert.ok(lstatSync(join(app, "node_modules/framewright")).isSymbolicLink());
    assert.is(realpathSync(join(app, "node_modules/framewright")), realpathSync(clone));
    assert.match(readlinkSync(join(app, "node_modules/.bin/fw")), "framewright/generators/bin/fw.js");
    const { out } = await runCommand(join(app, "node_modules/.bin/fw"), ["--version"], app);
    assert.match(out, /^\d/);
  });

  it("fw new writes a secret of 64 bytes for each environment, and git ignores that of production", async () => {
    const files = snapshot(await newApp());
    const secrets = ["development", "test", "production"].map((name) => secretOf(files[`.env.${name}`]!));
    for (const secret of secrets) assert.match(secret, /^[0-9a-f]{128}$/);
    assert.is(new Set(secrets).size, 3);
    for (const line of [".env.production", ".fw/", "node_modules/", "dist/"])
      assert.ok(files[".gitignore"]!.split("\n").includes(line), line);
  });

  it("fw new writes DATABASE_URL for --database=mysql and none by default", async () => {
    assert.not.match(snapshot(await newApp())[".env.test"]!, "DATABASE_URL");
    assert.match(
      snapshot(await newApp("my-shop", "--database=mysql"))[".env.test"]!,
      /^DATABASE_URL=mysql:\/\/.*\/my_shop_test$/m,
    );
  });

  it("fw new exits 2 for a folder that is not empty, names it, and accepts an empty one", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "full"));
    writeFileSync(join(folder, "full/a.txt"), "mine");
    const { code, err } = await runFw(folder, "new", "full");
    assert.is(code, 2);
    assert.match(err, join(folder, "full"));
    assert.equal(snapshot(join(folder, "full")), { "a.txt": "mine" });
    mkdirSync(join(folder, "empty"));
    await fwOk(join(folder, "empty"), "new", ".");
  });

  it("fw new --dry-run prints the diff and writes nothing", async () => {
    const folder = temporaryFolder();
    const { out } = await fwOk(folder, "new", "shop", "--dry-run");
    assert.match(out, "+++ b/plugins.config.ts");
    assert.equal(readdirSync(folder), []);
  });

  it('fw new exits 2 for the name "9 lives" and quotes it', async () => {
    const { code, err } = await runFw(temporaryFolder(), "new", "9 lives");
    assert.is(code, 2);
    assert.match(err, "9 lives");
  });
});

describe("The command fw new from a published package", (it, { before }) => {
  const folder = temporaryFolder();
  const installed = join(folder, "node_modules/framewright");
  before(async () => {
    await ensureBuilt();
    await must(
      await runCommand("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder, clone], folder),
    );
    const archive = readdirSync(folder).find((name) => name.endsWith(".tgz"))!;
    mkdirSync(installed, { recursive: true });
    await must(
      await runCommand("tar", ["-xzf", join(folder, archive), "-C", installed, "--strip-components=1"], folder),
    );
    for (const name of readdirSync(join(clone, "node_modules"))) {
      if (name.startsWith(".") || existsSync(join(folder, "node_modules", name))) continue;
      symlinkSync(join(clone, "node_modules", name), join(folder, "node_modules", name), "dir");
    }
  });
  const packed = (cwd: string, ...words: string[]) =>
    runCommand(process.execPath, [join(installed, "generators/bin/fw.js"), ...words], cwd);

  it("fw new writes the version of its own package and prints npm install", async () => {
    const { out } = await must(await packed(folder, "new", "shop"));
    const { version } = JSON.parse(readFileSync(join(clone, "package.json"), "utf8")) as { version: string };
    assert.is(manifest(join(folder, "shop")).dependencies.framewright, `^${version}`);
    assert.match(manifest(join(folder, "shop")).devDependencies.typescript ?? "", /^\^\d/);
    assert.is(existsSync(join(folder, "shop/node_modules")), false);
    assert.match(out, "npm install");
  });

  it("The published package generates, migrates, type-checks and lists the routes of an application", async () => {
    const app = join(folder, "shop");
    await must(await packed(app, "g", "fw:pkg:portal", "admin", "--public"));
    await must(await packed(app, "g", "fw:res:scaffold", "Post", "title", "body:text?"));
    await must(await packed(app, "db:migrate"));
    await must(await packed(app, "g", "fw:res:conn", "Post", "--dest=admin_portal"));
    const { out } = await must(await packed(app, "routes", "--json"));
    assert.ok((JSON.parse(out) as { path: string }[]).some(({ path }) => path === "/admin/posts"));
    await must(
      await runCommand(process.execPath, [join(clone, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.json"], app),
    );
  });

  it("A trace of the package names the TypeScript file and line, with --enable-source-maps and where TypeScript runs", async () => {
    const failing = join(folder, "failing.mjs");
    writeFileSync(
      failing,
      `import { openKernel } from "framewright/kernel"; import { database } from "framewright/plugins/database";
      for (const fail of [() => database({ pol: 1 }), () => openKernel([{}])]) try { await fail(); } catch (error) { console.log(error.stack); }`,
    );
    for (const flag of ["--enable-source-maps", "--import=framewright/register"]) {
      const { out } = await must(await runCommand(process.execPath, [flag, failing], folder));
      const frames = [...out.matchAll(/node_modules\/framewright\/([\w/]+\.ts):(\d+):\d+/g)];
      assert.ok(
        frames.some(([, file]) => file === "kernel/support/options.ts") && out.includes("plugins/database/index.ts"),
        out,
      );
      assert.not.match(out, /framewright\/dist\//);
      for (const [, file, line] of frames) {
        const text = readFileSync(join(installed, file!), "utf8").split("\n")[Number(line) - 1];
        assert.match(text ?? "", /\w\(|throw|new /, `${file}:${line}`);
      }
    }
  });

  it("Every map of the package leads to files of the package: of its JavaScript, and of its declarations, which editors open", () => {
    const maps = readdirSync(join(installed, "dist"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".map"))
      .map((name) => join(installed, "dist", name));
    for (const map of maps) {
      const { sources } = JSON.parse(readFileSync(map, "utf8")) as { sources: string[] };
      for (const source of sources) assert.ok(existsSync(join(dirname(map), source)), `${map}: ${source}`);
    }
    for (const entry of ["kernel/index", "host/index", "plugins/resources/index", "generators/index"])
      for (const ending of [".js", ".d.ts"]) {
        const text = readFileSync(join(installed, "dist", entry + ending), "utf8");
        const [, map] = /\n\/\/# sourceMappingURL=(\S+)\s*$/.exec(text)!;
        assert.ok(maps.includes(join(installed, "dist", dirname(entry), map!)), entry + ending);
      }
    const declared = maps.filter((map) => map.endsWith(".d.ts.map"));
    assert.ok(declared.length > 300 && maps.length > declared.length + 100, `${declared.length} of ${maps.length}`);
  });

  it("fw --help takes less than 120 ms more than Node alone", async () => {
    const fastest = async (run: () => Promise<unknown>) => {
      const times: number[] = [];
      for (let round = 0; round < 6; round++) {
        const start = performance.now();
        await run();
        times.push(performance.now() - start);
      }
      return Math.min(...times);
    };
    const nothing = await fastest(() => runCommand(process.execPath, ["-e", "0"], folder));
    const help = await fastest(() => packed(folder, "--help"));
    assert.ok(help - nothing < within(120), `took ${help} ms, Node alone ${nothing} ms`);
  });
});

async function must<T extends { code: number | null; out: string; err: string }>(ran: T): Promise<T> {
  if (ran.code !== 0) throw new Error(`exited ${ran.code}\n${ran.out}${ran.err}`);
  return ran;
}
