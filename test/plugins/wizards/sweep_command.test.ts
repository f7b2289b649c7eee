import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fwOk, newApp, runFw, snapshot } from "../../generators/support.ts";
import { assert, describe } from "../../support/index.ts";

describe("The commands fw:wizards:install and wizards:sweep", (it, { before }) => {
  let app: string;
  before(async () => {
    app = await newApp();
    const config = join(app, "plugins.config.ts");
    const without = readFileSync(config, "utf8").replaceAll(/^.*\b(?:storage|wizards)\b.*\n/gm, "");
    writeFileSync(config, without);
  });
  const migrations = () => readdirSync(join(app, "db/migrate")).filter((name) => name.includes("wizard"));

  it("fw:wizards:install adds the plugins and one migration, nothing in a dry run and nothing the second time", async () => {
    const untouched = snapshot(app);
    await fwOk(app, "g", "fw:wizards:install", "--dry-run");
    assert.equal(snapshot(app), untouched);
    await fwOk(app, "g", "fw:wizards:install");
    const config = readFileSync(join(app, "plugins.config.ts"), "utf8");
    assert.match(config, 'import { wizards } from "framewright/plugins/wizards";');
    assert.match(config, /jwtTokens\(\),\n {2}storage\(\),\n {2}wizards\(\),/);
    assert.is(migrations().length, 1);
    const installed = snapshot(app);
    await fwOk(app, "g", "fw:wizards:install");
    assert.equal(snapshot(app), installed);
  });

  it("fw wizards:sweep works on the migrated tables and exits 1 before the migration and after its rollback", async () => {
    const early = await runFw(app, "wizards:sweep");
    assert.is(early.code, 1);
    assert.match(early.err, /FW_WIZARDS_TABLE.*fw db:migrate/);
    await fwOk(app, "db:migrate");
    assert.match((await fwOk(app, "wizards:sweep")).out, /deleted 0 unstarted/);
    const report = JSON.parse((await fwOk(app, "wizards:sweep", "--json")).out) as object;
    assert.equal(report, { unstarted: 0, expired: 0, recovered: 0, completed: 0, events: 0 });
    await fwOk(app, "db:rollback");
    assert.is((await runFw(app, "wizards:sweep")).code, 1);
  });

  it("fw wizards:sweep exits 2 for an unknown environment", async () => {
    const { code, err } = await runFw(app, "wizards:sweep", "--env=staging");
    assert.is(code, 2);
    assert.match(err, /staging/);
  });
});
