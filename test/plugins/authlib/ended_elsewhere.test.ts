import { type Kernel, openKernel } from "framewright/kernel";
import { database as databasePlugin } from "framewright/plugins/database";
import type { TestApp } from "../../support/apps.ts";
import { databases, driverPlugins } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, databaseOf, everyday, openAccounts, signIn } from "./accounts.ts";
import { opens, quick } from "./promises/support.ts";

// An embedded database answers for a sign-in as before while nothing was written: what others write counts as well.

for (const database of await databases()) {
  describe(`A sign-in that ends elsewhere, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let other: Kernel;
    let count = 0;
    if (database.skip === undefined) {
      before(async () => {
        const values = await database.values();
        app = await openAccounts(
          { user: { features: everyday } },
          { values, authlib: "{ limits: false }", plugins: quick },
        );
        other = await openKernel([databasePlugin(), ...(await driverPlugins(values.DATABASE_URL))], {
          settings: app.application.settings, // connections of its own
        });
      });
      after(async () => {
        await other?.close();
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, work: () => Promise<void>) => it.unless(database.skip, sentence, work);
    /** Somebody whose pages were asked for a few times on this process. */
    const person = async () => {
      const login = `p${++count}@example.test`;
      const [id] = await addPeople(app, "user", login);
      const client = await signIn(app, "user", login);
      for (let round = 0; round < 3; round++) assert.ok(await opens(client));
      return { id: id!, client };
    };

    for (const [name, of] of [
      ["this process", () => databaseOf(app.application)],
      ["another one", () => other.service("database")],
    ] as const) {
      can(`What ${name} takes away is gone at the next request`, async () => {
        const { knex } = of();
        const [ended, closed, kept] = [await person(), await person(), await person()];
        await knex("user_active_session_keys").where("account_id", ended.id).delete();
        assert.not(await opens(ended.client));
        assert.ok(await opens(closed.client));
        await knex("users").where("id", closed.id).update({ account_status: "closed" });
        assert.not(await opens(closed.client));
        assert.ok(await opens(kept.client));
        await knex("users")
          .where("id", kept.id)
          .update({ email: `renamed${kept.id}@example.test` });
        assert.match(await kept.client.page("/user"), `renamed${kept.id}@example.test`);
      });
    }
  });
}
