import { openApp, type TestApp } from "../../../support/apps.ts";
import { databases } from "../../../support/databases.ts";
import { assert, describe } from "../../../support/index.ts";
import type { Client } from "../../../testing/client.ts";
import { addPeople, databaseOf, mailTo, openAccounts, PASSWORD, signIn } from "../accounts.ts";
import { asJson, everything, opens, post, quick, quickWithTokens, setUpCodes, tokenImports } from "./support.ts";

const NEW = "another horse battery";
const chosen = { password: NEW, password_confirmation: NEW };
const withTokens = { features: `${everything}, jwt(), jwtRefresh()`, imports: tokenImports };

/** What a session's cookie holds. */
function inside(app: TestApp, client: Client, name = "fw_session") {
  const sessions = app.application.kernel.service("sessions");
  const session = sessions.open({ cookies: { [name]: client.cookie(name) } } as never) as {
    id: string;
    get(key: string): unknown;
  };
  return { id: session.id, csrf: session.get("csrf") };
}
/** The token of scripts. */
const headerToken = async (client: Client) => String((await client.json("/users/account")).body.csrf_token);

describe("Cookies of accounts", (it) => {
  const attributesOf = async (values: Record<string, string>) => {
    const app = await openAccounts({ user: { features: everything } }, { values, plugins: quick });
    try {
      await addPeople(app, "user", "ann@example.test");
      const client = app.client();
      const lines = (await client.request("/users/login")).headers.getSetCookie();
      const fields = { login: "ann@example.test", password: PASSWORD, remember: "1" };
      lines.push(...(await client.submit("/users/login", fields)).headers.getSetCookie());
      assert.ok(await opens(client));
      lines.push(...(await client.submit("/users/logout", {})).headers.getSetCookie());
      return lines.map((line) => line.split("; ").map((part, index) => (index === 0 ? part.split("=")[0]! : part)));
    } finally {
      await app.close();
    }
  };
  it("The cookies of session and device are HttpOnly, SameSite=Lax, for the whole site and for no other host", async () => {
    const cookies = await attributesOf({});
    assert.equal([...new Set(cookies.map(([name]) => name))].sort(), ["fw_flash", "fw_session", "fw_user_remember"]);
    for (const cookie of cookies) {
      for (const needed of ["HttpOnly", "SameSite=Lax", "Path=/"])
        assert.ok(cookie.includes(needed), cookie.join("; "));
      assert.is(
        cookie.some((part) => /^domain/i.test(part)),
        false,
      );
    }
  });
  it("The cookies of session and device are Secure with the __Host- prefix where the address is https", async () => {
    const cookies = await attributesOf({ APP_URL: "https://shop.example" });
    assert.equal([...new Set(cookies.map(([name]) => name))].sort(), [
      "__Host-fw_flash",
      "__Host-fw_session",
      "__Host-fw_user_remember",
    ]);
    for (const cookie of cookies) {
      for (const needed of ["HttpOnly", "SameSite=Lax", "Path=/", "Secure"])
        assert.ok(cookie.includes(needed), cookie.join("; "));
      assert.is(
        cookie.some((part) => /^domain/i.test(part)),
        false,
      );
    }
  });
});

describe("A session that was planted", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openAccounts({ user: { features: everything } }, { authlib: "{ limits: false }", plugins: quick });
    await addPeople(app, "user", "ann@example.test", "bob@example.test");
  });
  after(() => app.close());

  it("A session that was planted before a sign-in opens nothing, and has another id and token", async () => {
    const attacker = app.client();
    await attacker.page("/users/login");
    const victim = attacker.copy();
    await victim.submit("/users/login", { login: "ann@example.test", password: PASSWORD });
    assert.ok(await opens(victim));
    assert.not(await opens(attacker));
    const [planted, own] = [inside(app, attacker), inside(app, victim)];
    assert.is.not(own.id, planted.id);
    await headerToken(victim);
    assert.ok(inside(app, victim).csrf);
    assert.is.not(inside(app, victim).csrf, planted.csrf);
  });
  it("A session that was planted signed in ends when another user signs in over it, and its token is refused", async () => {
    const attacker = await signIn(app, "user", "bob@example.test");
    const token = await headerToken(attacker);
    const victim = attacker.copy();
    const body = JSON.stringify({ login: "ann@example.test", password: PASSWORD });
    const headers = { ...asJson, "x-csrf-token": token };
    assert.is((await victim.request("/users/login", { method: "POST", headers, body })).status, 200);
    const who = async (client: Client) => (await client.json("/user")).body.email;
    assert.is(await who(victim), "ann@example.test");
    assert.is(await who(attacker), undefined, "signing in over a sign-in ends that one");
    const logout = { method: "POST", headers, body: "{}" };
    assert.is((await victim.request("/users/logout", logout)).status, 403);
    assert.is(await who(victim), "ann@example.test");
    assert.is.not(inside(app, victim).id, inside(app, attacker).id);
  });
  it("A session gets a new id with a second factor and with a new password", async () => {
    const client = await signIn(app, "user", "ann@example.test");
    const fields = { password: PASSWORD, new_password: NEW, password_confirmation: NEW };
    for (const step of [() => client.submit("/users/change-password", fields), () => setUpCodes(client)]) {
      const [{ id }, copy] = [inside(app, client), client.copy()];
      await step();
      assert.is.not(inside(app, client).id, id);
      assert.not(await opens(copy));
      assert.ok(await opens(client));
    }
  });
});

for (const database of await databases()) {
  describe(`Revocation of sessions, devices, tokens and links, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let count = 0;
    if (database.skip === undefined) {
      before(async () => {
        const options = { values: await database.values(), authlib: "{ limits: false }", plugins: quickWithTokens };
        app = await openAccounts({ user: withTokens }, options);
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);

    /** Somebody new with every way in that there is; `alive` says which of them still lead in. */
    const person = async () => {
      const login = `p${++count}@example.test`;
      await addPeople(app, "user", login);
      const here = await signIn(app, "user", login, { remember: "1" });
      const [session, device] = [await signIn(app, "user", login), await signIn(app, "user", login, { remember: "1" })];
      device.forget("fw_session");
      const tokens = (await (await post(app, "/users/login", { login, password: PASSWORD })).json()) as Record<
        string,
        string
      >;
      await post(app, "/users/reset-password-request", { login });
      await post(app, "/users/email-auth", { login });
      await here.submit("/users/change-login", { login: `new${login}`, password: PASSWORD });
      const links: Record<string, string> = {
        reset: (await mailTo(app, login, "Set a new password")).path,
        email: (await mailTo(app, login, "Your link to sign in")).path,
        change: (await mailTo(app, `new${login}`, "Confirm your new address")).path,
      };
      const bearer = { ...asJson, authorization: `Bearer ${tokens.access_token}` };
      const alive = async () => {
        const ways: [string, boolean][] = [
          ["session", await opens(session.copy())],
          ["device", await opens(device.copy())],
          ["access", (await app.request("/user", { headers: bearer })).status === 200],
        ];
        for (const [name, path] of Object.entries(links)) ways.push([name, (await app.request(path)).status === 200]);
        const refreshed = await post(app, "/users/jwt-refresh", { refresh_token: tokens.refresh_token });
        ways.push(["refresh", refreshed.status === 200]);
        if (refreshed.status === 200) Object.assign(tokens, await refreshed.json());
        return ways.filter(([, isAlive]) => isAlive).map(([name]) => name);
      };
      return { login, here, links, alive };
    };
    const all = ["session", "device", "access", "reset", "email", "change", "refresh"];

    can(
      "A changed password ends all sessions, devices, tokens and links, except the session that changed it",
      async () => {
        const { here, alive } = await person();
        assert.equal(await alive(), all);
        await here.submit("/users/change-password", {
          password: PASSWORD,
          new_password: NEW,
          password_confirmation: NEW,
        });
        assert.equal(await alive(), []);
        assert.ok(await opens(here));
      },
    );
    can("A password that is reset by mail ends all sessions, devices, tokens and links", async () => {
      const { here, links, alive } = await person();
      assert.is((await app.client().submit(links.reset!, chosen)).status, 303);
      assert.equal(await alive(), []);
      assert.not(await opens(here));
    });
    can("Closing the account ends all sessions, devices, tokens and links", async () => {
      const { here, alive } = await person();
      assert.is((await here.submit("/users/close-account", { password: PASSWORD })).status, 303);
      assert.equal(await alive(), []);
      assert.not(await opens(here));
    });
    can(
      "A changed login ends all sessions, devices, tokens and links, except the session that changed it",
      async () => {
        const { here, links, alive } = await person();
        assert.is((await here.submit(links.change!, {})).status, 303);
        assert.equal(await alive(), []);
        assert.ok(await opens(here));
      },
    );
    can(
      "A state that is changed in the database ends all sessions, devices and tokens, and mailed links get 422",
      async () => {
        for (const account_status of ["closed", "unverified"]) {
          const { login, here, links, alive } = await person();
          await databaseOf(app.application).knex("users").where({ email: login }).update({ account_status });
          assert.not(await opens(here));
          for (const path of Object.values(links)) {
            const answer = await submitIfThere(app.client(), path, chosen);
            assert.is(answer.status, 422, `${account_status}: ${path}`);
          }
          assert.equal(
            (await alive()).filter((name) => !["reset", "email", "change"].includes(name)),
            [],
          );
        }
      },
    );
    can("Ending all sessions, or all others, also ends devices, tokens and links", async () => {
      for (const [which, stays] of [
        ["others", true],
        ["all", false],
      ] as const) {
        const { here, alive } = await person();
        await here.submit("/users/sessions", { all: which });
        assert.equal(await alive(), []);
        assert.is(await opens(here), stays);
      }
    });
    can("Ending each of the other sessions ends its device and tokens, and not the mailed links", async () => {
      const { here, alive } = await person();
      const { body } = await here.json("/users/sessions");
      for (const { id, current } of body.data as { id: number; current: boolean }[]) {
        if (current) continue;
        const answer = await here.request("/users/sessions", {
          method: "POST",
          headers: { ...asJson, "x-csrf-token": await headerToken(here) },
          body: JSON.stringify({ id: String(id) }),
        });
        assert.is(answer.status, 200);
      }
      assert.equal(await alive(), ["reset", "email", "change"]);
      assert.ok(await opens(here));
    });
    can("A sign-out ends the session and the device of its own browser only", async () => {
      const { here, alive } = await person();
      const [copy, device] = [here.copy(), here.copy()];
      device.forget("fw_session");
      await here.submit("/users/logout", {});
      for (const client of [here, copy, device]) assert.not(await opens(client));
      assert.equal(await alive(), all);
    });
    can("A sign-out also ends the session for the requests in flight", async () => {
      const { here } = await person();
      const flying = Array.from({ length: 20 }, () => here.copy());
      const answers = flying.map((client) => client.request("/user/form"));
      await here.submit("/users/logout", {});
      await Promise.all(answers);
      for (const client of [...flying, here]) {
        client.forget("fw_user_remember");
        assert.not(await opens(client));
      }
    });
  });
}

async function submitIfThere(client: Client, path: string, fields: Record<string, string>): Promise<Response> {
  const answer = await client.request(path);
  return answer.status === 200 ? client.submit(path, fields) : answer;
}

describe("The cookie of a session", (it, { before, after }) => {
  let app: TestApp;
  let cookie = "";
  before(async () => {
    app = await openAccounts({ user: { features: everything } }, { authlib: "{ limits: false }", plugins: quick });
    await addPeople(app, "user", "ann@example.test");
    cookie = (await signIn(app, "user", "ann@example.test")).cookie("fw_session")!;
  });
  after(() => app.close());
  const visit = async (value: string) =>
    (await app.request("/user", { headers: { cookie: `fw_session=${value}` } })).status;

  it("A session cookie that was altered or truncated, or is another sealed value, is not signed in", async () => {
    assert.is(await visit(cookie), 200);
    const bytes = Buffer.from(cookie, "base64url");
    for (const at of [0, 11, 12, 27, 28, bytes.length - 1]) {
      const flipped = Buffer.from(bytes);
      flipped[at]! ^= 1;
      assert.is(await visit(flipped.toString("base64url")), 303, `byte ${at}`);
    }
    const client = await signIn(app, "user", "ann@example.test");
    const sealed = /name="otp_secret" value="([^"]+)"/.exec(await client.page("/users/otp-setup"))![1]!;
    const others = [
      "",
      "x",
      "{}",
      cookie.slice(0, -1),
      cookie.slice(1),
      cookie.slice(0, 20),
      cookie + cookie,
      sealed,
      "%00",
      "%zz",
    ];
    for (const value of others) assert.is(await visit(value), 303, value.slice(0, 30));
  });
  it("A session cookie of 100 KB gets 431, and one of 10 KB is not signed in", async () => {
    assert.is(await visit("x".repeat(100_000)), 431);
    assert.is(await visit("A".repeat(10_000)), 303);
    assert.is(await visit(cookie), 200);
  });
  it("A session cookie under another secret is not signed in, and one under a configured previous secret is", async () => {
    const SECRET_KEY_BASE = "another-secret-".repeat(4);
    await app.close();
    for (const [values, status] of [
      [{ SECRET_KEY_BASE }, 303],
      [
        {
          SECRET_KEY_BASE,
          SECRET_KEY_BASE_PREVIOUS: "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19",
        },
        200,
      ],
      [{}, 200],
    ] as const) {
      app = await openApp(app.root, { values });
      assert.is(await visit(cookie), status, JSON.stringify(values));
      if (status !== 200 || "SECRET_KEY_BASE" in values) await app.close();
    }
  });
});
