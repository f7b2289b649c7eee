import { runFw } from "../generators/support.ts";
import { writeApp } from "../support/apps.ts";
import { assert, describe } from "../support/index.ts";

const stuck = (part: string) => ({
  "config/routes.ts": `import { drawRoutes } from "framewright"; export default drawRoutes(() => undefined);`,
  "plugins.config.ts": `import { definePlugin, definePlugins } from "framewright/kernel";
    const never = () => new Promise<never>(() => undefined);
    const stuck = definePlugin({ name: "stuck", bootWithin: 300, apply: ${part} });
    export default definePlugins([stuck]);`,
  ".env": `SECRET_KEY_BASE=${"b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19"}`,
});

describe("The boot timeout", (it) => {
  it("A boot that hangs in apply or a hook, even with an open timer, exits with 1 and an error that names the plugin", async () => {
    const parts: [string, RegExp][] = [
      ["never", /FW_APPLY_TIMEOUT.*"stuck".*300 ms/],
      [
        `({ hooks }) => hooks.kernel.boot.tapPromise("stuck", never)`,
        /FW_TAP_TIMEOUT.*"stuck".*"kernel\.boot".*300 ms/,
      ],
      [
        `({ hooks }) => { setInterval(() => undefined, 1000); hooks.kernel.boot.tapPromise("stuck", never); }`,
        /FW_TAP_TIMEOUT.*"stuck"/,
      ],
    ];
    for (const [part, expected] of parts) {
      const { code, err } = await runFw(writeApp(stuck(part)), "serve", "--port=0");
      assert.is(code, 1, err);
      assert.match(err, expected);
    }
  });
});
