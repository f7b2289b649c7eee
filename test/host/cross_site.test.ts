import { bootApp, type TestApp } from "../support/apps.ts";
import { assert, describe } from "../support/index.ts";
import { attackedFiles } from "./attacked.ts";

const accept = { accept: "application/json" };
const json = { ...accept, "content-type": "application/json" };
interface Visitor {
  cookie: string;
  create: string;
  update: string;
  other: string;
  destroy: string;
  header: string;
}

describe("Cross-site requests", (it, { before, after }) => {
  let app: TestApp;
  let mine: Visitor;
  let theirs: Visitor;
  const visitor = async (): Promise<Visitor> => {
    const answer = await app.request("/tokens", { headers: accept });
    const cookie = answer.headers.getSetCookie()[0]!.split(";")[0]!;
    return { cookie, ...((await answer.json()) as Omit<Visitor, "cookie">) };
  };
  before(async () => {
    app = await bootApp(attackedFiles);
    [mine, theirs] = [await visitor(), await visitor()];
  });
  after(() => app.close());

  const send = async (
    method: string,
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ) =>
    (
      await app.request(path, {
        method,
        body: new URLSearchParams(fields),
        headers: { cookie: mine.cookie, ...headers },
      })
    ).status;
  const token = (authenticity_token: string) => ({ authenticity_token });
  const changes = async () => ((await (await app.request("/count")).json()) as { changes: number }).changes;

  it("A form token that was altered or is of another session, path or method is refused with 403 and changes nothing", async () => {
    const before = await changes();
    const flipped = mine.create.slice(0, -2) + (mine.create.endsWith("AA") ? "BB" : "AA");
    for (const [name, value] of Object.entries({
      theirs: theirs.create,
      update: mine.update,
      destroy: mine.destroy,
      header: mine.header,
      flipped,
      cut: mine.create.slice(0, 60),
      twice: mine.create + mine.create,
      empty: "",
      text: "x".repeat(86),
    })) {
      assert.is(await send("POST", "/pages", token(value)), 403, name);
    }
    assert.is(await send("POST", "/pages/1", { ...token(mine.other), _method: "patch" }), 403);
    assert.is(await send("POST", "/pages/1", { ...token(mine.update), _method: "put" }), 403);
    assert.is(await send("POST", "/pages/1", { ...token(mine.update), _method: "delete" }), 403);
    assert.is(await send("POST", `/pages?authenticity_token=${mine.create}`, {}), 403);
    assert.is(await send("POST", "/pages", { "authenticity_token[]": mine.create }), 403);
    assert.is(await send("POST", "/pages", token(mine.create), { cookie: theirs.cookie }), 403);
    assert.is(await send("POST", "/pages", token(mine.create), { cookie: "fw_session=nonsense" }), 403);
    assert.is(await send("POST", "/pages", token(mine.create), { cookie: "a=b" }), 403);
    assert.is(await changes(), before);
  });
  it("A form token is accepted repeatedly for its own action, and the header token for every action", async () => {
    for (let time = 0; time < 3; time++) assert.is(await send("POST", "/pages", token(mine.create)), 201);
    assert.is(await send("POST", "/pages/1", { ...token(mine.update), _method: "patch" }), 200);
    assert.is(await send("PATCH", "/pages/1", token(mine.update)), 200);
    assert.is(await send("POST", "/pages", {}, { "x-csrf-token": mine.header }), 201);
    assert.is(await send("DELETE", "/pages/9", {}, { "x-csrf-token": mine.header }), 200);
  });
  it("The X-CSRF-Token header accepts neither a form's token nor a token of another session", async () => {
    for (const value of [mine.create, theirs.header, "", "nonsense"]) {
      assert.is(await send("POST", "/pages", {}, { "x-csrf-token": value }), 403);
    }
  });
  it("A request from another origin or site is refused with 403, whatever token it carries", async () => {
    const evil: Record<string, string>[] = [
      { origin: "null" },
      { origin: "https://evil.example" },
      { origin: `${app.url}.evil.example` },
      { origin: app.url.replace(/\d+$/, "1") },
      { origin: app.url.replace("http:", "https:") },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "nonsense" },
      { origin: app.url, "sec-fetch-site": "cross-site" },
    ];
    for (const headers of evil) {
      assert.is(await send("POST", "/pages", token(mine.create), headers), 403, JSON.stringify(headers));
      assert.is(
        await send("POST", "/pages", {}, { "x-csrf-token": mine.header, ...headers }),
        403,
        JSON.stringify(headers),
      );
      const answer = await app.request("/pages", { method: "POST", headers: { ...json, ...headers }, body: "{}" });
      assert.is(answer.status, 403, JSON.stringify(headers));
    }
    assert.is(
      await send("POST", "/pages", token(mine.create), { origin: app.url, "sec-fetch-site": "same-origin" }),
      201,
    );
  });
  it("JSON with a session cookie needs a token, and JSON under a content type that forms can send is refused", async () => {
    const post = async (headers: Record<string, string>, body = `{"page":{"title":"x"}}`) =>
      (await app.request("/pages", { method: "POST", headers, body })).status;
    assert.is(await post({ ...json, cookie: mine.cookie }), 403);
    assert.is(await post({ ...json, cookie: "fw_session=expired" }), 403);
    assert.is(await post({ ...json, cookie: mine.cookie }, JSON.stringify(token(mine.create))), 201);
    assert.is(await post({ ...accept, "content-type": "text/plain" }), 415);
    assert.is(await post({ ...accept, "content-type": "text/plain; application/json" }), 415);
    assert.is(await post({ ...accept, "content-type": "application/x-www-form-urlencoded" }), 403);
    assert.is(await post({ ...accept, "content-type": "multipart/form-data; application/json" }), 400);
    assert.is(await post({ cookie: mine.cookie, ...accept }, ""), 403);
    assert.is(await post(json), 201);
  });
  it("A request with a bearer token ignores the session cookie, and is still refused from another origin", async () => {
    const bearer = { authorization: "Bearer nonsense", cookie: mine.cookie };
    const made = await app.request("/pages", { method: "POST", headers: { ...json, ...bearer }, body: "{}" });
    assert.is(made.status, 201);
    assert.equal(made.headers.getSetCookie(), []);
    const asMe = (await (await app.request("/id", { headers: { ...accept, cookie: mine.cookie } })).json()) as {
      id: string;
    };
    const asBearer = (await (await app.request("/id", { headers: { ...accept, ...bearer } })).json()) as { id: string };
    assert.is(asMe.id === asBearer.id, false);
    assert.is(await send("POST", "/pages", {}, { ...bearer, origin: "https://evil.example" }), 403);
  });
  it("GET, HEAD and OPTIONS change nothing, and only the _method field of a form's POST overrides the method", async () => {
    const before = await changes();
    const headers = { cookie: mine.cookie, "x-http-method-override": "DELETE", "x-method-override": "POST" };
    for (const method of ["GET", "HEAD", "OPTIONS"]) {
      for (const path of ["/pages/1?_method=delete", "/pages?_method=post", "/pages/1", "/pages"])
        await app.request(path, { method, headers });
    }
    assert.is(await send("POST", "/pages?_method=delete", token(mine.create)), 201);
    assert.is(await send("PUT", "/pages/1", { ...token(mine.update), _method: "patch" }), 403);
    assert.is(
      (await app.request("/pages/1?_method=delete", { method: "POST", headers, body: new URLSearchParams() })).status,
      405,
    );
    assert.is(
      (await app.request("/pages/1", { method: "POST", headers: json, body: `{"_method":"delete"}` })).status,
      405,
    );
    assert.is(await changes(), before + 1);
  });
});
