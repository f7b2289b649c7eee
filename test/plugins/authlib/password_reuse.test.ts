import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, databaseOf, mailTo, openAccounts, PASSWORD, signIn } from "./accounts.ts";

const features =
  "login(), logout(), resetPassword(), changePassword(), disallowPasswordReuse({ previous: 2 }), passwordPepper()";
const plugins = {
  imports: `import { passwords } from "framewright/plugins/passwords";`,
  list: `{ ...passwords({ memory: 64, iterations: 1 }), name: "cheap", replaces: true },`,
};
const [FIRST, SECOND, THIRD] = ["meadow under rain", "lantern over water", "otter beside glacier"];

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Reuse of passwords, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let id = 0;
    let current = PASSWORD;
    if (database.skip === undefined) {
      before(async () => {
        const values = { ...(await database.values()), PASSWORD_PEPPER: "pepper-".repeat(6) };
        app = await openAccounts({ user: { features } }, { plugins, values, authlib: "{ limits: false }" });
        [id] = (await addPeople(app, "user", "ann@example.test")) as [number];
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const change = async (new_password: string) => {
      const client = await signIn(app, "user", "ann@example.test", {}, current);
      const fields = { password: current, new_password, password_confirmation: new_password };
      const answer = await client.submit("/users/change-password", fields);
      if (answer.status === 303) current = new_password;
      return answer;
    };
    const kept = async () =>
      (await databaseOf(app.application).knex("user_previous_password_hashes").where({ account_id: id })).length;

    can("A password change refuses the current and the last two passwords, and accepts an older one", async () => {
      assert.is((await change(FIRST!)).status, 303);
      assert.is((await change(SECOND!)).status, 303);
      const refused = await change(PASSWORD);
      assert.is(refused.status, 422);
      assert.match(await refused.text(), "is one of the last 2 passwords of this account");
      assert.is((await change(FIRST!)).status, 422);
      assert.match(await (await change(SECOND!)).text(), "is your current password");
      assert.is(await kept(), 2);
      assert.is((await change(THIRD!)).status, 303);
      assert.is(await kept(), 2);
      assert.is((await change(PASSWORD)).status, 303, "the oldest is forgotten");
    });
    can("A mailed link refuses the last passwords, and accepts an older one", async () => {
      await app.client().submit("/users/reset-password-request", { login: "ann@example.test" });
      const { path } = await mailTo(app, "ann@example.test", "Set a new password");
      const set = (password: string) => app.client().submit(path, { password, password_confirmation: password });
      assert.is((await set(THIRD!)).status, 422);
      assert.is((await set(FIRST!)).status, 303);
      current = FIRST!;
    });
    can("A rehash at a sign-in leaves the previous passwords unchanged", async () => {
      const { knex } = databaseOf(app.application);
      const before = await knex("user_previous_password_hashes").orderBy("id");
      const password_hash = await app.application.kernel.service("passwordHasher").hash(FIRST!); // without the pepper
      await knex("user_password_hashes").where({ account_id: id }).update({ password_hash });
      await signIn(app, "user", "ann@example.test", {}, FIRST!);
      assert.is.not(
        (await knex("user_password_hashes").where({ account_id: id }).first()).password_hash,
        password_hash,
      );
      assert.equal(await knex("user_previous_password_hashes").orderBy("id"), before);
    });
  });
}
