import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, databaseOf, mailTo, openAccounts, PASSWORD, signIn } from "./accounts.ts";
import { addPasskey, signInByPasskey } from "./promises/passkey.ts";
import { codeOf, everything, opens, post, quick, rowOf, setUpCodes, stored } from "./promises/support.ts";

const NEW = "another horse battery";
const chosen = { password: NEW, password_confirmation: NEW };
const features = `${everything}, webauthn(), securityMails()`;
const DAY = 86_400_000;

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Reports of a compromised account, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let count = 0;
    if (database.skip === undefined) {
      before(async () => {
        const body = `override async emitEvent(name, details, ...about) { if (name === "compromise_reported") (globalThis as any).reported = details; await super.emitEvent(name, details, ...about); }`;
        app = await openAccounts(
          { user: { features, body } },
          { values: await database.values(), authlib: "{ limits: false }", plugins: quick },
        );
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const knex = (table: string) => databaseOf(app.application).knex(table);
    const person = async () => {
      const login = `p${++count}@example.test`;
      const [id] = await addPeople(app, "user", login);
      return { id: id!, login };
    };
    const linkTo = async (login: string, subject: string) => (await mailTo(app, login, subject)).path;
    const keyOf = (path: string) => new URL(path, "http://x").searchParams.get("key")!;
    /** Changes the login of who is signed in, as whoever reads the mails of the new one can. */
    const changeLogin = async (client: ReturnType<TestApp["client"]>, login: string, password = PASSWORD) => {
      await client.submit("/users/change-login", { login, password });
      assert.is((await client.submit(await linkTo(login, "Confirm your new address"), {})).status, 303);
    };
    /** An account that a thief who knows the password has made theirs. */
    const stolen = async () => {
      const { id, login } = await person();
      const owner = await signIn(app, "user", login);
      const thief = await signIn(app, "user", login, { remember: "1" });
      const passkey = await addPasskey(thief);
      const secret = await setUpCodes(thief);
      await thief.submit("/users/recovery-codes", {});
      const theirs = `thief${count}@example.test`;
      await changeLogin(thief, theirs);
      assert.not(await opens(owner), "the owner is out");
      return { id, login, thief, passkey, secret, theirs };
    };

    can(
      "A report gives a stolen account its login back, and removes the thief's factors, sessions and password",
      async () => {
        const { id, login, thief, passkey, secret, theirs } = await stolen();
        const path = await linkTo(login, "Your address");
        const owner = app.client();
        const answer = await owner.submit(path, {});
        assert.is(answer.status, 303);
        const next = answer.headers.get("location")!;
        assert.match(next, "/users/reset-password?key=");
        assert.is((await rowOf(app, "users", { id })).email, login);
        for (const table of ["otp_keys", "webauthn_keys", "recovery_codes", "active_session_keys", "password_hashes"])
          assert.equal(await knex(`user_${table}`).where({ account_id: id }), [], table);
        assert.equal((globalThis as { reported?: object }).reported, { factors: 12, login: true });

        assert.not(await opens(thief));
        assert.is((await signInByPasskey(app.client(), passkey)).status, 422);
        for (const [who, password] of [
          [login, PASSWORD],
          [theirs, PASSWORD],
        ])
          assert.is((await post(app, "/users/login", { login: who, password })).status, 401);
        await post(app, "/users/reset-password-request", { login: theirs });
        const { kernel } = app.application;
        await kernel.service("jobs").drain();
        assert.not(
          kernel.service("mailer").kept.some(({ to, subject }) => to === theirs && subject.includes("Set a new")),
        );

        const same = { password: PASSWORD, password_confirmation: PASSWORD };
        const refused = await owner.submit(next, same);
        assert.is(refused.status, 422, "the thief knows it");
        assert.match(await refused.text(), "known to somebody else");
        assert.is((await owner.submit(next, chosen)).status, 303);
        assert.ok(await opens(await signIn(app, "user", login, {}, NEW)), "without a code");
        assert.is((await app.request(path)).status, 422, "the link was used");
        assert.is((await thief.submit("/users/login", { login, password: PASSWORD })).status, 422);
        assert.ok(codeOf(secret));
      },
    );
    can(
      "A link that was mailed before the login changed works as well, and voids the links mailed to the thief",
      async () => {
        const { id, login, thief, theirs } = await stolen();
        await thief.submit("/users/sessions", { all: "others" });
        const thiefs = await linkTo(theirs, "Sessions of your account");
        const path = await linkTo(login, "A passkey was added");
        assert.is((await app.request(thiefs)).status, 200);
        assert.is((await app.client().submit(path, {})).status, 303);
        assert.is((await rowOf(app, "users", { id })).email, login);
        assert.is((await app.request(thiefs)).status, 422);
        assert.is(
          (await app.request(await linkTo(login, "An authenticator app"))).status,
          200,
          "the owner's others stay",
        );
      },
    );
    can("A report by the thief leaves the owner's link valid", async () => {
      const { id, login, thief, theirs } = await stolen();
      await thief.submit("/users/sessions", { all: "others" });
      assert.is((await app.client().submit(await linkTo(theirs, "Sessions of"), {})).status, 303);
      assert.is((await rowOf(app, "users", { id })).email, theirs);
      assert.is((await app.client().submit(await linkTo(login, "Your address"), {})).status, 303);
      assert.is((await rowOf(app, "users", { id })).email, login);
    });
    can("A report keeps factors that were added more than a day ago", async () => {
      const { id, login } = await person();
      const client = await signIn(app, "user", login);
      await setUpCodes(client);
      await client.submit("/users/recovery-codes", {});
      const then = new Date(Date.now() - 25 * 3_600_000);
      for (const table of ["otp_keys", "recovery_codes"])
        await knex(`user_${table}`).where({ account_id: id }).update({ created_at: then });
      await addPasskey(client);
      const path = await linkTo(login, "A passkey was added");
      assert.is((await app.client().submit(path, {})).status, 303);
      const left = async (table: string) => (await knex(`user_${table}`).where({ account_id: id })).length;
      assert.equal([await left("otp_keys"), await left("recovery_codes"), await left("webauthn_keys")], [1, 10, 0]);
    });
    can("A link is invalid at an address that the account left more than a day ago", async () => {
      const { login } = await person();
      await changeLogin(await signIn(app, "user", login), `moved${login}`);
      const path = await linkTo(login, "Your address");
      assert.is((await app.request(path)).status, 200);
      await knex("user_compromise_keys")
        .where({ login })
        .update({ requested_at: new Date(Date.now() - DAY - 60_000) });
      assert.is((await app.request(path)).status, 422);
      assert.is((await post(app, "/users/report-compromise", { key: keyOf(path) })).status, 422);
      assert.ok(await opens(await signIn(app, "user", `moved${login}`)));
    });
    can(
      "A link changes nothing when it is opened, is valid for a week and once, and leaves the links of other mails valid",
      async () => {
        const { id, login } = await person();
        const client = await signIn(app, "user", login);
        await addPasskey(client);
        await setUpCodes(client);
        const [first, second] = [
          await linkTo(login, "A passkey was added"),
          await linkTo(login, "An authenticator app"),
        ];
        const was = await stored(app);
        for (const method of ["GET", "HEAD"]) await app.request(first, { method });
        assert.is(await stored(app), was);
        assert.match(await app.client().page(first), "That wasn&#39;t me");
        const rows = knex("user_compromise_keys").where({ account_id: id });
        for (const { deadline, requested_at } of await rows.clone())
          assert.is(Math.round((Number(new Date(deadline)) - Number(new Date(requested_at))) / DAY), 7);
        const answers = await Promise.all(
          [1, 2, 3].map(() => post(app, "/users/report-compromise", { key: keyOf(first) })),
        );
        assert.equal(answers.map(({ status }) => status).sort(), [200, 422, 422]);
        const { success, reset_password_key } = (await answers.find(({ status }) => status === 200)!.json()) as Record<
          string,
          string
        >;
        assert.match(success!, "All sessions are ended");
        assert.is((await app.request(second)).status, 200);
        assert.is((await post(app, "/users/reset-password", { key: reset_password_key, ...chosen })).status, 200);
        await rows.clone().update({ deadline: new Date(Date.now() - 1000) });
        assert.is((await app.request(second)).status, 422);
      },
    );
    can("A report takes the login back from a sign-up that nobody has verified", async () => {
      const { id, login } = await stolen();
      await post(app, "/users/create-account", { login, ...chosen });
      assert.is((await knex("users").where({ email: login })).length, 1);
      assert.is((await app.client().submit(await linkTo(login, "Your address at"), {})).status, 303);
      assert.is((await rowOf(app, "users", { email: login })).id, id);
    });
    can("A link is invalid once the account is closed", async () => {
      const { login } = await person();
      const client = await signIn(app, "user", login);
      await addPasskey(client);
      const path = await linkTo(login, "A passkey was added");
      await client.submit("/users/close-account", { password: PASSWORD });
      assert.is((await app.request(path)).status, 422);
    });
  });
}
