import { rmSync } from "node:fs";
import { editedText } from "../support/fixtures.ts";
import { assert, describe } from "../support/index.ts";
import { ClockApp, newerFace } from "./clock_app.ts";
import { fwOk, runCommand, runFw } from "./support.ts";

describe("The command fw diff", (it, { before }) => {
  const app = new ClockApp();
  before(() => app.make());

  it("Files are as they were generated, edited or deleted, whoever generated them, and no record has a secret", async () => {
    app.start();
    app.edit("lib/round.ts", "plain", "sapphire");
    rmSync(app.at("lib/round.md"));
    const all = await app.rows();
    const states = Object.fromEntries(all.map(({ file, state }) => [file, state]));
    const of = (file: string) => states[file];
    assert.equal(["lib/round.ts", "lib/round.md", "plugins.config.ts", "config/routes.ts", "package.json"].map(of), [
      "edited",
      "deleted",
      "edited",
      "unchanged",
      "unchanged",
    ]);
    assert.is(all.find(({ file }) => file === "lib/round.ts")!.command, "fw generate clock:face round --hands=3");
    for (const file of Object.keys(states)) assert.not.match(file, /\.env|\.gitkeep|types\.d\.ts|migrate/);
    const secret = /^SECRET_KEY_BASE=(\w+)$/m.exec(app.read(".env.development"))![1]!;
    const found = await runCommand("grep", ["-rlE", `${secret}|SECRET_KEY_BASE=`, ".framewright"], app.root);
    assert.is(found.out, "");
    const { out } = await fwOk(app.root, "diff");
    assert.match(out, /^lib\/round\.ts +edited by you +clock:face$/m);
    assert.match(out, "Not compared: lines that generators insert");
  });
  it("A newer template is listed, its diff is beside yours, and the merge keeps both", async () => {
    app.start();
    app.edit("lib/round.ts", '"round"', '"oval"');
    app.upgrade();
    assert.is(await app.stateOf("lib/round.ts"), "both");
    assert.is(await app.stateOf("lib/round.md"), "unchanged");
    const { out } = await fwOk(app.root, "diff", "lib/round.ts");
    assert.match(out, '-export const shape = "round";\n+export const shape = "oval";');
    assert.match(out, "-export const ticks = 12;\n+export const ticks = 60;");
    const untouched = app.read("lib/round.ts");
    const dry = await fwOk(app.root, "diff", "--merge", "--dry-run");
    assert.match(dry.out, "+export const ticks = 60;");
    assert.not.match(dry.out, ".framewright");
    assert.is(app.read("lib/round.ts"), untouched);
    assert.match((await fwOk(app.root, "diff", "--merge")).out, "merged  lib/round.ts");
    assert.is(app.read("lib/round.ts"), untouched.replace("ticks = 12", "ticks = 60"));
    assert.is(await app.stateOf("lib/round.ts"), "edited");
    assert.match((await fwOk(app.root, "diff", "--merge")).out, "There is nothing to merge.");
  });
  it("Lines that both changed are marked, listed and exit 1; until they are resolved nothing is merged into the file", async () => {
    app.start();
    app.edit("lib/round.ts", "ticks = 12", "ticks = 24");
    app.upgrade();
    const { code, err, out } = await runFw(app.root, "diff", "--merge");
    assert.is(code, 1);
    assert.match(out, "conflict  lib/round.ts");
    assert.match(err, "FW_MERGE_CONFLICTS: conflicts are marked in: lib/round.ts.");
    const marked = [
      "<<<<<<< yours",
      "export const ticks = 24;",
      "=======",
      "export const ticks = 60;",
      ">>>>>>> clock:face",
    ];
    assert.match(app.read("lib/round.ts"), `\n${marked.join("\n")}\n`);
    assert.is(await app.stateOf("lib/round.ts"), "conflict");
    app.upgrade(editedText(newerFace, ["plain", "domed"]));
    const again = app.read("lib/round.ts");
    assert.is((await runFw(app.root, "diff", "--merge")).code, 1);
    assert.is(app.read("lib/round.ts"), again);
    app.write("lib/round.ts", again.replace(`${marked.join("\n")}\n`, "export const ticks = 60;\n"));
    await fwOk(app.root, "diff", "--merge");
    assert.match(app.read("lib/round.ts"), 'glass = "domed"');
    assert.is(await app.stateOf("lib/round.ts"), "unchanged");
  });
  it("A line that a second generator inserts is none of your edits, and survives a merge", async () => {
    app.start();
    await fwOk(app.root, "g", "clock:chime", "round");
    assert.match(app.read("lib/round.ts"), 'chimes.push("ding");');
    assert.is(await app.stateOf("lib/round.ts"), "unchanged");
    app.upgrade();
    assert.is(await app.stateOf("lib/round.ts"), "outdated");
    await fwOk(app.root, "diff", "--merge");
    assert.match(app.read("lib/round.ts"), /push\("ding"\);\n\/\/ clock:chimes\n[\s\S]*ticks = 60/);
    assert.is(await app.stateOf("lib/round.ts"), "unchanged");
  });
  it("A wrong path, options that exclude each other and a broken record are refused with what to do", async () => {
    app.start();
    const wrong = await runFw(app.root, "diff", "lib/rond.ts");
    assert.equal([wrong.code, /Did you mean "lib\/round\.ts"\?/.test(wrong.err)], [2, true]);
    const clash = await runFw(app.root, "diff", "--merge", "--json");
    assert.equal([clash.code, /FW_FLAGS_CLASH/.test(clash.err)], [2, true]);
    assert.is((await runFw(app.root, "diff", "--dry-run")).code, 2);
    app.write(".framewright/generated/lib/round.ts.json", "<<<<<<< HEAD\n{\n");
    const broken = await runFw(app.root, "diff");
    assert.is(broken.code, 1);
    assert.match(broken.err, "FW_RECORD_BROKEN: .framewright/generated/lib/round.ts.json can't be read");
  });
});
