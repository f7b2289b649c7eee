import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { fwOk, newApp, runFw } from "./support.ts";

const clock = `
import { definePlugin } from "framewright/kernel";
import { join } from "node:path";
export const clock = () => definePlugin({
  name: "clock",
  apply({ hooks }) {
    hooks.kernel.boot.tapPromise("clock", async () => { throw new Error("nothing may be connected for a generator"); });
    hooks.kernel.generators.tap("clock", (registry) => registry.add({
      name: "clock:face",
      summary: "Make a face",
      example: "fw generate clock:face round --hands=3",
      args: "<shape>",
      options: { hands: { summary: "How many", value: "NUMBER" } },
      directory: join(import.meta.dirname, "clock"),
      run: ({ args, options, template }) => template("lib/" + args[0] + ".ts", "face.ts", { hands: options.hands ?? "2" }),
    }));
  },
});
`;

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

  it("are listed beside the framework's", async () => {
    const { out } = await fwOk(app, "g");
    assert.match(out, "clock:face");
    assert.match(out, "Make a face");
    assert.match(out, "fw:pkg:portal");
  });

  it("run under their own name, with their options, dry run and refusals", async () => {
    const dry = await fwOk(app, "g", "clock:face", "round", "--dry-run");
    assert.match(dry.out, "+export const hands = 2;");
    await fwOk(app, "g", "clock:face", "round", "--hands=3");
    assert.is(readFileSync(join(app, "lib/round.ts"), "utf8"), "export const hands = 3;\n");
    const { code, err } = await runFw(app, "g", "clock:face", "round", "--hand=3");
    assert.is(code, 2);
    assert.match(err, 'Did you mean "--hands"?');
  });

  it("may be misspelt, and the near one is named", async () => {
    const { code, err } = await runFw(app, "g", "clock:fase");
    assert.is(code, 2);
    assert.match(err, 'Did you mean "clock:face"?');
  });

  it("that can't be asked for do not hide the framework's, and say why", async () => {
    writeFileSync(join(app, "clock.ts"), 'throw new Error("broken by hand");\nexport const clock = () => undefined;\n');
    const { code, out, err } = await runFw(app, "g");
    assert.is(code, 0);
    assert.match(out, "fw:pkg:portal");
    assert.match(err, "broken by hand");
    assert.is((await runFw(app, "g", "nope:x")).code, 2);
  });
});
