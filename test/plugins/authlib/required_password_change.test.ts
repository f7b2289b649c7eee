import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import type { Client } from "../../testing/client.ts";
import { addPeople, databaseOf, mailTo, openAccounts, PASSWORD, signIn } from "./accounts.ts";
import { codeOf, everything, opens, post, quickWithTokens, setUpCodes, tokenImports } from "./promises/support.ts";

const NEW = "another horse battery";
const fields = { new_password: NEW, password_confirmation: NEW };
const options = { authlib: "{ limits: false }", plugins: quickWithTokens };
const where = (answer: Response) => [answer.status, answer.headers.get("location")];

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`A required password change, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let count = 0;
    if (database.skip === undefined) {
      before(async () => {
        app = await openAccounts(
          {
            user: { features: `${everything}, jwt(), jwtRefresh()`, imports: tokenImports },
            clerk: { features: "login()" },
          },
          { ...options, values: await database.values() },
        );
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, work: () => Promise<void>) => it.unless(database.skip, sentence, work);
    const person = async () => {
      const login = `p${++count}@example.test`;
      const [id] = await addPeople(app, "user", login);
      return { login, id: id! };
    };
    const offline = async (name: string) => {
      const { offlineAuthlib } = await import("../../../plugins/authlib/create_accounts.ts");
      return offlineAuthlib(app.application.kernel.service("auth").types.get(name, "a test"));
    };
    const require = async (id: number) => (await offline("user")).requirePasswordChange({ id });
    const events = async (id: number) =>
      (
        await databaseOf(app.application)
          .knex("user_authentication_audit_logs")
          .where({ account_id: id })
          .orderBy("id")
          .select("event")
      ).map(({ event }) => event);
    const start = async (login: string, password = PASSWORD) => {
      const client = app.client();
      return { client, answer: await client.submit("/users/login", { login, password }) };
    };
    const isHalfIn = async (client: Client) => {
      assert.not(await opens(client));
      for (const path of ["otp-setup", "account", "change-login", "sessions", "recovery-codes", "confirm-identity"])
        assert.is((await client.request(`/users/${path}`)).headers.get("location"), "/users/change-password", path);
    };

    can(
      "A required password change ends the sign-ins, and the next one opens nothing before another password is chosen",
      async () => {
        const { login, id } = await person();
        const before = await signIn(app, "user", login);
        await require(id);
        assert.not(await opens(before));
        const { client, answer } = await start(login);
        assert.equal(where(answer), [303, "/users/change-password"]);
        await isHalfIn(client);
        assert.is((await events(id)).at(-1), "first_factor_passed");
        const page = await client.page("/users/change-password");
        assert.match(page, "You have to choose a new password");
        assert.not.match(page, 'name="password"');
        const same = { new_password: PASSWORD, password_confirmation: PASSWORD };
        assert.is((await client.submit("/users/change-password", same)).status, 422);
        assert.is((await client.submit("/users/change-password", fields)).status, 303);
        assert.ok(await opens(client));
        assert.equal((await events(id)).slice(-2), ["password_changed", "login"]);
        assert.equal(where((await start(login, NEW)).answer), [303, "/user"], "it is asked once");
      },
    );
    can("A required password change comes after the second factor", async () => {
      const { login, id } = await person();
      const secret = await setUpCodes(await signIn(app, "user", login));
      await require(id);
      const { client, answer } = await start(login);
      assert.equal(where(answer), [303, "/users/otp-auth"]);
      assert.equal(where(await client.request("/users/change-password")), [303, "/users/otp-auth"]);
      const code = await client.submit("/users/otp-auth", { otp_code: codeOf(secret) });
      assert.equal(where(code), [303, "/users/change-password"]);
      await isHalfIn(client);
      await client.submit("/users/change-password", fields);
      assert.ok(await opens(client));
    });
    can(
      "A required password change does not stop a sign-in by mailed link, and ends with a reset by mail",
      async () => {
        const { login, id } = await person();
        await require(id);
        const client = app.client();
        await client.submit("/users/email-auth", { login });
        await client.submit((await mailTo(app, login, "sign in")).path, {});
        assert.ok(await opens(client));
        await app.client().submit("/users/reset-password-request", { login });
        const chosen = { password: NEW, password_confirmation: NEW };
        await app.client().submit((await mailTo(app, login, "Set a new password")).path, chosen);
        assert.equal(where((await start(login, NEW)).answer), [303, "/user"]);
      },
    );
    can(
      "A login by JSON gets FW_PASSWORD_CHANGE with a token that is accepted for the password change only",
      async () => {
        const { login, id } = await person();
        await require(id);
        const first = await post(app, "/users/login", { login, password: PASSWORD });
        const body = (await first.json()) as Record<string, string>;
        assert.equal([first.status, body.code], [401, "FW_PASSWORD_CHANGE"]);
        const bearer = { authorization: `Bearer ${body.pending_token}` };
        assert.is((await post(app, "/users/otp-setup", {}, bearer)).status, 401);
        assert.is((await post(app, "/users/change-password", { new_password: PASSWORD }, bearer)).status, 422);
        const answer = await post(app, "/users/change-password", { new_password: NEW }, bearer);
        const { access_token } = (await answer.json()) as Record<string, string>;
        assert.is(answer.status, 200);
        const shown = await app.request("/users/sessions", {
          headers: { accept: "application/json", authorization: `Bearer ${access_token}` },
        });
        assert.is(shown.status, 200);
      },
    );
    can("The page of sessions names a sign-in that has not chosen its new password yet", async () => {
      const { login, id } = await person();
      await require(id);
      const { client: half } = await start(login);
      const own = app.client();
      await own.submit("/users/email-auth", { login });
      await own.submit((await mailTo(app, login, "sign in")).path, {});
      assert.match(await own.page("/users/sessions"), "New password not chosen yet");
      assert.not(await opens(half));
    });
    can("A required password change follows its transaction, and its event is stored with the commit", async () => {
      const { login, id } = await person();
      const authlib = await offline("user");
      await authlib
        .transaction(async (trx) => {
          await authlib.requirePasswordChange({ id }, trx);
          throw new Error("not this time");
        })
        .catch(() => undefined);
      assert.ok(await opens(await signIn(app, "user", login)));
      assert.not.match((await events(id)).join(), "password_change_required");
      await authlib.transaction((trx) => authlib.requirePasswordChange({ id }, trx));
      assert.equal(where((await start(login)).answer), [303, "/users/change-password"]);
      assert.match((await events(id)).join(), "password_change_required");
    });
    can("A required password change fails without the feature changePassword(), and the error names it", async () => {
      const [id] = await addPeople(app, "clerk", `c${++count}@example.test`);
      const authlib = await offline("clerk");
      await authlib.requirePasswordChange({ id: id! }).then(
        () => assert.unreachable("it was taken"),
        (error: Error) => assert.match(error.message, "Add changePassword()"),
      );
    });
  });
}
