import { openApp, type TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { editedText } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import type { Client } from "../../testing/client.ts";
import { databaseOf, mailTo, openAccounts } from "./accounts.ts";
import { asJson, everything, opens, post, quick } from "./promises/support.ts";

const CHOSEN = "another horse battery";
const chosen = { password: CHOSEN, password_confirmation: CHOSEN };
const HOUR = 3_600_000;
const features = editedText(everything, ["verifyAccount()", "verifyAccount({ graceHours: 24 })"]);

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`An account in its grace period, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let count = 0;
    if (database.skip === undefined) {
      before(async () => {
        app = await openAccounts(
          { user: { features: `${features}, webauthn()` } },
          { values: await database.values(), authlib: "{ limits: false }", plugins: quick },
        );
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, work: () => Promise<void>) => it.unless(database.skip, sentence, work);
    const signUp = async () => {
      const login = `p${++count}@example.test`;
      const client = app.client();
      const answer = await client.submit("/users/create-account", { login, ...chosen });
      assert.is(answer.status, 303);
      return { login, client };
    };
    const age = (login: string, hours: number) =>
      databaseOf(app.application)
        .knex("users")
        .where({ email: login })
        .update({ created_at: new Date(Date.now() - hours * HOUR) });
    const signsIn = async (login: string) =>
      (await app.client().submit("/users/login", { login, password: CHOSEN })).status === 303;

    can("A sign-up is signed in, and is signed out when its grace period of 24 hours ends", async () => {
      const { login, client } = await signUp();
      assert.ok(await opens(client));
      assert.ok(await signsIn(login));
      await age(login, 23.9);
      assert.ok(await opens(client));
      await age(login, 24.1);
      assert.not(await opens(client));
      assert.not(await signsIn(login));
    });
    can("An unverified account may change neither its login, password nor factors, nor invite anybody", async () => {
      const { client } = await signUp();
      const token = String((await client.json("/users/account")).body.csrf_token);
      const pages = ["change-login", "change-password", "invite", "otp-setup", "recovery-codes", "webauthn-setup"];
      for (const page of pages) {
        const shown = await client.request(`/users/${page}`);
        assert.equal([shown.status, shown.headers.get("location")], [303, "/users/verify-account"], page);
        const headers = { ...asJson, "x-csrf-token": token };
        const answer = await client.request(`/users/${page}`, { method: "POST", headers, body: "{}" });
        assert.equal([answer.status, ((await answer.json()) as { code: string }).code], [403, "FW_UNVERIFIED"], page);
      }
    });
    can("An unverified account is mailed verification links only, whatever link is requested", async () => {
      const { login } = await signUp();
      await mailTo(app, login, "Verify");
      await databaseOf(app.application)
        .knex("user_verification_keys")
        .update({ requested_at: new Date(Date.now() - HOUR) });
      await app.client().submit("/users/reset-password-request", { login });
      await app.client().submit("/users/email-auth", { login });
      await app.application.kernel.service("jobs").drain();
      const mails = app.application.kernel.service("mailer").kept.filter(({ to }) => to === login);
      assert.ok(mails.length >= 2);
      for (const { subject } of mails) assert.match(subject, "Verify");
    });
    can("Verification in another browser ends the sign-in of the sign-up, and replaces its password", async () => {
      const { login, client: stranger } = await signUp();
      assert.ok(await opens(stranger));
      const owner = app.client();
      const { path } = await mailTo(app, login, "Verify");
      const fresh = { password: "meadow under rain", password_confirmation: "meadow under rain" };
      assert.is((await owner.submit(path, fresh)).status, 303);
      assert.ok(await opens(owner));
      assert.not(await opens(stranger));
      assert.not(await signsIn(login));
    });
    can("Verification in the browser of the sign-up keeps its sign-in, and allows to change the login", async () => {
      const { login, client } = await signUp();
      await age(login, 30);
      const { path } = await mailTo(app, login, "Verify");
      assert.is((await client.submit(path, {})).status, 303);
      assert.ok(await opens(client));
      assert.is((await client.request("/users/change-login")).status, 200);
    });
    can("A sign-up with a taken address is answered by mail, and is not signed in", async () => {
      const { login } = await signUp();
      const again = app.client();
      const answer = await again.submit("/users/create-account", { login, ...chosen });
      assert.match(answer.headers.get("location")!, "mailed");
      assert.not(await opens(again));
    });
  });
}
describe("The grace period before verification", (it) => {
  it("Boot fails with FW_LOGIN_ENCRYPTED where the login is encrypted", async () => {
    const user =
      'import { Model } from "framewright/plugins/database"; export default class User extends Model("users") { static override encrypts = { email: { searchable: true } }; }';
    await throwsCode("FW_LOGIN_ENCRYPTED", () =>
      openAccounts({ user: { features: "login()" } }, { files: { "app/models/user.ts": user }, plugins: quick }),
    );
  });
  it("Boot fails with FW_GRACE_COLUMN where accounts have no created_at", async () => {
    const files = {
      "db/migrate/20260102000000_drop.ts": `import type { Schema } from "framewright/plugins/database";
        export async function up(db: Schema) { await db.removeColumns("users", ["created_at"]); } export async function down(_db: Schema) {}`,
    };
    await throwsCode("FW_GRACE_COLUMN", async () => {
      const first = await openAccounts({ user: { features } }, { files });
      await first.close();
      await openApp(first.root); // the first boot has no tables yet
    });
  });
  it("A sign-up is not signed in where no grace period is set", async () => {
    const app = await openAccounts({ user: { features: everything } }, { plugins: quick });
    const client: Client = app.client();
    await client.submit("/users/create-account", { login: "ann@example.test", ...chosen });
    assert.not(await opens(client));
    assert.is((await post(app, "/users/login", { login: "ann@example.test", password: CHOSEN })).status, 401);
    await app.close();
  });
});
