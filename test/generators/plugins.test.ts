import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { ensureBuilt, fwOk, newApp, runCommand, runFw } from "./support.ts";

const clock = `
import { definePlugin } from "framewright/kernel";
import { join } from "node:path";
export const clock = () => definePlugin({
  name: "clock",
  apply() { throw new Error("nothing may be applied for a generator"); },
  generators: {
    "clock:face": {
      name: "clock:face",
      summary: "Make a face",
      example: "fw generate clock:face round --hands=3",
      args: "<shape>",
      options: { hands: { summary: "How many", value: "NUMBER" } },
      directory: join(import.meta.dirname, "clock"),
      run: ({ args, options, template }) => template("lib/" + args[0] + ".ts", "face.ts", { hands: options.hands ?? "2" }),
    },
  },
});
`;

describe("A typed plugin's generators in an application that fw new made", (it) => {
  const typed = `
import { defineGenerator } from "framewright/generators";
import { definePlugin } from "framewright/kernel";
const face = defineGenerator({
  name: "clock:face",
  summary: "Make a face",
  example: "fw generate clock:face round --hands=3",
  options: { hands: { summary: "How many", value: "NUMBER" } },
  directory: import.meta.dirname,
  run({ options, changes }) {
    const hands: string = options.hands ?? "2";
    changes.create("lib/face.ts", \`export const hands = \${hands};\\n\`);
  },
});
export const clock = () =>
  definePlugin({
    name: "clock",
    requires: ["host"],
    generators: { "clock:face": face },
    apply() {},
  });
`;
  it("A plugin's generator is listed, runs and type-checks beside the plugins of a new application", async () => {
    await ensureBuilt();
    const app = await newApp();
    mkdirSync(join(app, "app/plugins"));
    writeFileSync(join(app, "app/plugins/clock.ts"), typed);
    const config = readFileSync(join(app, "plugins.config.ts"), "utf8");
    writeFileSync(
      join(app, "plugins.config.ts"),
      `import { clock } from "./app/plugins/clock.ts";\n${config.replace("definePlugins([", "definePlugins([clock(), ")}`,
    );
    const { out, err } = await fwOk(app, "g");
    assert.match(out, "clock:face");
    assert.is(err, "");
    await fwOk(app, "g", "clock:face", "--hands=3");
    assert.is(readFileSync(join(app, "lib/face.ts"), "utf8"), "export const hands = 3;\n");
    const tsc = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");
    const checked = await runCommand(process.execPath, [tsc, "-p", "tsconfig.json"], app);
    assert.is(checked.code, 0, checked.out);
  });
});

describe("A plugin's generators", (it, { before }) => {
  let app: string;
  before(async () => {
    app = await newApp();
    mkdirSync(join(app, "clock/templates"), { recursive: true });
    writeFileSync(join(app, "clock.ts"), clock);
    writeFileSync(join(app, "clock/templates/face.ts.liquid"), "export const hands = {{ hands }};\n");
    writeFileSync(
      join(app, "plugins.config.ts"),
      'import { definePlugins } from "framewright/kernel";\nimport { clock } from "./clock.ts";\nexport default definePlugins([clock()]);\n',
    );
  });

  it("A plugin's generator is listed with its summary beside those of the framework", async () => {
    const { out } = await fwOk(app, "g");
    assert.match(out, "clock:face");
    assert.match(out, "Make a face");
    assert.match(out, "fw:pkg:portal");
  });

  it("A plugin's generator runs with its options and a dry run, and exits 2 for an unknown option", async () => {
    const dry = await fwOk(app, "g", "clock:face", "round", "--dry-run");
    assert.match(dry.out, "+export const hands = 2;");
    await fwOk(app, "g", "clock:face", "round", "--hands=3");
    assert.is(readFileSync(join(app, "lib/round.ts"), "utf8"), "export const hands = 3;\n");
    const { code, err } = await runFw(app, "g", "clock:face", "round", "--hand=3");
    assert.is(code, 2);
    assert.match(err, 'Did you mean "--hands"?');
  });

  it("A misspelt name of a plugin's generator exits 2 with a suggestion", async () => {
    const { code, err } = await runFw(app, "g", "clock:fase");
    assert.is(code, 2);
    assert.match(err, 'Did you mean "clock:face"?');
  });

  it("A plugin that fails to load leaves the framework's generators listed, and its error is printed", async () => {
    writeFileSync(join(app, "clock.ts"), 'throw new Error("broken by hand");\nexport const clock = () => undefined;\n');
    const { code, out, err } = await runFw(app, "g");
    assert.is(code, 0);
    assert.match(out, "fw:pkg:portal");
    assert.match(err, "broken by hand");
    assert.is((await runFw(app, "g", "nope:x")).code, 2);
  });
});
