import { setTimeout as sleep } from "node:timers/promises";
import { writeApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { exitOf, serveApp } from "../../support/processes.ts";

describe("Compilation of templates after the start", (it) => {
  it("A views folder that cannot be read is logged, and the server keeps serving", async () => {
    const root = writeApp({
      "plugins.config.ts": `import { definePlugins } from "framewright/kernel"; import { i18n } from "framewright/plugins/i18n"; import { views } from "framewright/plugins/views"; export default definePlugins([i18n(), views()]);`,
      "config/routes.ts": `import { drawRoutes } from "framewright"; export default drawRoutes((routes) => routes.get("page", { to: "pages#show" }));`,
      "app/controllers/pages_controller.ts": `import { BaseController } from "framewright"; export default class PagesController extends BaseController { static override guests = "admit" as const; show() { return this.json("shown"); } }`,
      "app/views": "a file: reading the folder fails, as with too many open files",
    });
    const { child, url, output } = await serveApp(root, {
      NODE_ENV: "production",
      ALLOWED_HOSTS: "127.0.0.1",
      FW_VIEWS_COMPILE: "on",
    });
    try {
      for (
        let wait = 0;
        wait < 50 && !output().includes("could not be compiled in advance") && child.exitCode === null;
        wait++
      )
        await sleep(50);
      assert.is(child.exitCode, null, output());
      assert.match(output(), "a template could not be compiled in advance");
      assert.is(await (await fetch(`${url}/page`)).json(), "shown");
    } finally {
      child.kill("SIGTERM");
    }
    assert.is(await exitOf(child), 0);
  });
});
