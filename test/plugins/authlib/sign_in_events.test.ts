import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, databaseOf, openAccounts, PASSWORD, signIn } from "./accounts.ts";
import { codeOf, everything, quick, setUpCodes } from "./promises/support.ts";

interface Entry {
  event: string;
  account_id: number | null;
  address: string;
  metadata: Record<string, unknown>;
}
/** Counts in the class itself, so that it can be asked from outside. */
const body = `override async afterLogin(account: any, key: string) { (globalThis as any).after = [...((globalThis as any).after ?? []), account.email]; await super.afterLogin(account, key); }`;
const room = globalThis as { after?: string[] };

for (const database of await databases()) {
  describe(`Events of a sign-in, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let ids: number[] = [];
    if (database.skip === undefined) {
      before(async () => {
        const types = { user: { features: everything, body } };
        const options = { values: await database.values(), authlib: "{ limits: false }", plugins: quick };
        app = await openAccounts(types, options);
        ids = await addPeople(app, "user", "ann@example.test", "bob@example.test", "cat@example.test");
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, work: () => Promise<void>) => it.unless(database.skip, sentence, work);
    const clear = () => databaseOf(app.application).knex("user_authentication_audit_logs").delete();
    const entries = async (): Promise<Entry[]> => {
      await app.application.kernel.service("jobs").drain();
      const rows = await databaseOf(app.application).knex("user_authentication_audit_logs").orderBy("id");
      return rows.map((row) => ({
        ...row,
        metadata: typeof row.metadata === "string" ? JSON.parse(row.metadata) : row.metadata,
      }));
    };

    can(
      "A sign-in logs first_factor_passed after the password, and login and the remembered device after the code",
      async () => {
        const own = await signIn(app, "user", "ann@example.test");
        const secret = await setUpCodes(own);
        await clear();
        room.after = [];
        const client = app.client();
        await client.submit("/users/login", { login: "ann@example.test", password: PASSWORD, remember: "1" });
        assert.equal(
          (await entries()).map(({ event, metadata }) => [event, metadata]),
          [["first_factor_passed", { by: "password" }]],
        );
        assert.equal(room.after, [], "afterLogin waits for the code");
        assert.is(client.cookie("fw_user_remember"), undefined, "so does the device's key");
        const keys = () => databaseOf(app.application).knex("user_remember_keys").where({ account_id: ids[0] });
        assert.is((await keys()).length, 0);
        assert.is((await client.submit("/users/otp-auth", { otp_code: codeOf(secret) })).status, 303);
        assert.equal((await entries()).at(-1)!.metadata, { by: "otp", factors: "password,otp" });
        assert.equal(
          (await entries()).map(({ event }) => event),
          ["first_factor_passed", "login"],
        );
        assert.equal(room.after, ["ann@example.test"]);
        assert.is((await keys()).length, 1, "remembered, as was asked for with the password");
        assert.ok(client.cookie("fw_user_remember"));
      },
    );
    can("A failed login is logged with its account, or with a digest of a login that nobody has", async () => {
      await clear();
      await app.client().submit("/users/login", { login: "bob@example.test", password: "wrong" });
      await app.client().submit("/users/login", { login: "nobody@example.test", password: "wrong" });
      await app.client().submit("/users/login", { login: "nobody@example.test", password: "wrong" });
      const [known, unknown, again] = await entries();
      assert.is(known!.event, "login_failed");
      assert.is(Number(known!.account_id), ids[1]);
      assert.equal(known!.metadata, { by: "password" });
      assert.ok(known!.address !== "", "from where it was tried");
      assert.is(unknown!.account_id, null);
      assert.match(String(unknown!.metadata.login_digest), /^[0-9a-f]{64}$/);
      assert.is(unknown!.metadata.login_digest, again!.metadata.login_digest, "tries at one login can be counted");
    });
    can("A lock is logged with the account of its login", async () => {
      await clear();
      for (let time = 0; time < 5; time++)
        await app.client().submit("/users/login", { login: "cat@example.test", password: "wrong" });
      const locked = (await entries()).find(({ event }) => event === "locked");
      assert.is(Number(locked?.account_id), ids[2]);
    });
  });
}
