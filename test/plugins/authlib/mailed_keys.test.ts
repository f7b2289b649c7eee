import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, databaseOf, mailTo, openAccounts, PASSWORD, signIn } from "./accounts.ts";
import { everything, opens, post, quick, rowOf } from "./promises/support.ts";

const NEW = "another horse battery";
const chosen = { password: NEW, password_confirmation: NEW };
const MINUTE = 60_000;

/** The pages that mail somebody who types a login, the table of their keys, and what the mail says. */
const purposes: [page: string, table: string, subject: string][] = [
  ["reset-password-request", "user_password_reset_keys", "Set a new password"],
  ["email-auth", "user_email_auth_keys", "Your link to sign in"],
  ["verify-account", "user_verification_keys", "Verify your address"],
  ["unlock-account", "user_unlock_keys", "Unlock your account"],
];

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Keys of mailed links, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let count = 0;
    if (database.skip === undefined) {
      before(async () => {
        const options = { values: await database.values(), authlib: "{ limits: false }", plugins: quick };
        app = await openAccounts({ user: { features: everything } }, options);
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const knex = (table: string) => databaseOf(app.application).knex(table);
    /** Makes the keys of a table look older. */
    const age = async (table: string, minutes: number) => {
      for (const { id, requested_at } of await knex(table))
        await knex(table)
          .where({ id })
          .update({ requested_at: new Date(new Date(asTime(requested_at)).getTime() - minutes * MINUTE) });
    };
    const asTime = (value: unknown) =>
      (typeof value === "string" ? value.replace(" ", "T").replace(/Z?$/, "Z") : value) as string;
    const mails = async (to: string, subject: string) => {
      const { kernel } = app.application;
      await kernel.service("jobs").drain();
      return kernel.service("mailer").kept.filter((mail) => mail.to === to && mail.subject.includes(subject)).length;
    };
    /** Somebody in the state in which the page mails them. */
    const person = async (page: string) => {
      const login = `p${++count}@example.test`;
      if (page === "verify-account") await post(app, "/users/create-account", { login, ...chosen });
      else await addPeople(app, "user", login);
      for (let time = 0; page === "unlock-account" && time < 5; time++)
        await post(app, "/users/login", { login, password: "wrong" });
      return login;
    };

    for (const [page, table, subject] of purposes) {
      const ask = (login: string) => post(app, `/users/${page}`, { login });
      can(`A link of ${page} stays valid when another one is requested, and both end when one is used`, async () => {
        const login = await person(page);
        await ask(login);
        const { path: first } = await mailTo(app, login, subject);
        await age(table, 6);
        await ask(login);
        const { path: second } = await mailTo(app, login, subject);
        assert.is.not(second, first);
        assert.is((await app.request(first)).status, 200);
        assert.is((await app.request(second)).status, 200);
        assert.is((await app.client().submit(first, chosen)).status, 303);
        assert.is((await app.request(first)).status, 422);
        assert.is((await app.request(second)).status, 422);
      });
      can(
        `At most one mail of ${page} is sent in five minutes and three in an hour, with the same answers`,
        async () => {
          const login = await person(page);
          const answers: string[] = [];
          const asked = async () => {
            const answer = await ask(login);
            answers.push(`${answer.status} ${await answer.text()}`);
            return mails(login, subject);
          };
          assert.is(await asked(), 1);
          assert.is(await asked(), 1);
          await age(table, 6);
          assert.is(await asked(), 2);
          await age(table, 6);
          assert.is(await asked(), 3);
          const { path } = await mailTo(app, login, subject);
          if (page !== "email-auth") {
            // whose keys are good for a quarter of an hour
            await age(table, 6);
            assert.is(await asked(), 3, "three are good");
          }
          if (page !== "email-auth" && page !== "unlock-account") {
            await age(table, 60);
            assert.is(await asked(), 4);
            const [{ id }] = await knex("users").where({ email: login });
            assert.is((await knex(table).where({ account_id: id })).length, 3);
          }
          assert.is((await app.request(path)).status, 200);
          assert.is(new Set(answers).size, 1, answers.join("\n"));
          const nobody = await ask(`nobody${count}@example.test`);
          assert.is(`${nobody.status} ${await nobody.text()}`, answers[0]);
        },
      );
    }

    can("A link that was used does not count against the limit of mails", async () => {
      const login = await person("email-auth");
      for (let time = 1; time <= 3; time++) {
        await post(app, "/users/email-auth", { login });
        assert.is(await mails(login, "Your link to sign in"), time);
        const { path } = await mailTo(app, login, "Your link to sign in");
        assert.is((await app.client().submit(path, {})).status, 303);
      }
    });
    can("Of two links that are used at once one is accepted", async () => {
      const login = await person("reset-password-request");
      await post(app, "/users/reset-password-request", { login });
      const first = (await mailTo(app, login, "Set a new password")).path;
      await age("user_password_reset_keys", 6);
      await post(app, "/users/reset-password-request", { login });
      const second = (await mailTo(app, login, "Set a new password")).path;
      const key = (path: string) => new URL(path, "http://x").searchParams.get("key");
      const answers = await Promise.all(
        [first, second, first, second].map((path) => post(app, "/users/reset-password", { key: key(path), ...chosen })),
      );
      assert.equal(answers.map(({ status }) => status).sort(), [200, 422, 422, 422]);
    });
    can("The key of an invitation is neither ended nor shortened by other requests for its address", async () => {
      await addPeople(app, "user", `boss${++count}@example.test`);
      const boss = await signIn(app, "user", `boss${count}@example.test`);
      const login = `guest${count}@example.test`;
      await boss.submit("/users/invite", { login });
      const { path, text } = await mailTo(app, login, "You are invited");
      assert.match(text, "created an account");
      const row = await knex("user_invitation_keys").first();
      for (const page of ["reset-password-request", "email-auth", "verify-account"])
        await post(app, `/users/${page}`, { login });
      await post(app, "/users/create-account", { login, ...chosen });
      assert.is(await mails(login, ""), 1);
      assert.equal(await knex("user_invitation_keys").first(), row);
      assert.is((await app.client().submit(path, chosen)).status, 303);
      assert.ok(await opens(await signIn(app, "user", login, {}, NEW)));
      assert.is((await app.request(path)).status, 422);
    });
    can(
      "The link of the first sign-up sets the password that its browser has typed, whoever signs up with the address later",
      async () => {
        const login = `first${++count}@example.test`;
        const owner = app.client();
        await owner.submit("/users/create-account", { login, ...chosen });
        const { path } = await mailTo(app, login, "Verify your address");
        for (let time = 0; time < 2; time++) {
          const other = "attackers own one";
          await app.client().submit("/users/create-account", { login, password: other, password_confirmation: other });
          await age("user_verification_keys", 6);
        }
        assert.not.match(await owner.page(path), 'type="password"');
        assert.match(await app.client().page(path), 'type="password"');
        assert.is((await owner.submit(path, {})).status, 303);
        assert.is((await post(app, "/users/login", { login, password: NEW })).status, 200);
      },
    );
    can("A link that is requested again sets the password of the browser that signed up", async () => {
      const login = `again${++count}@example.test`;
      const owner = app.client();
      await owner.submit("/users/create-account", { login, ...chosen });
      await age("user_verification_keys", 6);
      await owner.submit("/users/verify-account", { login });
      const { path } = await mailTo(app, login, "Verify your address");
      assert.is((await owner.submit(path, {})).status, 303);
      assert.is((await post(app, "/users/login", { login, password: NEW })).status, 200);
    });
    can("A new login with a typo does not prevent a request for the right one", async () => {
      const login = await person("change-login");
      const client = await signIn(app, "user", login);
      for (const address of ["wrong", "right"])
        await client.submit("/users/change-login", { login: `${address}${login}`, password: PASSWORD });
      assert.is(await mails(`wrong${login}`, "Confirm your new address"), 1);
      const { path } = await mailTo(app, `right${login}`, "Confirm your new address");
      assert.is((await client.submit(path, {})).status, 303);
      assert.is((await rowOf(app, "users", { email: `right${login}` })).account_status, "verified");
    });
    can("A new key replaces the previous one in a table that allows one key an account", async () => {
      const login = await person("reset-password-request");
      const db = databaseOf(app.application).knex;
      for (const table of ["user_password_reset_keys", "user_verification_keys"]) {
        await db(table).delete();
        await db.schema.alterTable(table, (t) => t.unique(["account_id"], { indexName: `once_${table}` }));
      }
      try {
        await post(app, "/users/reset-password-request", { login });
        await mailTo(app, login, "Set a new password");
        await age("user_password_reset_keys", 6);
        await post(app, "/users/reset-password-request", { login });
        assert.is(await mails(login, "Set a new password"), 2);
        const { path } = await mailTo(app, login, "Set a new password");
        assert.is((await app.client().submit(path, chosen)).status, 303);
        const fresh = `old${++count}@example.test`;
        for (let time = 0; time < 2; time++) {
          assert.is((await post(app, "/users/create-account", { login: fresh, ...chosen })).status, 200);
          await age("user_verification_keys", 6);
        }
        assert.is(await mails(fresh, "Verify your address"), 2);
      } finally {
        for (const table of ["user_password_reset_keys", "user_verification_keys"])
          await db.schema
            .alterTable(table, (t) => t.index(["account_id"], `plain_${table}`))
            .then(() => db.schema.alterTable(table, (t) => t.dropUnique(["account_id"], `once_${table}`)));
      }
    });
  });
}

describe("Default limits of mails", (it) => {
  it("Requests for mails are limited by client and purpose, so that another client does not use up the owner's", async () => {
    const app = await openAccounts(
      { user: { features: everything } },
      { plugins: quick, values: { TRUST_PROXY: "1" }, authlib: "{ limits: { login: { perLogin: 100 } } }" },
    );
    try {
      const login = "ann@example.test";
      await addPeople(app, "user", login);
      const from = (address: string, page: string, fields: object = {}) =>
        post(app, `/users/${page}`, { login, ...fields }, { "x-forwarded-for": address });
      const pages: [string, object][] = [
        ["reset-password-request", {}],
        ["email-auth", {}],
        ["verify-account", {}],
        ["unlock-account", {}],
        ["create-account", chosen],
      ];
      for (const [page, fields] of pages) {
        const answers = [];
        for (let time = 0; time < 7; time++) answers.push((await from("192.0.2.1", page, fields)).status);
        assert.equal(answers, [200, 200, 200, 200, 200, 429, 429], page);
        assert.is((await from("192.0.2.2", page, fields)).status, 200, `${page}, by the owner`);
      }
    } finally {
      await app.close();
    }
  });
});
