import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { createKey } from "../api_keys/keys_app.ts";
import { agent, mcpFiles, openMcp } from "./mcp_app.ts";

const place = "/customer/1/mcp";
const secret = "postgres://shop:s3cret@10.0.0.5/shop";
const files: Record<string, string> = {
  "lib/broken.ts": `import { definePlugin } from "framewright/kernel"; import type {} from "framewright/plugins/mcp";
    export const broken = definePlugin({ name: "broken", requires: ["host"], apply({ hooks }) {
      hooks.mcp?.offered.tap("broken", ({ tool }) => { if (globalThis.isBroken && tool.name === "getPost") throw new Error("${secret}"); return undefined; });
    } });`,
  "plugins.config.ts": edited(
    mcpFiles,
    "plugins.config.ts",
    ["import standard", 'import { broken } from "./lib/broken.ts"; import standard'],
    ["mcp(),", "mcp(), broken,"],
  ),
};

describe("Mistakes of an application behind the tools of agents", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openMcp({}, files);
  });
  after(async () => {
    delete (globalThis as { isBroken?: boolean }).isBroken;
    await app?.close();
  });

  it("Their messages are logged as errors, and shown to no client", async () => {
    const ann = await agent(app, place, (await createKey(app, "ann", "*:read")).key);
    const { log } = app.application as unknown as { log: { error(...given: unknown[]): void } };
    const logged: unknown[][] = [];
    const before = log.error;
    log.error = (...given) => void logged.push(given);
    (globalThis as { isBroken?: boolean }).isBroken = true;
    try {
      for (const send of [
        () => ann.call("getPost", { id: 1 }),
        () => ann.names(),
        () => ann.client.readResource({ uri: "records://CustomerPortal/posts/1" }),
      ]) {
        const error = await send().then(
          () => new Error("it passed"),
          (reason: Error) => reason,
        );
        assert.match(error.message, "went wrong");
        assert.not.match(error.message, "s3cret");
      }
      assert.is(logged.length, 3);
      assert.match(String((logged[0]![0] as { err?: Error }).err?.message ?? logged[0]), "s3cret");
    } finally {
      log.error = before;
      (globalThis as { isBroken?: boolean }).isBroken = false;
    }
    assert.is((await ann.call("getPost", { id: 1 })).isError, false);
  });
});
