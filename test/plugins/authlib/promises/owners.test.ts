import type { TestApp } from "../../../support/apps.ts";
import { databases } from "../../../support/databases.ts";
import { editedText } from "../../../support/fixtures.ts";
import { assert, describe } from "../../../support/index.ts";
import { addPeople, mailTo, openAccounts, PASSWORD, signIn } from "../accounts.ts";
import { opens, post, quick } from "./support.ts";

const WRONG = "not it, not at all";
const NEW = "another horse battery";
const features = "login(), logout(), resetPassword(), changePassword(), lockout(), otp(), recoveryCodes()";
/** Hashes as `quick` does, and is away for the password "away". */
const failing = {
  imports: `${quick.imports} import { HttpError } from "framewright";`,
  list: editedText(quick.list, [
    "verify: async (password, hash) => {",
    'verify: async (password, hash) => { if (password === "away") throw new HttpError(503, "FW_AWAY", "away");',
  ]),
};

for (const database of await databases()) {
  describe(`Owners whose login others guess at, on ${database.name}`, (it, { after }) => {
    const left: TestApp[] = [];
    after.each(async () => {
      for (const app of left.splice(0)) await app.close();
    });
    after(() => database.clean());
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const open = async (authlib = "", plugins = quick) => {
      const app = await openAccounts({ user: { features } }, { values: await database.values(), authlib, plugins });
      left.push(app);
      const login = `ann${Date.now()}@example.test`;
      await addPeople(app, "user", login);
      const guess = (password = WRONG, who = login) => post(app, "/users/login", { login: who, password });
      return { app, login, guess };
    };
    const asked = (app: Awaited<ReturnType<typeof open>>["app"], login: string, path: string) =>
      app.client().submit(`/users/${path}`, { login });

    can(
      "The link to unlock lets its owner sign in despite the lock and the limit, while others stay refused",
      async () => {
        const { app, login, guess } = await open();
        for (let tries = 0; tries < 12; tries++) await guess();
        assert.is((await guess(PASSWORD)).status, 429);
        const { path } = await mailTo(app, login, "Unlock");
        const owner = app.client();
        assert.is((await owner.submit(path, {})).status, 303);
        for (let tries = 0; tries < 12; tries++) await guess();
        assert.is((await guess(PASSWORD)).status, 429, "who has no link waits");
        assert.is((await owner.submit("/users/login", { login, password: PASSWORD })).status, 303);
        assert.ok(await opens(owner));
      },
    );
    can("A new password by mail lifts the lock and the limit for every browser", async () => {
      const { app, login, guess } = await open();
      for (let tries = 0; tries < 12; tries++) await guess();
      await asked(app, login, "reset-password-request");
      const { path } = await mailTo(app, login, "new password");
      const answer = await app.client().submit(path, { password: NEW, password_confirmation: NEW });
      assert.is(answer.status, 303);
      const client = await signIn(app, "user", login, {}, NEW);
      assert.ok(await opens(client));
    });
    can("An owner past the limit gets no more guesses than the limit allows", async () => {
      const { app, login, guess } = await open("{ limits: { login: { perLogin: 3 } } }");
      for (let tries = 0; tries < 5; tries++) await guess();
      await asked(app, login, "reset-password-request");
      const { path } = await mailTo(app, login, "new password");
      const owner = app.client();
      await owner.submit(path, { password: NEW, password_confirmation: NEW });
      const copies = Array.from({ length: 8 }, () => owner.copy());
      const answers = await Promise.all(copies.map((one) => one.submit("/users/login", { login, password: WRONG })));
      assert.equal(answers.filter(({ status }) => status === 422).length, 3);
      assert.equal(answers.filter(({ status }) => status === 429).length, 5);
      const other = await owner.submit("/users/login", { login: "other@example.test", password: WRONG });
      assert.is(other.status, 422, "another login is counted as ever");
    });
    can("An owner is mailed a link although another client has used up its limit", async () => {
      const app = await openAccounts(
        { user: { features } },
        { values: { ...(await database.values()), TRUST_PROXY: "1" }, plugins: quick },
      );
      left.push(app);
      await addPeople(app, "user", "may@example.test");
      const ask = (path: string, address: string) =>
        post(app, `/users/${path}`, { login: "may@example.test" }, { "x-forwarded-for": address });
      for (let tries = 0; tries < 7; tries++) await ask("reset-password-request", "192.0.2.1");
      assert.is((await ask("reset-password-request", "192.0.2.1")).status, 429);
      const { path } = await mailTo(app, "may@example.test", "new password");
      assert.is((await ask("reset-password-request", "198.51.100.1")).status, 200);
      await app.application.kernel.service("jobs").drain();
      assert.is((await app.client().request(path)).status, 200, "the last link stays good");
      const mails = app.application.kernel.service("mailer").kept.filter(({ to }) => to === "may@example.test");
      assert.is(mails.length, 1, "and nobody is flooded");
    });
    can("Attempts that fail with 503 do not count as guesses", async () => {
      const { app, login, guess } = await open("{ limits: { login: { perLogin: 3, perAddress: 5 } } }", failing);
      for (let tries = 0; tries < 12; tries++) assert.is((await guess("away")).status, 503);
      assert.is((await guess(PASSWORD)).status, 200);
      const client = await signIn(app, "user", login);
      const change = { password: "away", new_password: NEW, password_confirmation: NEW };
      for (let tries = 0; tries < 6; tries++)
        assert.is((await client.submit("/users/change-password", change)).status, 503);
      assert.is((await client.submit("/users/change-password", { ...change, password: PASSWORD })).status, 303);
    });
  });
}
