import { randomBytes } from "node:crypto";
import { writeApp } from "../support/apps.ts";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";

const files = {
  "package.json": `{ "name": "shop", "type": "module" }`,
  "plugins.config.ts": `import { definePlugins } from "framewright/kernel"; import { assets } from "framewright/plugins/assets"; import { i18n } from "framewright/plugins/i18n";
    import { layout } from "framewright/plugins/layout"; import { sessions } from "framewright/plugins/sessions"; import { views } from "framewright/plugins/views";
    export default definePlugins([i18n(), views(), assets(), layout(), sessions()]);`,
  "config/routes.ts": `import { drawRoutes } from "framewright";
    export default drawRoutes((routes) => {
      routes.get("pay/:token", { to: "payments#show" });
      for (const name of ["busy", "later", "soon"]) routes.get(name, { to: "payments#" + name });
    });`,
  "app/controllers/payments_controller.ts": `import { BaseController, HttpError, tooManyRequests } from "framewright";
import { charge } from "../charge.ts";
export default class PaymentsController extends BaseController {
  static override guests = "admit" as const;
  show() {
    return charge(this.params.string("card")!);
  }
  busy() { throw tooManyRequests(40); }
  later() { throw tooManyRequests(3000); }
  soon() { throw new HttpError(429, "FW_BUSY", "busy."); }
}`,
  "app/charge.ts": `export function charge(card: string): never {
  try {
    throw new RangeError("no <bank> answers");
  } catch (cause) {
    throw new Error("the card could not be charged", { cause });
  }
}`,
};
const html = { accept: "text/html" };
/** The id by which the log names the request. */
const REFERENCE = /Reference <code>([\da-f-]{36})<\/code>/;

describe("Error pages", (it) => {
  const withApp = async (NODE_ENV: string, story: (get: (path: string) => Promise<Response>) => Promise<void>) => {
    const app = await serveApp(writeApp(files), {
      NODE_ENV,
      LOG_LEVEL: "silent",
      SECRET_KEY_BASE: randomBytes(32).toString("hex"),
      ALLOWED_HOSTS: "127.0.0.1",
    });
    try {
      await story((path) => fetch(app.url + path, { headers: html }));
    } finally {
      app.child.kill("SIGTERM");
      await exitOf(app.child);
    }
  };

  it("In development the page of a failure shows the line of the application, its causes, and what was asked without values", () =>
    withApp("development", async (get) => {
      const answer = await get("/pay/Secret-Token-1?card=4242424242424242");
      assert.is(answer.status, 500);
      const page = await answer.text();
      assert.match(page, /<h1>Error<\/h1>\s*<p[^>]*>the card could not be charged</);
      assert.match(page, /<h2>Caused by RangeError<\/h2>\s*<p[^>]*>no &lt;bank&gt; answers</);
      assert.match(page, /<li value="5" aria-current="true"><code> {4}throw new Error\(&quot;the card/);
      assert.match(page, /<li value="3" aria-current="true"><code> {4}throw new RangeError/);
      assert.match(page, /<code>app\/controllers\/payments_controller\.ts:6<\/code>/);
      assert.match(page, /\d+ lines of the framework, of libraries and of Node/);
      assert.match(page, /GET \/pay\/\[token\]/);
      assert.match(page, /GET \/pay\/:token to payments#show/);
      assert.match(page, /<th scope="row">Query<\/th><td><code>card</);
      for (const secret of ["4242424242424242", "Secret-Token-1"]) assert.not(page.includes(secret), secret);
    }));

  it("In production nothing of a failure is shown but where to find it in the log", () =>
    withApp("production", async (get) => {
      const page = await (await get("/pay/x?card=1")).text();
      assert.match(page, /Something went wrong on our side/);
      const [id, other] = [page, await (await get("/pay/x?card=1")).text()].map((text) => REFERENCE.exec(text)?.[1]);
      assert.ok(id && other && id !== other, `${id}, ${other}`);
      assert.not.match(await (await get("/nowhere")).text(), REFERENCE);
      for (const word of ["charge", "RangeError", "bank", "controllers", "fw-failure"])
        assert.not(page.includes(word), word);
    }));

  it("A page that refuses for a time says when to try again", () =>
    withApp("production", async (get) => {
      const texts = { busy: "in 40 seconds", later: "in 50 minutes", soon: "Wait a moment, then try again" };
      for (const [path, text] of Object.entries(texts)) {
        const answer = await get(`/${path}`);
        assert.is(answer.status, 429);
        assert.match(await answer.text(), new RegExp(`too many requests in a short time\\. .*${text}`));
      }
    }));
});
