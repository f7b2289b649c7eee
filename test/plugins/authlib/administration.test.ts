import type { AccountAdministration, AccountEvent } from "../../../plugins/authlib/index.ts";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { addPeople, databaseOf, mailTo, openAccounts, PASSWORD, signIn } from "./accounts.ts";
import { addPasskey } from "./promises/passkey.ts";
import { codeOf, everything, opens, post, quick, rowOf, setUpCodes } from "./promises/support.ts";

const NEW = "another horse battery";
const chosen = { password: NEW, password_confirmation: NEW };
const listener = {
  imports: `${quick.imports} import { definePlugin as define } from "framewright/kernel";`,
  list: `${quick.list} define({ name: "listener", requires: ["auth"], apply({ hooks }) {
    (globalThis as any).told = []; hooks.auth.account.tap("listener", (event) => void (globalThis as any).told.push(event)); } })`,
};
const told = () => (globalThis as unknown as { told: AccountEvent[] }).told;

for (const database of await databases()) {
  describe(`Administration of accounts, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let accounts: AccountAdministration;
    let count = 0;
    if (database.skip === undefined) {
      before(async () => {
        const types = {
          user: { features: `${everything}, webauthn(), securityMails()` },
          member: { features: "login()" },
        };
        const options = { values: await database.values(), authlib: "{ limits: false }", plugins: listener };
        app = await openAccounts(types, options);
        accounts = app.application.kernel.service("auth").accounts("user", { actor: "the test" });
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
    const inside = async () => {
      const who = await person();
      return { ...who, client: await signIn(app, "user", who.login, { remember: "1" }) };
    };
    const tries = (login: string, password = PASSWORD) =>
      post(app, "/users/login", { login, password }).then(({ status }) => status);
    const failing = async (login: string) => {
      for (let times = 0; times < 5; times++) await tries(login, "a wrong horse");
    };
    const mailed = async (login: string) => {
      const { kernel } = app.application;
      await kernel.service("jobs").drain();
      return kernel.service("mailer").kept.filter(({ to }) => to === login);
    };
    /** The event of a deed, with who did it. */
    const eventOf = (id: number, name: string) =>
      told().findLast((event) => event.accountId === id && event.name === name)?.details;
    const by = { by: "administrator", actor: "the test" };
    const signUp = async () => {
      const login = `p${++count}@example.test`;
      await post(app, "/users/create-account", { login, password: PASSWORD, password_confirmation: PASSWORD });
      return { login, id: Number((await rowOf(app, "users", { email: login })).id) };
    };

    can(
      "An account is found by its id or its login in any case, and a missing one fails with FW_ACCOUNT_MISSING",
      async () => {
        const { id, login } = await person();
        assert.is((await accounts.find(` ${login.toUpperCase()} `)).id, id);
        assert.is((await accounts.find(id)).id, id);
        assert.is((await accounts.find(String(id))).id, id);
        assert.equal([await accounts.exists(login), await accounts.exists("nobody@example.test")], [true, false]);
        await throwsCode("FW_ACCOUNT_MISSING", () => accounts.find("nobody@example.test"));
        await throwsCode("FW_ACCOUNT_TYPE_UNKNOWN", () => app.application.kernel.service("auth").accounts("usr"));
      },
    );

    can("The status of an account has its state, locks, factors and sign-ins, and no secrets", async () => {
      const { id, login, client } = await inside();
      await setUpCodes(client);
      await client.submit("/users/recovery-codes", {});
      const status = await accounts.status(login);
      const { lastSignIn, factors, ...rest } = status;
      assert.equal(rest, { id, login, state: "open", hasPassword: true, sessions: 1, rememberedDevices: 1 });
      assert.ok(Date.now() - lastSignIn!.getTime() < 60_000);
      assert.equal(
        factors.map((one) => [one.name, one.count]),
        [
          ["otp", 1],
          ["recovery_codes", 10],
          ["webauthn", 0],
        ],
      );
      await failing(login);
      assert.ok((await accounts.status(login)).lockedUntil! > new Date());
      await accounts.endSessions(login);
      const { sessions, lastSignIn: last } = await accounts.status(login);
      assert.equal([sessions, last], [0, lastSignIn], "by the audit log");
      assert.is((await accounts.status((await signUp()).login)).state, "unverified");
      assert.not.match(JSON.stringify(status), /quick|digest|secret/);
    });

    can(
      "Removing all factors of an account ends its sign-ins, mails its owner and makes the password enough to sign in",
      async () => {
        const { id, login, client } = await inside();
        await addPasskey(client);
        await setUpCodes(client);
        await client.submit("/users/recovery-codes", {});
        const removed = await accounts.removeFactors(login);
        assert.equal(
          [...removed].sort((one, other) => one.name.localeCompare(other.name)),
          [
            { name: "otp", count: 1 },
            { name: "recovery_codes", count: 10 },
            { name: "webauthn", count: 1 },
          ],
        );
        assert.is(await opens(client), false, "whoever has the phone is out");
        client.forget("fw_session");
        assert.is(await opens(client), false, "and not let in again by the device's key");
        assert.ok(await opens(await signIn(app, "user", login)));
        assert.equal(eventOf(id, "second_factor_removed")?.actor, "the test");
        const subjects = (await mailed(login)).map(({ subject }) => subject);
        for (const what of ["authenticator app", "passkeys", "recovery codes"])
          assert.is(subjects.filter((one) => one.startsWith(`An administrator removed your ${what}`)).length, 1, what);
      },
    );
    can("Removing one kind of factors keeps the others, and an unknown kind fails with FW_ACCOUNT_FACTOR", async () => {
      const { login, client } = await inside();
      await addPasskey(client);
      await setUpCodes(client);
      assert.equal(await accounts.removeFactors(login, "webauthn"), [{ name: "webauthn", count: 1 }]);
      const { factors } = await accounts.status(login);
      assert.equal(
        factors.map(({ name, count }) => [name, count]),
        [
          ["otp", 1],
          ["recovery_codes", 0],
          ["webauthn", 0],
        ],
      );
      assert.equal(await accounts.removeFactors(login, "webauthn"), []);
      await throwsCode("FW_ACCOUNT_FACTOR", () => accounts.removeFactors(login, "passkey"));
    });

    can(
      "An unlocked account may sign in with its password and a code again, and its owner is mailed once",
      async () => {
        const { id, login, client } = await inside();
        const secret = await setUpCodes(client);
        await failing(login);
        await knex("user_otp_keys")
          .where({ account_id: id })
          .update({ failures: 5, locks: 1, locked_until: new Date(Date.now() + 60_000) });
        assert.ok((await accounts.status(id)).codesLockedUntil);
        assert.is(await accounts.unlock(login), true);
        const again = await signIn(app, "user", login);
        assert.is((await again.submit("/users/otp-auth", { otp_code: codeOf(secret, 1) })).status, 303);
        assert.ok(await opens(again));
        assert.equal(eventOf(id, "unlocked"), by);
        assert.is(await accounts.unlock(login), false);
        assert.is((await mailed(login)).filter(({ subject }) => subject.includes("unlocked your account")).length, 1);
      },
    );
    can(
      "A locked account refuses its password until its owner follows a mailed link, and stays signed in",
      async () => {
        const { id, login, client } = await inside();
        await accounts.lock(login, { minutes: 5 });
        assert.is(await tries(login), 401);
        assert.ok(await opens(client));
        assert.ok((await accounts.status(login)).lockedUntil!.getTime() < Date.now() + 5.1 * 60_000);
        assert.equal(eventOf(id, "locked"), by);
        await post(app, "/users/unlock-account", { login });
        const { path } = await mailTo(app, login, "Unlock your account at");
        assert.is((await app.client().submit(path, {})).status, 303);
        assert.is(await tries(login), 200);
        await throwsCode("FW_ACCOUNT_MINUTES", () => accounts.lock(login, { minutes: 0 }));
      },
    );

    can(
      "A closed account loses its login and sessions, and gets the login back without a password when it is reopened",
      async () => {
        const { id, login, client } = await inside();
        await accounts.close(login);
        assert.is(await opens(client), false);
        assert.is((await rowOf(app, "users", { id })).email, `${login}.closed-${id}.invalid`);
        assert.equal([await tries(login), (await accounts.status(login)).state], [401, "closed"]);
        await accounts.reopen(login);
        assert.is(await tries(login), 401, "without a password");
        await accounts.mailPasswordReset(login);
        assert.is(
          (await app.client().submit((await mailTo(app, login, "Set a new password")).path, chosen)).status,
          303,
        );
        assert.is(await tries(login, NEW), 200);
        for (const name of ["closed", "reopened", "password_reset_requested"])
          assert.equal(eventOf(id, name), by, name);
        const subjects = (await mailed(login)).map(({ subject }) => subject).join("\n");
        assert.match(subjects, "Your account at");
        assert.match(subjects, "An administrator reopened your account");
        await accounts.close(login);
        assert.is((await mailed(login)).filter(({ subject }) => subject.endsWith("is closed")).length, 2, "each time");
      },
    );
    can("Nobody can sign up with the login of an account that was closed and keeps it", async () => {
      const { id, login } = await person();
      await accounts.close(login, { keepsLogin: true });
      assert.is((await rowOf(app, "users", { id })).email, login);
      await post(app, "/users/create-account", { login, ...chosen });
      assert.is((await knex("users").where({ email: login })).length, 1);
    });
    can(
      "Reopening a login that several closed accounts had fails with FW_ACCOUNT_SEVERAL, and works by id",
      async () => {
        const first = await person();
        await accounts.close(first.id);
        const [second] = await addPeople(app, "user", first.login);
        await accounts.close(second!);
        await throwsCode("FW_ACCOUNT_SEVERAL", () => accounts.reopen(first.login));
        await accounts.reopen(second!);
        assert.is((await rowOf(app, "users", { id: second })).email, first.login);
      },
    );

    can(
      "Verifying an account voids the password and the link of its sign-up, unless the password is kept",
      async () => {
        const { id, login } = await signUp();
        const { path } = await mailTo(app, login, "Verify your address");
        await accounts.verify(login);
        assert.is(await tries(login), 401);
        assert.is((await app.client().request(path)).status, 422, "nor the link");
        assert.equal(eventOf(id, "verified"), by);
        const link = await accounts.issueLink(login);
        assert.is((await app.client().submit(new URL(link).pathname + new URL(link).search, chosen)).status, 303);
        assert.is(await tries(login, NEW), 200);
        const known = await signUp();
        await accounts.verify(known.login, { keepsPassword: true });
        assert.is(await tries(known.login), 200);
      },
    );

    can("A password that is set follows the rules, ends all sessions, and is mailed to nobody", async () => {
      const { id, login, client } = await inside();
      for (const password of ["short", PASSWORD])
        await throwsCode("FW_ACCOUNT_PASSWORD", () => accounts.setPassword(login, password));
      await failing(login);
      await accounts.setPassword(login, NEW);
      assert.is(await opens(client), false);
      assert.is(await tries(login, NEW), 200);
      assert.equal(eventOf(id, "password_changed"), by);
      const { text } = await mailTo(app, login, "An administrator set your password");
      assert.not.match(text, NEW);
      assert.not.match(text, /Network address|Device/);
      assert.match(text, "If you did not request this");
    });

    can("A changed login ends the sessions, and the old address is mailed without a link to revert it", async () => {
      const { id, login, client } = await inside();
      await accounts.changeLogin(login, ` New-${login} `);
      assert.is((await rowOf(app, "users", { id })).email, `new-${login}`);
      assert.is(await opens(client), false);
      assert.equal(eventOf(id, "login_changed"), by);
      const { text } = await mailTo(app, login, "was changed by an administrator");
      assert.not.match(text, "report-compromise");
      const other = await person();
      await throwsCode("FW_ACCOUNT_LOGIN_TAKEN", () => accounts.changeLogin(id, other.login));
      for (const wrong of ["no address", `new-${login}`])
        await throwsCode("FW_ACCOUNT_LOGIN", () => accounts.changeLogin(id, wrong));
      const unclaimed = await signUp();
      await accounts.changeLogin(id, unclaimed.login);
      assert.is((await rowOf(app, "users", { email: unclaimed.login })).id, id);
    });
    can("A link to revert a change of the login is invalid after an administrator has changed it again", async () => {
      const { id, login, client } = await inside();
      await client.submit("/users/change-login", { login: `own-${login}`, password: PASSWORD });
      await app.client().submit((await mailTo(app, `own-${login}`, "Confirm")).path, {});
      const { path } = await mailTo(app, login, "was changed");
      await accounts.changeLogin(id, `new-${login}`);
      assert.is((await app.client().request(path)).status, 422);
    });

    can("Ending the sessions of an account signs it out everywhere, and is emitted, logged and mailed", async () => {
      const { id, login, client } = await inside();
      assert.is(await accounts.endSessions(login), 1);
      client.forget("fw_session");
      assert.is(await opens(client), false);
      assert.equal(eventOf(id, "sessions_revoked"), { which: "all", ...by });
      await mailTo(app, login, "An administrator ended the sessions");
      const logged = await knex("user_authentication_audit_logs").where({ account_id: id, event: "sessions_revoked" });
      assert.match(String(logged[0]!.metadata), "the test");
    });

    can(
      "An operation fails with FW_ACCOUNT_STATE where the state excludes it, and with FW_ACCOUNT_FEATURE without its feature",
      async () => {
        const { login } = await person();
        for (const deed of ["reopen", "verify"] as const)
          await throwsCode("FW_ACCOUNT_STATE", () => accounts[deed](login));
        await accounts.close(login);
        for (const deed of ["lock", "close", "mailPasswordReset", "issueLink"] as const)
          await throwsCode("FW_ACCOUNT_STATE", () => accounts[deed](login));
        const members = app.application.kernel.service("auth").accounts("member");
        const [id] = await addPeople(app, "member", "m@example.test");
        for (const deed of ["lock", "mailPasswordReset", "issueLink"] as const)
          await throwsCode("FW_ACCOUNT_FEATURE", () => members[deed](id!));
        await throwsCode("FW_ACCOUNT_FEATURE", () => members.changeLogin(id!, "n@example.test"));
        assert.is(await members.unlock(id!), false);
        await members.close(id!);
        await members.reopen(id!);
        assert.is((await members.status(id!)).hasPassword, false);
      },
    );
  });
}
