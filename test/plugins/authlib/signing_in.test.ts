import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, openAccounts, PASSWORD } from "./accounts.ts";

const features =
  "login(), logout(), remember(), createAccount(), verifyAccount(), resetPassword(), changePassword(), changeLogin(), closeAccount(), lockout()";

for (const database of await databases()) {
  describe(`signing in on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openAccounts({ user: { features } }, { values: await database.values(), authlib: "{ limits: false }" });
        await addPeople(app, "user", "ann@example.test", "bob@example.test");
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);

    can("sends a stranger to the login, and back to where they were going", async () => {
      const client = app.client();
      const asked = await client.request("/user?page=2");
      assert.is(asked.status, 303);
      assert.is(asked.headers.get("location"), "/users/login");
      const page = await client.page("/users/login");
      assert.match(page, 'autocomplete="current-password"');
      const answer = await client.submit("/users/login", { login: "ann@example.test", password: PASSWORD });
      assert.is(answer.status, 303);
      assert.is(answer.headers.get("location"), "/user?page=2");
      const home = await client.request("/user");
      assert.is(home.status, 200);
      assert.is(home.headers.get("cache-control"), "no-store");
      assert.match(await home.text(), "Hello ann@example.test");
    });
  });
}
