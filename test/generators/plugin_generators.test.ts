import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { fwOk, newApp, runFw } from "./support.ts";

/** For each plugin: its line, and what `fw generate` knows by it alone. */
const brought = {
  "wizards()": ["fw:wizard"],
  "authlib()": [
    "fw:authlib:account",
    "fw:authlib:admin",
    "fw:authlib:upgrade",
    "fw:profile:install",
    "fw:profile:conn",
  ],
  "resources()": ["fw:res:scaffold", "fw:res:field", "fw:res:interaction", "fw:res:conn"],
};

describe("Generators of the framework's plugins", (it, { before }) => {
  let app: string;
  let config: string;
  const without = (line: string) =>
    writeFileSync(
      join(app, "plugins.config.ts"),
      config.replace(new RegExp(`^  ${line.replace("()", "\\(\\)")},\n`, "m"), ""),
    );
  const listed = async () => new Set((await fwOk(app, "generate")).out.match(/(?<=^ {2})fw:[\w:]+/gm));
  before(async () => {
    app = await newApp();
    config = readFileSync(join(app, "plugins.config.ts"), "utf8");
  });

  it("fw generate lists them while the plugin is listed", async () => {
    const names = await listed();
    for (const name of Object.values(brought).flat()) assert.ok(names.has(name), name);
  });
  for (const [line, names] of Object.entries(brought))
    it(`Without ${line}, fw generate neither lists nor runs its generators`, async () => {
      without(line);
      const known = await listed();
      for (const name of names) assert.not(known.has(name), name);
      const refused = await runFw(app, "generate", names[0]!, "Thing");
      assert.is(refused.code, 2);
      assert.match(refused.err, `there is no generator "${names[0]}"`);
      assert.match(refused.err, "while plugins.config.ts lists the plugin");
    });
  it("A generator of wizards names what adds the missing tables of runs", async () => {
    writeFileSync(join(app, "plugins.config.ts"), config);
    const steps = "--steps=company";
    assert.match(
      (await fwOk(app, "generate", "fw:wizard", "Onboard", steps)).out,
      "npx fw generate fw:wizards:install",
    );
    await fwOk(app, "generate", "fw:wizards:install");
    assert.not.match((await fwOk(app, "generate", "fw:wizard", "Leave", steps)).out, "fw:wizards:install");
  });
  it("What adds a plugin's line is known without it, and brings its generators back", async () => {
    without("wizards()");
    await fwOk(app, "generate", "fw:wizards:install");
    assert.match(readFileSync(join(app, "plugins.config.ts"), "utf8"), "  wizards(),\n");
    assert.ok((await listed()).has("fw:wizard"));
  });
});
