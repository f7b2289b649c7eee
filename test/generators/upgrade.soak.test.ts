import { rmSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { fwOk } from "./support.ts";
import {
  application,
  base,
  boots,
  CONFIG,
  importsOf,
  lines,
  listed,
  listOf,
  makeApplication,
  nine,
  read,
  upgraded,
  withoutComments,
} from "./upgrades.ts";

describe("What fw upgrade rewrites", (it, { before }) => {
  before(makeApplication);

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
});
