import type { TestApp } from "../../support/apps.ts";
import { addDevice } from "../../support/authenticator.ts";
import { openBrowser, visit } from "../../support/browser.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe, requireOrSkip } from "../../support/index.ts";
import { Client } from "../../testing/client.ts";
import { addPeople, databaseOf, mailTo, openAccounts, PASSWORD, signIn } from "./accounts.ts";
import { addPasskey, showPasskey } from "./promises/ceremonies.ts";
import { Passkey } from "./promises/passkey.ts";
import { opens, quick, rowOf } from "./promises/support.ts";

const browserless = await requireOrSkip("browser");

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Sign-up with a passkey, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let url: string;
    if (database.skip === undefined) {
      before(async () => {
        const list = "login(), logout(), createAccount(), verifyAccount(), changePassword()";
        const types = {
          user: { features: `${list}, webauthn(), factors(), auditLogging()` },
          clerk: { features: list },
        };
        app = await openAccounts(types, {
          values: await database.values(),
          authlib: "{ limits: false }",
          plugins: quick,
        });
        url = app.url.replace("127.0.0.1", "localhost"); // passkeys need a host name
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    /** Who typed a password to sign up, in this browser, and the path of the link in their mail. */
    const signUp = async (login: string, plural = "users") => {
      const client = new Client(url);
      await client.submit(`/${plural}/create-account`, { login, password: PASSWORD, password_confirmation: PASSWORD });
      return { client, path: (await mailTo(app, login, "Verify your address")).path };
    };
    const verify = async (client: Client, path: string, device: Passkey) => {
      const form = /data-webauthn="create".*?<\/form>/s.exec(await client.page(path))![0];
      const challenge = /&quot;challenge&quot;:&quot;([\w-]+)&quot;/.exec(form)![1]!;
      const fieldOf = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(form)![1]!;
      const fields = { authenticity_token: fieldOf("authenticity_token"), key: fieldOf("key") };
      const body = new URLSearchParams({ ...fields, credential: device.register(challenge) });
      return client.request("/users/verify-account", { method: "POST", body });
    };
    const tables = (account_id: unknown) => async (name: string) =>
      (await databaseOf(app.application).knex(`user_${name}`).where({ account_id })).length;

    can(
      "A passkey that is registered at the mailed link replaces the typed password, and signs in from then on",
      async () => {
        const { client, path } = await signUp("ann@example.test");
        const device = new Passkey(url);
        assert.is((await verify(client, path, device)).status, 303);
        assert.ok(await opens(client));
        const { id, account_status } = await rowOf(app, "users", { email: "ann@example.test" });
        assert.is(account_status, "verified");
        const count = tables(id);
        assert.equal([await count("webauthn_keys"), await count("password_hashes")], [1, 0]);
        assert.is((await client.request(path)).status, 422, "the link is used up");
        const other = new Client(url);
        assert.is((await showPasskey(other, device)).status, 303);
        assert.ok(await opens(other));
        const wrong = await app.client().submit("/users/login", { login: "ann@example.test", password: PASSWORD });
        assert.is(wrong.status, 422);
        const log = databaseOf(app.application).knex("user_authentication_audit_logs").where({ account_id: id });
        assert.is((await log.where({ event: "second_factor_added" })).length, 1);
      },
    );

    can(
      "A passkey that the owner registers at the mailed link voids the password typed in another browser",
      async () => {
        const { path } = await signUp("bob@example.test");
        const owner = new Client(url);
        assert.is((await verify(owner, path, new Passkey(url))).status, 303);
        const thief = await app.client().submit("/users/login", { login: "bob@example.test", password: PASSWORD });
        assert.is(thief.status, 422);
      },
    );

    can(
      "A passkey that is taken or malformed gets 422 at the mailed link, which stays valid for a password",
      async () => {
        const { client, path } = await signUp("cat@example.test");
        const taken = new Passkey(url);
        await addPeople(app, "user", "old@example.test");
        const old = new Client(url);
        await old.submit("/users/login", { login: "old@example.test", password: PASSWORD });
        await addPasskey(old, taken);
        assert.is((await verify(client, path, taken)).status, 422);
        const nonsense = await client.submit(path, { credential: "{}" }, /data-webauthn="create"/);
        assert.is(nonsense.status, 422);
        const { id } = await rowOf(app, "users", { email: "cat@example.test" });
        assert.equal([await tables(id)("webauthn_keys"), await tables(id)("password_hashes")], [0, 1]);
        assert.is((await client.submit(path, {})).status, 303);
        assert.ok(await opens(await signIn(app, "user", "cat@example.test")));
      },
    );

    can("The only passkey of an account without a password can't be removed", async () => {
      const { client, path } = await signUp("gil@example.test");
      await verify(client, path, new Passkey(url));
      const { id } = await rowOf(app, "users", { email: "gil@example.test" });
      const [first] = await databaseOf(app.application).knex("user_webauthn_keys").where({ account_id: id });
      const remove = () => client.submit(`/users/webauthn-setup?remove=${first.id}`, {});
      const refused = await remove();
      assert.is(refused.status, 422);
      assert.match(await refused.text(), "This is your only way to sign in");
      await client.submit("/users/factors", {});
      assert.is(await tables(id)("webauthn_keys"), 1);
      await addPasskey(client, new Passkey(url));
      assert.is((await remove()).status, 303);
      assert.is(await tables(id)("webauthn_keys"), 1);
    });

    can("One of the last two passkeys stays when both are removed at once", async () => {
      const { client, path } = await signUp("hal@example.test");
      await verify(client, path, new Passkey(url));
      await addPasskey(client, new Passkey(url));
      const { id } = await rowOf(app, "users", { email: "hal@example.test" });
      const keys = await databaseOf(app.application).knex("user_webauthn_keys").where({ account_id: id });
      const { csrf_token } = (await client.json("/users/logout")).body;
      const remove = ({ id: remove }: { id: number }) =>
        client.request("/users/webauthn-setup", {
          method: "POST",
          headers: { "x-csrf-token": String(csrf_token) },
          body: new URLSearchParams({ remove: String(remove) }),
        });
      await Promise.all(keys.map(remove));
      assert.is(await tables(id)("webauthn_keys"), 1);
    });

    can("Passkeys are offered at the mailed link neither by a type without them nor at an IP address", async () => {
      const { client, path } = await signUp("dan@example.test", "clerks");
      assert.not.match(await client.page(path), "webauthn");
      const numeric = app.client();
      const { path: own } = await signUp("eve@example.test");
      assert.not.match(await numeric.page(own), "data-webauthn");
    });

    it.unless(database.skip ?? browserless, "A sign-up with a passkey works in a browser", async () => {
      const browser = await openBrowser();
      try {
        const visitor = await visit(browser, url);
        const { page } = visitor;
        await addDevice(visitor);
        const { path } = await signUp("fay@example.test");
        await page.goto(path);
        await page.getByRole("button", { name: "Use a passkey instead" }).click();
        await page.waitForURL(/\/user$/);
        assert.equal(visitor.problems, []);
      } finally {
        await browser.close();
      }
    });
  });
}
