import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, databaseOf, mailTo, openAccounts, PASSWORD, signIn } from "./accounts.ts";
import { everything, opens, post, quick, rowOf } from "./promises/support.ts";

const NEW = "another horse battery";
const chosen = { password: NEW, password_confirmation: NEW };
const DAY = 86_400_000;
/** Rows that need their account, and rows that go with it, of which a sign-up writes some. */
const orders = {
  "db/migrate/20260102000000_create_orders.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) {
      await db.createTable("orders", (t) => { t.id(); t.belongsTo("user", { table: "users", null: false }); });
      for (const name of ["notes", "desks"]) await db.createTable(name, (t) => { t.id(); t.belongsTo("user", { table: "users", null: false, onDelete: "cascade" }); });
    }
    export async function down(_db: Schema) {}`,
};

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`An unverified account, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let count = 0;
    if (database.skip === undefined) {
      before(async () => {
        app = await openAccounts(
          { user: { features: everything, body: `override get signUpTables() { return ["desks"]; }` } },
          { values: await database.values(), authlib: "{ limits: false }", plugins: quick, files: orders },
        );
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const knex = (table: string) => databaseOf(app.application).knex(table);
    const signUp = async (login = `p${++count}@example.test`) => {
      await post(app, "/users/create-account", { login, ...chosen });
      return login;
    };
    const mailsTo = async (to: string) => {
      const { kernel } = app.application;
      await kernel.service("jobs").drain();
      return kernel.service("mailer").kept.filter((mail) => mail.to === to);
    };
    const age = (days: number) =>
      knex("user_verification_keys").update({ requested_at: new Date(Date.now() - days * DAY) });
    const idOf = async (login: string) =>
      (await knex("users").where({ email: login }).first())?.id as number | undefined;
    const person = async () => {
      const login = `owner${++count}@example.test`;
      await addPeople(app, "user", login);
      return { login, client: await signIn(app, "user", login) };
    };

    for (const page of ["reset-password-request", "email-auth"]) {
      can(`An unverified account is mailed its verification link by a request at ${page}`, async () => {
        const login = await signUp();
        await age(1);
        await post(app, `/users/${page}`, { login });
        const mails = await mailsTo(login);
        assert.equal(
          mails.map(({ subject }) => subject.slice(0, 19)),
          ["Verify your address", "Verify your address"],
        );
        const { path } = await mailTo(app, login, "Verify your address");
        assert.is((await app.client().submit(path, chosen)).status, 303);
      });
    }
    can(
      "An unverified account is mailed its verification link by a login with the right password, and not with a wrong one",
      async () => {
        const login = await signUp();
        await age(1);
        assert.is((await post(app, "/users/login", { login, password: PASSWORD })).status, 401);
        assert.is((await mailsTo(login)).length, 1);
        assert.is((await post(app, "/users/login", { login, password: NEW })).status, 401);
        assert.is((await mailsTo(login)).length, 2);
      },
    );
    can("An invitation takes over an unverified account, and voids its verification link", async () => {
      const { client } = await person();
      const login = await signUp();
      const { path: first } = await mailTo(app, login, "Verify your address");
      assert.is((await client.submit("/users/invite", { login })).status, 303);
      assert.is((await app.request(first)).status, 422);
      const { path } = await mailTo(app, login, "You are invited");
      assert.is((await app.client().submit(path, chosen)).status, 303);
      assert.ok(await opens(await signIn(app, "user", login, {}, NEW)));
    });
    can("A confirmed change of the login takes over the address of an unverified account", async () => {
      const { client } = await person();
      const login = await signUp();
      const id = await idOf(login);
      await client.submit("/users/change-login", { login, password: PASSWORD });
      const { path } = await mailTo(app, login, "Confirm your new address");
      assert.is(await idOf(login), id, "until then it stands");
      assert.is((await client.submit(path, {})).status, 303);
      assert.is.not(await idOf(login), id);
      assert.is((await rowOf(app, "users", { email: login })).account_status, "verified");
    });
    can("An unverified account that other rows refer to keeps its address", async () => {
      const { client } = await person();
      const login = await signUp();
      const id = await idOf(login);
      await knex("orders").insert({ user_id: id });
      await client.submit("/users/change-login", { login, password: PASSWORD });
      const { path } = await mailTo(app, login, "Confirm your new address");
      assert.is((await client.submit(path, {})).status, 422);
      assert.is(await idOf(login), id);
    });
    can("An invited account keeps its address when another user asks for it, and nobody is mailed", async () => {
      const { client } = await person();
      const login = `guest${++count}@example.test`;
      await client.submit("/users/invite", { login });
      await client.submit("/users/change-login", { login, password: PASSWORD });
      assert.is((await mailsTo(login)).length, 1);
    });
    can("An unverified account is deleted thirty days after its last link, unless other rows refer to it", async () => {
      const old = await signUp();
      const needed = await signUp();
      const withNotes = await signUp();
      const withDesk = await signUp();
      await knex("orders").insert({ user_id: await idOf(needed) });
      await knex("notes").insert({ user_id: await idOf(withNotes) });
      await knex("desks").insert({ user_id: await idOf(withDesk) });
      await age(29);
      const younger = await signUp();
      await mailsTo(younger);
      assert.ok(await idOf(old));
      await knex("user_verification_keys")
        .whereNot({ account_id: await idOf(younger) })
        .update({ requested_at: new Date(Date.now() - 31 * DAY) });
      await mailsTo(await signUp());
      assert.is(await idOf(old), undefined);
      assert.is(await idOf(withDesk), undefined);
      assert.ok(await idOf(withNotes), "what would go along is somebody's");
      assert.ok(await idOf(needed));
      assert.ok(await idOf(younger));
    });
    can("The owner of a taken address is mailed once that somebody wants to use it", async () => {
      const { client } = await person();
      const { login } = await person();
      for (let time = 0; time < 2; time++) {
        const answer = await client.submit("/users/change-login", { login, password: PASSWORD });
        assert.is(answer.status, 303);
      }
      await post(app, "/users/create-account", { login, ...chosen });
      const mails = await mailsTo(login);
      assert.equal(
        mails.map(({ subject }) => subject.slice(0, 39)),
        ["Somebody signed up with your address at"],
      );
      assert.match(mails[0]!.text, "tried to use the address");
    });
  });
}
