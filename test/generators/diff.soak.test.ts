import { spawn, spawnSync } from "node:child_process";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { editedText } from "../support/fixtures.ts";
import { assert, describe } from "../support/index.ts";
import { ClockApp, clock, newerFace } from "./clock_app.ts";
import { fw, fwOk, runCommand, temporaryFolder } from "./support.ts";

describe("The command fw diff, at its edges", (it, { before }) => {
  const app = new ClockApp();
  before(() => app.make());

  it("A file that nobody edited is outdated, becomes the newer text, and counts as generated again", async () => {
    app.start();
    app.upgrade();
    assert.is(await app.stateOf("lib/round.ts"), "outdated");
    await fwOk(app.root, "diff", "--merge", "lib");
    assert.match(app.read("lib/round.ts"), "hands = 3;\nexport const ticks = 60;");
    assert.is(await app.stateOf("lib/round.ts"), "unchanged");
  });
  it("An insertion into a file that you edited leaves your edits yours", async () => {
    app.start();
    app.edit("lib/round.ts", "plain", "sapphire");
    await fwOk(app.root, "g", "clock:chime", "round");
    const { out } = await fwOk(app.root, "diff", "lib/round.ts");
    assert.match(out, '+export const glass = "sapphire";');
    assert.not.match(out, "+chimes.push");
  });
  it("Windows line ends are no edits, and a merge keeps them", async () => {
    app.start();
    for (const path of ["lib/round.ts", ".framewright/generated/lib/round.ts.json"])
      app.write(path, app.read(path).replaceAll("\n", "\r\n"));
    assert.is(await app.stateOf("lib/round.ts"), "unchanged");
    app.upgrade();
    await fwOk(app.root, "diff", "--merge");
    const merged = app.read("lib/round.ts");
    assert.match(merged, "ticks = 60;\r\n");
    assert.not.match(merged, /[^\r]\n/);
  });
  it("A deleted file stays deleted, and a file that the newer generator adds is written", async () => {
    app.start();
    rmSync(app.at("lib/round.md"));
    app.write(
      "app/plugins/clock.ts",
      editedText(clock, [
        'template("lib/" + shape + ".md"',
        'template("lib/" + shape + "_test.ts", "face.md", { shape });\n    template("lib/" + shape + ".md"',
      ]),
    );
    app.write("app/plugins/clock/templates/face.md.liquid", "The {{ shape }} face.\n");
    assert.equal([await app.stateOf("lib/round.md"), await app.stateOf("lib/round_test.ts")], ["deleted", "added"]);
    await fwOk(app.root, "diff", "--merge");
    assert.equal([existsSync(app.at("lib/round.md")), app.read("lib/round_test.ts")], [false, "The round face.\n"]);
    assert.is(await app.stateOf("lib/round_test.ts"), "unchanged");
  });
  it("A merge that is killed is rolled back by the next fw, with its records", async () => {
    app.start();
    app.upgrade(editedText(newerFace, ["plain", "domed"]));
    app.write("app/plugins/clock/templates/face.md.liquid", "The {{ shape }} face.\n");
    const files = ["lib/round.ts", "lib/round.md", ".framewright/generated/lib/round.ts.json"];
    const texts = files.map((file) => app.read(file));
    const killer = join(temporaryFolder(), "killer.mjs");
    writeFileSync(
      killer,
      `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module";
       const rename = fs.renameSync;
       fs.renameSync = (from, to) => { rename(from, to); if (to.endsWith("round.ts.json")) process.kill(process.pid, "SIGKILL"); };
       syncBuiltinESMExports();`,
    );
    const { code } = await runCommand(process.execPath, ["--import", killer, fw, "diff", "--merge"], app.root);
    assert.is(code, null);
    assert.not.equal(
      files.map((file) => app.read(file)),
      texts,
    );
    const { err } = await fwOk(app.root, "diff");
    assert.match(err, "rolled back the changes of an interrupted run: ");
    assert.equal(
      files.map((file) => app.read(file)),
      texts,
    );
    await fwOk(app.root, "diff", "--merge");
    assert.match(app.read("lib/round.ts"), "domed");
  });
  it("A generator whose plugin is gone, or that fails, is named, and what you edited is still listed", async () => {
    app.start();
    app.edit("lib/round.ts", "plain", "sapphire");
    app.upgrade(newerFace.replace("{{ hands }}", "{{ arms }}"));
    assert.match((await app.rows("lib/round.ts"))[0]!.problem!, /^clock:face could not run again: .*arms/);
    app.write("plugins.config.ts", app.read("plugins.config.ts").replace("[clock()]", "[]"));
    const { err, out } = await fwOk(app.root, "diff");
    assert.match(
      err,
      'there is no generator "clock:face" any more: the plugin that brought it is not in plugins.config.ts',
    );
    assert.match(out, /^lib\/round\.ts +edited by you +clock:face$/m);
  });
  it("A file that was there before is recorded by --skip, and by --force as the generated text", async () => {
    app.start();
    app.write("lib/square.ts", "export {};\n");
    await fwOk(app.root, "g", "clock:face", "square", "--skip");
    assert.is(await app.stateOf("lib/square.ts"), "edited");
    await fwOk(app.root, "g", "clock:face", "square", "--force");
    assert.is(await app.stateOf("lib/square.ts"), "unchanged");
    app.upgrade();
    await fwOk(app.root, "g", "clock:face", "square", "--skip");
    assert.is(await app.stateOf("lib/square.ts"), "outdated", "a file that was kept has its old base");
  });
  it("An application without records is told how to get them", async () => {
    app.start();
    renameSync(app.at(".framewright"), app.at("old"));
    const { out } = await fwOk(app.root, "diff");
    assert.match(out, "No generated file is recorded in this application.");
    assert.equal(await app.rows(), []);
    await fwOk(app.root, "g", "fw:core:install", "--skip");
    assert.is(await app.stateOf("config/routes.ts"), "unchanged");
  });
  const script = spawnSync("script", ["--version"], { encoding: "utf8" }).stdout ?? "";
  it.unless(
    script.includes("util-linux") ? undefined : "script of util-linux is missing",
    "An answer that was given at the terminal is used again, without asking",
    async () => {
      app.start();
      const typed = `stty cols 100 rows 40; ${process.execPath} ${fw} g clock:strap`; // without a width, the prompt has a line for each character
      const terminal = spawn("script", ["-qec", typed, "/dev/null"], { cwd: app.root });
      let shown = "";
      terminal.stdout.on("data", (chunk: Buffer) => {
        const isAsked = shown.includes("steel");
        shown += chunk;
        if (!isAsked && shown.includes("steel")) terminal.stdin.write("\u001b[B\r");
      });
      await new Promise((resolve) => terminal.once("close", resolve));
      assert.is(app.read("lib/strap.ts"), 'export const strap = "steel";\n');
      app.write("app/plugins/clock/templates/strap.ts.liquid", 'export const newer = "{{ material }}";\n');
      await fwOk(app.root, "diff", "--merge");
      assert.is(app.read("lib/strap.ts"), 'export const newer = "steel";\n');
    },
  );
});
