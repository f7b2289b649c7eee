import { setTimeout as sleep } from "node:timers/promises";
import type { TestApp } from "../../../support/apps.ts";
import { databases } from "../../../support/databases.ts";
import { assert, describe } from "../../../support/index.ts";
import type { Client } from "../../../testing/client.ts";
import { addPeople, databaseOf, openAccounts, signIn } from "../accounts.ts";
import { Passkey } from "./passkey.ts";
import { codeOf, opens, quick, rowOf, setUpCodes } from "./support.ts";

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Secrets that are valid once and for one account, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        const types = { user: { features: "login(), logout(), otp(), recoveryCodes(), webauthn()" } };
        app = await openAccounts(types, {
          values: await database.values(),
          authlib: "{ limits: false }",
          plugins: quick,
        });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const person = async (login: string) => {
      const [id] = await addPeople(app, "user", login);
      return { id: id!, client: await signIn(app, "user", login) };
    };

    can("Concurrent requests for recovery codes create one set of them", async () => {
      const { id, client } = await person("codes@example.test");
      await setUpCodes(client);
      const page = await client.page("/users/recovery-codes");
      const token = /action="\/users\/recovery-codes".*?name="authenticity_token" value="([^"]+)"/s.exec(page)![1]!;
      for (let round = 0; round < 15; round++) {
        await databaseOf(app.application).knex("user_recovery_codes").delete();
        const make = () =>
          client.request("/users/recovery-codes", {
            method: "POST",
            body: new URLSearchParams({ authenticity_token: token }),
          });
        const answers = await Promise.all([make(), make(), make(), make()]);
        assert.ok(answers.every(({ status }) => status === 303));
        const left = await databaseOf(app.application).knex("user_recovery_codes").where("account_id", id);
        assert.is(left.length, 10);
      }
    });
    /** A form of a page, to be sent as often as one likes. */
    const formOf = async (client: Client, page: string, fields: Record<string, string> = {}) => {
      const html = await client.page(`/users/${page}`);
      const form = new RegExp(`action="/users/${page}".*?name="authenticity_token" value="([^"]+)"`, "s");
      const authenticity_token = form.exec(html)![1]!;
      const body = new URLSearchParams({ authenticity_token, ...fields });
      return { html, send: () => client.request(`/users/${page}`, { method: "POST", body }) };
    };
    const setUp = async (client: Client) => {
      const { html } = await formOf(client, "otp-setup");
      const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(html)![1]!.replaceAll(" ", "");
      const otp_secret = /name="otp_secret" value="([^"]+)"/.exec(html)![1]!;
      return formOf(client, "otp-setup", { otp_secret, otp_code: codeOf(secret) });
    };
    const rows = (table: string, account_id: number) =>
      databaseOf(app.application).knex(`user_${table}`).where({ account_id });

    can("Concurrent set-ups of authenticator apps store one app, and keep the sign-in that has set it up", async () => {
      for (let round = 0; round < 5; round++) {
        const login = `apps${round}@example.test`;
        const { id, client } = await person(login);
        const clients = [client, await signIn(app, "user", login), await signIn(app, "user", login)];
        const forms = await Promise.all(clients.map(setUp));
        const answers = await Promise.all(forms.map(({ send }) => send()));
        assert.ok(answers.every(({ status }) => status === 303));
        assert.is((await rows("otp_keys", id)).length, 1);
        const open = await Promise.all(clients.map((one) => opens(one)));
        assert.is(open.filter(Boolean).length, 1);
      }
    });
    can("Recovery codes that are created while the app is removed are not kept", async () => {
      for (let round = 0; round < 10; round++) {
        const { id, client } = await person(`left${round}@example.test`);
        await setUpCodes(client);
        const forms = [await formOf(client, "recovery-codes"), await formOf(client, "otp-setup")];
        const answers = await Promise.all(forms.map(({ send }) => send()));
        assert.ok(answers.every(({ status }) => status === 303));
        assert.is((await rows("otp_keys", id)).length, 0);
        assert.is((await rows("recovery_codes", id)).length, 0);
      }
    });
    can("A sign-in that another request has ended meanwhile changes no factor", async () => {
      const { id, client } = await person("late@example.test");
      const first = await setUp(client);
      const meanwhile = async (send: () => Promise<Response>) => {
        let answer: Promise<Response> | undefined;
        await databaseOf(app.application).transaction(async (trx) => {
          await trx("users").where({ id }).select("id").forUpdate();
          await trx("user_active_session_keys").where({ account_id: id }).delete();
          answer = send();
          await sleep(300);
        });
        return (await answer)!.status;
      };
      assert.is(await meanwhile(first.send), 303);
      assert.is((await rows("otp_keys", id)).length, 0);
      const again = await signIn(app, "user", "late@example.test");
      await setUpCodes(again);
      for (const page of ["recovery-codes", "otp-setup"]) {
        await rows("active_session_keys", id).delete();
        const signedIn = await signIn(app, "user", "late@example.test");
        await rows("active_session_keys", id).update({ factors: "password,otp" });
        assert.is(await meanwhile((await formOf(signedIn, page)).send), 303);
        assert.is((await rows("otp_keys", id)).length, 1, page);
        assert.is((await rows("recovery_codes", id)).length, 0, page);
      }
    });
    const ask = async (client: Client, page: string) =>
      (await client.json(`/users/${page}`)).body as { challenge: string };
    const token = async (client: Client) =>
      (await client.json("/users/login")).body.csrf_token ?? (await client.json("/users/otp-setup")).body.csrf_token;
    const answer = async (client: Client, page: string, credential: string, csrf?: unknown) => {
      const headers = { "x-csrf-token": String(csrf ?? (await token(client))) };
      return client.request(`/users/${page}`, {
        method: "POST",
        headers,
        body: new URLSearchParams({ credential, name: "Phone" }),
      });
    };

    can("The answer of a passkey signs in once, also with the cookie and the token that came with it", async () => {
      const { id, client } = await person("ann@example.test");
      const phone = new Passkey(client.url);
      const { challenge } = await ask(client, "webauthn-setup");
      const copy = client.copy();
      const csrf = await token(copy);
      const made = phone.register(challenge);
      assert.is((await answer(client, "webauthn-setup", made)).headers.get("location"), "/users/webauthn-setup");
      assert.is((await databaseOf(app.application).knex("user_webauthn_keys").where({ account_id: id })).length, 1);
      await databaseOf(app.application)
        .knex("user_webauthn_keys")
        .where({ account_id: id })
        .update({ name: "as it was" });
      assert.is.not((await answer(copy, "webauthn-setup", made, csrf)).status, 500);
      assert.is((await rowOf(app, "user_webauthn_keys", { account_id: id })).name, "as it was");

      const stranger = await person("ivy@example.test");
      const theirsNow = phone.register((await ask(stranger.client, "webauthn-setup")).challenge);
      assert.is((await answer(stranger.client, "webauthn-setup", theirsNow)).status, 422, "it is somebody's already");
      assert.is((await rowOf(app, "user_webauthn_keys", {})).account_id, id);

      const visitor = app.client();
      const given = await ask(visitor, "webauthn-auth");
      const [thief, second] = [visitor.copy(), visitor.copy()];
      const [theirs, other] = [await token(thief), await token(second)];
      const signed = phone.assert(given.challenge);
      const answers = await Promise.all([
        answer(visitor, "webauthn-auth", signed),
        answer(second, "webauthn-auth", signed, other),
      ]);
      assert.equal(answers.map(({ status }) => status).sort(), [303, 422]);
      const both = [await opens(visitor), await opens(second)];
      assert.is(both.filter(Boolean).length, 1);
      await (both[0] ? visitor : second).submit("/users/logout", {});
      assert.is((await answer(thief, "webauthn-auth", signed, theirs)).status, 422);
      assert.not(await opens(thief));
    });

    can("New recovery codes are shown once, and not to a copied cookie", async () => {
      const { client } = await person("bob@example.test");
      await setUpCodes(client);
      await client.submit("/users/recovery-codes", {});
      const copy = client.copy();
      const code = /<li><code>([a-z0-9-]+)<\/code>/;
      assert.match(await client.page("/users/recovery-codes"), code);
      assert.not.match(await copy.page("/users/recovery-codes"), code);
    });

    can("The page to set up an app accepts the secret that it has issued to the account, and no other", async () => {
      const ann = await person("cat@example.test");
      const secret = await setUpCodes(ann.client);
      const stored = String((await rowOf(app, "user_otp_keys", { account_id: ann.id })).secret);
      assert.not.match(stored, secret);
      const fresh = await person("dan@example.test");
      const page = await fresh.client.page("/users/otp-setup");
      const shown = /name="otp_secret" value="([^"]+)"/.exec(page)![1]!;
      const thief = await person("eve@example.test");
      for (const otp_secret of [stored, shown]) {
        const refused = await thief.client.submit("/users/otp-setup", { otp_secret, otp_code: "000000" });
        assert.not.match(await refused.text(), secret.slice(0, 4));
        assert.is(refused.status, 303, "it begins again");
        assert.is(refused.headers.get("location"), "/users/otp-setup");
      }
      const own = await fresh.client.submit("/users/otp-setup", { otp_secret: shown, otp_code: "000000" });
      assert.is(own.status, 422, "its own is kept");
    });

    can("The page to set up an app accepts its secret for an hour", async () => {
      const { client } = await person("fay@example.test");
      const page = await client.page("/users/otp-setup");
      const otp_secret = /name="otp_secret" value="([^"]+)"/.exec(page)![1]!;
      const { now } = Date;
      Date.now = () => now() + 61 * 60_000;
      try {
        const late = await client.submit("/users/otp-setup", { otp_secret, otp_code: "000000" });
        assert.is(late.headers.get("location"), "/users/otp-setup");
      } finally {
        Date.now = now;
      }
    });

    can(
      "An app's secret that an earlier release stored signs its owner in and is resealed, and no page accepts it",
      async () => {
        const { id, client } = await person("gus@example.test");
        const { codeOf } = await import("./support.ts");
        const secret = await setUpCodes(client);
        const { services } = app.application.kernel.service("auth").types.get("user", "a test");
        const before = services.sealer("otp secret").seal(secret);
        await databaseOf(app.application).knex("user_otp_keys").where({ account_id: id }).update({ secret: before });
        const visitor = app.client();
        await visitor.submit("/users/login", { login: "gus@example.test", password: "correct horse battery" });
        assert.is((await visitor.submit("/users/otp-auth", { otp_code: codeOf(secret) })).status, 303);
        assert.is.not((await rowOf(app, "user_otp_keys", { account_id: id })).secret, before);
        const thief = await person("hal@example.test");
        const refused = await thief.client.submit("/users/otp-setup", { otp_secret: before, otp_code: "000000" });
        assert.is(refused.status, 303, "and no page opens it");
      },
    );
  });
}
