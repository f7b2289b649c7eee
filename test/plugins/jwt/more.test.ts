import { generateKeyPairSync } from "node:crypto";
import type { AccountEvent } from "framewright/plugins/authlib";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { tokensOf } from "../../../plugins/jwt/features/jwt/parts.ts";
import { openApp, type TestApp } from "../../support/apps.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { ApiClient, EMAIL, openApi, PASSWORD, type Pair } from "./api.ts";
import { claims, forge } from "./forging.ts";

/** An application for as long as the body runs: one is open at a time. */
async function during(opening: Promise<TestApp>, body: (app: TestApp) => Promise<void>): Promise<void> {
  const app = await opening;
  try {
    await body(app);
  } finally {
    await app.close();
  }
}

const imports = `import { jwt, jwtRefresh } from "framewright/plugins/jwt";`;
const apiOnly = "static override apiOnly = true;";

describe("Tokens of an application", (it) => {
  it("Refreshes and the reuse of a refresh token are emitted as account events", async () => {
    const told: AccountEvent[] = [];
    Object.assign(globalThis, { told });
    const plugins = {
      imports: `const listener = definePlugin({ name: "listener", requires: ["auth"], apply: ({ hooks }) => hooks.auth.account.tap("listener", (event) => void globalThis.told.push(event)) });`,
      list: "listener",
    };
    await during(openApi({ plugins }), async (app) => {
      const api = new ApiClient(app);
      const first = await api.login();
      told.length = 0;
      const second = await api.refresh(first.refresh_token);
      await api.refresh(second.body.refresh_token);
      await api.refresh(first.refresh_token);
      await api.refresh(first.refresh_token);
      assert.equal(
        told.map(({ name }) => name),
        ["refreshed", "refreshed", "refresh_reused"],
      );
      for (const { type, accountId } of told) assert.equal([type, accountId], ["api_user", 1]);
    });
  });

  it("Tokens survive a change of the secret for as long as the previous one is configured", async () => {
    const secret = "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19";
    const next = "the-next-secret-".repeat(4);
    let root = "";
    let old = { access_token: "", refresh_token: "" };
    await during(openApi(), async (app) => {
      root = app.root;
      old = await new ApiClient(app).login();
    });
    const values = { SECRET_KEY_BASE: next, SECRET_KEY_BASE_PREVIOUS: secret };
    let renewed = old;
    await during(openApp(root, { values }), async (app) => {
      const api = new ApiClient(app);
      assert.is(await api.opens(old.access_token), true);
      renewed = (await api.refresh(old.refresh_token)).body as never;
      assert.is(await api.opens(renewed.access_token), true);
      assert.is((await api.refresh(old.refresh_token)).body.refresh_token, renewed.refresh_token, "the grace");
      const other = await api.login();
      renewed = (await api.refresh(renewed.refresh_token)).body as never;
      const bearer = { authorization: `Bearer ${other.access_token}` };
      assert.is((await api.send("/api_users/logout", {}, bearer)).status, 200);
      assert.is(await api.opens(renewed.access_token), true);
    });
    await during(openApp(root, { values: { SECRET_KEY_BASE: next } }), async (app) => {
      const api = new ApiClient(app);
      assert.is(await api.opens(old.access_token), false);
      assert.is((await api.refresh(old.refresh_token)).status, 401);
    });
  });
});

const codeFeature = `import { defineFeature } from "framewright/plugins/authlib";
  const jwtCode = () => defineFeature({ name: "code", directory: "/nowhere", routes: [{ verb: "POST", path: "code", run: "submitCode", who: "anyone" }], steps: (Base: any) => class extends Base {
    async pendingFor(_account, factors) { return factors.includes("code") ? undefined : "second"; }
    async submitCode() { await this.load(); return this.signIn?.pending ? this.passFactor("code") : this.problem(this.unauthorized()); }
  } });`;
/** One asks for a code after the password, one changes passwords and ends sessions, one has short lives. */
const types = {
  careful_user: {
    features: "login(), logout(), jwtCode(), jwt(), jwtRefresh()",
    imports: imports + codeFeature,
    body: apiOnly,
  },
  busy_user: {
    features: "login(), logout(), changePassword(), activeSessions(), jwt(), jwtRefresh()",
    imports,
    body: apiOnly,
  },
  brief_user: {
    features: "login(), logout(), jwt({ lifetime: 60 }), jwtRefresh({ lifetime: 3600, grace: 0 })",
    imports,
    body: apiOnly,
  },
};

describe("Tokens of account types with other features and options", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openApi({}, types);
  });
  after(() => app.close());
  const payloadOf = (token: string) =>
    JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString()) as Record<string, unknown>;

  it("A pending token is accepted once for the second factor, and for nothing else", async () => {
    const api = new ApiClient(app, "careful_users");
    const login = () => api.send("/careful_users/login", { login: EMAIL, password: PASSWORD });
    const show = (token: unknown) => api.send("/careful_users/code", {}, { authorization: `Bearer ${token}` });
    const asked = await login();
    assert.is(asked.status, 401);
    assert.is(asked.body.code, "FW_SECOND_FACTOR");
    assert.is("access_token" in asked.body, false);
    const { pending_token } = asked.body;
    assert.is((await api.home(String(pending_token))).status, 401);
    assert.is((await api.refresh(pending_token)).status, 401);
    const shown = await show(pending_token);
    assert.is(shown.status, 200, JSON.stringify(shown.body));
    assert.equal(Object.keys(shown.body), ["access_token", "refresh_token"]);
    assert.is(await api.opens(String(shown.body.access_token)), true);
    assert.is((await api.refresh(shown.body.refresh_token)).status, 200);
    assert.is((await show(pending_token)).status, 401, "used once");
    assert.is((await show(shown.body.access_token)).status, 401);
    const left = (await login()).body.pending_token;
    const bearer = { authorization: `Bearer ${left}` };
    assert.is((await api.send("/careful_users/logout", {}, bearer)).status, 200);
    assert.is((await show(left)).status, 401);
  });

  it("A password change replaces the client's tokens and ends all others, and ending other sessions keeps its own", async () => {
    const api = new ApiClient(app, "busy_users");
    const [own, other] = [await api.login(), await api.login()];
    const as = ({ access_token }: Pair) => ({ authorization: `Bearer ${access_token}` });
    const next = "another long password";
    const sent = { password: PASSWORD, new_password: next, new_password_confirmation: next };
    const changed = await api.send("/busy_users/change-password", sent, as(own));
    assert.is(changed.status, 200, JSON.stringify(changed.body));
    assert.equal(Object.keys(changed.body), ["success", "access_token", "refresh_token"]);
    for (const { access_token, refresh_token } of [own, other]) {
      assert.is(await api.opens(access_token), false);
      assert.is((await api.refresh(refresh_token)).status, 401);
    }
    const fresh = changed.body as unknown as Pair;
    assert.is(await api.opens(fresh.access_token), true);
    const later = (await api.refresh(fresh.refresh_token)).body as unknown as Pair;
    const ended = await api.send("/busy_users/sessions", { all: "others" }, as(later));
    assert.is(ended.status, 200, JSON.stringify(ended.body));
    assert.is((await api.refresh(later.refresh_token)).status, 200, "its own family is kept");
    assert.is((await api.send("/busy_users/sessions", { all: "all" }, as(later))).status, 200);
    assert.is(await api.opens(later.access_token), false);
  });

  it("The lifetimes and the grace period of tokens follow the options of the account type", async () => {
    const api = new ApiClient(app, "brief_users");
    const pair = await api.login();
    const lifetimes = [pair.access_token, pair.refresh_token].map((token) => {
      const { iat, exp } = payloadOf(token) as Record<string, number>;
      return exp! - iat!;
    });
    assert.equal(lifetimes, [60, 3600]);
    assert.is((await api.refresh(pair.refresh_token)).status, 200);
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.is((await api.refresh(pair.refresh_token)).status, 401, "no grace");
  });

  it("An access token with another subject, session or audience is refused", async () => {
    const api = new ApiClient(app);
    const own = payloadOf((await api.login()).access_token);
    assert.is(await api.opens(forge("access", {}, own)), true, "a control");
    for (const changes of [{ sub: "2" }, { sub: "999" }, { sid: "another" }, { aud: "member" }]) {
      assert.is(await api.opens(forge("access", {}, { ...own, ...changes })), false, JSON.stringify(changes));
    }
    assert.is(await api.opens(forge("access", {}, claims({ aud: "api_user", sub: "1" }))), false, "no such sign-in");
  });
});

describe("Published keys", (it) => {
  const pem = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }) as string;

  it("An access token verifies by the published keys, which contain no private key", () =>
    during(
      openApi({ values: { JWT_PRIVATE_KEY: pem.replaceAll("\n", "\\n"), APP_URL: "http://shop.example" } }),
      async (app) => {
        const api = new ApiClient(app);
        const { access_token, refresh_token } = await api.login();
        const answer = await app.request("/.well-known/jwks.json");
        assert.is(answer.status, 200);
        assert.match(answer.headers.get("content-type")!, "application/json");
        assert.is(answer.headers.get("cache-control"), "public, max-age=300");
        assert.is(answer.headers.get("set-cookie"), null);
        const text = await answer.text();
        assert.is(text.includes('"d"'), false, "no private half");
        const options = { issuer: "http://shop.example", audience: "api_user", algorithms: ["EdDSA"], typ: "at+jwt" };
        const { payload } = await jwtVerify(
          access_token,
          createLocalJWKSet(JSON.parse(text) as JSONWebKeySet),
          options,
        );
        assert.is(payload.sub, "1");
        assert.is(await api.opens(access_token), true);
        assert.is((await api.refresh(refresh_token)).status, 200);
        assert.is((await app.request("/.well-known/jwks.json", { method: "POST" })).status, 405);
      },
    ));

  it("An application without a key pair publishes no keys", () =>
    during(openApi(), async (app) => {
      assert.is((await app.request("/.well-known/jwks.json")).status, 404);
    }));

  it("Boot fails with FW_JWT_KEY for an invalid private key, and does not quote it", async () => {
    const { message } = await throwsCode("FW_JWT_KEY", () =>
      openApi({ values: { JWT_PRIVATE_KEY: "s3cret-nonsense" } }),
    );
    assert.is(message.includes("s3cret"), false);
    assert.match(message, "openssl genpkey");
  });

  it("Tokens fail with FW_JWT_PLUGIN without the plugin jwtTokens", () =>
    throwsCode("FW_JWT_PLUGIN", () =>
      tokensOf({ request: { kernel: { has: () => false } }, type: { name: "user" } } as never),
    ).then(({ message }) => assert.match(message, "jwtTokens()")));
});
