import type { TestApp } from "../../../support/apps.ts";
import { databases } from "../../../support/databases.ts";
import { assert, describe } from "../../../support/index.ts";
import type { Client } from "../../../testing/client.ts";
import { addPeople, openAccounts, PASSWORD, type TestType } from "../accounts.ts";
import { asJson, everything, opens, post, quickWithTokens, setUpCodes, stored, tokenImports } from "./support.ts";

const NEW = "another horse battery";
/** Two types of the same features, one of few, one with tokens and pages, and one with tokens alone. */
const types: Record<string, TestType> = {
  user: { features: everything },
  member: { features: everything },
  admin: { features: "login({ phases: 2 }), logout(), changePassword(), sessionExpiration()" },
  clerk: { features: "login(), logout(), remember(), changePassword(), jwt(), jwtRefresh()", imports: tokenImports },
  api_user: {
    features: "login(), logout(), jwt(), jwtRefresh()",
    imports: tokenImports,
    body: "static override apiOnly = true;",
  },
};
const withPages = ["user", "member", "admin", "clerk"];

for (const database of await databases()) {
  describe(`Account types in one browser, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        const options = { values: await database.values(), authlib: "{ limits: false }", plugins: quickWithTokens };
        app = await openAccounts(types, options);
        for (const type of Object.keys(types)) await addPeople(app, type, `${type}@example.test`);
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const enter = async (client: Client, type: string, password = PASSWORD) => {
      const login = `${type}@example.test`;
      const remember = { remember: "1" };
      if (type !== "admin") return client.submit(`/${type}s/login`, { login, password, ...remember });
      const token = /name="authenticity_token" value="([^"]+)"/.exec(await client.page("/admins/login"))![1]!;
      const body = new URLSearchParams({ login, password, authenticity_token: token });
      return client.request("/admins/login", { method: "POST", body });
    };
    /** What is stored of one type. */
    const ofType = async (type: string) =>
      (await stored(app)).split("\n").filter((line) => line.startsWith(`${type}s `) || line.startsWith(`${type}_`));
    const who = async (client: Client, type: string) => (await client.json(`/${type}`)).body.email;

    for (const one of withPages) {
      can(
        `Sign-in, password changes and sign-out of the type ${one} leave the sessions and data of other types unchanged`,
        async () => {
          const others = withPages.filter((type) => type !== one);
          for (const other of database.name === "sqlite" ? others : others.slice(0, 1)) {
            const client = app.client();
            assert.is((await enter(client, other)).status, 303, other);
            const form = await client.page(`/${other}/form`);
            const start = form.indexOf(`action="/${other}/form"`);
            const token = /name="authenticity_token" value="([^"]+)"/.exec(form.slice(start))![1]!;
            const rows = await ofType(other);
            const untouched = async (step: string) => {
              const body = new URLSearchParams({ authenticity_token: token, text: step });
              const sent = await client.request(`/${other}/form`, { method: "POST", body });
              assert.is(sent.status, 200, `${other}'s form, after ${one} ${step}`);
              assert.is(await who(client, other), `${other}@example.test`, step);
              assert.equal(await ofType(other), rows, step);
            };
            assert.is((await enter(client, one)).status, 303);
            await untouched("signed in");
            for (const [old, next] of [
              [PASSWORD, NEW],
              [NEW, PASSWORD],
            ] as const) {
              const fields = { password: old, new_password: next, password_confirmation: next };
              assert.is((await client.submit(`/${one}s/change-password`, fields)).status, 303);
              await untouched("changed the password");
            }
            assert.is(await who(client, one), `${one}@example.test`);
            await client.submit(`/${one}s/logout`, {});
            assert.not(await opens(client, `/${one}`));
            await untouched("signed out");
          }
        },
      );
    }

    can("A user of one account type is answered as a guest at every route of another", async () => {
      for (const one of withPages) {
        const client = app.client();
        await enter(client, one);
        for (const { verb, path, account } of app.application.routes()) {
          const other = Object.keys(types).find(
            (type) => path === `/${type}` || path.startsWith(`/${type}/`) || path.startsWith(`/${type}s/`),
          );
          if (other === undefined || other === one) continue;
          const init = { method: verb, ...(verb === "GET" ? {} : { body: new URLSearchParams({ text: "x" }) }) };
          const [mine, strangers] = [await client.copy().request(path, init), await app.client().request(path, init)];
          assert.is(mine.status, strangers.status, `${one}: ${verb} ${path}`);
          assert.is(mine.headers.get("location"), strangers.headers.get("location"), `${one}: ${verb} ${path}`);
          assert.not.match(await mine.text(), `${one}@example.test`);
          if (account === other) assert.ok([303, 401].includes(mine.status), `${verb} ${path}: ${mine.status}`);
        }
      }
    });

    can("A token of one account type gets 401 at every route of another", async () => {
      for (const one of ["clerk", "api_user"]) {
        const credentials = { login: `${one}@example.test`, password: PASSWORD };
        const tokens = (await (await post(app, `/${one}s/login`, credentials)).json()) as Record<string, string>;
        const as = (token: string | undefined) => ({ headers: { ...asJson, authorization: `Bearer ${token}` } });
        assert.is((await app.request(`/${one}`, as(tokens.access_token))).status, 200);
        for (const { verb, path, account } of app.application.routes()) {
          if (account === one || !(account in types)) continue;
          for (const token of Object.values(tokens)) {
            const answer = await app.request(path, {
              method: verb,
              ...as(token),
              ...(verb === "GET" ? {} : { body: "{}" }),
            });
            assert.is(answer.status, 401, `${one}'s token: ${verb} ${path}`);
          }
        }
        for (const other of ["clerk", "api_user"].filter((type) => type !== one)) {
          const refreshed = await post(app, `/${other}s/jwt-refresh`, { refresh_token: tokens.refresh_token });
          assert.is(refreshed.status, 401);
        }
        assert.is(
          (await app.request(`/${one}`, as(tokens.refresh_token))).status,
          401,
          "a refresh token opens nothing",
        );
      }
    });

    can("Recovery codes of one account type are not shown on the page of another", async () => {
      const client = app.client();
      for (const type of ["user", "member"]) await enter(client, type);
      for (const plural of ["users", "members"]) await setUpCodes(client, plural);
      await client.submit("/users/recovery-codes", {});
      const code = /[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}/;
      assert.not.match(await client.page("/members/recovery-codes"), code);
      assert.match(await client.page("/users/recovery-codes"), code);
    });
  });
}
