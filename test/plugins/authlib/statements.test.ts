import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, databaseOf, everyday, openAccounts, signIn } from "./accounts.ts";

const ann = "ann@example.test";

for (const database of await databases()) {
  describe(`The statements of a signed-in request on ${database.name}`, (it) => {
    it.unless(
      database.skip,
      "A page reads its sign-in by one select each time, and one that ended is refused",
      async () => {
        const app = await openAccounts({ user: { features: everyday } }, { values: await database.values() });
        try {
          await addPeople(app, "user", ann);
          const client = await signIn(app, "user", ann);
          const { knex } = databaseOf(app.application);
          const statements: string[] = [];
          knex.on("query", ({ sql }: { sql: string }) => void statements.push(sql));
          for (let round = 0; round < 4; round++) assert.is((await client.request("/user")).status, 200);
          statements.length = 0;
          for (let round = 0; round < 3; round++) assert.is((await client.request("/user")).status, 200);
          assert.is(statements.length, 3, statements.join("\n"));
          for (const sql of statements)
            assert.match(sql, /^select .* from [`"]user_active_session_keys[`"].* limit (?:\?|\$\d+)$/);
          await knex("user_active_session_keys").delete();
          assert.not((await client.request("/user")).status === 200);
        } finally {
          await app.close();
          await database.clean();
        }
      },
    );
  });
}
