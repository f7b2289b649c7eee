import type { TestApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { PASSWORD } from "../authlib/accounts.ts";
import { type Answer, askAt, openSubdomains } from "./subdomain_app.ts";
import { accountFiles, type Known, signedIn } from "./tenants.ts";

// Where tenants have hosts, what a browser got at one host proves nothing at another, whoever carries it there.

const [alpine, baltic] = ["alpine.shop.example", "baltic.shop.example"];
const cookieOf = ({ headers }: Answer): string =>
  [headers["set-cookie"] ?? []]
    .flat()
    .map((line) => line.split(";")[0]!)
    .join("; ");
/** The token of a page's form. */
const tokenOf = (page: string, action: string): string =>
  new RegExp(`action="${action}"[^]*?name="authenticity_token" value="([^"]+)"`).exec(page)?.[1] ?? "none";
const form = { "content-type": "application/x-www-form-urlencoded", accept: "text/html" };

async function signIn(app: TestApp, host: string, who: string): Promise<string> {
  const page = await askAt(app, host, "/users/login", { headers: { accept: "text/html" } });
  const body = new URLSearchParams({
    login: `${who}@example.test`,
    password: PASSWORD,
    authenticity_token: tokenOf(page.text, "/users/login"),
  });
  const headers = { ...form, cookie: cookieOf(page), origin: `http://${host}` };
  const answer = await askAt(app, host, "/users/login", { method: "POST", headers, body: String(body) });
  assert.is(answer.status, 303);
  return cookieOf(answer);
}

describe("Sessions of tenants with hosts", (it, { before, after }) => {
  let app: TestApp;
  let known: Known;
  let cookie = "";
  before(async () => {
    app = await openSubdomains(accountFiles, { APP_URL: "http://shop.example" });
    known = await signedIn(app);
    cookie = await signIn(app, alpine, "cat");
  });
  after(() => app.close());
  const ask = (host: string, path: string, headers: Record<string, string>, method = "GET", body?: string) =>
    askAt(app, host, path, { method, headers, ...(body === undefined ? {} : { body }) });

  it("A session of one tenant's host is nobody's at another's, nor at the application's own", async () => {
    assert.is((await ask(alpine, "/customer/posts", { cookie })).status, 200);
    assert.is((await ask(`${alpine.toUpperCase()}:8080`, "/customer/posts", { cookie })).status, 200);
    for (const host of [baltic, "shop.example", "nobody.shop.example"]) {
      assert.is((await ask(host, "/customer/posts", { cookie })).status, 401, host);
      const page = await ask(host, "/customer/posts", { cookie, accept: "text/html" });
      assert.is(page.status, 303, host);
      assert.match(String(page.headers.location), /^\/users\/login/);
    }
    assert.is((await ask(alpine, "/customer/posts", { cookie: known.cat.cookie! })).status, 401);
  });
  it("A program that signs in without a cookie gets one of the host that it asked", async () => {
    const body = JSON.stringify({ login: "cat@example.test", password: PASSWORD });
    const answer = await ask(alpine, "/users/login", { "content-type": "application/json" }, "POST", body);
    assert.is(answer.status, 200);
    const own = cookieOf(answer);
    assert.match(own, /^fw_session=/);
    assert.is((await ask(alpine, "/customer/posts", { cookie: own })).status, 200);
    assert.is((await ask(baltic, "/customer/posts", { cookie: own })).status, 401);
  });
  it("Each host has a sign-in of its own, and the two hold at once", async () => {
    const other = await signIn(app, baltic, "cat");
    assert.match((await ask(baltic, "/customer/posts", { cookie: other })).text, "Post Baltic");
    assert.match((await ask(alpine, "/customer/posts", { cookie })).text, "Post Alpine");
  });
  it("A cookie of another host is not changed into one of this host", async () => {
    const answer = await ask(baltic, "/users/login", { cookie, accept: "text/html" });
    assert.is(answer.status, 200);
    assert.is((await ask(baltic, "/customer/posts", { cookie: cookieOf(answer) })).status, 401);
  });
  it("A form of one tenant's page is refused at another's, by its origin and by its token", async () => {
    const other = await signIn(app, baltic, "cat");
    const page = await ask(alpine, "/customer/posts/new", { cookie, accept: "text/html" });
    const own = cookieOf(page) || cookie;
    const body = String(
      new URLSearchParams({ authenticity_token: tokenOf(page.text, "/customer/posts"), "post[title]": "Sent" }),
    );
    const send = (host: string, headers: Record<string, string>) =>
      ask(host, "/customer/posts", { ...form, ...headers }, "POST", body);
    assert.is((await send(baltic, { cookie: other })).status, 403);
    const foreign: Record<string, string>[] = [
      { origin: `http://${alpine}` },
      { origin: "http://shop.example" },
      { "sec-fetch-site": "same-site" },
      { origin: "null" },
    ];
    for (const headers of foreign) assert.is((await send(baltic, { cookie: other, ...headers })).status, 403);
    assert.is((await send(alpine, { cookie: own, "sec-fetch-site": "same-site" })).status, 403);
    const parent = await send(alpine, { cookie: own, origin: "http://shop.example" });
    assert.is(parent.status, 403, "a page of APP_URL is no page of the tenant's host");
    assert.is.not(
      (await send(alpine, { cookie: own, origin: `http://${alpine}`, "sec-fetch-site": "same-origin" })).status,
      403,
    );
  });
  it("A sign-in leads to no other tenant's host, whatever its return address", async () => {
    for (const to of [
      `http://${baltic}/customer`,
      `//${baltic}/customer`,
      "http://shop.example/customer",
      `/\\${baltic}`,
    ]) {
      const { headers } = await ask(alpine, `/users/login?return_to=${encodeURIComponent(to)}`, {
        cookie,
        accept: "text/html",
      });
      assert.not.ok(String(headers.location ?? "").includes("shop.example"), to);
    }
  });
  it("Cookies have no domain, and a cookie that a plugin sets is valid at its host alone", async () => {
    const answer = await ask(alpine, "/users/login", { accept: "text/html" });
    for (const line of [answer.headers["set-cookie"] ?? []].flat()) assert.not.ok(/domain=/i.test(line), line);
    const { hostCookies } = app.application;
    const bound = hostCookies!.bind("fw_remember", "a.b", alpine);
    assert.is(hostCookies!.open("fw_remember", bound, alpine), "a.b");
    for (const [name, value, host] of [
      ["fw_remember", bound, baltic],
      ["fw_other", bound, alpine],
      ["fw_remember", "a.b", alpine],
      ["fw_remember", "", alpine],
      ["fw_remember", `${bound}x`, alpine],
    ] as const)
      assert.is(hostCookies!.open(name, value, host), undefined, `${name} ${value} ${host}`);
  });
});
