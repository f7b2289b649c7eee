import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf, openShop, shopFiles } from "../../support/shop.ts";

const config = "plugins.config.ts";
/** Two plugins that listen to records: the first fails in one way or another, the second writes down what it hears. */
const listening = (fails: string) => ({
  [config]: edited(
    shopFiles,
    config,
    ["resources(),\n]", "resources(), broken, listener]"],
    [
      "export default",
      `import { definePlugin } from "framewright/kernel"; import { ValidationError } from "framewright/plugins/database"; import { HttpError } from "framewright"; export const heard: string[] = [];
     const broken = definePlugin({ name: "broken", requires: ["resources"], apply({ hooks }) { hooks.resources.record.tapPromise("broken", async () => { ${fails} }); } });
     const listener = definePlugin({ name: "listener", requires: ["resources"], apply({ hooks }) { hooks.resources.record.tapPromise("listener", async ({ kind }) => { (globalThis as any).heardKinds.push(kind); }); } });
     export default`,
    ],
  ),
});
const heard: string[] = [];
(globalThis as unknown as { heardKinds: string[] }).heardKinds = heard;
const posts = "/admin/blogging/posts";
const json = { accept: "application/json", "content-type": "application/json" };

function logOf(app: TestApp): string[] {
  const lines: string[] = [];
  const { log } = app.application;
  const error = log.error.bind(log) as (...args: unknown[]) => void;
  log.error = ((facts: object, message: string) => {
    lines.push(message);
    error(facts, message);
  }) as typeof log.error;
  return lines;
}

describe("A plugin that fails at a public event", (it) => {
  for (const fails of [
    'throw new Error("broke")',
    'throw new ValidationError("Post", { title: [{ key: "errors.taken", vars: {}, message: "has been taken" }] })',
    'throw new HttpError(409, "FW_X", "a conflict")',
  ])
    it(`A plugin that fails with ${fails.slice(0, 40)} is named in the log, and other plugins and answers are unaffected`, async () => {
      const app = await openShop(listening(fails));
      try {
        const lines = logOf(app);
        heard.length = 0;
        const body = (title: string) => JSON.stringify({ blogging_post: { title } });
        assert.is((await app.request(posts, { method: "POST", headers: json, body: body("Kept") })).status, 201);
        assert.is((await app.request(`${posts}/1`, { method: "PATCH", headers: json, body: body("New") })).status, 200);
        assert.is((await app.request(`${posts}/1`, { method: "DELETE", headers: json })).status, 204);
        assert.equal(heard, ["created", "updated", "destroyed"]);
        assert.is(lines.length, 3);
        for (const line of lines) assert.match(line, 'the plugin "broken" failed at resources.record');
        assert.is(await databaseOf(app.application).knex("blogging_posts").first(), undefined);
      } finally {
        await app.close();
      }
    });
});

describe("An application without a layout", (it) => {
  it("An application whose pages would be fragments, without the plugin layout, is refused with the line to add", async () => {
    const without = edited(
      shopFiles,
      config,
      ["  layout(),\n", ""],
      ['import { layout } from "framewright/plugins/layout";', ""],
    );
    const error = await throwsCode("FW_LAYOUT_MISSING", () => openShop({ [config]: without }));
    assert.match(error.message, "Add layout() to plugins.config.ts");
  });
});
