import type { TestApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, databaseOf, openAccounts, PASSWORD, signIn } from "./accounts.ts";
import { opens, post, quick } from "./promises/support.ts";

const features = "login(), logout(), lockout(), changePassword()";
const guess = (app: TestApp, password = "not it, not at all") =>
  post(app, "/users/login", { login: "ann@example.test", password });

describe("Mails and what they speak of", (it) => {
  /** Tells a story while no job of a kind can be enqueued, then goes on when that works again. */
  const withFailure = async (
    kind: string,
    story: (app: TestApp, repair: () => Promise<void>) => Promise<void>,
  ): Promise<void> => {
    const app = await openAccounts({ user: { features } }, { plugins: quick, authlib: "{ limits: false }" });
    try {
      await addPeople(app, "user", "ann@example.test");
      const { knex } = databaseOf(app.application);
      await knex.raw(
        `create trigger failing before insert on framewright_jobs when new.kind = '${kind}' begin select raise(abort, 'no jobs'); end`,
      );
      await story(app, async () => void (await knex.raw("drop trigger failing")));
    } finally {
      await app.close();
    }
  };

  it("A login is locked with the job of its mail, or not at all", () =>
    withFailure("authlib.requested", async (app, repair) => {
      const { knex } = databaseOf(app.application);
      for (let tries = 0; tries < 8; tries++) await guess(app);
      assert.is((await knex("user_lockouts")).length, 0);
      await repair();
      await guess(app);
      assert.is((await knex("user_lockouts")).length, 1);
      const { kernel } = app.application;
      await kernel.service("jobs").drain();
      assert.is(kernel.service("mailer").kept.length, 1);
    }));

  it("A password is changed with the job of its notice, or not at all", () =>
    withFailure("mail", async (app, repair) => {
      const ann = await signIn(app, "user", "ann@example.test");
      const change = (password: string) =>
        ann.submit("/users/change-password", {
          password,
          new_password: "another long battery",
          new_password_confirmation: "another long battery",
          password_confirmation: "another long battery",
        });
      assert.is((await change(PASSWORD)).status, 500);
      assert.is((await guess(app, PASSWORD)).status, 200, "the password is as it was");
      assert.ok(await opens(ann));
      await repair();
      assert.is((await change(PASSWORD)).status, 303);
      const { kernel } = app.application;
      await kernel.service("jobs").drain();
      assert.is(kernel.service("mailer").kept.length, 1);
      assert.is((await guess(app, "another long battery")).status, 200);
    }));
});
