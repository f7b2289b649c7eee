import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { editedText } from "../support/fixtures.ts";
import { assert, describe } from "../support/index.ts";
import { fw, fwOk, newApp, runCommand, runFw, temporaryFolder } from "./support.ts";

// The generators of a plugin of the application, whose templates the tests replace, as an upgrade of a package does.
const clock = `
import { join } from "node:path";
import { choose, defineGenerator } from "framewright/generators";
import { definePlugin } from "framewright/kernel";
const directory = join(import.meta.dirname, "clock");
const face = defineGenerator({
  name: "clock:face",
  summary: "Make a face",
  example: "fw generate clock:face round --hands=3",
  args: "<shape>",
  options: { hands: { summary: "How many", value: "NUMBER" } },
  directory,
  run({ args: [shape], options: { hands = "2" }, template }) {
    template("lib/" + shape + ".ts", "face.ts", { shape, hands });
    template("lib/" + shape + ".md", "face.md", { shape });
  },
});
const chime = defineGenerator({
  name: "clock:chime",
  summary: "Add a chime to a face",
  example: "fw generate clock:chime round",
  args: "<shape>",
  directory,
  run({ args: [shape], changes }) {
    changes.insertAbove("lib/" + shape + ".ts", "clock:chimes", 'chimes.push("ding");');
  },
});
const strap = defineGenerator({
  name: "clock:strap",
  summary: "Make a strap",
  example: "fw generate clock:strap",
  directory,
  async run({ template }) {
    const values = ["leather", "steel"].map((value) => ({ value, label: value }));
    const material = await choose("Of which material?", values, ["--material=NAME"]);
    template("lib/strap.ts", "strap.ts", { material });
  },
});
export const clock = () =>
  definePlugin({
    name: "clock",
    generators: { "clock:face": face, "clock:chime": chime, "clock:strap": strap },
    apply() {},
  });
`;
const face = `export const shape = "{{ shape }}";
export const chimes: string[] = [];
// clock:chimes

export const hands = {{ hands }};
export const ticks = 12;
export const glass = "plain";
`;
const newerFace = editedText(face, ["ticks = 12", "ticks = 60"]);

/** As `fw diff --json` prints it. */
interface Row {
  file: string;
  state: string;
  command: string;
  problem: string | null;
}

describe("The command fw diff", (it, { before }) => {
  let made: string;
  let app: string;
  const at = (path: string) => join(app, path);
  const read = (path: string) => readFileSync(at(path), "utf8");
  const write = (path: string, text: string) => writeFileSync(at(path), text);
  const edit = (path: string, from: string, to: string) => write(path, editedText(read(path), [from, to]));
  const rows = async (...args: string[]) => JSON.parse((await fwOk(app, "diff", "--json", ...args)).out) as Row[];
  const stateOf = async (path: string) => (await rows()).find(({ file }) => file === path)?.state;
  /** An application with a generated face, of its own for each test. */
  const start = () => {
    app = join(temporaryFolder(), "shop");
    cpSync(made, app, { recursive: true, verbatimSymlinks: true });
  };
  /** The package of the generators is upgraded. */
  const upgrade = (text = newerFace) => write("app/plugins/clock/templates/face.ts.liquid", text);

  before(async () => {
    app = made = await newApp();
    mkdirSync(at("app/plugins/clock/templates"), { recursive: true });
    write("app/plugins/clock.ts", clock);
    upgrade(face);
    write("app/plugins/clock/templates/face.md.liquid", "A {{ shape }} face.\n");
    write("app/plugins/clock/templates/strap.ts.liquid", 'export const strap = "{{ material }}";\n');
    const config = read("plugins.config.ts").replace("definePlugins([", "definePlugins([\n  clock(),");
    write("plugins.config.ts", `import { clock } from "./app/plugins/clock.ts";\n${config}`);
    await fwOk(app, "g", "clock:face", "round", "--hands=3");
  });

  it("Files are as they were generated, edited or deleted, whoever generated them, and no record has a secret", async () => {
    start();
    edit("lib/round.ts", "plain", "sapphire");
    rmSync(at("lib/round.md"));
    const all = await rows();
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
    const secret = /^SECRET_KEY_BASE=(\w+)$/m.exec(read(".env.development"))![1]!;
    const found = await runCommand("grep", ["-rlE", `${secret}|SECRET_KEY_BASE=`, ".framewright"], app);
    assert.is(found.out, "");
    const { out } = await fwOk(app, "diff");
    assert.match(out, /^lib\/round\.ts +edited by you +clock:face$/m);
    assert.match(out, "Not compared: lines that generators insert");
  });

  it("A newer template is listed, its diff is beside yours, and the merge keeps both", async () => {
    start();
    edit("lib/round.ts", '"round"', '"oval"');
    upgrade();
    assert.is(await stateOf("lib/round.ts"), "both");
    assert.is(await stateOf("lib/round.md"), "unchanged");
    const { out } = await fwOk(app, "diff", "lib/round.ts");
    assert.match(out, '-export const shape = "round";\n+export const shape = "oval";');
    assert.match(out, "-export const ticks = 12;\n+export const ticks = 60;");
    const untouched = read("lib/round.ts");
    const dry = await fwOk(app, "diff", "--merge", "--dry-run");
    assert.match(dry.out, "+export const ticks = 60;");
    assert.not.match(dry.out, ".framewright");
    assert.is(read("lib/round.ts"), untouched);
    assert.match((await fwOk(app, "diff", "--merge")).out, "merged  lib/round.ts");
    assert.is(read("lib/round.ts"), untouched.replace("ticks = 12", "ticks = 60"));
    assert.is(await stateOf("lib/round.ts"), "edited");
    assert.match((await fwOk(app, "diff", "--merge")).out, "There is nothing to merge.");
  });

  it("A file that nobody edited is outdated, becomes the newer text, and counts as generated again", async () => {
    start();
    upgrade();
    assert.is(await stateOf("lib/round.ts"), "outdated");
    await fwOk(app, "diff", "--merge", "lib");
    assert.match(read("lib/round.ts"), "hands = 3;\nexport const ticks = 60;");
    assert.is(await stateOf("lib/round.ts"), "unchanged");
  });

  it("Lines that both changed are marked, listed and exit 1; until they are resolved nothing is merged into the file", async () => {
    start();
    edit("lib/round.ts", "ticks = 12", "ticks = 24");
    upgrade();
    const { code, err, out } = await runFw(app, "diff", "--merge");
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
    assert.match(read("lib/round.ts"), `\n${marked.join("\n")}\n`);
    assert.is(await stateOf("lib/round.ts"), "conflict");
    upgrade(editedText(newerFace, ["plain", "domed"]));
    const again = read("lib/round.ts");
    assert.is((await runFw(app, "diff", "--merge")).code, 1);
    assert.is(read("lib/round.ts"), again);
    write("lib/round.ts", again.replace(`${marked.join("\n")}\n`, "export const ticks = 60;\n"));
    await fwOk(app, "diff", "--merge");
    assert.match(read("lib/round.ts"), 'glass = "domed"');
    assert.is(await stateOf("lib/round.ts"), "unchanged");
  });

  it("A line that a second generator inserts is none of your edits, and survives a merge", async () => {
    start();
    await fwOk(app, "g", "clock:chime", "round");
    assert.match(read("lib/round.ts"), 'chimes.push("ding");');
    assert.is(await stateOf("lib/round.ts"), "unchanged");
    upgrade();
    assert.is(await stateOf("lib/round.ts"), "outdated");
    await fwOk(app, "diff", "--merge");
    assert.match(read("lib/round.ts"), /push\("ding"\);\n\/\/ clock:chimes\n[^]*ticks = 60/);
    assert.is(await stateOf("lib/round.ts"), "unchanged");
  });

  it("An insertion into a file that you edited leaves your edits yours", async () => {
    start();
    edit("lib/round.ts", "plain", "sapphire");
    await fwOk(app, "g", "clock:chime", "round");
    const { out } = await fwOk(app, "diff", "lib/round.ts");
    assert.match(out, '+export const glass = "sapphire";');
    assert.not.match(out, "+chimes.push");
  });

  it("Windows line ends are no edits, and a merge keeps them", async () => {
    start();
    for (const path of ["lib/round.ts", ".framewright/generated/lib/round.ts.json"])
      write(path, read(path).replaceAll("\n", "\r\n"));
    assert.is(await stateOf("lib/round.ts"), "unchanged");
    upgrade();
    await fwOk(app, "diff", "--merge");
    const merged = read("lib/round.ts");
    assert.match(merged, "ticks = 60;\r\n");
    assert.not.match(merged, /[^\r]\n/);
  });

  it("A deleted file stays deleted, and a file that the newer generator adds is written", async () => {
    start();
    rmSync(at("lib/round.md"));
    write(
      "app/plugins/clock.ts",
      editedText(clock, [
        'template("lib/" + shape + ".md"',
        'template("lib/" + shape + "_test.ts", "face.md", { shape });\n    template("lib/" + shape + ".md"',
      ]),
    );
    write("app/plugins/clock/templates/face.md.liquid", "The {{ shape }} face.\n");
    assert.equal([await stateOf("lib/round.md"), await stateOf("lib/round_test.ts")], ["deleted", "added"]);
    await fwOk(app, "diff", "--merge");
    assert.equal([existsSync(at("lib/round.md")), read("lib/round_test.ts")], [false, "The round face.\n"]);
    assert.is(await stateOf("lib/round_test.ts"), "unchanged");
  });

  it("A merge that is killed is rolled back by the next fw, with its records", async () => {
    start();
    upgrade(editedText(newerFace, ["plain", "domed"]));
    write("app/plugins/clock/templates/face.md.liquid", "The {{ shape }} face.\n");
    const files = ["lib/round.ts", "lib/round.md", ".framewright/generated/lib/round.ts.json"];
    const texts = files.map(read);
    const killer = join(temporaryFolder(), "killer.mjs");
    writeFileSync(
      killer,
      `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module";
       const rename = fs.renameSync;
       fs.renameSync = (from, to) => { rename(from, to); if (to.endsWith("round.ts.json")) process.kill(process.pid, "SIGKILL"); };
       syncBuiltinESMExports();`,
    );
    const { code } = await runCommand(process.execPath, ["--import", killer, fw, "diff", "--merge"], app);
    assert.is(code, null);
    assert.not.equal(files.map(read), texts);
    const { err } = await fwOk(app, "diff");
    assert.match(err, "rolled back the changes of an interrupted run: ");
    assert.equal(files.map(read), texts);
    await fwOk(app, "diff", "--merge");
    assert.match(read("lib/round.ts"), "domed");
  });

  it("A generator whose plugin is gone, or that fails, is named, and what you edited is still listed", async () => {
    start();
    edit("lib/round.ts", "plain", "sapphire");
    upgrade(newerFace.replace("{{ hands }}", "{{ arms }}"));
    assert.match((await rows("lib/round.ts"))[0]!.problem!, /^clock:face could not run again: .*arms/);
    write("plugins.config.ts", read("plugins.config.ts").replace("\n  clock(),", ""));
    const { err, out } = await fwOk(app, "diff");
    assert.match(
      err,
      'there is no generator "clock:face" any more: the plugin that brought it is not in plugins.config.ts',
    );
    assert.match(out, /^lib\/round\.ts +edited by you +clock:face$/m);
  });

  it("A file that was there before is recorded by --skip, and by --force as the generated text", async () => {
    start();
    write("lib/square.ts", "export {};\n");
    await fwOk(app, "g", "clock:face", "square", "--skip");
    assert.is(await stateOf("lib/square.ts"), "edited");
    await fwOk(app, "g", "clock:face", "square", "--force");
    assert.is(await stateOf("lib/square.ts"), "unchanged");
    upgrade();
    await fwOk(app, "g", "clock:face", "square", "--skip");
    assert.is(await stateOf("lib/square.ts"), "outdated", "a file that was kept has its old base");
  });

  it("A wrong path, options that exclude each other and a broken record are refused with what to do", async () => {
    start();
    const wrong = await runFw(app, "diff", "lib/rond.ts");
    assert.equal([wrong.code, /Did you mean "lib\/round\.ts"\?/.test(wrong.err)], [2, true]);
    const clash = await runFw(app, "diff", "--merge", "--json");
    assert.equal([clash.code, /FW_FLAGS_CLASH/.test(clash.err)], [2, true]);
    assert.is((await runFw(app, "diff", "--dry-run")).code, 2);
    write(".framewright/generated/lib/round.ts.json", "<<<<<<< HEAD\n{\n");
    const broken = await runFw(app, "diff");
    assert.is(broken.code, 1);
    assert.match(broken.err, "FW_RECORD_BROKEN: .framewright/generated/lib/round.ts.json can't be read");
  });

  it("An application without records is told how to get them", async () => {
    start();
    renameSync(at(".framewright"), at("old"));
    const { out } = await fwOk(app, "diff");
    assert.match(out, "No generated file is recorded in this application.");
    assert.equal(await rows(), []);
    await fwOk(app, "g", "fw:core:install", "--skip");
    assert.is(await stateOf("config/routes.ts"), "unchanged");
  });

  const script = spawnSync("script", ["--version"], { encoding: "utf8" }).stdout ?? "";
  it.unless(
    script.includes("util-linux") ? undefined : "script of util-linux is missing",
    "An answer that was given at the terminal is used again, without asking",
    async () => {
      start();
      const terminal = spawn("script", ["-qec", `${process.execPath} ${fw} g clock:strap`, "/dev/null"], { cwd: app });
      let shown = "";
      terminal.stdout.on("data", (chunk: Buffer) => {
        if (!shown.includes("steel") && (shown += chunk).includes("steel")) terminal.stdin.write("\u001b[B\r");
      });
      await new Promise((resolve) => terminal.once("close", resolve));
      assert.is(read("lib/strap.ts"), 'export const strap = "steel";\n');
      write("app/plugins/clock/templates/strap.ts.liquid", 'export const newer = "{{ material }}";\n');
      await fwOk(app, "diff", "--merge");
      assert.is(read("lib/strap.ts"), 'export const newer = "steel";\n');
    },
  );
});
