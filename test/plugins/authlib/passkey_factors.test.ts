import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import type { Client } from "../../testing/client.ts";
import { addPeople, databaseOf, mailTo, openAccounts, PASSWORD, signIn } from "./accounts.ts";
import { addPasskey, showPasskey } from "./promises/ceremonies.ts";
import { Passkey } from "./promises/passkey.ts";
import { codeOf, opens, quick, setUpCodes } from "./promises/support.ts";

const NEW = "another horse battery";

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Passkeys and other factors, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        const list = (passkeys: string) =>
          `login(), logout(), resetPassword(), changePassword(), activeSessions(), otp(), recoveryCodes(), ${passkeys}, auditLogging()`;
        const types = {
          user: { features: list("webauthn()") },
          clerk: { features: list("webauthn({ countsAsTwoFactors: false })") },
        };
        app = await openAccounts(types, {
          values: await database.values(),
          authlib: "{ limits: false }",
          plugins: quick,
        });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const person = async (type: string, login: string) => {
      const [id] = await addPeople(app, type, login);
      const client = await signIn(app, type, login);
      const device = new Passkey(client.url);
      assert.is((await addPasskey(client, device, `${type}s`)).status, 303);
      return { id: id!, client, device };
    };
    const reset = async (login: string) => {
      const client = app.client();
      await client.submit("/users/reset-password-request", { login });
      const { path } = await mailTo(app, login, "Set a new password");
      await client.submit(path, { password: NEW, password_confirmation: NEW });
      return client;
    };
    const locationOf = async (answer: Promise<Response> | Response) => (await answer).headers.get("location");
    const removeFirst = async (client: Client) => {
      const path = /href="(\/users\/webauthn-setup\?remove=\d+)"/.exec(
        await client.page("/users/webauthn-review"),
      )![1]!;
      return client.submit(path, {});
    };

    can(
      "The first sign-in after a password reset lists the passkeys once, and then goes on to its target",
      async () => {
        await person("user", "ann@example.test");
        const client = await reset("ann@example.test");
        await client.request("/user/form");
        const answer = client.submit("/users/login", { login: "ann@example.test", password: NEW });
        assert.is(await locationOf(answer), "/users/webauthn-review");
        assert.match(await client.page("/users/webauthn-review"), "<strong>Phone</strong>");
        assert.is(await locationOf(client.submit("/users/webauthn-review", {})), "/user/form");
        const again = app.client().submit("/users/login", { login: "ann@example.test", password: NEW });
        assert.is(await locationOf(again), "/user", "they are asked about once");
      },
    );

    can(
      "A passkey that a thief has added is listed after a password reset, and opens nothing once it is removed",
      async () => {
        const { client: thief, device } = await person("user", "bob@example.test");
        const owner = await reset("bob@example.test");
        assert.not(await opens(thief));
        await showPasskey(thief, device);
        assert.ok(await opens(thief), "it still signs in");
        assert.is(
          await locationOf(thief.request("/users/webauthn-review")),
          "/users/webauthn-setup",
          "and keeps nothing",
        );
        await owner.submit("/users/login", { login: "bob@example.test", password: NEW });
        const sure = await removeFirst(owner);
        assert.is(sure.headers.get("location"), "/user");
        assert.not(await opens(thief));
        assert.is((await showPasskey(app.client(), device)).status, 422);
      },
    );

    can("A first authenticator app leads to the existing passkeys, and then to recovery codes", async () => {
      const { client } = await person("user", "cat@example.test");
      const page = await client.page("/users/otp-setup");
      const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(page)![1]!.replaceAll(" ", "");
      const otp_secret = /name="otp_secret" value="([^"]+)"/.exec(page)![1]!;
      const answer = client.submit("/users/otp-setup", { otp_secret, otp_code: codeOf(secret) });
      assert.is(await locationOf(answer), "/users/webauthn-review");
      assert.is(await locationOf(client.submit("/users/webauthn-review", {})), "/users/recovery-codes");
    });

    can("Turning the authenticator app off ends the other sign-ins that it has opened", async () => {
      await addPeople(app, "user", "dan@example.test");
      const owner = await signIn(app, "user", "dan@example.test");
      const secret = await setUpCodes(owner);
      const [thief, keyed] = [app.client(), app.client()];
      await thief.submit("/users/login", { login: "dan@example.test", password: PASSWORD });
      await thief.submit("/users/otp-auth", { otp_code: codeOf(secret) });
      const device = new Passkey(owner.url);
      await addPasskey(owner, device);
      await showPasskey(keyed, device);
      assert.ok(await opens(thief));
      await owner.submit("/users/otp-setup", {});
      assert.not(await opens(thief));
      assert.ok(await opens(owner));
      assert.ok(await opens(keyed), "another factor opened it");
    });

    can(
      "The page of passkeys states whether the password requires one, and whether one requires another factor",
      async () => {
        const { client } = await person("user", "eve@example.test");
        assert.match(await client.page("/users/webauthn-setup"), "Signing in with your password does not require it.");
        const other = await person("clerk", "eve@example.test");
        const page = await other.client.page("/clerks/webauthn-setup");
        assert.match(page, "Signing in with a passkey also requires your password or a code.");
      },
    );

    can("A passkey that counts as one factor is followed by the password", async () => {
      const { device, id } = await person("clerk", "fay@example.test");
      const client = app.client();
      assert.is(await locationOf(showPasskey(client, device, "clerks")), "/clerks/password-auth");
      assert.is(await locationOf(client.request("/clerk")), "/clerks/password-auth");
      assert.is((await client.submit("/clerks/password-auth", { password: "wrong" })).status, 422);
      assert.is((await client.submit("/clerks/password-auth", { password: "" })).status, 422);
      assert.not(await opens(client, "/clerk"));
      assert.is(await locationOf(client.submit("/clerks/password-auth", { password: PASSWORD })), "/clerk");
      assert.ok(await opens(client, "/clerk"));
      const log = databaseOf(app.application).knex("clerk_authentication_audit_logs");
      assert.ok((await log.where({ event: "login_failed" })).length > 0);
      void id;
    });

    can("A passkey that counts as one factor is followed by a code where there is an authenticator app", async () => {
      const { client: owner, device } = await person("clerk", "gus@example.test");
      const secret = await setUpCodes(owner, "clerks");
      const client = app.client();
      await showPasskey(client, device, "clerks");
      const page = await client.page("/clerks/password-auth");
      assert.match(page, 'href="/clerks/otp-auth"');
      assert.not.match(page, 'href="/clerks/webauthn-auth"');
      assert.is((await client.submit("/clerks/otp-auth", { otp_code: codeOf(secret) })).status, 303);
      assert.ok(await opens(client, "/clerk"));
      const again = app.client();
      await again.submit("/clerks/login", { login: "gus@example.test", password: PASSWORD });
      assert.is(await locationOf(again.request("/clerks/password-auth")), "/clerks/account", "the password was shown");
    });

    can("A passkey that counts as one factor signs in alone where the account has no other factor", async () => {
      const { id, device } = await person("clerk", "hal@example.test");
      await databaseOf(app.application).knex("clerk_password_hashes").where({ account_id: id }).delete();
      const client = app.client();
      await showPasskey(client, device, "clerks");
      assert.ok(await opens(client, "/clerk"));
    });
  });
}
