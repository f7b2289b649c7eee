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

describe("Guests of a controller", (it, { before, after }) => {
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
      ...(["GET", "HEAD"].includes(method) ? {} : { body: "{}" }),
    });

  it("A guest is admitted where the controller or its authentication mode admits guests, and gets 401 elsewhere", async () => {
    for (const method of ["GET", "POST"])
      for (const accept of ["application/json", "text/html"]) {
        for (const name of admitted)
          assert.is((await ask(name, accept, method)).status, 200, `${method} ${name} ${accept}`);
        for (const name of refused)
          assert.is((await ask(name, accept, method)).status, 401, `${method} ${name} ${accept}`);
      }
  });
  it("A refused guest gets WWW-Authenticate and a problem document as JSON, and a page as HTML", async () => {
    const answer = await ask("key", "application/json");
    assert.is(answer.headers.get("www-authenticate"), "Bearer");
    assert.is(((await answer.json()) as { code: string }).code, "FW_UNAUTHORIZED");
    assert.is((await ask("challenge", "application/json")).headers.get("www-authenticate"), "ApiKey");
    const page = await ask("key", "text/html");
    assert.match(page.headers.get("content-type") ?? "", "text/html");
    assert.match(await page.text(), "<h1");
  });
  it("A CurrentUser function that throws gets 500, or 503 where configured, and the log names its controller", async () => {
    assert.is((await ask("failing", "application/json")).status, 500);
    const away = await ask("away", "application/json");
    assert.is(away.status, 503);
    assert.ok(away.headers.get("retry-after"));
    assert.is((await ask("away", "text/html")).status, 503);
    const error = said.find((text) => text.includes("FailingController"));
    assert.match(error ?? "", /FW_CURRENT_USER.*FailingController.*the directory is away/);
  });
  it("The list of routes states where guests are admitted", () => {
    const listed = new Map(app.application.routes().map(({ verb, path, guests }) => [`${verb} ${path}`, guests]));
    for (const name of admitted)
      assert.equal([listed.get(`GET /${name}`), listed.get(`POST /${name}`)], ["read", "write"]);
    for (const name of refused)
      assert.equal([listed.get(`GET /${name}`), listed.get(`POST /${name}`)], ["refuse", "refuse"], name);
  });
});

const inPortal = (name: string, body = "") =>
  `import { BaseController } from "framewright"; import Controller from "./concerns/controller.ts";
   export default class ${name}Controller extends Controller(BaseController) { ${body} index() { return this.json({ in: true }); } create() { return this.json({ in: true }); } }`;
const folder = "packages/open_portal";
const portal = (chain: string) => ({
  "config/routes.ts": `import { drawRoutes } from "framewright"; import { OpenPortal } from "#packages/open_portal/lib/engine.ts"; export default drawRoutes((routes) => { routes.mount(OpenPortal, { at: "/open" }); });`,
  [`${folder}/lib/engine.ts`]: `import { definePortal } from "framewright/plugins/portals"; export const OpenPortal = definePortal("OpenPortal");`,
  [`${folder}/config/routes.ts`]: `import { OpenPortal } from "../lib/engine.ts";
    export default OpenPortal.routes.draw((routes) => { for (const name of ["plain", "letters"]) { routes.get(name, { to: name + "#index" }); for (const verb of ["post", "put", "patch", "delete"] as const) routes[verb](name, { to: name + "#create" }); } });`,
  [`${folder}/app/controllers/open_portal/concerns/controller.ts`]: `import { concern, type ControllerClass } from "framewright"; import { CurrentUser, PortalController, PublicAccess } from "framewright/plugins/portals"; void [CurrentUser, PublicAccess];
    export default <B extends ControllerClass>(Base: B) => concern(Base, PortalController, ${chain});`,
  [`${folder}/app/controllers/open_portal/plain_controller.ts`]: inPortal("Plain"),
  [`${folder}/app/controllers/open_portal/letters_controller.ts`]: inPortal(
    "Letters",
    `static override guests = "admit" as const;`,
  ),
});
const verbs = ["POST", "PUT", "PATCH", "DELETE"];

describe("Plain controllers of a portal without sign-in", (it) => {
  const withPortal = async (chain: string, story: (app: TestApp, said: string[]) => Promise<void>) => {
    const app = await openApp(writeApp({ "plugins.config.ts": plugins, ...portal(chain) }));
    const said: string[] = [];
    app.application.log.warn = ((...parts: unknown[]) => void said.push(String(parts.at(-1)))) as never;
    await story(app, said).finally(() => app.close());
  };
  const status = async (app: TestApp, method: string, path: string, headers: Record<string, string> = {}) =>
    (
      await app.request(`/open/${path}`, {
        method,
        headers: {
          accept: "application/json",
          ...(method === "GET" ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(["GET", "HEAD"].includes(method) ? {} : { body: "{}" }),
      })
    ).status;

  it("A guest of a public portal may read, and gets 401 for writes unless the controller admits guests", async () => {
    await withPortal("PublicAccess", async (app, said) => {
      for (const name of ["plain", "letters"]) assert.is(await status(app, "GET", name), 200);
      assert.is(await status(app, "HEAD", "plain"), 200);
      for (const verb of verbs) {
        assert.is(await status(app, verb, "plain"), 401, verb);
        assert.is(await status(app, verb, "letters"), 200, verb);
      }
      assert.is(await status(app, "POST", "plain", { "x-http-method-override": "GET" }), 401);
      assert.is(said.filter((text) => /PlainController refused a guest's POST.*guests = "admit"/.test(text)).length, 1);
      const listed = app.application.routes().map(({ verb, path, guests }) => `${verb} ${path} ${guests}`);
      for (const verb of verbs) {
        assert.ok(listed.includes(`${verb} /open/plain refuse`), verb);
        assert.ok(listed.includes(`${verb} /open/letters write`), verb);
      }
      assert.ok(listed.includes("GET /open/plain read"));
    });
  });
  it("A portal with a CurrentUser function admits guests to writes only if it is configured to", async () => {
    const some = `CurrentUser(async (request) => (request.header("x-user") ? { id: 1 } : undefined)`;
    await withPortal(`${some}, { guests: "admit" })`, async (app) => {
      for (const name of ["plain", "letters"]) assert.is(await status(app, "POST", name), 200);
    });
    await withPortal(`${some})`, async (app) => {
      assert.is(await status(app, "POST", "plain"), 401);
      assert.is(await status(app, "POST", "plain", { "x-user": "1" }), 200);
    });
  });
});
