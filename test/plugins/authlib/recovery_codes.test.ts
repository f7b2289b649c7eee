import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, databaseOf, openAccounts, PASSWORD, signIn } from "./accounts.ts";
import { addPasskey, showPasskey } from "./promises/ceremonies.ts";
import { Passkey } from "./promises/passkey.ts";
import { opens, quick, setUpCodes } from "./promises/support.ts";

const CODE = /[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}/;
const boot = (features: string) =>
  openAccounts({ user: { features } }, { plugins: quick }).then(
    (app) => app.close().then(() => undefined),
    (error: Error) => error.message,
  );

describe("Requirements of recovery codes", (it) => {
  it("Boot fails for recovery codes without an authenticator app or passkeys as the second factor, and names the fix", async () => {
    const problem = await boot("login(), logout(), recoveryCodes()");
    assert.match(problem ?? "", 'which needs "otp" or "webauthn". Add otp() or webauthn() to the list');
    assert.match((await boot("login(), recoveryCodes(), webauthn()")) ?? "", "webauthn({ secondFactor: true })");
    for (const factor of ["otp()", "webauthn({ secondFactor: true })"])
      assert.is(await boot(`login(), logout(), recoveryCodes(), ${factor}`), undefined);
  });
});

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Recovery codes beside passkeys, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        const types = {
          user: { features: "login(), logout(), otp(), recoveryCodes(), webauthn({ secondFactor: true })" },
          clerk: { features: "login(), logout(), recoveryCodes(), webauthn({ secondFactor: true })" },
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
      const left = async () =>
        (await databaseOf(app.application).knex(`${type}_recovery_codes`).where({ account_id: id! })).length;
      return { id: id!, client, left, device: new Passkey(client.url) };
    };
    const keyId = async (type: string, account_id: number) =>
      String((await databaseOf(app.application).knex(`${type}_webauthn_keys`).where({ account_id }).first("id")).id);

    can(
      "Recovery codes stay when the app is turned off and a passkey remains, and are accepted in its place",
      async () => {
        const { client, left, device } = await person("user", "ann@example.test");
        await setUpCodes(client);
        assert.is((await addPasskey(client, device)).status, 303);
        await client.submit("/users/recovery-codes", {});
        const [code] = CODE.exec(await client.page("/users/recovery-codes"))!;
        assert.match(await client.page("/users/otp-setup"), "your recovery codes stay");
        await client.submit("/users/otp-setup", {});
        assert.is(await left(), 10);
        const visitor = app.client();
        await visitor.submit("/users/login", { login: "ann@example.test", password: PASSWORD });
        assert.not(await opens(visitor));
        assert.is((await visitor.submit("/users/recovery-codes", { recovery_code: code! })).status, 303);
        assert.ok(await opens(visitor));
      },
    );

    can("Recovery codes are deleted with the last second factor, after its page has announced it", async () => {
      const { id, client, left, device } = await person("user", "bob@example.test");
      await setUpCodes(client);
      await addPasskey(client, device);
      await client.submit("/users/recovery-codes", {});
      const page = `/users/webauthn-setup?remove=${await keyId("user", id)}`;
      assert.not.match(await client.page(page), "recovery codes will be deleted as well");
      await client.submit(page, {});
      assert.is(await left(), 10);
      assert.match(await client.page("/users/otp-setup"), "your recovery codes will be deleted as well");
      await client.submit("/users/otp-setup", {});
      assert.is(await left(), 0);
    });

    can(
      "Recovery codes are created with passkeys as the only second factor, and deleted with the last passkey",
      async () => {
        const { id, client, left, device } = await person("clerk", "cat@example.test");
        assert.is((await client.request("/clerks/recovery-codes")).headers.get("location"), "/clerks/webauthn-setup");
        await addPasskey(client, device, "clerks");
        await client.submit("/clerks/recovery-codes", {});
        assert.is(await left(), 10);
        const visitor = app.client();
        await visitor.submit("/clerks/login", { login: "cat@example.test", password: PASSWORD });
        assert.is((await visitor.request("/clerk")).headers.get("location"), "/clerks/webauthn-auth");
        assert.is((await showPasskey(visitor, device, "clerks")).status, 303);
        const page = `/clerks/webauthn-setup?remove=${await keyId("clerk", id)}`;
        assert.match(await client.page(page), "your recovery codes will be deleted as well");
        await client.submit(page, {});
        assert.is(await left(), 0);
      },
    );

    can("A sign-in by a recovery code ends when the codes are deleted", async () => {
      const { client } = await person("user", "dan@example.test");
      await setUpCodes(client);
      await client.submit("/users/recovery-codes", {});
      const [code] = CODE.exec(await client.page("/users/recovery-codes"))!;
      const thief = app.client();
      await thief.submit("/users/login", { login: "dan@example.test", password: PASSWORD });
      await thief.submit("/users/recovery-codes", { recovery_code: code! });
      assert.ok(await opens(thief));
      await client.submit("/users/otp-setup", {});
      assert.not(await opens(thief));
      assert.ok(await opens(client));
    });
  });
}
