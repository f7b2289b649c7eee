import { connect } from "node:net";
import { bootApp, type TestApp } from "../support/apps.ts";
import { assert, describe } from "../support/index.ts";

const files = {
  "plugins.config.ts": `import { definePlugins } from "framewright/kernel"; import { sessions } from "framewright/plugins/sessions"; export default definePlugins([sessions()]);`,
  "config/routes.ts": `import { drawRoutes } from "framewright";
    export default drawRoutes((routes) => {
      routes.root({ to: "pages#home" });
      routes.get("pages/new", { to: "pages#fresh" });
      routes.get("pages/:id", { to: "pages#show", as: "page" });
      routes.get("pages/:id/edit", { to: "pages#edit" });
      routes.post("pages", { to: "pages#create", as: "pages" });
      routes.patch("pages/:id", { to: "pages#update" });
      routes.get("form", { to: "pages#form" });
      routes.get("broken", { to: "pages#broken" });
    });`,
  "app/controllers/pages_controller.ts": `import { BaseController, formToken } from "framewright/host";
    export default class PagesController extends BaseController { static override guests = "admit" as const;
      static override beforeActions = [{ run: "stamp", only: ["show"] }];
      stamped = "";
      stamp() { this.stamped = "!"; }
      home() { return this.json({ home: true, path: this.helpers.page_path(7, { q: "x y" }) }); }
      fresh() { return this.json({ fresh: true }); }
      show() { return this.json({ id: this.params.string("id"), q: this.params.get("q") ?? null, stamped: this.stamped }); }
      edit() { return this.json({ edit: this.params.string("id") }); }
      create() { return this.json({ body: this.params.nested("page").toObject() }, { status: 201 }); }
      update() { return this.json({ updated: this.params.string("id"), title: this.params.require("page").string("title") }); }
      form() { return this.json({ create: formToken(this.session, "POST", "/pages"), update: formToken(this.session, "PATCH", "/pages/1") }); }
      broken() { throw new Error("marked-secret"); }
    }`,
};
const json = { accept: "application/json" };

describe("Request dispatch", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await bootApp(files);
  });
  after(() => app.close());
  const get = async (path: string) =>
    (await app.request(path, { headers: json })).json() as Promise<Record<string, unknown>>;
  const status = async (path: string, init?: RequestInit) => (await app.request(path, init)).status;

  it("The root route is served, and a route helper builds a path with an encoded query", async () => {
    assert.equal(await get("/"), { home: true, path: "/pages/7?q=x%20y" });
  });
  it("A static segment wins over a parameter, and the parameter matches where the static branch has no route", async () => {
    assert.equal(await get("/pages/new"), { fresh: true });
    assert.equal(await get("/pages/new/edit"), { edit: "new" });
  });
  it("A before-action runs for the action that it lists, and path parameters win over the query", async () => {
    assert.equal(await get("/pages/5?q=a&id=9"), { id: "5", q: "a", stamped: "!" });
  });
  it("An unknown path is answered with 404, and a method without a route with 405 and an Allow header", async () => {
    assert.is(await status("/nowhere"), 404);
    assert.is(await status("/pages/1/2/3"), 404);
    const answer = await app.request("/pages/1", { method: "DELETE" });
    assert.is(answer.status, 405);
    assert.is(answer.headers.get("allow"), "GET, HEAD, PATCH, OPTIONS");
  });
  it("HEAD is answered without a body, and OPTIONS with the allowed methods", async () => {
    const head = await app.request("/pages/1", { method: "HEAD" });
    assert.is(head.status, 200);
    assert.is(await head.text(), "");
    assert.is(Number(head.headers.get("content-length")) > 10, true);
    assert.is((await app.request("/pages", { method: "OPTIONS" })).headers.get("allow"), "POST, OPTIONS");
  });
  it("A path with a trailing slash redirects with 301 to the path without it and keeps the query", async () => {
    const answer = await app.request("/pages/new/?x=1");
    assert.is(answer.status, 301);
    assert.is(answer.headers.get("location"), "/pages/new?x=1");
  });
  it("A malformed path is answered with 400", async () => {
    const raw = (target: string) =>
      new Promise<string>((resolve) => {
        const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
        let text = "";
        socket.on("data", (chunk) => (text += chunk)).on("end", () => resolve(text.slice(9, 12)));
        socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      });
    for (const target of ["/pages/%zz", "/pages/%00", "//pages", "/a/../pages/1", "/pages/%2e%2e", "/a\\b"]) {
      assert.is(await raw(target), "400", target);
    }
  });
  it("A POST without the form's own token, or with it from another site, is refused with 403", async () => {
    const start = await app.request("/form", { headers: json });
    const cookie = start.headers.getSetCookie()[0]!.split(";")[0]!;
    const tokens = (await start.json()) as { create: string; update: string };
    const post = (body: Record<string, string>, headers: Record<string, string> = {}) =>
      status("/pages", { method: "POST", body: new URLSearchParams(body), headers: { cookie, ...headers } });
    assert.is(await post({ "page[title]": "x" }), 403);
    assert.is(await post({ authenticity_token: tokens.update }), 403);
    assert.is(await post({ authenticity_token: tokens.create }, { origin: "https://evil.example" }), 403);
    assert.is(await post({ authenticity_token: tokens.create }, { "sec-fetch-site": "cross-site" }), 403);
    assert.is(await post({ authenticity_token: tokens.create, "page[title]": "x" }), 201);
  });
  it("The _method field of a POST body overrides the method, and a _method in the query does not", async () => {
    const start = await app.request("/form", { headers: json });
    const cookie = start.headers.getSetCookie()[0]!.split(";")[0]!;
    const { update } = (await start.json()) as { update: string };
    const body = new URLSearchParams({ _method: "patch", authenticity_token: update, "page[title]": "new" });
    const answer = await app.request("/pages/1", { method: "POST", body, headers: { cookie } });
    assert.equal(await answer.json(), { updated: "1", title: "new" });
    assert.is(await status("/pages/1?_method=patch", { method: "POST", body: new URLSearchParams() }), 405);
  });
  it("JSON is the answer where it is accepted first, unless a page is preferred to it", async () => {
    const typeOf = async (accept: string) =>
      (await app.request("/absent", { headers: { accept } })).headers.get("content-type")!;
    for (const accept of ["application/json", "application/json;q=0.9, text/html;q=0.2", "application/json, text/html"])
      assert.match(await typeOf(accept), "application/problem+json", accept);
    const html = await typeOf("text/html");
    assert.match(html, "text/html");
    assert.is(await typeOf("application/json;q=0.1, text/html;q=0.9"), html);
    assert.is(await typeOf("application/json;q=0.1, text/html"), html);
  });
  it("Settings have no JSON: what refers to them takes no secret with it", () => {
    assert.is(JSON.stringify({ of: app.application.settings }), '{"of":"settings of test"}');
  });
  it("JSON is accepted without a cookie, and refused with a cookie and no token or from another origin", async () => {
    const headers = { ...json, "content-type": "application/json" };
    const answer = await app.request("/pages", {
      method: "POST",
      headers,
      body: JSON.stringify({ page: { title: "x", __proto__: { a: 1 } } }),
    });
    assert.is(answer.status, 201);
    const start = await app.request("/form", { headers: json });
    const cookie = start.headers.getSetCookie()[0]!.split(";")[0]!;
    assert.is(await status("/pages", { method: "POST", headers: { ...headers, cookie }, body: "{}" }), 403);
    assert.is(
      await status("/pages", { method: "POST", headers: { ...headers, origin: "https://evil.example" }, body: "{}" }),
      403,
    );
  });
  it("Malformed, oversized and unsupported bodies are answered with 400, 413 and 415", async () => {
    const post = (body: string, type: string) =>
      status("/pages", { method: "POST", body, headers: { "content-type": type } });
    assert.is(await post("{", "application/json"), 400);
    assert.is(await post("[1]", "application/json"), 400);
    assert.is(await post("x".repeat(1_100_000), "application/json"), 413);
    assert.is(await post("x", "text/csv"), 415);
    assert.is(await post("a[b=1&c=%zz", "application/x-www-form-urlencoded"), 400);
    assert.is(await post("x", "multipart/form-data"), 400);
    assert.is(await post(`{"page":${"[".repeat(40)}${"]".repeat(40)}}`, "application/json"), 400);
  });
  it("The message of an internal error appears neither in the error page nor in the problem document", async () => {
    const page = await (await app.request("/broken")).text();
    const problem = await app.request("/broken", { headers: json });
    assert.is(problem.headers.get("content-type"), "application/problem+json; charset=utf-8");
    assert.is(page.includes("marked-secret"), false);
    assert.is((await problem.text()).includes("marked-secret"), false);
  });
  it("A page carries a Content-Security-Policy and X-Content-Type-Options: nosniff", async () => {
    const { headers } = await app.request("/pages/1");
    assert.match(headers.get("content-security-policy") ?? "", /script-src 'self'(;|$)/);
    assert.is(headers.get("x-content-type-options"), "nosniff");
  });
  it("A request for a foreign host name is answered with 400", async () => {
    const { request } = await import("node:http");
    const answer = await new Promise<number | undefined>((resolve) =>
      request(`${app.url}/pages/1`, { headers: { host: "evil.example" } }, (res) => resolve(res.statusCode)).end(),
    );
    assert.is(answer, 400);
  });
  it("/healthz and /readyz answer 200", async () => {
    assert.is(await status("/healthz"), 200);
    assert.is(await status("/readyz"), 200);
  });
});
