import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, databaseOf, openAccounts, PASSWORD, signIn } from "./accounts.ts";
import { addPasskey, showPasskey } from "./promises/ceremonies.ts";
import { Passkey } from "./promises/passkey.ts";
import { codeOf, opens, quick, setUpCodes } from "./promises/support.ts";

const shown = globalThis as { shown?: string[] };

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`The page of second factors, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        const user = {
          features: "login(), logout(), otp(), recoveryCodes(), webauthn(), factors(), auditLogging()",
          body: 'override async afterSecondFactor(factor: string) { ((globalThis as any).shown ??= []).push(factor + " " + this.isSignedIn); }',
        };
        app = await openAccounts(
          { user },
          { values: await database.values(), authlib: "{ limits: false }", plugins: quick },
        );
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const table = (name: string) => databaseOf(app.application).knex(`user_${name}`);
    /** Somebody with an app, a passkey and recovery codes. */
    const person = async (login: string) => {
      const [account_id] = await addPeople(app, "user", login);
      const client = await signIn(app, "user", login);
      const secret = await setUpCodes(client);
      const device = new Passkey(client.url);
      await addPasskey(client, device);
      await client.submit("/users/recovery-codes", {});
      return { account_id, client, secret, device };
    };

    can("The page of second factors shows the state of each factor and links to its page", async () => {
      await addPeople(app, "user", "new@example.test");
      const fresh = await (await signIn(app, "user", "new@example.test")).page("/users/factors");
      assert.match(fresh, /Authenticator app<\/strong><p>Off/);
      assert.match(fresh, /Passkeys<\/strong><p>None/);
      assert.not.match(fresh, "Remove all");
      const { client } = await person("ann@example.test");
      const page = await client.page("/users/factors");
      assert.match(page, /Authenticator app<\/strong><p>On since <time datetime="/);
      assert.match(page, /Passkeys<\/strong><p>1 passkey</);
      assert.match(page, /Recovery codes<\/strong><p>10 codes left</);
      for (const path of ["otp-setup", "webauthn-setup", "recovery-codes"]) assert.match(page, `href="/users/${path}"`);
      assert.match(await client.page("/users/account"), 'href="/users/factors"');
      const { data } = (await client.json("/users/factors")).body as { data: { name: string; count: number }[] };
      assert.equal(
        data.map(({ name, count }) => `${name} ${count}`),
        ["otp 1", "recovery_codes 10", "webauthn 1"],
      );
    });

    can("Removing all factors ends the other sign-ins that used them, and logs an event for each", async () => {
      const { account_id, client, secret, device } = await person("bob@example.test");
      const [byCode, byKey] = [app.client(), app.client()];
      await byCode.submit("/users/login", { login: "bob@example.test", password: PASSWORD });
      await byCode.submit("/users/otp-auth", { otp_code: codeOf(secret) });
      await showPasskey(byKey, device);
      assert.ok((await opens(byCode)) && (await opens(byKey)));
      assert.is((await client.submit("/users/factors", {})).headers.get("location"), "/users/factors");
      for (const name of ["otp_keys", "webauthn_keys", "recovery_codes"])
        assert.is((await table(name).where({ account_id })).length, 0, name);
      assert.not((await opens(byCode)) || (await opens(byKey)));
      assert.ok(await opens(client));
      const log = await table("authentication_audit_logs").where({ account_id, event: "second_factor_removed" });
      assert.is(log.length, 3);
      const free = app.client();
      await free.submit("/users/login", { login: "bob@example.test", password: PASSWORD });
      assert.ok(await opens(free));
    });

    can("Removing all factors asks for the password where the sign-in has not just shown it", async () => {
      const { account_id, device } = await person("cat@example.test");
      const client = app.client();
      await showPasskey(client, device);
      assert.match(await client.page("/users/factors"), 'name="password"');
      assert.is((await client.submit("/users/factors", { password: "wrong" })).status, 422);
      assert.is((await table("otp_keys").where({ account_id })).length, 1);
      assert.is((await client.submit("/users/factors", { password: PASSWORD })).status, 303);
      assert.is((await table("otp_keys").where({ account_id })).length, 0);
    });

    can("The step afterSecondFactor runs after a second factor was accepted, and not after a password", async () => {
      const { secret } = await person("dan@example.test");
      shown.shown = [];
      const client = app.client();
      await client.submit("/users/login", { login: "dan@example.test", password: PASSWORD });
      await client.submit("/users/otp-auth", { otp_code: "000000" });
      assert.equal(shown.shown, []);
      await client.submit("/users/otp-auth", { otp_code: codeOf(secret) });
      assert.equal(shown.shown, ["otp true"]);
    });
  });
}
