import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { fwOk, newApp, runFw, snapshot } from "./support.ts";

/** For each plugin: its line, and what `fw generate` knows by it alone. */
const brought = {
  "wizards()": ["fw:wizard"],
  "authlib()": [
    "fw:authlib:account",
    "fw:authlib:admin",
    "fw:authlib:upgrade",
    "fw:profile:install",
    "fw:profile:conn",
  ],
  "resources()": ["fw:res:scaffold", "fw:res:field", "fw:res:interaction", "fw:res:conn"],
};

describe("Generators of the framework's plugins", (it, { before }) => {
  let app: string;
  let config: string;
  const without = (line: string) =>
    writeFileSync(
      join(app, "plugins.config.ts"),
      config.replace(new RegExp(`^  ${line.replace("()", "\\(\\)")},\n`, "m"), ""),
    );
  const listed = async () => new Set((await fwOk(app, "generate")).out.match(/(?<=^ {2})fw:[\w:]+/gm));
  before(async () => {
    app = await newApp();
    config = readFileSync(join(app, "plugins.config.ts"), "utf8");
  });

  it("fw generate lists them while the plugin is listed", async () => {
    const names = await listed();
    for (const name of Object.values(brought).flat()) assert.ok(names.has(name), name);
  });
  for (const [line, names] of Object.entries(brought))
    it(`Without ${line}, fw generate neither lists nor runs its generators`, async () => {
      without(line);
      const known = await listed();
      for (const name of names) assert.not(known.has(name), name);
      const refused = await runFw(app, "generate", names[0]!, "Thing");
      assert.is(refused.code, 2);
      assert.match(refused.err, `there is no generator "${names[0]}"`);
      assert.match(refused.err, "while plugins.config.ts lists the plugin");
    });
  it("A generator of wizards names what adds the missing tables of runs", async () => {
    writeFileSync(join(app, "plugins.config.ts"), config);
    const steps = "--steps=company";
    assert.match(
      (await fwOk(app, "generate", "fw:wizard", "Onboard", steps)).out,
      "npx fw generate fw:wizards:install",
    );
    await fwOk(app, "generate", "fw:wizards:install");
    assert.not.match((await fwOk(app, "generate", "fw:wizard", "Leave", steps)).out, "fw:wizards:install");
  });
  it("What adds a plugin's line is known without it, and brings its generators back", async () => {
    without("wizards()");
    await fwOk(app, "generate", "fw:wizards:install");
    assert.match(readFileSync(join(app, "plugins.config.ts"), "utf8"), "  wizards(),\n");
    assert.ok((await listed()).has("fw:wizard"));
  });
});

describe("fw generate fw:install", (it, { before }) => {
  let app: string;
  const config = () => readFileSync(join(app, "plugins.config.ts"), "utf8");
  const migrations = () => readdirSync(join(app, "db/migrate")).filter((name) => name.includes("framewright"));
  before(async () => {
    app = await newApp();
    const lines = /^.*\b(?:imports|backgroundRuns|jobs|storage|density)\b.*\n/gm;
    writeFileSync(join(app, "plugins.config.ts"), config().replaceAll(lines, ""));
  });

  it("adds the line and the tables of a plugin, nothing the second time", async () => {
    const { out } = await fwOk(app, "generate", "fw:install", "undo");
    assert.match(out, "npx fw db:migrate");
    assert.match(config(), 'import { undo } from "framewright/plugins/undo";');
    assert.match(config(), "  undo(),\n");
    assert.match(migrations().join(), /^\d+_create_framewright_deletions\.ts$/);
    const before = snapshot(app);
    assert.match((await fwOk(app, "generate", "fw:install", "undo")).out, "The tables of undo are complete.");
    assert.equal(snapshot(app), before);
  });
  it("adds what a plugin needs as well, in one migration that rolls back", async () => {
    await fwOk(app, "generate", "fw:install", "imports");
    for (const line of ["backgroundRuns", "imports", "jobs", "storage"]) assert.match(config(), `  ${line}(),\n`);
    const [, imports] = migrations();
    assert.match(imports!, "create_framewright_imports.ts");
    const text = readFileSync(join(app, "db/migrate", imports!), "utf8");
    const created = text.match(/(?<=createTable\(")\w+/g)!;
    assert.ok(
      ["framewright_jobs", "framewright_background_runs", "framewright_imports"].every((one) => created.includes(one)),
    );
    assert.equal(text.match(/(?<=dropTable\(")\w+/g), created.toReversed());
    await fwOk(app, "db:migrate");
    await fwOk(app, "db:rollback", "--steps=1");
  });
  it("prints what is left to do for each of several plugins", async () => {
    const known = config();
    const { out } = await fwOk(app, "generate", "fw:install", "mcp", "calendar");
    writeFileSync(join(app, "plugins.config.ts"), known);
    assert.match(out, "npm install @modelcontextprotocol/server");
    assert.match(out, "this.calendar({ on:");
  });
  it("adds the line alone of a plugin without tables", async () => {
    const known = migrations();
    assert.not.match((await fwOk(app, "generate", "fw:install", "density")).out, "db:migrate");
    assert.match(config(), "  density(),\n");
    assert.equal(migrations(), known);
  });
  it("adds the line of PostgreSQL below the database, and its packages where the application names its own", async () => {
    const packages = () => JSON.parse(readFileSync(join(app, "package.json"), "utf8"));
    const { out } = await fwOk(app, "generate", "fw:install", "postgres");
    assert.match(config(), "  database(),\n  postgres(),\n");
    assert.match(config(), 'import { postgres } from "framewright/plugins/postgres";');
    assert.ok(packages().dependencies.pg && packages().devDependencies["@electric-sql/pglite"]);
    assert.match(out, "npm install");
    const before = snapshot(app);
    await fwOk(app, "generate", "fw:install", "postgres");
    assert.equal(snapshot(app), before);
    const { name, type, imports } = packages();
    writeFileSync(join(app, "package.json"), JSON.stringify({ name, type, imports })); // as in a folder of a project
    assert.match(
      (await fwOk(app, "generate", "fw:install", "postgres")).out,
      "npm install pg\n  npm install --save-dev @electric-sql/pglite",
    );
    assert.not.ok(packages().dependencies);
    writeFileSync(join(app, "package.json"), before["package.json"]!);
    writeFileSync(join(app, "plugins.config.ts"), config().replace("  postgres(),\n", "")); // the next commands open SQLite
  });
  it("does what the generator of a plugin's own name does", async () => {
    const installed = snapshot(app);
    for (const name of ["fw:deletions:install", "fw:imports:install", "fw:background:install", "fw:jobs:install"])
      await fwOk(app, "generate", name);
    assert.equal(snapshot(app), installed);
  });
  it("refuses an unknown plugin with the nearest one, and its help lists all", async () => {
    const { code, err } = await runFw(app, "generate", "fw:install", "savedviews");
    assert.is(code, 2);
    assert.match(err, /FW_INSTALL_UNKNOWN.*saved_views/);
    const { out } = await fwOk(app, "generate", "fw:install", "--help");
    for (const name of ["slugs", "undo", "wizards"]) assert.match(out, `  ${name}  `);
  });
});
