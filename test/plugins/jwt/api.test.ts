import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { type Answer, ApiClient, barrier, curl, EMAIL, hasCurl, openApi, PASSWORD, type Pair } from "./api.ts";

const curlIsHere = (await hasCurl) ? undefined : "no curl; install it with: apt-get install curl";
const payloadOf = (token: string) =>
  JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString()) as Record<string, unknown>;

/** 401 as RFC 9457 and RFC 6750 have it. */
function isRefused({ status, headers, body }: Answer, challenge: RegExp): void {
  assert.is(status, 401, JSON.stringify(body));
  assert.match(headers.get("content-type")!, "application/problem+json");
  assert.match(headers.get("www-authenticate")!, challenge);
  assert.is(body.status, 401);
}
const invalid = /^Bearer realm="\w+", error="invalid_token"$/;
const missing = /^Bearer realm="\w+"$/;

for (const database of await databases()) {
  describe(`API login on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let api: ApiClient;
    if (database.skip === undefined) {
      before(async () => {
        app = await openApi({
          values: await database.values(),
          authlib: "{ limits: { login: { perLogin: 5, perAddress: 1000 } } }",
        });
        api = new ApiClient(app);
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const table = (name: string) => databaseOf(app.application).knex(name);

    can("A login is answered with exactly an access token and a refresh token, and neither is stored", async () => {
      const answer = await api.send("/api_users/login", { login: EMAIL, password: PASSWORD });
      assert.is(answer.status, 200);
      assert.equal(Object.keys(answer.body), ["access_token", "refresh_token"]);
      assert.is(answer.headers.get("cache-control"), "no-store");
      assert.is(answer.headers.get("set-cookie"), null);
      const { iss, aud, sub, iat, exp, jti, sid, ...more } = payloadOf(answer.body.access_token as string);
      assert.equal([iss, aud, sub, more], ["framewright:test", "api_user", "1", {}]);
      assert.is((exp as number) - (iat as number), 900);
      assert.type(jti, "string");
      assert.type(sid, "string");
      const refresh = payloadOf(answer.body.refresh_token as string);
      assert.is((refresh.exp as number) - (refresh.iat as number), 14 * 86_400);
      const stored = JSON.stringify([
        await table("api_user_jwt_refresh_keys"),
        await table("api_user_active_session_keys"),
      ]);
      for (const secret of [refresh.jti, sid, ...Object.values(answer.body)])
        assert.is(stored.includes(String(secret)), false);
    });

    can("An access token opens the portal of its account type", async () => {
      const { access_token } = await api.login();
      const { status, body } = await api.home(access_token);
      assert.is(status, 200);
      assert.is(body.email, EMAIL);
    });

    can("A wrong login gets 401, a malformed one 422 with the names of its fields, and invalid JSON 400", async () => {
      for (const sent of [
        { login: EMAIL, password: "wrong" },
        { login: "nobody@example.com", password: PASSWORD },
      ]) {
        const { status, headers, body } = await api.send("/api_users/login", sent);
        assert.is(status, 401);
        assert.match(headers.get("content-type")!, "application/problem+json");
        assert.match(headers.get("www-authenticate")!, missing);
        assert.is(body.code, "FW_LOGIN");
      }
      for (const [sent, fields] of [
        [{}, ["login", "password"]],
        [{ login: EMAIL }, ["password"]],
        [{ password: PASSWORD }, ["login"]],
        [{ login: [EMAIL], password: { is: PASSWORD } }, ["login", "password"]],
        [{ login: 1, password: true }, ["login", "password"]],
        [{ login: null, password: null }, ["login", "password"]],
      ] as const) {
        const { status, body } = await api.send("/api_users/login", sent);
        assert.is(status, 422, JSON.stringify(sent));
        assert.equal(Object.keys(body.errors as object), [...fields]);
      }
      assert.is((await api.send("/api_users/login", "{")).status, 400);
      assert.is((await api.send("/api_users/login", "[]")).status, 400);
    });

    can("The sixth wrong login gets 429 with Retry-After", async () => {
      const guess = () => api.send("/api_users/login", { login: "guessed@example.com", password: "wrong" });
      const statuses: number[] = [];
      for (let index = 0; index < 6; index++) statuses.push((await guess()).status);
      assert.equal(statuses, [401, 401, 401, 401, 401, 429]);
      const { headers, body } = await guess();
      assert.is(Number(headers.get("retry-after")) > 0, true);
      assert.is(body.status, 429);
    });

    can(
      "A request without a token gets a Bearer challenge, and one with an invalid token the error invalid_token",
      async () => {
        isRefused(await api.home(undefined), missing);
        for (const token of ["nonsense", "a.b.c", `${(await api.login()).access_token}x`, "«»", "x".repeat(9000)]) {
          const sent = Buffer.from(token).toString("latin1");
          isRefused(await api.home(sent), invalid);
        }
        isRefused(await api.home((await api.login()).refresh_token), invalid);
        isRefused(await api.home(undefined, { authorization: "Basic YTpi" }), missing);
      },
    );

    can("A token is accepted for its own account type only", async () => {
      const token = (await new ApiClient(app, "members").login()).access_token;
      assert.is(await new ApiClient(app, "members").opens(token), true);
      isRefused(await api.home(token), invalid);
      assert.is((await new ApiClient(app, "members").home((await api.login()).access_token)).status, 401);
      assert.is((await new ApiClient(app, "users").home(token)).status, 401);
    });

    can("A login of an account type without jwtRefresh is answered with an access token only", async () => {
      const members = new ApiClient(app, "members");
      const answer = await members.send("/members/login", { login: EMAIL, password: PASSWORD });
      assert.equal(Object.keys(answer.body), ["access_token"]);
      assert.is((await members.refresh("x")).status, 404);
    });

    can("A browser is identified by its session, and a request with a bearer token by the token alone", async () => {
      const browser = app.client();
      const signedIn = await browser.submit("/members/login", { login: EMAIL, password: PASSWORD });
      assert.is(signedIn.status, 303);
      const who = async (headers: Record<string, string>) => {
        const answer = await browser.request("/member", { headers: { accept: "application/json", ...headers } });
        return answer.status === 200 ? ((await answer.json()) as { email: string }).email : answer.status;
      };
      assert.is(await who({}), EMAIL);
      const { access_token } = await new ApiClient(app, "members").login("bob@example.com");
      assert.is(await who({ authorization: `Bearer ${access_token}` }), "bob@example.com");
      assert.is(await who({ authorization: "Bearer nonsense" }), 401);
      assert.is(await who({ authorization: `Bearer ${(await api.login()).access_token}` }), 401);
      assert.is(await who({}), EMAIL, "and the session is as it was");
      const users = app.client();
      await users.submit("/users/login", { login: EMAIL, password: PASSWORD });
      const answer = await users.request("/user", {
        headers: { authorization: `Bearer ${access_token}`, accept: "application/json" },
      });
      assert.is(answer.status, 401, "a type without tokens knows no bearer, and ignores cookies next to one");
    });

    can("A JSON login with an authenticity token signs in by the session, and gets no tokens", async () => {
      const browser = app.client();
      const form = await browser.page("/members/login");
      const authenticity_token = /name="authenticity_token" value="([^"]+)"/.exec(form)![1]!;
      const answer = await browser.request("/members/login", {
        method: "POST",
        headers: { accept: "application/json", "content-type": "application/json" },
        body: JSON.stringify({ login: EMAIL, password: PASSWORD, authenticity_token }),
      });
      assert.is(answer.status, 200);
      assert.equal(Object.keys((await answer.json()) as object), ["success"]);
      assert.is((await browser.request("/member", { headers: { accept: "application/json" } })).status, 200);
    });

    can("An API-only account type has no pages, and its endpoints answer GET with 405", async () => {
      const page = await app.request("/api_users/login");
      assert.is(page.status, 405);
      assert.is(page.headers.get("allow"), "POST, OPTIONS");
      assert.is((await app.request("/api_users/logout")).status, 405);
      assert.is((await app.request("/api_users/jwt-refresh")).status, 405);
      assert.is((await app.request("/api_users/account")).status, 404);
      assert.is((await app.request("/members/login")).status, 200);
    });

    can("A refresh token changes at each use", async () => {
      const first = await api.login();
      const { status, body, headers } = await api.refresh(first.refresh_token);
      assert.is(status, 200, JSON.stringify(body));
      assert.equal(Object.keys(body), ["access_token", "refresh_token"]);
      assert.is(headers.get("cache-control"), "no-store");
      assert.is.not(body.refresh_token, first.refresh_token);
      assert.is(await api.opens(body.access_token as string), true);
      const second = await api.refresh(body.refresh_token);
      assert.is(second.status, 200);
      assert.is(await api.opens(second.body.access_token as string), true);
    });

    can("Reuse of a refresh token whose successor was spent ends its family, and no other", async () => {
      const first = await api.login();
      const other = await api.login();
      const second = (await api.refresh(first.refresh_token)).body as unknown as Pair;
      const third = (await api.refresh(second.refresh_token)).body as unknown as Pair;
      assert.is(await api.opens(third.access_token), true);
      isRefused(await api.refresh(first.refresh_token), invalid);
      isRefused(await api.refresh(third.refresh_token), invalid);
      for (const { access_token } of [first, second, third]) isRefused(await api.home(access_token), invalid);
      assert.is(await api.opens(other.access_token), true, "another sign-in lives on");
      assert.is((await api.refresh(other.refresh_token)).status, 200);
    });

    can(
      "The last spent refresh token gets the same successor once more, and its next use ends the family",
      async () => {
        const first = await api.login();
        const second = await api.refresh(first.refresh_token);
        const again = await api.refresh(first.refresh_token);
        assert.is(again.status, 200);
        assert.is(again.body.refresh_token, second.body.refresh_token);
        assert.is(await api.opens(again.body.access_token as string), true);
        isRefused(await api.refresh(first.refresh_token), invalid);
        isRefused(await api.refresh(second.body.refresh_token), invalid);
        assert.is(await api.opens(again.body.access_token as string), false);
      },
    );

    can("A spent refresh token is refused after a grace period of ten seconds", async () => {
      const first = await api.login();
      const { body } = await api.refresh(first.refresh_token);
      const { jti } = payloadOf(first.refresh_token);
      const { digests } = app.application.kernel.service("auth").types.get("api_user", "the test").services;
      const earlier = new Date(Date.now() - 11_000);
      await table("api_user_jwt_refresh_keys")
        .where({ token_digest: digests.digest(String(jti)) })
        .update({ spent_at: earlier });
      isRefused(await api.refresh(first.refresh_token), invalid);
      isRefused(await api.refresh(body.refresh_token), invalid);
    });

    can("A value that is not a refresh token gets 401 or 422, and the family stays valid", async () => {
      const pair = await api.login();
      for (const token of [pair.access_token, `${pair.refresh_token}x`, "nonsense", "x".repeat(10_000)]) {
        isRefused(await api.refresh(token), invalid);
      }
      for (const token of [undefined, null, "", 1, true, [], {}, [pair.refresh_token], { is: pair.refresh_token }]) {
        const { status, body } = await api.refresh(token);
        assert.is(status, 422, JSON.stringify(token));
        assert.equal(Object.keys(body.errors as object), ["refresh_token"]);
      }
      assert.is((await api.refresh(pair.refresh_token)).status, 200);
    });

    can("A refresh succeeds whatever bearer token comes with it", async () => {
      const { refresh_token } = await api.login();
      const answer = await api.send(
        "/api_users/jwt-refresh",
        { refresh_token },
        { authorization: "Bearer run.out.long ago" },
      );
      assert.is(answer.status, 200);
    });

    for (const count of [2, 20]) {
      can(`Two of ${count} parallel refreshes get the same successor`, async () => {
        const { refresh_token } = await api.login();
        const meeting = globalThis as { meet?: (() => Promise<void>) | undefined };
        meeting.meet = barrier(count);
        const answers = await Promise.all(Array.from({ length: count }, () => api.refresh(refresh_token)));
        meeting.meet = undefined;
        const taken = answers.filter(({ status }) => status === 200);
        assert.is(taken.length, 2, answers.map(({ status }) => status).join());
        assert.is(
          answers.every(({ status }) => status === 200 || status === 401),
          true,
        );
        const [next] = [...new Set(taken.map(({ body }) => body.refresh_token))];
        assert.is(
          taken.every(({ body }) => body.refresh_token === next),
          true,
        );
        assert.is((await api.refresh(next)).status, count === 2 ? 200 : 401, "more than two is reuse");
        for (const { body } of taken) assert.is(await api.opens(body.access_token as string), count === 2);
      });
    }

    can("Parallel logins of one account all get refresh tokens of their own", async () => {
      const pairs = await Promise.all(Array.from({ length: 8 }, () => api.login()));
      assert.is(new Set(pairs.map(({ refresh_token }) => refresh_token)).size, 8);
      const answers = await Promise.all(pairs.map(({ refresh_token }) => api.refresh(refresh_token)));
      assert.is(
        answers.every(({ status }) => status === 200),
        true,
      );
    });

    can("A family of refresh tokens has two rows after five refreshes", async () => {
      await table("api_user_jwt_refresh_keys").update({ deadline: new Date(Date.now() - 1000) });
      let { refresh_token } = await api.login("bob@example.com");
      for (let index = 0; index < 5; index++)
        refresh_token = String((await api.refresh(refresh_token)).body.refresh_token);
      const rows = await table("api_user_jwt_refresh_keys").where({ account_id: 2 });
      assert.is(rows.length, 2);
    });

    can("A logout with an access token ends its sign-in at once, and no other", async () => {
      const pair = await api.login();
      const other = await api.login();
      const bearer = { authorization: `Bearer ${pair.access_token}` };
      const answer = await api.send("/api_users/logout", {}, bearer);
      assert.is(answer.status, 200, JSON.stringify(answer.body));
      assert.is(answer.headers.get("set-cookie"), null);
      isRefused(await api.home(pair.access_token), invalid);
      isRefused(await api.refresh(pair.refresh_token), invalid);
      isRefused(await api.send("/api_users/logout", {}, bearer), invalid);
      assert.is(await api.opens(other.access_token), true);
    });

    can("A logout with a refresh token ends its sign-in at once, also without a valid access token", async () => {
      const pair = await api.login();
      const { status } = await api.send(
        "/api_users/logout",
        { refresh_token: pair.refresh_token },
        { authorization: "Bearer x.y.z" },
      );
      assert.is(status, 200);
      isRefused(await api.home(pair.access_token), invalid);
      const again = await api.login();
      assert.is((await api.send("/api_users/logout", { refresh_token: again.refresh_token })).status, 200);
      isRefused(await api.home(again.access_token), invalid);
      isRefused(await api.send("/api_users/logout", {}), missing);
    });

    can("A password change, the end of all credentials and a closed account end every token", async () => {
      const { types } = app.application.kernel.service("auth");
      const type = types.get("api_user", "the test");
      const change = async (how: (authlib: InstanceType<typeof type.class>, account: never) => Promise<unknown>) => {
        const pair = await api.login();
        assert.is(await api.opens(pair.access_token), true);
        const authlib = new type.class(
          { header: () => undefined, address: "", application: app.application, actorFor: () => undefined } as never,
          type,
        );
        await how(authlib, (await authlib.findAccountById(1)) as never);
        isRefused(await api.home(pair.access_token), invalid);
        isRefused(await api.refresh(pair.refresh_token), invalid);
      };
      await change((authlib, account) => authlib.changePasswordOf(account, PASSWORD));
      await change((authlib, account) => authlib.transaction((trx) => authlib.killCredentials(account, trx)));
      await change(() => table("api_users").where({ id: 1 }).update({ account_status: "closed" }));
      await table("api_users").where({ id: 1 }).update({ account_status: "verified" });
    });

    it.unless(database.skip ?? curlIsHere, "Login, refresh and logout work with curl", async () => {
      const json = ["-H", "Content-Type: application/json", "-H", "Accept: application/json"];
      const login = await curl(
        ...json,
        "-d",
        JSON.stringify({ login: EMAIL, password: PASSWORD }),
        `${app.url}/api_users/login`,
      );
      assert.is(login.status, 200, login.body);
      const pair = JSON.parse(login.body) as Pair;
      const asBearer = (token: string) => ["-H", `Authorization: Bearer ${token}`];
      const home = await curl(...asBearer(pair.access_token), "-H", "Accept: application/json", `${app.url}/api_user`);
      assert.is(home.status, 200, home.body);
      assert.is((JSON.parse(home.body) as { email: string }).email, EMAIL);
      const refreshed = await curl(
        ...json,
        "-d",
        JSON.stringify({ refresh_token: pair.refresh_token }),
        `${app.url}/api_users/jwt-refresh`,
      );
      assert.is(refreshed.status, 200, refreshed.body);
      const next = JSON.parse(refreshed.body) as Pair;
      const logout = await curl(...json, ...asBearer(next.access_token), "-X", "POST", `${app.url}/api_users/logout`);
      assert.is(logout.status, 200, logout.body);
      const gone = await curl(...asBearer(next.access_token), "-H", "Accept: application/json", `${app.url}/api_user`);
      assert.is(gone.status, 401, gone.body);
    });

    can(
      "Bearer requests and API-only account types get problem documents for any Accept header, and a browser a redirect",
      async () => {
        const plain = (path: string, headers: Record<string, string> = {}) =>
          app.request(path, { headers: { accept: "*/*", ...headers } });
        const bearer = { authorization: "Bearer x" };
        for (const answer of [
          await plain("/api_user", bearer),
          await plain("/member", bearer),
          await plain("/api_user"),
        ]) {
          assert.is(answer.status, 401);
          assert.match(answer.headers.get("content-type")!, "application/problem+json");
        }
        assert.is((await plain("/member")).status, 303, "a browser is sent to the login");
      },
    );
  });
}
