import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { ensureBuilt, fwOk, runCommand, runFw, snapshot, temporaryFolder } from "./support.ts";

const manifest = {
  name: "@acme/storefront",
  version: "2.1.0",
  scripts: { dev: "tsx watch src/server.ts", test: "vitest", "fw:test": "echo ours" },
  dependencies: { express: "^4.19.0", "@prisma/client": "^5.0.0" },
  devDependencies: { typescript: "^5.4.0", vitest: "^1.6.0" },
};
const project = (): string => {
  const root = join(temporaryFolder(), "storefront");
  mkdirSync(join(root, "src"), { recursive: true });
  writeFileSync(join(root, "package.json"), `${JSON.stringify(manifest, null, 4)}\n`);
  writeFileSync(join(root, "tsconfig.json"), '{ "compilerOptions": { "module": "commonjs", "strict": true } }\n');
  writeFileSync(join(root, ".gitignore"), "node_modules\n");
  writeFileSync(
    join(root, "src/server.ts"),
    'import { createServer } from "node:http";\ncreateServer().listen(3000);\n',
  );
  return root;
};

describe("fw new --in a project that exists", (it) => {
  it("The application is written into a folder, works from there, and nothing of the project is overwritten", async () => {
    await ensureBuilt();
    const root = project();
    const before = snapshot(root);
    const { out } = await fwOk(root, "new", "--in", ".");
    const { "package.json": changed, ...after } = snapshot(root);
    for (const [path, text] of Object.entries(before)) if (path !== "package.json") assert.is(after[path], text, path);
    const merged = JSON.parse(changed!) as typeof manifest;
    assert.match(changed!, /^\{\n {4}"name": "@acme\/storefront",/);
    assert.equal(merged.scripts, {
      ...manifest.scripts,
      "fw:dev": "cd back && fw dev",
      build: "cd back && fw build",
      start: "cd back && NODE_ENV=production fw start",
      check: "cd back && tsc -p tsconfig.json",
    } as never);
    assert.equal(Object.keys(merged.dependencies), ["@prisma/client", "express", "framewright"]);
    assert.match((merged.dependencies as Record<string, string>).framewright!, /^file:/);
    assert.is(merged.devDependencies.typescript, "^5.4.0");
    for (const said of [
      '"test" and "fw:test"',
      '"typescript": "^5.4.0"',
      '"exclude": ["node_modules", "back"]',
      "vitest looks",
    ])
      assert.match(out, said);
    assert.equal(Object.keys(JSON.parse(after["back/package.json"]!)).sort(), [
      "engines",
      "imports",
      "name",
      "private",
      "type",
      "version",
    ]);
    assert.match(after["back/.env.development"]!, /^PORT=4000$/m);

    const app = join(root, "back");
    await fwOk(app, "g", "fw:pkg:portal", "admin", "--public");
    await fwOk(app, "g", "fw:res:scaffold", "Post", "title:string", "--dest=main_app");
    await fwOk(app, "db:migrate");
    await fwOk(join(app, "app"), "g", "fw:res:conn", "Post", "--dest=admin_portal");
    const checked = await runCommand(
      process.execPath,
      [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.json"],
      app,
    );
    assert.is(checked.code, 0, checked.out);
    const tested = await runFw(app, "test");
    assert.is(tested.code, 0, tested.out + tested.err);
    const { child, url } = await serveApp(app, { NODE_ENV: "development" });
    try {
      assert.is((await fetch(`${url}/admin/posts`)).status, 200);
    } finally {
      child.kill("SIGTERM");
      assert.is(await exitOf(child), 0);
    }
    const again = await runFw(root, "new", "--in", ".");
    assert.is(again.code, 2);
    assert.match(again.err, "FW_DIRECTORY_NOT_EMPTY");
  }, 180_000);

  it("The folder may have another name, and a dry run, a folder outside and a broken package.json write nothing", async () => {
    const root = project();
    const before = snapshot(root);
    const dry = await fwOk(root, "new", "admin", "--in=.", "--dry-run");
    assert.match(dry.out, "cd admin && fw dev");
    for (const words of [["new", "../other", "--in=."], ["new", ".", "--in=."], ["new"]])
      assert.is((await runFw(root, ...words)).code, 2, words.join(" "));
    assert.equal(snapshot(root), before);
    await fwOk(root, "new", "apps/admin", "--in=.", "--database=mysql");
    assert.match(readFileSync(join(root, "apps/admin/.env.development"), "utf8"), "/storefront_development");
    assert.match(readFileSync(join(root, "package.json"), "utf8"), "cd apps/admin && fw dev");
    const broken = project();
    writeFileSync(join(broken, "package.json"), "{");
    const refused = await runFw(broken, "new", "--in=.");
    assert.match(refused.err, "FW_PROJECT_MANIFEST");
    assert.not.ok(Object.keys(snapshot(broken)).some((path) => path.startsWith("back/")));
    assert.match((await runFw(temporaryFolder(), "new", "--in=.")).err, "FW_FILE_MISSING");
  });
});
