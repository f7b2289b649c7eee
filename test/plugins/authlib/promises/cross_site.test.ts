import type { TestApp } from "../../../support/apps.ts";
import { corpus } from "../../../support/corpora/index.ts";
import { assert, describe } from "../../../support/index.ts";
import type { Client } from "../../../testing/client.ts";
import { addPeople, openAccounts, PASSWORD, signIn } from "../accounts.ts";
import { asJson, everything, opens, post, quickWithTokens, stored, tokenImports } from "./support.ts";

const ANN = { login: "ann@example.test", password: PASSWORD };
/** Remembers what a test says, as a stored target that something else got wrong. */
const planting = `override async rememberReturn() { const planted = this.request.header("x-plant"); if (planted === undefined) return super.rememberReturn(); this.keepReturn(decodeURIComponent(planted)); }`;

describe("Cross-site requests to account pages", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openAccounts(
      {
        user: { features: `${everything}, jwt(), jwtRefresh()`, imports: tokenImports, body: planting },
        admin: { features: "login(), logout(), changePassword()" },
      },
      { authlib: "{ limits: false }", plugins: quickWithTokens },
    );
    await addPeople(app, "user", "ann@example.test", "bob@example.test");
    await addPeople(app, "admin", "ann@example.test");
  });
  after(() => app.close());

  const unsafe = () =>
    app.application.routes().filter(({ verb, path }) => verb !== "GET" && /^\/(?:users|admins)\//.test(path));
  const headerToken = async (client: Client) =>
    String(
      (await client.json("/users/account")).body.csrf_token ?? (await client.json("/users/login")).body.csrf_token,
    );
  const fields = {
    ...ANN,
    new_password: "another one here",
    password_confirmation: "another one here",
    all: "all",
    key: "x",
    otp_code: "1",
    refresh_token: "x",
  };

  it("A cross-site request is refused at every unsafe account route, signed in or not, and changes nothing", async () => {
    assert.ok(unsafe().length > 20, `${unsafe().length} routes`);
    const visitors: [string, Client][] = [
      ["ann", await signIn(app, "user", "ann@example.test")],
      ["a stranger", app.client()],
    ];
    await visitors[1]![1].page("/users/login");
    const bobs = await headerToken(await signIn(app, "user", "bob@example.test"));
    for (const [name, client] of visitors) {
      const own = await headerToken(client);
      const page = await client.page(name === "ann" ? "/users/logout" : "/admins/login");
      const ofAnother = /name="authenticity_token" value="([^"]+)"/.exec(page)![1]!;
      const attacks: Record<string, (path: string) => RequestInit> = {
        "no token": () => form({}),
        "the token of another form": (path) =>
          form({ authenticity_token: /logout|admins\/login/.test(path) ? own : ofAnother }),
        "the token of scripts as a form's": () => form({ authenticity_token: own }),
        "the token of another session": () => form({}, { "x-csrf-token": bobs }),
        "a foreign Origin": () => form({}, { "x-csrf-token": own, origin: "https://evil.example" }),
        "no Origin to tell": () => form({}, { "x-csrf-token": own, origin: "null" }),
        "Sec-Fetch-Site: cross-site": () => form({}, { "x-csrf-token": own, "sec-fetch-site": "cross-site" }),
        "Sec-Fetch-Site: same-site": () => form({}, { "x-csrf-token": own, "sec-fetch-site": "same-site" }),
        "JSON without a token": () => ({ method: "POST", headers: asJson, body: JSON.stringify(fields) }),
        "JSON as text/plain": () => ({
          method: "POST",
          headers: { "content-type": "text/plain" },
          body: JSON.stringify(fields),
        }),
      };
      const was = await stored(app);
      for (const [attack, init] of Object.entries(attacks)) {
        for (const { path, verb, account } of unsafe()) {
          const answer = await client.copy().request(path, { ...init(path), method: verb });
          const isKept = name !== "ann" || !path.startsWith("/users/");
          const expected = account === "public" || !isKept ? [403, 415] : [303, 401, 403, 415]; // nobody is led to the login first
          assert.ok(expected.includes(answer.status), `${name}, ${attack}: ${verb} ${path} answered ${answer.status}`);
        }
      }
      assert.is(withoutHeld(await stored(app)), withoutHeld(was), name);
    }
    assert.ok(await opens(visitors[0]![1]));
  });
  /** A form of nobody is kept for after the sign-in: by its sender alone, never sent by itself. */
  const withoutHeld = (text: string) =>
    text
      .split("\n")
      .filter((line) => !line.startsWith("framewright_held_forms"))
      .join("\n");
  const form = (more: Record<string, string>, headers: Record<string, string> = {}): RequestInit => ({
    method: "POST",
    headers,
    body: new URLSearchParams({ ...fields, ...more }),
  });

  it("JSON without a cookie is anonymous, and JSON with a remembered device's cookie alone is refused", async () => {
    const ann = await signIn(app, "user", "ann@example.test", { remember: "1" });
    const cookie = `fw_user_remember=${ann.cookie("fw_user_remember")}`;
    const was = await stored(app);
    for (const { path, verb, account } of unsafe()) {
      const send = (headers: Record<string, string>) =>
        app.request(path, {
          method: verb,
          headers: { ...asJson, ...headers },
          body: JSON.stringify({ all: "all", new_password: "x" }),
        });
      const nobody = await send({});
      if (account !== "public") assert.is(nobody.status, 401, `${verb} ${path}`);
      else assert.ok([200, 401, 422].includes(nobody.status), `${verb} ${path} answered ${nobody.status}`);
      const device = await send({ cookie });
      assert.ok([401, 403].includes(device.status), `${verb} ${path} with a device's cookie answered ${device.status}`);
    }
    assert.is(await stored(app), was);
    ann.forget("fw_session");
    assert.ok(await opens(ann), "the device is still signed in");
  });

  it("A request with a bearer token ignores cookies, whether the token is valid or not", async () => {
    const ann = await signIn(app, "user", "ann@example.test", { remember: "1" });
    const bob = (await (await post(app, "/users/login", { ...ANN, login: "bob@example.test" })).json()) as Record<
      string,
      string
    >;
    const as = (bearer: string | undefined) => ({ headers: { ...asJson, authorization: `Bearer ${bearer}` } });
    const seen = await ann.request("/user", as(bob.access_token));
    assert.is(((await seen.json()) as { email: string }).email, "bob@example.test");
    const was = await stored(app);
    for (const { path, verb, account } of unsafe()) {
      const answer = await ann
        .copy()
        .request(path, { method: verb, ...as("nonsense"), body: JSON.stringify({ all: "all" }) });
      if (account !== "public") assert.is(answer.status, 401, `${verb} ${path}`);
      assert.equal(answer.headers.getSetCookie(), [], path);
    }
    assert.is(await stored(app), was);
    assert.is((await ann.request("/user", as("nonsense"))).status, 401);
    assert.ok(await opens(ann));
  });

  it("A JSON client without a session gets no cookie, also when it is refused", async () => {
    for (const { path } of unsafe()) {
      const answer = await post(app, path, { login: "nobody@example.test", password: "wrong one here" });
      assert.equal(answer.headers.getSetCookie(), [], `${path} ${answer.status}`);
    }
  });

  it("A login without the form's token or from another site signs nobody in", async () => {
    for (const [headers, body] of [
      [{ "content-type": "application/x-www-form-urlencoded" }, new URLSearchParams(ANN).toString()],
      [{ "content-type": "text/plain" }, JSON.stringify(ANN)],
      [{ ...asJson, origin: "https://evil.example" }, JSON.stringify(ANN)],
      [{ ...asJson, "sec-fetch-site": "cross-site" }, JSON.stringify(ANN)],
    ] as const) {
      const victim = app.client();
      const answer = await victim.request("/users/login", { method: "POST", headers, body });
      assert.ok([403, 415].includes(answer.status), JSON.stringify(headers));
      assert.not(await opens(victim));
    }
  });

  const evil = corpus("redirects").filter(({ expected, sent }) => expected === "no" && !sent.includes("wizard"));
  const landing = async (client: Client, more: Record<string, string> = {}) => {
    const answer = await client.submit("/users/login", { ...ANN, ...more });
    assert.is(answer.status, 303);
    return answer.headers.get("location")!;
  };
  const home = /^\/(?:user|users\/[a-z-]+)(?:[?#].*)?$/;
  it("A sign-in redirects to its own site only, whatever parameter, referer or stored target it is given", async () => {
    assert.ok(evil.length > 20);
    for (const { sent, name } of evil) {
      const client = app.client();
      const headers = { "x-plant": encodeURIComponent(sent) };
      await client.request("/user", { headers });
      const more = { return_to: sent, redirect: sent, next: sent };
      assert.match(await landing(client, more), home, name);
      const other = app.client();
      if (/^[\x21-\x7e]+$/.test(sent)) {
        await other.request("/user/form", {
          method: "POST",
          headers: { referer: sent },
          body: new URLSearchParams({ text: "x" }),
        });
        assert.match(await landing(other), home, `referer ${name}`);
        await other.request(`/users/login?return_to=${encodeURIComponent(sent)}`);
      }
    }
    const client = app.client();
    await client.request("/user", { headers: { "x-plant": encodeURIComponent("/users/logout") } });
    assert.match(await landing(client), /^\/user$/);
  });
});
