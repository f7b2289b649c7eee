import { offlineAuthlib } from "../../../plugins/authlib/create_accounts.ts";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, databaseOf, mailTo, openAccounts, PASSWORD, signIn } from "./accounts.ts";
import { addPasskey, signInByPasskey } from "./promises/passkey.ts";
import { everything, neutral, opens, post, quickWithTokens, rowOf, tokenImports } from "./promises/support.ts";

const DAY = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY);
interface Expiring {
  reopenExpired(account: { id: number }): Promise<void>;
  dormantAccounts(days?: number): Promise<{ account: { id: number }; lastLoginAt: Date | undefined }[]>;
  noteAccounts(): Promise<void>;
}

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`An expired account, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let count = 0;
    if (database.skip === undefined) {
      before(async () => {
        app = await openAccounts(
          {
            user: {
              features: `${everything}, accountExpiration({ days: 90 }), webauthn(), jwt(), jwtRefresh()`,
              imports: tokenImports,
            },
          },
          { values: await database.values(), authlib: "{ limits: false }", plugins: quickWithTokens },
        );
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, work: () => Promise<void>) => it.unless(database.skip, sentence, work);
    const knex = (table: string) => databaseOf(app.application).knex(table);
    const step = () =>
      offlineAuthlib(app.application.kernel.service("auth").types.get("user", "a test")) as unknown as Expiring;
    const person = async () => {
      const login = `p${++count}@example.test`;
      const [id] = await addPeople(app, "user", login);
      return { login, id: id! };
    };
    const rest = (account_id: number, days: number) =>
      knex("user_activity_times")
        .where({ account_id })
        .update({ last_activity_at: ago(days) });
    const tried = async (login: string, password = PASSWORD) => {
      const answer = await app.client().submit("/users/login", { login, password });
      return answer.status === 303 ? "in" : neutral(answer, login);
    };
    const mailsTo = async (to: string) => {
      const { kernel } = app.application;
      await kernel.service("jobs").drain();
      return kernel.service("mailer").kept.filter((mail) => mail.to === to);
    };

    can(
      "An expired account answers the right password as a wrong one, and its owner is mailed the reason once an hour",
      async () => {
        const { login, id } = await person();
        await rest(id, 89);
        assert.is(await tried(login), "in");
        await knex("user_active_session_keys").where({ account_id: id }).delete();
        await rest(id, 91);
        const wrong = await tried(login, "no such password");
        assert.is((await mailsTo(login)).length, 0);
        assert.equal(await tried(login), wrong);
        assert.match((await mailTo(app, login, "has expired")).text, "ask the operators of");
        await tried(login);
        assert.is((await mailsTo(login)).length, 1, "one mail an hour");
      },
    );
    can(
      "An expired account is mailed the reason instead of a link, and a link from before does not sign in",
      async () => {
        const { login, id } = await person();
        await app.client().submit("/users/email-auth", { login });
        const { path } = await mailTo(app, login, "sign in");
        await rest(id, 91);
        assert.is((await app.client().submit(path, {})).status, 422);
        for (const page of ["reset-password-request", "email-auth"])
          await app.client().submit(`/users/${page}`, { login });
        assert.equal(
          (await mailsTo(login)).slice(1).map(({ subject }) => /has expired$/.test(subject)),
          [true],
        );
      },
    );
    can("A passkey does not sign in to an expired account, and its owner is mailed the reason", async () => {
      const { login, id } = await person();
      const key = await addPasskey(await signIn(app, "user", login));
      await knex("user_active_session_keys").where({ account_id: id }).delete();
      assert.is((await signInByPasskey(app.client(), key)).status, 303);
      await knex("user_active_session_keys").where({ account_id: id }).delete();
      await rest(id, 91);
      assert.is((await signInByPasskey(app.client(), key)).status, 422);
      await mailTo(app, login, "has expired");
    });
    can("A remembered device does not sign in to an expired account, and a session that exists goes on", async () => {
      const { login, id } = await person();
      const client = await signIn(app, "user", login, { remember: "1" });
      await rest(id, 91);
      assert.ok(await opens(client));
      await rest(id, 91);
      await knex("user_active_session_keys").where({ account_id: id }).delete();
      assert.not(await opens(client));
    });
    can("An expired account may refresh its tokens, and is refused a login by JSON", async () => {
      const { login, id } = await person();
      const first = await post(app, "/users/login", { login, password: PASSWORD });
      const { refresh_token } = (await first.json()) as Record<string, string>;
      await rest(id, 91);
      assert.is((await post(app, "/users/jwt-refresh", { refresh_token })).status, 200);
      await knex("user_active_session_keys").where({ account_id: id }).delete();
      assert.is((await post(app, "/users/login", { login, password: PASSWORD })).status, 401);
    });
    can("The last request of an account counts as its activity, also after the session has ended", async () => {
      const { login, id } = await person();
      const client = await signIn(app, "user", login);
      await rest(id, 120);
      await knex("user_active_session_keys")
        .where({ account_id: id })
        .update({ last_use: ago(1) });
      await client.submit("/users/logout", {});
      assert.is(await tried(login), "in");
    });
    can("A sign-in without its second factor does not count as activity", async () => {
      const { login, id } = await person();
      await signIn(app, "user", login);
      await rest(id, 91);
      await knex("user_active_session_keys").where({ account_id: id }).update({ factors: "password,?second" });
      assert.is.not(await tried(login), "in");
    });
    can("A reopened account may sign in again, and its reopening is logged", async () => {
      const { login, id } = await person();
      await rest(id, 91);
      assert.is.not(await tried(login), "in");
      await step().reopenExpired({ id });
      assert.is(await tried(login), "in");
      const log = await rowOf(app, "user_authentication_audit_logs", { account_id: id, event: "expiration_ended" });
      assert.ok(log);
    });
    can("An account without activity times is not expired, and gets them once", async () => {
      const { login, id } = await person();
      await knex("user_activity_times").where({ account_id: id }).delete();
      await knex("users")
        .where({ id })
        .update({ created_at: ago(1000) });
      assert.is(await tried(login), "in");
      await knex("user_activity_times").where({ account_id: id }).delete();
      await step().noteAccounts();
      await step().noteAccounts();
      assert.is((await knex("user_activity_times").where({ account_id: id })).length, 1);
      assert.equal((await knex("user_activity_times").where({ account_id: id }).first()).last_login_at, null);
    });
    can("A closed account loses its activity times, and does not get new ones", async () => {
      const { login, id } = await person();
      const client = await signIn(app, "user", login);
      await client.submit("/users/close-account", { password: PASSWORD });
      assert.is((await knex("user_activity_times").where({ account_id: id })).length, 0);
      await step().noteAccounts();
      assert.is((await knex("user_activity_times").where({ account_id: id })).length, 0);
    });
    can("Dormant accounts are listed with their last sign-in, and without those that were used since", async () => {
      const [resting, used, never] = [await person(), await person(), await person()];
      for (const { login } of [resting, used]) await signIn(app, "user", login);
      for (const { id } of [resting, used, never]) await rest(id, 45);
      await knex("user_active_session_keys")
        .where({ account_id: resting.id })
        .update({ last_use: ago(44) });
      const dormant = await step().dormantAccounts(30);
      const ids = dormant.map(({ account }) => account.id);
      assert.equal(
        [resting, used, never].map(({ id }) => ids.includes(id)),
        [true, false, true],
      );
      assert.ok(dormant.find(({ account }) => account.id === resting.id)!.lastLoginAt instanceof Date);
      assert.is(dormant.find(({ account }) => account.id === never.id)!.lastLoginAt, undefined);
    });
    can("The last sign-in and the one before are stored", async () => {
      const { login, id } = await person();
      await signIn(app, "user", login);
      const first = (await rowOf(app, "user_activity_times", { account_id: id })).last_login_at;
      await signIn(app, "user", login);
      const { previous_login_at, last_login_at } = await rowOf(app, "user_activity_times", { account_id: id });
      assert.equal(previous_login_at, first);
      assert.not.equal(last_login_at, null);
    });
  });
}
