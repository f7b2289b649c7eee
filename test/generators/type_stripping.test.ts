import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { newApp, spawnFw, spawnOk } from "./support.ts";

const strips = Boolean((process.features as { typescript?: unknown }).typescript);
const noStripping = strips ? undefined : "Node 22.18 or later removes types by itself";
const erasable = '"erasableSyntaxOnly": true,';
/** TypeScript that is more than its types. */
const withEnum = "\nenum Colour { red = 'an enum ran' }\nprocess.stderr.write(Colour.red);\n";

async function appWithEnum(): Promise<string> {
  const app = await newApp();
  const list = join(app, "plugins.config.ts");
  writeFileSync(list, readFileSync(list, "utf8") + withEnum);
  return app;
}

describe("An application's TypeScript", (it) => {
  it("Runs with enums where its tsconfig.json allows them", async () => {
    const app = await appWithEnum();
    const config = join(app, "tsconfig.json");
    const text = readFileSync(config, "utf8");
    assert.match(text, erasable);
    writeFileSync(config, text.replace(erasable, ""));
    assert.match((await spawnOk(app, "routes")).err, "an enum ran");
  });
  it.unless(noStripping, "Is run by Node itself where its tsconfig.json allows nothing but types", async () => {
    const { code, out, err } = await spawnFw(await appWithEnum(), "routes");
    assert.is(code, 1);
    assert.match(out + err, "TypeScript enum is not supported in strip-only mode");
  });
  it.unless(noStripping, "Its tests run without a loader", async () => {
    const app = await newApp();
    mkdirSync(join(app, "test"), { recursive: true });
    writeFileSync(
      join(app, "test/plain.test.ts"),
      `import { strict as assert } from "node:assert";
import { test } from "node:test";
const sum = (a: number, b: number): number => a + b;
test("adds", () => assert.equal(sum(1, 2), 3));
`,
    );
    assert.match((await spawnOk(app, "test")).out, /^[#ℹ] pass 1$/m);
  });
});
