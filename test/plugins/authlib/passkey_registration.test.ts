import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, databaseOf, openAccounts, signIn } from "./accounts.ts";
import { addPasskey, askPasskey } from "./promises/ceremonies.ts";
import { Passkey } from "./promises/passkey.ts";
import { quick } from "./promises/support.ts";

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`A passkey that is registered twice, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        const user = { features: "login(), logout(), webauthn(), auditLogging()" };
        const values = await database.values();
        app = await openAccounts({ user }, { values, authlib: "{ limits: false }", plugins: quick });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const table = (name: string) => databaseOf(app.application).knex(`user_${name}`);
    const person = async (login: string) => (await addPeople(app, "user", login))[0]!;

    can(
      "A registration that is sent three times at once adds one passkey, and is answered without an error",
      async () => {
        const account_id = await person("ann@example.test");
        for (let round = 0; round < 5; round++) {
          const client = await signIn(app, "user", "ann@example.test");
          const { challenge, send } = await askPasskey(client, "/users/webauthn-setup");
          const fields = { credential: new Passkey(client.url).register(challenge) };
          const answers = await Promise.all([send(fields), send(fields), send(fields)]);
          assert.ok(answers.every(({ status }) => status === 303 || status === 422));
          const done = answers.filter(({ headers }) => headers.get("location") === "/users/webauthn-setup");
          assert.is(done.length, 1);
          assert.is((await table("webauthn_keys").where({ account_id })).length, round + 1);
        }
      },
    );

    can("A passkey that two sign-ins register at once is added once, and logged once", async () => {
      const account_id = await person("bob@example.test");
      for (let round = 0; round < 5; round++) {
        const clients = [await signIn(app, "user", "bob@example.test"), await signIn(app, "user", "bob@example.test")];
        const device = new Passkey(clients[0]!.url);
        const answers = await Promise.all(clients.map((client) => addPasskey(client, device)));
        assert.equal(
          answers.map(({ status }) => status),
          [303, 303],
        );
        assert.is((await table("webauthn_keys").where({ account_id })).length, round + 1);
        const told = table("authentication_audit_logs").where({ account_id, event: "second_factor_added" });
        assert.is((await told).length, round + 1);
      }
    });

    can("A passkey that two accounts register at once is accepted for one of them", async () => {
      for (let round = 0; round < 5; round++) {
        const logins = [`cat${round}@example.test`, `dan${round}@example.test`];
        for (const login of logins) await person(login);
        const clients = await Promise.all(logins.map((login) => signIn(app, "user", login)));
        const device = new Passkey(clients[0]!.url);
        const answers = await Promise.all(clients.map((client) => addPasskey(client, device)));
        assert.equal(answers.map(({ status }) => status).sort(), [303, 422]);
      }
    });
  });
}
