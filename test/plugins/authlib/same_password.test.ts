import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, mailTo, openAccounts, PASSWORD, signIn } from "./accounts.ts";
import { quick } from "./promises/support.ts";

const features =
  "login(), logout(), createAccount(), verifyAccount(), resetPassword(), changePassword(), passwordPepper()";
const OTHER = "meadow under rain";
const SAME = "is your current password";

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`A new password, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        const values = { ...(await database.values()), PASSWORD_PEPPER: "pepper-".repeat(6) };
        app = await openAccounts({ user: { features } }, { plugins: quick, values });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const link = async (login: string) => {
      await app.client().submit("/users/reset-password-request", { login });
      return (await mailTo(app, login, "Set a new password")).path;
    };
    const chosen = (password: string) => ({ password, password_confirmation: password });

    can("A password change refuses the current password", async () => {
      await addPeople(app, "user", "ann@example.test");
      const client = await signIn(app, "user", "ann@example.test");
      const change = (new_password: string) =>
        client.submit("/users/change-password", {
          password: PASSWORD,
          new_password,
          password_confirmation: new_password,
        });
      const refused = await change(PASSWORD);
      assert.is(refused.status, 422);
      assert.match(await refused.text(), SAME);
      assert.is((await change(OTHER)).status, 303);
    });
    can("A mailed link refuses the current password, and stays valid", async () => {
      await addPeople(app, "user", "bob@example.test");
      const path = await link("bob@example.test");
      const refused = await app.client().submit(path, chosen(PASSWORD));
      assert.is(refused.status, 422);
      assert.match(await refused.text(), SAME);
      assert.is((await app.client().submit(path, chosen(OTHER))).status, 303);
      await signIn(app, "user", "bob@example.test", {}, OTHER);
    });
    can(
      "Guessing the current password through a mailed link is limited: five of fifteen attempts get 429",
      async () => {
        await addPeople(app, "user", "eve@example.test");
        const path = await link("eve@example.test");
        const client = app.client();
        const guess = () => client.submit(path, chosen(PASSWORD));
        const statuses = (await Promise.all(Array.from({ length: 15 }, guess))).map(({ status }) => status);
        assert.equal(statuses.filter((status) => status === 429).length, 5);
      },
    );
    can("A mailed link sets a password whatever others try at the login", async () => {
      await addPeople(app, "user", "joe@example.test");
      const path = await link("joe@example.test");
      for (let tries = 0; tries < 12; tries++)
        await app.client().submit("/users/login", { login: "joe@example.test", password: "a stranger's guess" });
      assert.is((await app.client().submit(path, chosen(OTHER))).status, 303);
    });
    can("A verification in another browser accepts the password that was typed at the sign-up", async () => {
      const login = "ivy@example.test";
      await app.client().submit("/users/create-account", { login, ...chosen(OTHER) });
      const { path } = await mailTo(app, login, "Verify");
      assert.is((await app.client().submit(path, chosen(OTHER))).status, 303);
    });
  });
}
