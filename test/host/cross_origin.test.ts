import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { addPeople, openAccounts, PASSWORD } from "../plugins/authlib/accounts.ts";
import { post, quickWithTokens, tokenImports } from "../plugins/authlib/promises/support.ts";
import type { TestApp } from "../support/apps.ts";
import { openBrowser } from "../support/browser.ts";
import { assert, describe, reasonToSkip, throwsCode } from "../support/index.ts";

const APP = "https://app.example";
const engine = (origins: string) => ({
  "packages/user_portal/lib/engine.ts": `import { definePortal } from "framewright/plugins/portals"; export const UserPortal = definePortal("UserPortal", (portal) => { portal.allowOrigins(${origins}); });`,
});
const open = (origins: readonly string[]) => {
  const list = origins.map((origin) => JSON.stringify(origin)).join(", ");
  const features = `login(), logout(), jwt({ origins: [${list}] }), jwtRefresh()`;
  const type = { features, imports: tokenImports };
  return openAccounts({ user: type, clerk: type }, { plugins: quickWithTokens, files: engine(list) });
};
const preflight = (app: TestApp, path: string, origin: string) =>
  app.request(path, {
    method: "OPTIONS",
    headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "authorization" },
  });

describe("Requests from pages of another origin", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await open([APP]);
    await addPeople(app, "user", "ann@example.test");
  });
  after(() => app.close());
  const allowed = (answer: Response) => answer.headers.get("access-control-allow-origin");

  it("A preflight is allowed for an origin that the portal allows, and for no other origin, portal or path", async () => {
    const answer = await preflight(app, "/user/form", APP);
    assert.is(answer.status, 204);
    assert.is(allowed(answer), APP);
    assert.match(answer.headers.get("access-control-allow-headers")!, "authorization");
    assert.match(answer.headers.get("vary")!, "origin");
    assert.is(answer.headers.get("access-control-allow-credentials"), null);
    assert.is(allowed(await preflight(app, "/user/form", "https://evil.example")), null);
    assert.is(allowed(await preflight(app, "/clerk/form", APP)), null, "another portal");
    assert.is(allowed(await preflight(app, "/userland", APP)), null, "another path that begins alike");
  });
  it("A page of an allowed origin signs in by token and may read refusals, and another origin may read nothing", async () => {
    const login = await post(
      app,
      "/users/login",
      { login: "ann@example.test", password: PASSWORD },
      { origin: APP, "sec-fetch-site": "cross-site" },
    );
    assert.is(login.status, 200);
    assert.is(allowed(login), APP);
    assert.equal(login.headers.getSetCookie(), []);
    const { access_token } = (await login.json()) as Record<string, string>;
    const bearer = { authorization: `Bearer ${access_token}` };
    const sent = await post(
      app,
      "/user/form",
      { text: "from afar" },
      { ...bearer, origin: APP, "sec-fetch-site": "cross-site" },
    );
    assert.is(sent.status, 200, await sent.clone().text());
    assert.equal(await sent.json(), { took: "from afar" });
    const refused = await post(app, "/user/form", { text: "x" }, { origin: APP });
    assert.is(refused.status, 401);
    assert.is(allowed(refused), APP);
    const foreign = await post(app, "/user/form", { text: "x" }, { ...bearer, origin: "https://evil.example" });
    assert.is(allowed(foreign), null);
  });
  it("A session cookie does not authenticate requests from another origin, even an allowed one", async () => {
    const client = app.client();
    await client.submit("/users/login", { login: "ann@example.test", password: PASSWORD });
    assert.is((await client.request("/user")).status, 200);
    const seen = await client.request("/user", { headers: { origin: APP, accept: "application/json" } });
    assert.is(seen.status, 401);
    const csrf = /action="\/user\/form"><input[^>]* value="([^"]+)"/.exec(await client.page("/user/form"))![1]!;
    const body = new URLSearchParams({ authenticity_token: csrf, text: "x" });
    const forged = await client.request("/user/form", { method: "POST", body, headers: { origin: APP } });
    assert.ok([401, 403, 303].includes(forged.status), String(forged.status));
    assert.not.match(await forged.text(), "took");
  });
});

describe("Allowed origins", (it) => {
  it("Boot fails with FW_ORIGIN for an allowed origin with a wildcard, with a path or without a scheme", async () => {
    for (const wrong of ["*", "https://app.example/", "app.example", "https://*.example"])
      await throwsCode("FW_ORIGIN", () => open([wrong]));
  });
});

const skip = await reasonToSkip("browser");
describe("A page of another origin in a browser", (it, { before, after }) => {
  let app: TestApp;
  let page: Server;
  let browser: Browser;
  let url = "";
  if (skip === undefined) {
    before(async () => {
      page = createServer((_, res) =>
        res.setHeader("content-type", "text/html").end("<!doctype html><title>app</title>"),
      );
      await new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve));
      url = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
      app = await open([url]);
      await addPeople(app, "user", "ann@example.test");
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
      page.close();
    });
  }
  const can = (sentence: string, work: () => Promise<void>) => it.unless(skip, sentence, work);
  can(
    "A browser page of an allowed origin signs in and calls the API, and one of another origin fails to fetch",
    async () => {
      const tab = await browser.newPage();
      await tab.goto(url);
      const call = (login: string, api: string) =>
        tab.evaluate(
          async ({ login, api, password }) => {
            const send = async (path: string, body: object, headers: Record<string, string> = {}) => {
              const json = { accept: "application/json", "content-type": "application/json" };
              const init = { method: "POST", body: JSON.stringify(body), headers: { ...json, ...headers } };
              return (await (await fetch(api + path, init)).json()) as Record<string, string>;
            };
            try {
              const { access_token } = await send("/users/login", { login, password });
              return (await send("/user/form", { text: "hello" }, { authorization: `Bearer ${access_token}` }))
                .took as string;
            } catch (error) {
              return String(error);
            }
          },
          { login, api, password: PASSWORD },
        );
      assert.is(await call("ann@example.test", app.url), "hello");
      await tab.goto(url.replace("127.0.0.1", "localhost"));
      assert.match(await call("ann@example.test", app.url), "Failed to fetch");
    },
  );
});
