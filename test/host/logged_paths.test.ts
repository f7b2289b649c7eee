import { writeApp } from "../support/apps.ts";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";

const files = {
  "plugins.config.ts": `import { definePlugins } from "framewright/kernel"; export default definePlugins([]);`,
  "config/routes.ts": `import { drawRoutes } from "framewright";
    export default drawRoutes((routes) => {
      routes.get("join/:token/:step", { to: "pages#show" });
      routes.get("feeds/:feed_key", { to: "pages#show" });
      routes.get("broken/:token", { to: "pages#broken" });
      routes.get("late/:token", { to: "pages#late" });
      routes.get("posts/:id", { to: "pages#show" });
    });`,
  "app/controllers/pages_controller.ts": `import { BaseController } from "framewright";
    export default class PagesController extends BaseController {
      static override guests = "admit" as const;
      show() { return this.json({}); }
      broken() { throw new Error("out of order"); }
      late() { return new Promise(() => undefined); }
    }`,
};
const token = "Zm9vYmFy-MARKED0_c2VjcmV0";

describe("Logged paths", (it) => {
  it("A secret in a path or query never appears in the log, whatever the outcome of the request", async () => {
    const values = { NODE_ENV: "production", ALLOWED_HOSTS: "127.0.0.1", REQUEST_DEADLINE: "300" };
    const { child, url, output } = await serveApp(writeApp(files), values);
    const paths = [
      "join/TOKEN/company",
      "feeds/TOKEN",
      "broken/TOKEN",
      "late/TOKEN",
      "nothing/TOKEN/here",
      "join/TOKEN",
    ];
    for (const path of paths) await fetch(`${url}/${path.replace("TOKEN", token)}?key=${token}`);
    await fetch(`${url}/join/${token.replace("-", "%2D")}/company`);
    await fetch(`${url}/join/${token}/company`, { method: "POST" });
    await fetch(`${url}/posts/17`, { headers: { referer: `${url}/join/${token}/company` } });
    child.kill("SIGTERM");
    await exitOf(child);
    const log = output();
    assert.not.match(log, /MARKED/);
    for (const path of ["/join/[token]/company", "/feeds/[feed_key]", "/broken/[token]", "/late/[token]", "/posts/17"])
      assert.ok(log.includes(`"${path}"`) || log.includes(`GET ${path}`), `${path}\n${log}`);
    assert.match(log, "out of order");
  });
  it("The Referrer-Policy header keeps paths from other sites", async () => {
    const { child, url } = await serveApp(writeApp(files));
    const answer = await fetch(`${url}/join/${token}/company`);
    assert.match(answer.headers.get("referrer-policy") ?? "", /^(strict-origin-when-cross-origin|same-origin)$/);
    child.kill("SIGTERM");
    await exitOf(child);
  });
});
