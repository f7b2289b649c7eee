import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { ensureBuilt, fwOk, newApp, type Ran, runFw, snapshot, temporaryFolder, typeCheck } from "./support.ts";

/**
 * plugins.config.ts with its record, from before `resources()` was opened into plugins: as `fw new` wrote it, and as
 * `fw:saved_views:install` and `fw:deletions:install` left it.
 */
const fixture = join(import.meta.dirname, "fixtures/before");
const CONFIG = "plugins.config.ts";

const nine = [
  "search",
  "shortcuts",
  "density",
  "filters",
  "bulkActions",
  "summaries",
  "inlineEditing",
  "reorder",
  "exports",
];
const folders: Record<string, string> = {
  bulkActions: "bulk_actions",
  inlineEditing: "inline_editing",
  backgroundRuns: "background_runs",
};
const lines = (names: readonly string[]) => names.map((name) => `  ${name}(),\n`).join("");
const importsOf = (names: readonly string[]) =>
  names.map((name) => `import { ${name} } from "framewright/plugins/${folders[name] ?? name}";\n`).join("");

/** A short list of plugins that boots. */
const base = ["database", "i18n", "sessions", "views", "layout", "assets", "portals"];
const listOf = (resources: string, before = "", more = ""): string =>
  `import { definePlugins } from "framewright";\n${importsOf([...base, "resources"])}${before}
export default definePlugins([\n${lines(base)}  ${resources},\n${more}]);\n`;

/** Its comments come by a merge. */
const withoutComments = (text: string) => text.replaceAll(/^\s*\/\/.*\n|\/\*\*[\s\S]*?\*\/\n/gm, "");

interface Note {
  capability: string;
  file: string;
  line: number;
  text: string;
}
interface Report {
  written: string[];
  rewritten: Note[];
  left: Note[];
  diff?: string;
}

describe("The command fw upgrade", (it, { before }) => {
  let made: string;
  let now: string;
  before(async () => {
    await ensureBuilt();
    made = await newApp();
    now = readFileSync(join(made, CONFIG), "utf8");
  });
  /** An application of an earlier release, whose files are these. */
  const application = (files: Record<string, string> = {}, from = "new"): string => {
    const app = join(temporaryFolder(), "shop");
    cpSync(made, app, { recursive: true });
    cpSync(join(fixture, from, CONFIG), join(app, CONFIG));
    cpSync(join(fixture, from, `${CONFIG}.json`), join(app, `.framewright/generated/${CONFIG}.json`));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(app, path)), { recursive: true });
      writeFileSync(join(app, path), text);
    }
    return app;
  };
  const read = (app: string, path = CONFIG) => readFileSync(join(app, path), "utf8");
  const listed = (text: string): string =>
    text.slice(text.indexOf("definePlugins([") + "definePlugins([".length, text.lastIndexOf("])"));
  const upgraded = async (files: Record<string, string>): Promise<{ app: string; text: string; ran: Ran }> => {
    const app = application(files);
    const ran = await runFw(app, "upgrade");
    return { app, text: read(app), ran };
  };
  const boots = async (app: string) => {
    await fwOk(app, "plugins", "--json");
    const { code, out } = await typeCheck(app);
    assert.is(code, 0, out);
  };

  it("--dry-run prints the diff and writes nothing; the list becomes what fw new writes, its comments by a merge, boots, type-checks, and a second run changes nothing", async () => {
    const app = application();
    const files = snapshot(app);
    const dry = await fwOk(app, "upgrade", "--dry-run");
    assert.match(dry.out, '+import { search } from "framewright/plugins/search";');
    assert.match(dry.out, "+  inlineEditing(),");
    assert.equal(snapshot(app), files);
    const { out } = await fwOk(app, "upgrade");
    assert.match(out, `edit  ${CONFIG}`);
    assert.is(withoutComments(read(app)), withoutComments(now));
    const upgraded = read(app);
    assert.match((await fwOk(app, "upgrade")).out, "There is nothing to rewrite.");
    assert.is(read(app), upgraded);
    assert.match((await fwOk(app, "diff", "--merge")).out, /merged|nothing to merge/);
    assert.is(read(app), now);
    await boots(app);
  });
  it("A line that is left out on purpose stays left out: after the upgrade, and in an application that fw new of this release wrote", async () => {
    const app = application();
    await fwOk(app, "upgrade");
    for (const root of [app, join(temporaryFolder(), "shop")]) {
      if (root !== app) cpSync(made, root, { recursive: true });
      writeFileSync(join(root, CONFIG), now.replace("  density(),\n", "").replace(/^.*plugins\/density.*\n/m, ""));
      const { out } = await fwOk(root, "upgrade");
      assert.match(out, "There is nothing to rewrite.");
      assert.not.match((await runFw(root, "doctor")).out, "upgrade");
    }
  });
  it("A list of a release whose resources() had filters and actions on selected rows gets their lines, as fw new writes them", async () => {
    const app = join(temporaryFolder(), "shop");
    cpSync(made, app, { recursive: true });
    const lines = /^.*plugins\/(?:bulk_actions|filters)".*\n|^ {2}(?:bulkActions|filters)\(\),\n/gm;
    const before = now.replaceAll(lines, "");
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
    assert.is(read(app), now);
    assert.match((await fwOk(app, "diff")).out, /^plugins\.config\.ts +as it was generated/m);
  });
  it("Options that generators set are moved in the record too: fw diff sees no edit, and a merge brings comments alone", async () => {
    const app = application({}, "installed");
    assert.match(read(app), "resources({ undoDeletions: true, savedViews: true })");
    await fwOk(app, "upgrade");
    const text = read(app);
    for (const name of [...nine, "imports", "backgroundRuns", "savedViews", "undo"])
      assert.is(text.match(new RegExp(`^  ${name}\\(\\),$`, "gm"))?.length, 1, name);
    assert.match((await fwOk(app, "diff")).out, /^plugins\.config\.ts +the generator writes another text now/m);
    await fwOk(app, "diff", "--merge");
    assert.is(withoutComments(read(app)), withoutComments(text));
    await boots(app);
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
  it("Options become plugins with what they contain, at their indentation and with their comments; others stay", async () => {
    const { app, text, ran } = await upgraded({
      [CONFIG]: listOf(
        `resources({
    // Runs of a week.
    background: { keep: 7 * 24, lease: 60_000 }, // hours, ms
    nestedAssociationRoutes: "declared", // as in config/routes.ts
    "exports": {
      // Small machines.
      backgroundRows: 5_000,
      keepHours: 48,
    },
    savedViews: true,
    undoDeletions: process.env.UNDO !== "0",
  })`,
        importsOf(["jobs"]),
        "  jobs({ concurrency: 2 }), // two cores\n",
      ),
    });
    assert.is(ran.code, 0, ran.err);
    const entries = listed(text);
    assert.match(
      entries,
      `  resources({
    nestedAssociationRoutes: "declared", // as in config/routes.ts
  }),
`,
    );
    assert.match(
      entries,
      `  exports({
    // Small machines.
    backgroundRows: 5_000,
    keepHours: 48,
  }),
`,
    );
    assert.match(entries, "  // Runs of a week.\n  // hours, ms\n  backgroundRuns({ keep: 7 * 24, lease: 60_000 }),\n");
    assert.match(entries, "  savedViews(),\n");
    assert.match(entries, '  ...(process.env.UNDO !== "0" ? [undo()] : []),\n');
    assert.match(entries, "  jobs({ concurrency: 2 }), // two cores\n");
    await boots(app);
  });
  it("Options on one line, of a constant, as a shorthand and switched off are moved as well", async () => {
    const inLine = await upgraded({
      [CONFIG]: listOf('resources({ savedViews: true, nestedAssociationRoutes: "declared", undoDeletions: false })'),
    });
    assert.match(listed(inLine.text), '  resources({ nestedAssociationRoutes: "declared" }),\n');
    assert.match(listed(inLine.text), "  savedViews(),\n");
    assert.not.match(inLine.text, "undo");
    const constants = `import type { ExportOptions, ResourceOptions } from "framewright/plugins/resources";
const exportsOfShop: ExportOptions = { keepHours: 2 };
const options: ResourceOptions = { exports: exportsOfShop, undoDeletions: true };\n`;
    const constant = await upgraded({ [CONFIG]: listOf("resources(options)", constants) });
    assert.match(constant.text, "const options: ResourceOptions = {};");
    assert.match(constant.text, 'import type { ResourceOptions } from "framewright/plugins/resources";');
    assert.match(listed(constant.text), "  resources(options),\n  extraFields(),\n  exports(exportsOfShop),\n");
    assert.match(listed(constant.text), "  undo(),\n");
    await boots(constant.app);
    const shorthand = await upgraded({
      [CONFIG]: listOf(
        "resources({ background })",
        `${importsOf(["jobs"])}const background = { keep: 2 };\n`,
        "  jobs(),\n",
      ),
    });
    assert.match(listed(shorthand.text), "  resources(),\n");
    assert.match(listed(shorthand.text), "  backgroundRuns(background),\n");
    await boots(shorthand.app);
  });
  it("What is left of an argument is code: after a cast, on lines of its own, and beside comments", async () => {
    for (const [written, left] of [
      ["resources({ savedViews: true } as const)", "resources({} as const)"],
      ["resources(\n    {\n      savedViews: true\n    },\n  )", "resources()"],
      [
        "resources({\n    savedViews: true, // for all\n    /* the end */\n  })",
        "resources({\n    /* the end */\n  })",
      ],
    ] as const) {
      const { app, text, ran } = await upgraded({ [CONFIG]: listOf(written) });
      assert.is(ran.code, 0, ran.err);
      assert.match(listed(text), `  ${left},\n`);
      assert.match(listed(text), "  savedViews(),\n");
      await boots(app);
    }
  });
  it("A list on one line, and the comments of its options, stay on it", async () => {
    const calls = base.map((name) => `${name}()`).join(", ");
    const { app, text } = await upgraded({
      [CONFIG]: `import { definePlugins } from "framewright";\n${importsOf([...base, "resources"])}
export default definePlugins([${calls}, resources({
  savedViews: true, // for desks
})]);\n`,
    });
    assert.match(text, "/* for desks */ savedViews()");
    assert.match(text, /, search\(\), shortcuts\(\)/);
    await boots(app);
  });
  it("Windows line ends, comments between lines and names of one's own stay as they are", async () => {
    const source = listOf("rest({ savedViews: true })", "", "  // the end\n")
      .replace("{ resources }", "{ resources as rest }")
      .replace("  views(),", "  // pages\n  views(),\n")
      .replaceAll("\n", "\r\n");
    const { app, text } = await upgraded({ [CONFIG]: source });
    assert.not.match(text, /(?<!\r)\n/);
    assert.match(text, "  // pages\r\n  views(),\r\n\r\n");
    assert.match(text, "  rest(),\r\n");
    assert.match(text, "  savedViews(),\r\n");
    assert.match(text, "  // the end\r\n])");
    await boots(app);
  });
  it("An application with the framework's whole list has the standard plugins; what it takes in their place is named", async () => {
    const whole = (options: string) => `import { definePlugins } from "framewright";
import { resources } from "framewright/plugins/resources";
import standard from "framewright/plugins.config";

export default definePlugins([...standard.filter((plugin) => plugin.name !== "resources"), resources(${options})]);\n`;
    const { app, text, ran } = await upgraded({ [CONFIG]: whole("{ savedViews: true }") });
    assert.is(ran.code, 0, ran.err);
    assert.match(text, "resources(), savedViews()]");
    assert.not.match(text, /search|reorder/);
    await boots(app);
    const left = await upgraded({ [CONFIG]: whole("{ exports: { keepHours: 2 } }") });
    assert.is(left.ran.code, 1);
    assert.match(left.ran.err, 'standard.filter((plugin) => plugin.name !== "exports")');
    assert.is(left.text, whole("{ exports: { keepHours: 2 } }"));
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
  it("Options by a computed name, a condition and a namespace are named; those of a plugin that has options already as well", async () => {
    const options =
      '{ ["undoDeletions"]: true, ...(process.env.VIEWS ? { savedViews: true } : {}), exports: { keepHours: 2 } }';
    const config = listOf(`resources(${options})`, importsOf(["exports"]), "  exports({ keepHours: 1 }),\n");
    const { text, ran } = await upgraded({ [CONFIG]: config });
    assert.is(ran.code, 1);
    assert.match(ran.err, 'resources() is given "undoDeletions" by an expression. Add undo()');
    assert.match(ran.err, 'resources() is given "savedViews" by an expression. Add savedViews()');
    assert.match(ran.err, '"exports": exports() has options already');
    assert.match(text, `resources(${options}),`);
    const filled = await upgraded({ [CONFIG]: config.replace("exports({ keepHours: 1 })", "exports()") });
    assert.match(listed(filled.text), "  exports({ keepHours: 2 }),\n");
    assert.match(filled.text, "...(process.env.VIEWS ? { savedViews: true } : {}) }),");
    const namespace = listOf("all.resources({ savedViews: true })").replace("{ resources }", "* as all");
    const unread = await upgraded({ [CONFIG]: namespace });
    assert.is(unread.ran.code, 1);
    assert.match(unread.ran.err, "all.resources() is not read. Import { resources } by its name");
    assert.is(unread.text, namespace);
  });
  it("A list that another function builds is left, with the lines to add", async () => {
    const source = listOf("resources({ savedViews: true })")
      .replace("definePlugins([", "definePlugins(Array.of(")
      .replace("]);", "));");
    const { text, ran } = await upgraded({ [CONFIG]: source });
    assert.is(ran.code, 1);
    assert.match(ran.err, 'Add search() of "framewright/plugins/search"');
    assert.match(ran.err, 'Add savedViews() of "framewright/plugins/saved_views" to the list');
    assert.is(text, source);
  });
  it("Names of fields and components are imported from their own plugin, values and types, and types are declared there", async () => {
    const { app, ran } = await upgraded({
      "lib/tint.ts": `import { html } from "framewright";
import {
  contains,
  defineFieldType, // beside it
  type FieldType as Kind,
  Policy,
} from "framewright/plugins/resources";
import { chrome, hidden, type Refused } from "framewright/plugins/resources/toolkit";
import type { FieldOptions, ChoiceList } from "framewright/plugins/resources";

declare module "framewright/plugins/resources" {
  interface FieldTypes {
    tint: string;
  }
}
// import { defineFieldType } from "framewright/plugins/resources"; in a comment
export const tint: Kind<string> = defineFieldType<string>({ display: (value) => html\`<b>\${value}</b>\` });
export const options: FieldOptions = { as: "tint" };
export const list: ChoiceList = [hidden("a", "b")];
export const wrong: Refused = { problem: "is wrong" };
export type Input = import("framewright/plugins/resources").InputOptions;
export const all = [contains, chrome, Policy];
`,
      "lib/mixed.ts": `import * as resources from "framewright/plugins/resources";

declare module "framewright/plugins/resources" {
  interface FieldTypes {
    shade: string;
  }
  interface DefinitionMacros {
    shade(name: string): void;
  }
}
export const box = resources.inputBox("text");
`,
    });
    const tint = read(app, "lib/tint.ts");
    assert.match(
      tint,
      'import { defineFieldType, type FieldType as Kind } from "framewright/plugins/fields";\nimport { chrome }',
    );
    assert.match(tint, 'import { hidden, type Refused } from "framewright/plugins/fields/toolkit";');
    assert.match(tint, '\nimport type { FieldOptions, ChoiceList } from "framewright/plugins/fields";');
    assert.match(tint, 'declare module "framewright/plugins/fields" {\n  interface FieldTypes {');
    assert.match(tint, 'import("framewright/plugins/fields").InputOptions');
    assert.match(tint, /import \{\n {2}contains,[^}]*Policy,\n\} from "framewright\/plugins\/resources";/);
    assert.match(tint, '// import { defineFieldType } from "framewright/plugins/resources"; in a comment');
    assert.is(ran.code, 1);
    assert.match(ran.err, "lib/mixed.ts:1");
    assert.match(ran.err, 'Write inputBox, with import { inputBox } from "framewright/plugins/fields";');
    assert.match(ran.err, 'Give it a block of its own: declare module "framewright/plugins/fields"');
    rmSync(join(app, "lib/mixed.ts"));
    assert.match((await fwOk(app, "upgrade")).out, "There is nothing to rewrite.");
    await boots(app);
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
  it("Services that are taken by other forms are named, each once", async () => {
    const { ran } = await upgraded({
      "app/jobs/sweep.ts": `import type { Application } from "framewright/host";
export const sweep = ({ kernel }: Application) => {
  const resources = kernel.service("resources");
  const { background, registry } = kernel.service("resources");
  console.log(\`\${kernel.service("resources").background}\`, 'kernel.service("resources").background');
  return [resources.imports, background, registry, kernel.service("resources").deletions?.store];
};
`,
    });
    assert.is(ran.code, 1);
    const left = ran.err.match(/app\/jobs\/sweep\.ts:\d+: the member \w+/g) ?? [];
    assert.equal(left.sort(), [
      "app/jobs/sweep.ts:4: the member background",
      "app/jobs/sweep.ts:5: the member background",
      "app/jobs/sweep.ts:6: the member deletions",
      "app/jobs/sweep.ts:6: the member imports",
    ]);
  });
  it("PostgreSQL that was copied from the example is imported from the framework, and the copy stays", async () => {
    const copy = "export const postgres = () => undefined;\n";
    const { app, text, ran } = await upgraded({
      [CONFIG]: listOf(
        "resources()",
        'import { postgres } from "./lib/fw-postgres/index.ts";\n',
        `  postgres(),\n${lines([...nine])}`,
      ).replace("import { definePlugins", `${importsOf(nine)}import { definePlugins`),
      "lib/fw-postgres/index.ts": copy,
      "lib/drivers.ts": 'export { postgresDriver, pgliteDriver as embedded } from "fw-postgres";\n',
      "lib/own.ts": 'import { failureOf } from "./fw-postgres/index.ts";\nexport default failureOf;\n',
    });
    assert.is(ran.code, 1, "an import and the copy are left for a person");
    assert.match(text, 'import { postgres } from "framewright/plugins/postgres";');
    assert.not.match(text, "fw-postgres");
    assert.is(read(app, "lib/fw-postgres/index.ts"), copy);
    assert.is(
      read(app, "lib/drivers.ts"),
      'export { postgresDriver, pgliteDriver as embedded } from "framewright/plugins/postgres";\n',
    );
    assert.match(read(app, "lib/own.ts"), 'from "./fw-postgres/index.ts"');
    assert.match(ran.err, "lib/fw-postgres/index.ts:1: this copy is not used any more, with what was changed in it");
    assert.match(ran.err, 'lib/own.ts:1: "./fw-postgres/index.ts" is "framewright/plugins/postgres" now');
    await fwOk(app, "plugins", "--json");
  });
  it("Actions that named the frame of the dialog open in it, and comments stay", async () => {
    const file = "app/definitions/post_definition.ts";
    const definition = (
      edit: string,
      wizard: string,
    ) => `import { ResourceDefinition } from "framewright/plugins/resources";
export default class PostDefinition extends ResourceDefinition {
  override configure() {
    super.configure();
    // turboFrame: "modal" opened it in the dialog
    this.action("edit", { ${edit} });
    this.action("new", { ${wizard}, position: 5 });
  }
}
`;
    const { app } = await upgraded({ [file]: definition('turboFrame: "modal"', "turboFrame:'modal'") });
    assert.is(read(app, file), definition('open: "dialog"', "open:'dialog'"));
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
  it("--help has an example", async () => {
    const { out } = await fwOk(made, "upgrade", "--help");
    assert.match(out, "fw upgrade --dry-run");
    assert.ok(existsSync(join(made, CONFIG)));
  });
});
