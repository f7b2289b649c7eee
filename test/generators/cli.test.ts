import { commands } from "../../generators/commands/index.ts";
import { assert, describe } from "../support/index.ts";
import { fwOk, newApp, runFw, snapshot, spawnFw, temporaryFolder } from "./support.ts";

describe("The fw command", (it) => {
  it("fw --help lists every command that is not hidden, with an example unless it is listed briefly", async () => {
    const { code, out } = await spawnFw(temporaryFolder(), "--help");
    assert.is(code, 0);
    for (const { name, example, hidden, brief } of commands) {
      if (!hidden) assert.ok(out.includes(name) && (brief || out.includes(example)), name);
    }
  });

  it("Every command explains itself by --help with an example, outside of an application", async () => {
    const folder = temporaryFolder();
    for (const { name, example, raw, hidden } of commands) {
      if (raw || hidden) continue;
      const { code, out } = await runFw(folder, name, "--help");
      assert.is(code, 0, name);
      assert.match(out, example);
    }
  });

  it("fw --version prints three numbers", async () => {
    const { out } = await spawnFw(temporaryFolder(), "--version");
    assert.match(out, /^\d+\.\d+\.\d+\n$/);
  });

  for (const [words, wanted] of [
    [["db:migrat"], 'Did you mean "db:migrate"?'],
    [["new"], "<dir>"],
    [["new", "a", "b"], '"b"'],
    [["routes", "--jsn"], 'Did you mean "--json"?'],
    [["new", "x", "--database"], "--database=KIND"],
    [["new", "x", "--database=sqlit"], 'Did you mean "sqlite"?'],
    [["db:rollback", "--steps=x"], "not inside a Framewright application"],
    [["generate", "fw:pkg:portl", "a"], 'Did you mean "fw:pkg:portal"?'],
    [["g", "fw:pkg:portal", "a", "--publik"], 'Did you mean "--public"?'],
    [["g", "fw:pkg:portal"], "<name>"],
    [["g", "fw:core:install"], "not inside a Framewright application"],
  ] as const) {
    it(`"fw ${words.join(" ")}" exits 2 and prints ${wanted}`, async () => {
      const { code, err, out } = await runFw(temporaryFolder(), ...words);
      assert.is(code, 2, out + err);
      assert.match(err, wanted);
    });
  }

  it("fw g lists the generators, and their --help names --dry-run, --force and --skip", async () => {
    const folder = temporaryFolder();
    const { code, out } = await runFw(folder, "g");
    assert.is(code, 0);
    for (const name of ["fw:core:install", "fw:pkg:package", "fw:pkg:portal", "fw:res:scaffold", "fw:res:conn"]) {
      assert.match(out, name);
      const help = await runFw(folder, "g", name.replace("fw:", ""), "--help");
      assert.is(help.code, 0);
      for (const flag of ["--dry-run", "--force", "--skip"]) assert.match(help.out, flag);
    }
  });
});

describe("Generators without a terminal", (it, { before }) => {
  let app: string;
  before(async () => {
    app = await newApp();
  });

  it("A portal without a mode exits 2, names the options and writes nothing", async () => {
    const files = snapshot(app);
    const { code, err } = await runFw(app, "g", "fw:pkg:portal", "admin");
    assert.is(code, 2);
    for (const flag of ["--auth=NAME", "--public", "--byo"]) assert.match(err, flag);
    assert.equal(snapshot(app), files);
  });

  it("A portal with two modes exits 2 and names both", async () => {
    const { code, err } = await spawnFw(app, "g", "fw:pkg:portal", "admin", "--public", "--byo");
    assert.is(code, 2);
    assert.match(err, "--public and --byo");
  });

  it("A portal for an unknown account type exits 2 and names the generator of the account type", async () => {
    const { code, err } = await runFw(app, "g", "fw:pkg:portal", "admin", "--auth=0012");
    assert.is(code, 2);
    assert.match(err, "fw:authlib:account 0012");
  });

  it("A portal at the path of an account type's pages exits 2 and writes nothing, whichever comes first", async () => {
    const teachers = await newApp("school");
    const refuse = async (which: string, ...words: string[]) => {
      const files = snapshot(teachers);
      const { code, err } = await runFw(teachers, "g", ...words);
      assert.is(code, 2, err);
      for (const part of ["FW_PORTAL_ADDRESS", `Choose another name for the ${which}`]) assert.match(err, part);
      assert.equal(snapshot(teachers), files);
    };
    await refuse("portal", "fw:saas:setup", "--user=Teacher", "--entity=School", "--portal_name=teachers");
    await fwOk(teachers, "g", "fw:authlib:account", "teacher", "--only");
    await refuse("portal", "fw:pkg:portal", "teachers", "--auth=teacher");
    await fwOk(teachers, "g", "fw:pkg:portal", "parents", "--public");
    await refuse("account type", "fw:authlib:account", "parent");
    await fwOk(teachers, "g", "fw:pkg:portal", "parents", "--public");
  });

  it("Connecting a resource without a portal exits 2 and names --dest", async () => {
    await runFw(app, "g", "fw:res:scaffold", "Tag", "name");
    await runFw(app, "g", "fw:pkg:portal", "open", "--public");
    const { code, err } = await runFw(app, "g", "fw:res:conn", "Tag");
    assert.is(code, 2);
    assert.match(err, "--dest=PORTAL");
  });
});
