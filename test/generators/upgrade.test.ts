import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { fwOk, runFw, snapshot, temporaryFolder } from "./support.ts";
import {
  application,
  boots,
  CONFIG,
  importsOf,
  listed,
  listOf,
  made,
  makeApplication,
  nine,
  type Report,
  read,
  upgraded,
  withoutComments,
} from "./upgrades.ts";

describe("The command fw upgrade", (it, { before }) => {
  before(makeApplication);

  it("--dry-run prints the diff and writes nothing; the list becomes what fw new writes, its comments by a merge, boots, type-checks, and a second run changes nothing", async () => {
    const app = application();
    const files = snapshot(app);
    const dry = await fwOk(app, "upgrade", "--dry-run");
    assert.match(dry.out, '+import { search } from "framewright/plugins/search";');
    assert.match(dry.out, "+  inlineEditing(),");
    assert.equal(snapshot(app), files);
    const { out } = await fwOk(app, "upgrade");
    assert.match(out, `edit  ${CONFIG}`);
    assert.is(withoutComments(read(app)), withoutComments(made.list));
    const upgraded = read(app);
    const again = await fwOk(app, "upgrade");
    assert.match(again.out, "There is nothing to rewrite.");
    assert.match(again.out, "Then: fw db:migrate, fw diff --merge, fw doctor. fw upgrade --all runs them.");
    assert.is(read(app), upgraded);
    assert.match((await fwOk(app, "diff", "--merge")).out, /merged|nothing to merge/);
    assert.is(read(app), made.list);
    await boots(app);
  });
  it("A copied template gets what a later release changes in it, and keeps the edits of the copy", async () => {
    const app = join(temporaryFolder(), "shop");
    cpSync(made.folder, app, { recursive: true });
    const [copy, original] = ["app/views/resource/show.liquid", "packages/admin_portal/app/views/errors/error.liquid"];
    await fwOk(app, "g", "fw:pkg:portal", "admin", "--public");
    await fwOk(app, "eject", "resource/show");
    await fwOk(app, "eject", "errors/error", "--dest=admin");
    const stateOf = async (path: string) => {
      const rows = JSON.parse((await fwOk(app, "diff", path, "--json")).out) as { state: string; command: string }[];
      return [rows[0]!.state, rows[0]!.command];
    };
    assert.equal(await stateOf(copy), ["unchanged", "fw eject resource/show"]);
    assert.equal(await stateOf(original), ["unchanged", "fw eject errors/error --dest=admin_portal"]);
    const text = readFileSync(join(app, copy), "utf8");
    const recordOf = (path: string) => join(app, `.framewright/generated/${path}.json`);
    const record = JSON.parse(readFileSync(recordOf(copy), "utf8"));
    const earlier = {
      ...record,
      generated: ["{% comment %}of an earlier release{% endcomment %}\n", ...record.generated],
    };
    earlier.fingerprints = { eject: "of an earlier release" };
    writeFileSync(recordOf(copy), JSON.stringify(earlier));
    writeFileSync(join(app, copy), `${earlier.generated.join("")}<p>mine</p>\n`);
    assert.equal(await stateOf(copy), ["both", "fw eject resource/show"]);
    await fwOk(app, "diff", "--merge", copy);
    assert.is(readFileSync(join(app, copy), "utf8"), `${text}<p>mine</p>\n`);
    assert.equal(await stateOf(copy), ["edited", "fw eject resource/show"]);
    assert.match((await runFw(app, "eject", "resource/show")).err, "FW_TEMPLATE_OWN");
    assert.match((await fwOk(app, "eject", "resource/show", "--force", "--dry-run")).out, "-<p>mine</p>");
    await fwOk(app, "eject", "resource/show", "--force");
    assert.is(readFileSync(join(app, copy), "utf8"), text);
    assert.equal(await stateOf(copy), ["unchanged", "fw eject resource/show"]);

    const gone = JSON.parse(readFileSync(recordOf(original), "utf8"));
    const options = { ...gone.options, from: "framewright:plugins/layout/views/errors/nowhere.liquid" };
    writeFileSync(recordOf(original), JSON.stringify({ ...gone, options, fingerprints: { eject: "" } }));
    assert.match((await runFw(app, "diff", original)).err, /no longer where it was copied from.* is unknown/);
  });
  it("A line that is left out on purpose stays left out: after the upgrade, and in an application that fw new of this release wrote", async () => {
    const app = application();
    await fwOk(app, "upgrade");
    for (const root of [app, join(temporaryFolder(), "shop")]) {
      if (root !== app) cpSync(made.folder, root, { recursive: true });
      writeFileSync(
        join(root, CONFIG),
        made.list.replace("  density(),\n", "").replace(/^.*plugins\/density.*\n/m, ""),
      );
      const { out } = await fwOk(root, "upgrade");
      assert.match(out, "There is nothing to rewrite.");
      assert.not.match((await runFw(root, "doctor")).out, "upgrade");
    }
  });
  it("A list of a release whose resources() had filters and actions on selected rows gets their lines, as fw new writes them", async () => {
    const app = join(temporaryFolder(), "shop");
    cpSync(made.folder, app, { recursive: true });
    const lines = /^.*plugins\/(?:bulk_actions|filters)".*\n|^ {2}(?:bulkActions|filters)\(\),\n/gm;
    const before = made.list.replaceAll(lines, "");
    writeFileSync(join(app, CONFIG), before);
    const record = join(app, `.framewright/generated/${CONFIG}.json`);
    writeFileSync(
      record,
      JSON.stringify({ ...JSON.parse(readFileSync(record, "utf8")), generated: before.split(/(?<=\n)/) }),
    );
    const { out } = await runFw(app, "doctor");
    for (const name of ["bulkActions", "filters"])
      assert.match(out, new RegExp(`upgrade of ${name}: .*${name}\\(\\) is not listed.*run fw upgrade$`, "m"));
    await fwOk(app, "upgrade");
    assert.is(read(app), made.list);
    assert.match((await fwOk(app, "diff")).out, /^plugins\.config\.ts +as it was generated/m);
  });
  it("Only what has what it needs is added: imports where jobs and storage are listed, backgroundRuns where jobs is", async () => {
    const bare = await upgraded({ [CONFIG]: listOf("resources()") });
    for (const name of nine) assert.match(listed(bare.text), `  ${name}(),`);
    assert.not.match(bare.text, /backgroundRuns|imports\(/);
    await boots(bare.app);
    const jobs = await upgraded({ [CONFIG]: listOf("resources()", importsOf(["jobs"]), "  jobs(),\n") });
    assert.match(listed(jobs.text), "  backgroundRuns(),");
    assert.not.match(listed(jobs.text), "imports()");
    await boots(jobs.app);
  });
  it("What it is not sure of is named with its line and what to write, is left as it is, and exits 1; fw doctor names it, where nothing boots", async () => {
    const source = listOf(
      "resources({ ...shared, background: { keep: 3 } })",
      'import { shared } from "./config/shared.ts";\nimport { search } from "./lib/missing.ts";\n',
      "  search(),\n",
    );
    const app = application({
      [CONFIG]: source,
      "config/shared.ts": "export const shared = { undoDeletions: true };\n",
    });
    const { code, err } = await runFw(app, "upgrade");
    assert.is(code, 1);
    assert.match(
      err,
      /plugins\.config\.ts:\d+: .*"undoDeletions" by shared\. Add undo\(\) of "framewright\/plugins\/undo"/,
    );
    assert.match(err, /"background": it needs jobs\(\), which is not listed/);
    assert.match(err, /"search" is something else here/);
    assert.match(read(app), "resources({ ...shared, background: { keep: 3 } }),");
    assert.match(listed(read(app)), "  density(),");
    const json = await runFw(app, "upgrade", "--json");
    const report = JSON.parse(json.out) as Report;
    assert.equal(report.left.map(({ capability }) => capability).sort(), ["backgroundRuns", "search", "undo"]);
    assert.equal([report.written, report.rewritten], [[], []]);
    const doctor = await runFw(app, "doctor", "--json");
    assert.is(doctor.code, 1);
    const findings = JSON.parse(doctor.out) as { what: string; ok: boolean; detail: string }[];
    const found = findings.filter(({ what }) => what.startsWith("upgrade of"));
    assert.equal(
      found.map(({ what, ok }) => [what, ok]),
      [
        ["upgrade of undo", false],
        ["upgrade of backgroundRuns", false],
        ["upgrade of search", false],
      ],
    );
  });
  it("fw doctor prints a sentence for each capability that fw upgrade brings back", async () => {
    const { out, code } = await runFw(application(), "doctor");
    assert.is(code, 1);
    for (const name of [...nine, "imports", "backgroundRuns"])
      assert.is(out.match(new RegExp(`upgrade of ${name}: .*run fw upgrade$`, "gm"))?.length, 1, name);
  });
  it("Types and services that moved are rewritten in all folders, and the application type-checks", async () => {
    const files = {
      "lib/keep.ts": `import {
  type BackgroundOptions,
  Policy,
  type ExportOptions as Files,
} from "framewright/plugins/resources";

export const keep: BackgroundOptions & Files = { keep: 3, keepHours: 2 };
export class Open extends Policy {}
`,
      "lib/runs.ts": `import type { Application } from "framewright/host";
import type { BackgroundRuns } from "framewright/plugins/resources";
export type { ExportOptions } from "framewright/plugins/resources";

// kernel.service("resources").background is in a comment.
export const runs = (app: Application): BackgroundRuns => app.kernel.service("resources").background;
export const rows = (options: import("framewright/plugins/resources").ExportOptions) => options.backgroundRows;
`,
      "packages/desk/lib/sweep.ts": `import type { Application } from "framewright/host";

export async function sweep({ kernel }: Application): Promise<void> {
  await kernel
    .service("resources", "the desk")
    .background.sweep();
  await kernel.service("resources").deletions!.store.sweep();
  const { background: all } = kernel.service("resources");
  await all.sweep();
  const views = kernel.service("resources").savedViews!;
  const files = kernel.service('resources').imports;
  console.log(views, files, kernel.service("resources").registry);
}
`,
    };
    const names = {
      "lib/names.ts": `import type { RouteWords, RouteSet } from "framewright/host";
import type { Narrow as Narrowing } from "framewright/plugins/resources";

declare module "framewright/host" {
  interface RouteWords {
    shelf(path: string): void;
  }
}
export type Words = keyof RouteWords;
export const by = (narrow: Narrowing, set: RouteSet) => [narrow.model, set];
`,
    };
    const { app, ran } = await upgraded({
      ...names,
      [CONFIG]: listOf(
        "resources({ savedViews: true, undoDeletions: true })",
        importsOf(["jobs", "storage"]),
        "  jobs(),\n  storage(),\n",
      ),
      ...files,
    });
    assert.is(ran.code, 0, ran.err);
    const renamed = read(app, "lib/names.ts");
    assert.match(renamed, 'import type { RouteMacros as RouteWords, RouteSet } from "framewright/host";');
    assert.match(renamed, 'import type { QueryScope as Narrowing } from "framewright/plugins/resources";');
    assert.match(renamed, "  interface RouteMacros {");
    const kept = read(app, "lib/keep.ts");
    assert.match(kept, 'import {\n  Policy,\n} from "framewright/plugins/resources";');
    assert.match(
      kept,
      'import type { BackgroundRunsOptions as BackgroundOptions } from "framewright/plugins/background_runs";',
    );
    assert.match(kept, 'import type { ExportOptions as Files } from "framewright/plugins/exports";');
    const runs = read(app, "lib/runs.ts");
    assert.match(runs, '// kernel.service("resources").background is in a comment.');
    assert.match(runs, 'BackgroundRuns => app.kernel.service("background_runs");');
    assert.match(runs, 'export type { ExportOptions } from "framewright/plugins/exports";');
    const swept = read(app, "packages/desk/lib/sweep.ts");
    assert.match(swept, '.service("background_runs", "the desk").sweep();');
    assert.match(swept, 'kernel.service("undo").sweep();');
    assert.match(swept, 'const all = kernel.service("background_runs");');
    assert.match(swept, 'const views = kernel.service("saved_views");');
    assert.match(swept, "const files = kernel.service('imports');");
    assert.match((await fwOk(app, "upgrade")).out, "There is nothing to rewrite.");
    await boots(app);
  });
  it("A copy of the shell that nobody edited renders the shell of today, and an edited one is left", async () => {
    const copy = '<details class="fw-mobile-menu"></details>\n';
    const layout = (portal: string) => `packages/${portal}_portal/app/views/layouts/resource.liquid`;
    const record = (portal: string) => `.framewright/generated/${layout(portal)}.json`;
    const generated = JSON.stringify({
      ...{ generator: "fw:pkg:portal", args: ["admin"], options: {}, answers: [], generated: [copy] },
    });
    const { app, ran } = await upgraded({
      ...{ [layout("admin")]: copy, [record("admin")]: generated },
      ...{ [layout("shop")]: `${copy}<p>Ours</p>\n`, [record("shop")]: generated },
    });
    assert.is(read(app, layout("admin")), '{% render "framewright/shell" %}\n');
    assert.equal(JSON.parse(read(app, record("admin"))).generated, ['{% render "framewright/shell" %}\n']);
    assert.is(read(app, layout("shop")), `${copy}<p>Ours</p>\n`);
    assert.match(ran.err, `${layout("shop")}:1: the shell of pages has changed`);
  });
  it("The first page stays open to guests where nobody edited its controller", async () => {
    const path = "app/controllers/home_controller.ts";
    const home = `import BaseController from "./base_controller.ts";

export default class HomeController extends BaseController {
  async index() {
    return this.render();
  }
}
`;
    const { app } = await upgraded({ [path]: home });
    assert.match(read(app, path), "class HomeController extends concern(BaseController, PublicAccess) {");
    await boots(app);
    const edited = home.replace("this.render()", 'this.render("ours")');
    assert.is(read((await upgraded({ [path]: edited })).app, path), edited);
  });
  it("--all runs what follows an upgrade: tables are migrated, generated files merged, and fw doctor is the end", async () => {
    const app = application();
    const { out } = await fwOk(app, "upgrade", "--all");
    const at = [`edit  ${CONFIG}`, "fw db:migrate", "fw diff --merge", "fw doctor"].map((text) => out.indexOf(text));
    assert.equal(
      at,
      at.toSorted((one, other) => one - other),
      out,
    );
    assert.ok(at[0]! >= 0, out);
    assert.is(read(app), made.list);
    assert.not.match(out, "authlib:upgrade"); // there are no accounts
    await boots(app);
  });
  it("--all stops at what is left for a person, and names what was not run", async () => {
    const app = application({
      [CONFIG]: listOf("resources({ ...shared })", 'import { shared } from "./config/shared.ts";\n'),
      "config/shared.ts": "export const shared = { undoDeletions: true };\n",
    });
    const shown = await runFw(app, "upgrade", "--all");
    assert.is(shown.code, 1, shown.out);
    assert.match(shown.err, /left for you: .*/);
    assert.match(shown.err, "Not run: fw db:migrate, fw diff --merge, fw doctor.");
    assert.not.match(shown.out, "fw doctor");
  });
  it("--all excludes --dry-run and --json", async () => {
    for (const flag of ["--dry-run", "--json"])
      assert.match((await runFw(application(), "upgrade", "--all", flag)).err, `--all and ${flag} exclude each other`);
  });
  it("--help has an example", async () => {
    const { out } = await fwOk(made.folder, "upgrade", "--help");
    assert.match(out, "fw upgrade --all");
    assert.ok(existsSync(join(made.folder, CONFIG)));
  });
});
