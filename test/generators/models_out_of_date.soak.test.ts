import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { fwOk, newApp, runFw } from "./support.ts";

const read = (app: string, path: string) => readFileSync(join(app, path), "utf8");

describe("Commands of an application whose models don't fit their tables", (it, { before }) => {
  let app: string;
  before(async () => {
    app = await newApp();
    await fwOk(app, "g", "fw:res:scaffold", "Post", "title");
    await fwOk(app, "db:migrate");
  });

  it("No db: command needs models that fit their tables, nor one that loads; what they print is JSON alone", async () => {
    const model = join(app, "app/models/post.ts");
    const fitting = read(app, "app/models/post.ts");
    writeFileSync(model, fitting.replace(/\n\}\s*$/, '\n  static override defaults = { heading: "x" };\n}\n'));
    for (const command of ["db:rollback", "db:migrate", "db:seed", "db:reset"]) {
      const { err } = await fwOk(app, command);
      assert.not.match(err, "FW_MODEL_SHAPE");
    }
    assert.match(read(app, "db/types.d.ts"), /posts: \{[\s\S]*title: string;/);
    await fwOk(app, "types");
    assert.match((await runFw(app, "routes")).err, "FW_MODEL_SHAPE");
    writeFileSync(model, "export default class {");
    const { out, err } = await fwOk(app, "db:migrate");
    assert.match(out, "nothing to migrate");
    assert.match(err, /db\/types\.d\.ts was not written.*\n?Then run: fw types/s);
    assert.is(JSON.parse((await fwOk(app, "db:status", "--json")).out).length, 1);
    writeFileSync(model, fitting);
    const list = read(app, "plugins.config.ts");
    writeFileSync(
      join(app, "plugins.config.ts"),
      list.replace(
        "definePlugins([",
        'definePlugins([{ name: "warner", apply: ({ hooks }) => hooks.host?.loaded.tap("warner", (app) => app.log.warn("a warning of boot")) },',
      ),
    );
    for (const command of ["routes", "doctor"]) {
      const ran = await runFw(app, command, "--json");
      assert.match(ran.err, "a warning of boot", command);
      JSON.parse(ran.out);
    }
    writeFileSync(join(app, "plugins.config.ts"), list);
  }, 240_000);
});
