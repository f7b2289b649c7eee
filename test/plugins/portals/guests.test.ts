import { openApp, type TestApp, writeApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";

// Who may come in is said in one visible word. What says nothing refuses.

const plugins = `import { definePlugin, definePlugins } from "framewright/kernel"; import standard from "framewright/plugins.config";
  const badge = (name: string, options?: { guests?: "admit" }) => definePlugin({ name, requires: ["host"], apply({ services, hooks }) {
    services.host.authModes.add(name, options);
    hooks.kernel.authenticate.tap(name, (request) => (request as { authentication?: { mode: string } }).authentication?.mode === name ? null : undefined);
  } });
  export default definePlugins([...standard, badge("badge"), badge("guestbook", { guests: "admit" })]);`;
const controller = (name: string, chain: string, body = "") =>
  `import { AuthenticatedBy, BaseController, concern } from "framewright"; import { CurrentUser, PublicAccess } from "framewright/plugins/portals";
   export default class ${name}Controller extends concern(BaseController, ${chain}) { ${body} index() { return this.json({ in: true }); } create() { return this.json({ in: true }); } } void [AuthenticatedBy, CurrentUser, PublicAccess];`;
const nobody = "CurrentUser(async () => undefined)";
const controllers: Record<string, string> = {
  silent: `import { BaseController } from "framewright"; export default class SilentController extends BaseController { index() { return this.json({ in: true }); } create() { return this.json({ in: true }); } }`,
  inviting: controller("Inviting", "(Base) => Base", `static override guests = "admit" as const;`),
  open: controller("Open", "PublicAccess"),
  badge: controller("Badge", `AuthenticatedBy("badge")`),
  badge_or_nobody: controller("BadgeOrNobody", `AuthenticatedBy("badge", { guests: "admit" })`),
  guestbook: controller("Guestbook", `AuthenticatedBy("guestbook")`),
  closed_guestbook: controller("ClosedGuestbook", `AuthenticatedBy("guestbook", { guests: "refuse" })`),
  key: controller("Key", `PublicAccess, ${nobody}`),
  key_or_nobody: controller("KeyOrNobody", `CurrentUser(async () => undefined, { guests: "admit" })`),
  challenge: controller("Challenge", `CurrentUser(async () => undefined, { challenge: "ApiKey" })`),
  failing: controller("Failing", `CurrentUser(async () => { throw new Error("the directory is away"); })`),
  away: controller("Away", `CurrentUser(async () => { throw new Error("the directory is away"); }, { failure: 503 })`),
};
const admitted = ["inviting", "open", "badge_or_nobody", "guestbook", "key_or_nobody"];
const refused = ["silent", "badge", "closed_guestbook", "key", "challenge"];
const names = Object.keys(controllers);

describe("a controller, whose visitor is nobody", (it, { before, after }) => {
  let app: TestApp;
  const said: string[] = [];
  before(async () => {
    const root = writeApp({
      "plugins.config.ts": plugins,
      "config/routes.ts": `import { drawRoutes } from "framewright"; export default drawRoutes((routes) => { for (const name of ${JSON.stringify(names)}) { routes.get(name, { to: name + "#index" }); routes.post(name, { to: name + "#create" }); } });`,
      ...Object.fromEntries(names.map((name) => [`app/controllers/${name}_controller.ts`, controllers[name]!])),
    });
    app = await openApp(root);
    app.application.log.error = ((...parts: unknown[]) => void said.push(String(parts[1]))) as never;
  });
  after(() => app.close());
  const ask = (name: string, accept: string, method = "GET") =>
    app.request(`/${name}`, {
      method,
      headers: { accept, ...(method === "GET" ? {} : { "content-type": "application/json" }) },
      ...(method === "GET" ? {} : { body: "{}" }),
    });

  it("answers only where the controller, or its mode of authentication, says that guests are admitted", async () => {
    for (const method of ["GET", "POST"])
      for (const accept of ["application/json", "text/html"]) {
        for (const name of admitted)
          assert.is((await ask(name, accept, method)).status, 200, `${method} ${name} ${accept}`);
        for (const name of refused)
          assert.is((await ask(name, accept, method)).status, 401, `${method} ${name} ${accept}`);
      }
  });
  it("is told what to bring: programs by WWW-Authenticate and a problem, people by a page", async () => {
    const answer = await ask("key", "application/json");
    assert.is(answer.headers.get("www-authenticate"), "Bearer");
    assert.is(((await answer.json()) as { code: string }).code, "FW_UNAUTHORIZED");
    assert.is((await ask("challenge", "application/json")).headers.get("www-authenticate"), "ApiKey");
    const page = await ask("key", "text/html");
    assert.match(page.headers.get("content-type") ?? "", "text/html");
    assert.match(await page.text(), "<h1");
  });
  it("is answered 500 where the function of its own fails, or 503 where it says so, and the log names who failed", async () => {
    assert.is((await ask("failing", "application/json")).status, 500);
    const away = await ask("away", "application/json");
    assert.is(away.status, 503);
    assert.ok(away.headers.get("retry-after"));
    assert.is((await ask("away", "text/html")).status, 503);
    const error = said.find((text) => text.includes("FailingController"));
    assert.match(error ?? "", /FW_CURRENT_USER.*FailingController.*the directory is away/);
  });
  it("stands in the list of routes", () => {
    const listed = new Map(app.application.routes().map(({ verb, path, guests }) => [`${verb} ${path}`, guests]));
    for (const name of admitted)
      assert.equal([listed.get(`GET /${name}`), listed.get(`POST /${name}`)], ["read", "write"]);
    for (const name of refused)
      assert.equal([listed.get(`GET /${name}`), listed.get(`POST /${name}`)], ["refuse", "refuse"], name);
  });
});
