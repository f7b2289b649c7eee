import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { exitOf, serveApp } from "../../support/processes.ts";
import { addPeople, openAccounts } from "../authlib/accounts.ts";
import { asJson, quick } from "../authlib/promises/support.ts";

for (const database of await databases()) {
  describe(`Two processes on one database, on ${database.name}`, (it, { after }) => {
    after(() => database.clean());
    it.unless(database.skip, "Ten wrong passwords for a login are tried over both, not ten in each", async () => {
      const values = { DATABASE_URL: "sqlite:storage/shared.sqlite3", ...(await database.values()) };
      const app = await openAccounts({ user: { features: "login(), logout()" } }, { values, plugins: quick });
      await addPeople(app, "user", "ann@example.test");
      await app.close();
      const served = await Promise.all([serveApp(app.root, values), serveApp(app.root, values)]);
      try {
        const guess = ({ url }: { url: string }) =>
          fetch(new URL("/users/login", url), {
            method: "POST",
            headers: asJson,
            body: JSON.stringify({ login: "ann@example.test", password: "not it, not at all" }),
          }).then(({ status }) => status);
        const statuses = await Promise.all(served.flatMap((one) => Array.from({ length: 15 }, () => guess(one))));
        assert.is(statuses.filter((status) => status === 401).length, 10, String(statuses));
        assert.is(statuses.filter((status) => status === 429).length, 20, String(statuses));
      } finally {
        for (const { child } of served) child.kill("SIGTERM");
        await Promise.all(served.map(({ child }) => exitOf(child)));
      }
    });
  });
}
