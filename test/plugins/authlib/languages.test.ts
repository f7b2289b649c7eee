import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, databaseOf, mailTo, openAccounts, PASSWORD, signIn } from "./accounts.ts";

const files = {
  "config/locales/de.json":
    '{ "application": { "name": "Laden" }, "models": { "user": { "values": { "role": { "boss": "Chefin" } } } } }',
  "app/models/user.ts": `import { Model } from "framewright/plugins/database";
export default class User extends Model("users") { static override enums = { role: ["boss", "clerk"] }; }`,
  "db/migrate/20260401000000_add_languages.ts": `export async function up(db) {
  await db.addColumns("users", (t) => { t.string("locale"); });
}
export async function down(db) { await db.removeColumns("users", ["locale"]); }
`,
};
const types = {
  user: {
    features: "login(), logout(), resetPassword(), changePassword(), securityMails(), activeSessions(), invitation()",
  },
  admin: { features: "login(), logout()" },
};

for (const database of await databases()) {
  describe(`The language of accounts, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openAccounts(types, { files, values: await database.values() });
        await addPeople(app, "user", "ada@example.test", "bob@example.test", "cleo@example.test");
        await addPeople(app, "admin", "root@example.test");
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);
    const users = () => databaseOf(app.application).knex("users");
    const localeOf = async (email: string) => (await users().where({ email }).first("locale")).locale;
    const german = { headers: { "accept-language": "de" } };
    const choice = /class="fw-locales"/;

    can(
      "The sign-in page is in the language of the browser, and has a choice that holds without a sign-in",
      async () => {
        const page = await (await app.request("/users/login", german)).text();
        for (const text of ['<html lang="de">', "E-Mail-Adresse", "Passwort vergessen?", ">Anmelden<", "Laden"])
          assert.match(page, text);
        const guest = app.client();
        const chosen = await guest.submit("/users/login", { locale: "de" }, choice);
        assert.equal([chosen.status, chosen.headers.get("location")], [303, "/"]);
        const wrong = await guest.submit("/users/login", { login: "ada@example.test", password: "wrong" });
        assert.is(wrong.status, 422);
        assert.match(await wrong.text(), "Die E-Mail-Adresse oder das Passwort ist falsch");
        assert.is(await localeOf("ada@example.test"), null);
      },
    );

    can("The roles that an invitation may give are called as the catalogue does", async () => {
      await users().where({ email: "cleo@example.test" }).update({ role: "boss" });
      const cleo = await signIn(app, "user", "cleo@example.test");
      const options = async (locale: string) => {
        const page = await (await cleo.request("/users/invite", { headers: { "accept-language": locale } })).text();
        return [...page.matchAll(/<option value="(?:boss|clerk)"[^>]*>([^<]*)/g)].map(([, label]) => label);
      };
      assert.equal(await options("de"), ["Chefin", "Clerk"]);
      assert.equal(await options("en"), ["Boss", "Clerk"]);
    });

    can("Who is signed in takes the choice along to other browsers; a stranger changes nobody's", async () => {
      const ada = await signIn(app, "user", "ada@example.test");
      assert.match(await ada.page("/users/account"), /<html lang="en">[\s\S]*Your account/);
      assert.is((await ada.submit("/users/account", { locale: "de" }, choice)).status, 303);
      assert.equal([await localeOf("ada@example.test"), await localeOf("bob@example.test")], ["de", null]);
      const elsewhere = await signIn(app, "user", "ada@example.test");
      const page = await elsewhere.page("/users/account");
      for (const text of ['<html lang="de">', "Ihr Konto", "Zuletzt geändert", "Abmelden"]) assert.match(page, text);
      const admin = await signIn(app, "admin", "root@example.test");
      assert.is((await admin.submit("/admins/account", { locale: "en" }, choice)).status, 303, "without a column");
      assert.is(await localeOf("ada@example.test"), "de");
    });

    can("A person who still owes a second step stores nothing", async () => {
      const guest = app.client();
      const { id } = await users().where({ email: "bob@example.test" }).first("id");
      assert.ok(id);
      assert.is((await guest.submit("/users/login", { locale: "de" }, choice)).status, 303);
      assert.is(await localeOf("bob@example.test"), null);
    });

    can("A mail has the language of the account, else that of who asked for it", async () => {
      await users().where({ email: "ada@example.test" }).update({ locale: "de" });
      const asking = async (login: string, language: string) => {
        const client = app.client();
        const opened = await client.request("/users/reset-password-request", {
          headers: { "accept-language": language },
        });
        const token = /name="authenticity_token" value="([^"]*)"/.exec(
          /<form[^>]*reset-password-request[\s\S]*?<\/form>/.exec(await opened.text())![0],
        )![1]!;
        const headers = { "accept-language": language, "content-type": "application/x-www-form-urlencoded" };
        const body = new URLSearchParams({ login, authenticity_token: token });
        return client.request("/users/reset-password-request", { method: "POST", headers, body });
      };
      await asking("ada@example.test", "en");
      const mail = await mailTo(app, "ada@example.test", "Neues Passwort bei Laden festlegen");
      assert.match(mail.text, "Legen Sie ein neues Passwort für ada@example.test bei Laden fest.");
      assert.match(mail.html ?? "", '<html lang="de">');
      await asking("bob@example.test", "de");
      await mailTo(app, "bob@example.test", "Neues Passwort bei Laden festlegen");
      await asking("cleo@example.test", "en");
      assert.match((await mailTo(app, "cleo@example.test", "Set a new password")).html ?? "", '<html lang="en">');
    });

    can("A notice to an account is in its language, whatever that of the request is", async () => {
      const ada = await signIn(app, "user", "ada@example.test");
      await users().where({ email: "ada@example.test" }).update({ locale: "de" });
      const changed = await ada.submit("/users/change-password", {
        password: PASSWORD,
        new_password: `${PASSWORD} new`,
        password_confirmation: `${PASSWORD} new`,
      });
      assert.is(changed.status, 303);
      const mail = await mailTo(app, "ada@example.test", "Ihr Passwort bei Laden wurde geändert");
      assert.match(mail.text, "Wenn Sie das nicht waren");
      assert.match(await ada.page("/users/account"), "Ihr Passwort ist geändert.");
    });
  });
}
