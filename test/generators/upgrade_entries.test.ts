import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { entries } from "../../generators/upgrade/entries.ts";
import { assert, describe } from "../support/index.ts";
import { fwOk, runFw } from "./support.ts";
import { application, CONFIG, made, makeApplication, type Note, read } from "./upgrades.ts";

const clone = join(import.meta.dirname, "../..");
const fixture = join(clone, "test/fixtures/upgraded/unrecorded");
const [jobs] = readdirSync(join(fixture, "db/migrate")).filter((name) => name.endsWith("_jobs.ts"));
const migration = `db/migrate/${jobs}`;
const catalogue = '{\n  "notifications": {\n    "run_counts": "{{done}} done"\n  }\n}\n';
const steps = `import { Authlib } from "framewright/plugins/authlib";

// A comment about mayTry(account) does not count.
export class Ours extends Authlib {
  mayTry() {
    return true;
  }
}
`;
const flash = "app/views/framewright/_flash.liquid";

/** An application of this release with these files, generated with a version or before files were recorded. */
function written(files: Record<string, string>, version?: string): string {
  const app = application({ ...files, [CONFIG]: made.list });
  const record = ".framewright/generated/package.json.json";
  if (version !== undefined)
    writeFileSync(join(app, record), JSON.stringify({ ...JSON.parse(read(app, record)), framewright: version }));
  return app;
}
const reported = async (app: string) =>
  JSON.parse((await runFw(app, "upgrade", "--json")).out) as { left: Note[]; commands: (Note & { command: string })[] };

describe("What fw upgrade knows of the changes of a release", (it, { before }) => {
  before(makeApplication);

  it("A command is shown where the application is affected, --all runs it, and it is not shown again", async () => {
    const app = written({ [migration]: readFileSync(join(fixture, migration), "utf8") });
    const { out } = await fwOk(app, "upgrade");
    assert.match(out, "run  npx fw generate fw:jobs:install (Jobs on a schedule (framewright_job_schedules,");
    const [note] = (await reported(app)).commands;
    assert.equal([note?.file, note?.line, note?.command], [migration, 4, "fw generate fw:jobs:install"]);
    const all = await fwOk(app, "upgrade", "--all");
    assert.match(all.out, /^fw generate fw:jobs:install$[\s\S]*^fw db:migrate$[\s\S]*^fw doctor$/m);
    assert.not.match((await fwOk(app, "upgrade")).out, "fw:jobs:install");
  });
  it("What is done by hand is named with its file and line, exits 1, is named by fw doctor, and is gone once it is edited", async () => {
    const app = written({
      "app/authlib/ours.ts": steps,
      "config/locales/en.json": catalogue,
      [flash]: "<p>{{ message.text }}</p>\n",
    });
    const { code, err } = await runFw(app, "upgrade");
    assert.is(code, 1);
    assert.match(err, "app/authlib/ours.ts:5: mayTry of accounts is isLoginAllowed");
    assert.match(err, "config/locales/en.json:3: the text run_counts is notifications.run_refused");
    assert.match(err, `${flash}:1: this copy lacks what pages need`);
    assert.is(err.match(/left for you/g)?.length, 3, err);
    assert.match((await runFw(app, "doctor")).out, /FIX +upgrade of texts: config\/locales\/en\.json:3/);
    const edits = {
      "app/authlib/ours.ts": steps.replace("  mayTry()", "  isLoginAllowed()"),
      "config/locales/en.json": "{}\n",
      [flash]: '<p data-unreachable="">{{ message.text }}</p>\n',
    };
    for (const [path, text] of Object.entries(edits)) writeFileSync(join(app, path), text);
    assert.equal((await reported(app)).left, []);
  });
  it("A package that is missing in package.json is named", async () => {
    const app = written({});
    const manifest = read(app, "package.json");
    writeFileSync(join(app, "package.json"), manifest.replace(/,\s*"typescript": "[^"]*"/, ""));
    assert.equal(
      (await reported(app)).left.map(({ capability, file }) => [capability, file]),
      [["packages", "package.json"]],
    );
  });
  it("Neither is shown for an application that was generated with a later version, nor for a new one", async () => {
    const files = { [migration]: readFileSync(join(fixture, migration), "utf8"), "config/locales/en.json": catalogue };
    const [now, later] = [await reported(written(files, "0.1.0")), await reported(written(files, "0.2.0"))];
    assert.equal([now.left.length, now.commands.length > 0], [1, true]);
    assert.equal([later.left, later.commands], [[], []]);
    const { left, commands } = await reported(written({}));
    assert.equal([left, commands], [[], []]);
  });
});

describe("CHANGELOG.md and what fw upgrade knows", (it) => {
  const changes = readFileSync(join(clone, "CHANGELOG.md"), "utf8");
  const section = /### Applications generated before 0\.1\.0\n([\s\S]*?)(?=\n##|$)/.exec(changes)![1]!;
  /** The first table: a capability, and what to run. */
  const rows = [...section.slice(0, section.indexOf("**Deploying**")).matchAll(/^\| (.+?) \| (.+) \|$/gm)].slice(1);
  /** Rows that need more than text files: `fw upgrade --all` runs the first one, and `fw doctor` reads the database for the others. */
  const elsewhere = [
    "Accounts: new columns",
    "The first owner of a tenant",
    "Scopes and expiry",
    "Files in a JSON column",
    "Types of PostgreSQL tables",
    "Rows without a number",
  ];

  it("Each change is in CHANGELOG.md in the same words, those of 0.1.0 in its section", () => {
    const unknown = entries.filter(({ change, upTo }) => !(upTo === "0.1.0" ? section : changes).includes(change));
    assert.equal(
      unknown.map(({ change }) => change),
      [],
    );
  });
  it("Each row about tables has an entry with its command, or is of those that the database shows", () => {
    assert.ok(rows.length > 10, String(rows.length));
    const unknown = rows.filter(([, capability, command]) => {
      const entry = entries.find(({ change }) => change === capability);
      if (!entry) return !elsewhere.some((start) => capability!.startsWith(start));
      return entry.run !== undefined && command !== `\`npx fw g ${entry.run.slice(1).join(" ")}\``;
    });
    assert.equal(
      unknown.map(([, capability]) => capability),
      [],
    );
  });
  it("Each entry has a command, or what to do by hand", () => {
    assert.equal(
      entries.filter(({ run, byHand }) => (run === undefined) === (byHand === undefined)),
      [],
    );
  });
});
