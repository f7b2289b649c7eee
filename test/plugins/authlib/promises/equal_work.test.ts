import { setTimeout as sleep } from "node:timers/promises";
import type { TestApp } from "../../../support/apps.ts";
import { databases } from "../../../support/databases.ts";
import { assert, describe } from "../../../support/index.ts";
import { addPeople, databaseOf, openAccounts } from "../accounts.ts";
import { everything, post, quick } from "./support.ts";

const [known, nobody] = ["known@example.test", "nobod@example.test"];

for (const database of await databases()) {
  describe(`Work after a request for a mail, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        const values = await database.values();
        app = await openAccounts(
          { user: { features: everything } },
          { values, authlib: "{ limits: false }", plugins: quick },
        );
        await addPeople(app, "user", known, "unver@example.test");
        await databaseOf(app.application)
          .knex("users")
          .where({ email: "unver@example.test" })
          .update({ account_status: "unverified" });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    /** The statements that something causes, by what they do, its jobs included. */
    const work = async (ask: () => Promise<unknown>): Promise<Record<string, number>> => {
      const { knex } = databaseOf(app.application);
      const done: Record<string, number> = {};
      const count = ({ sql }: { sql: string }) => {
        const verb = /^\w+/.exec(sql)![0].toLowerCase();
        if (/^(?:insert|delete)$/.test(verb)) done[verb] = (done[verb] ?? 0) + 1;
      };
      const { kernel } = app.application;
      await kernel.service("jobs").drain();
      knex.on("query", count);
      try {
        await ask();
        for (let look = 0; look < 40; look++) {
          await kernel.service("jobs").drain();
          if ((await knex("framewright_jobs").where({ state: "waiting" })).length === 0) break;
          await sleep(50); // a job is due in the millisecond after the one that it was stored in
        }
      } finally {
        knex.removeListener("query", count);
      }
      const kinds: Record<string, unknown>[] = await knex("framewright_jobs").select("kind", "state");
      for (const { kind, state } of kinds) done[`${kind} ${state}`] = (done[`${kind} ${state}`] ?? 0) + 1;
      await knex("framewright_jobs").delete();
      return done;
    };

    for (const [page, login] of [
      ["reset-password-request", known],
      ["email-auth", known],
      ["verify-account", "unver@example.test"],
    ] as const) {
      can(
        `A request to ${page} causes the same work for an unknown as for a known login, and mails the known one only`,
        async () => {
          const mails = () => app.application.kernel.service("mailer").kept.length;
          const start = mails();
          const ours = await work(() => post(app, `/users/${page}`, { login }));
          assert.is(mails(), start + 1);
          assert.equal(await work(() => post(app, `/users/${page}`, { login: nobody })), ours);
          const odd = await work(() => post(app, `/users/${page}`, { login: "not an address, at all" }));
          assert.equal(odd, ours);
          assert.is(mails(), start + 1);
        },
      );
    }
    for (const page of ["reset-password-request", "email-auth"]) {
      can(
        `A request to ${page} causes the same work for an unverified account and for one that was just mailed`,
        async () => {
          const theirs = await work(() => post(app, `/users/${page}`, { login: nobody }));
          assert.equal(await work(() => post(app, `/users/${page}`, { login: known })), theirs, "mailed above");
          await databaseOf(app.application).knex("user_verification_keys").delete();
          assert.equal(await work(() => post(app, `/users/${page}`, { login: "unver@example.test" })), theirs);
          assert.equal(await work(() => post(app, `/users/${page}`, { login: "unver@example.test" })), theirs);
        },
      );
    }
    can("Locking an unknown login causes the same work as locking a known one, and mails nobody", async () => {
      const lock = (login: string) => async () => {
        for (let time = 0; time < 5; time++) await post(app, "/users/login", { login, password: "not it at all" });
      };
      const ours = await work(lock(known));
      const theirs = await work(lock(nobody));
      assert.equal(theirs, ours);
      const mails = app.application.kernel.service("mailer").kept.filter(({ to }) => to === nobody);
      assert.equal(mails, []);
    });
  });
}
