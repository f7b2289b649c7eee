import type { TestApp } from "../../../support/apps.ts";
import { databases } from "../../../support/databases.ts";
import { assert, describe } from "../../../support/index.ts";
import type { Client } from "../../../testing/client.ts";
import { addPeople, databaseOf, mailTo, openAccounts, PASSWORD, signIn } from "../accounts.ts";
import { asJson, codeOf, everything, opens, quick, rowOf, setUpCodes } from "./support.ts";

const KEY = { credential_digest: "d", credential_id: "c", public_key: "k", user_handle: "h", name: "Laptop" };

for (const database of await databases()) {
  describe(`Changes of factors on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        const types = { user: { features: `${everything}, webauthn()` } };
        const files = {
          "app/models/user.ts": `import { Model } from "framewright/plugins/database"; export default class User extends Model("users") { static override validations = { email: { presence: true, uniqueness: true } }; }`,
        };
        const values = await database.values();
        app = await openAccounts(types, { values, authlib: "{ limits: false }", plugins: quick, files });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const person = async (login: string) => (await addPeople(app, "user", login))[0]!;
    const table = (name: string) => databaseOf(app.application).knex(`user_${name}`);
    /** The token of the account's own menu is good for no page: each form has one, fetched while it could be. */
    const tokenOf = async (client: Client, path: string) =>
      new RegExp(`action="${path.split("?")[0]}".*?name="authenticity_token" value="([^"]+)"`, "s").exec(
        await client.page(path),
      )![1]!;
    const send = (client: Client, path: string, fields: Record<string, string>) =>
      client.request(path, { method: "POST", body: new URLSearchParams(fields) });

    can("A first factor ends the earlier sign-ins, and forgets their remembered devices", async () => {
      const account_id = await person("ann@example.test");
      const early = await signIn(app, "user", "ann@example.test", { remember: "1" });
      const token = await tokenOf(early, "/users/otp-setup");
      const owner = await signIn(app, "user", "ann@example.test");
      const secret = await setUpCodes(owner);
      assert.is((await rowOf(app, "user_otp_keys", { account_id })).failures, 0);
      const answer = await send(early, "/users/otp-setup", { authenticity_token: token });
      assert.is(answer.headers.get("location"), "/users/login");
      assert.is((await table("otp_keys").where({ account_id })).length, 1);
      assert.not(await opens(early), "nor by the key of its device");
      assert.ok(await opens(owner));
      const other = app.client();
      await other.submit("/users/login", { login: "ann@example.test", password: PASSWORD });
      assert.is((await other.submit("/users/otp-auth", { otp_code: codeOf(secret) })).status, 303);
    });

    const pages: [string, Record<string, string>][] = [
      ["otp-setup", {}],
      ["recovery-codes", {}],
      ["webauthn-setup", { remove: "KEY" }],
      ["webauthn-setup", { name: "Mine" }],
      ["change-password", { password: PASSWORD, new_password: "another horse battery" }],
      ["change-login", { password: PASSWORD, login: "thief@example.test" }],
      ["close-account", { password: PASSWORD }],
      ["sessions", { all: "others" }],
      ["invite", { login: "friend@example.test" }],
    ];
    for (const [index, [page, fields]] of pages.entries()) {
      const what = Object.keys(fields)[0] ?? "nothing";
      can(
        `The page ${page}, sent with ${what}, asks for an existing factor also in a session that never used it`,
        async () => {
          const login = `p${index}@example.test`;
          const account_id = await person(login);
          const owner = await signIn(app, "user", login);
          const secret = await setUpCodes(owner);
          await table("webauthn_keys").insert({
            ...KEY,
            account_id,
            credential_digest: login,
            sign_count: 0,
            created_at: new Date(),
          });
          const [key] = await table("webauthn_keys").where({ account_id });
          const early = owner.copy();
          const form = page === "webauthn-setup" ? `/users/${page}?remove=${key.id}` : `/users/${page}`;
          const token = await tokenOf(early, form);
          await table("active_session_keys").where({ account_id }).update({ factors: "password" }); // as of a node that still runs the release before
          const before = JSON.stringify([
            await table("otp_keys"),
            await table("webauthn_keys"),
            await table("password_hashes"),
          ]);
          const body = { authenticity_token: token, ...fields, ...(fields.remove ? { remove: String(key.id) } : {}) };
          const answer = await send(early, `/users/${page}`, body);
          const refusal = page === "recovery-codes" ? 422 : "/users/otp-auth"; // there one may show a code instead
          assert.is(answer.headers.get("location") ?? answer.status, refusal);
          const after = JSON.stringify([
            await table("otp_keys"),
            await table("webauthn_keys"),
            await table("password_hashes"),
          ]);
          assert.is(after, before);
          assert.is((await rowOf(app, "users", { id: account_id })).account_status, "verified");
          assert.is((await table("recovery_codes").where({ account_id })).length, 0);
          assert.is((await early.submit("/users/otp-auth", { otp_code: codeOf(secret) })).status, 303);
          assert.is((await early.request(`/users/${page}`)).status, 200);
        },
      );
    }

    can("A JSON client without the second factor gets 401 with FW_SECOND_FACTOR", async () => {
      const account_id = await person("jay@example.test");
      const client = await signIn(app, "user", "jay@example.test");
      await setUpCodes(client);
      await table("active_session_keys").where({ account_id }).update({ factors: "password" });
      const answer = await client.request("/users/sessions", { headers: asJson });
      assert.is(answer.status, 401);
      assert.is(((await answer.json()) as { code: string }).code, "FW_SECOND_FACTOR");
    });

    can("Recovery codes are not created without a second factor, and a first factor voids existing ones", async () => {
      const account_id = await person("rae@example.test");
      const thief = await signIn(app, "user", "rae@example.test");
      const made = await thief.submit("/users/recovery-codes", {}, /recovery-codes/).catch(() => undefined);
      assert.is(made, undefined, "there is no form for it");
      const { csrf_token } = (await thief.json("/users/otp-setup")).body as { csrf_token: string };
      const byForm = { method: "POST", headers: { "x-csrf-token": csrf_token }, body: new URLSearchParams() };
      const refused = await thief.request("/users/recovery-codes", byForm);
      assert.is(refused.headers.get("location") ?? refused.status, "/users/otp-setup");
      const headers = { ...asJson, "x-csrf-token": csrf_token };
      const asked = await thief.request("/users/recovery-codes", { method: "POST", headers, body: "{}" });
      assert.is(asked.status, 422);
      assert.is((await table("recovery_codes").where({ account_id })).length, 0);
      await table("recovery_codes").insert({ account_id, code_digest: "planted", created_at: new Date() });
      await setUpCodes(await signIn(app, "user", "rae@example.test"));
      assert.is((await table("recovery_codes").where({ account_id })).length, 0);
    });

    can("Closing an account deletes its factors and its password", async () => {
      const account_id = await person("zoe@example.test");
      const client = await signIn(app, "user", "zoe@example.test");
      await setUpCodes(client);
      await client.submit("/users/recovery-codes", {});
      const key = { ...KEY, account_id, credential_digest: "zoe", sign_count: 0, created_at: new Date() };
      await table("webauthn_keys").insert(key);
      assert.is((await client.submit("/users/close-account", { password: PASSWORD })).status, 303);
      for (const name of ["otp_keys", "recovery_codes", "webauthn_keys", "password_hashes"])
        assert.equal(await table(name).where({ account_id }), [], name);
    });

    can("A removed passkey ends the other sign-ins that it has opened", async () => {
      const account_id = await person("kim@example.test");
      const [owner, thief] = [
        await signIn(app, "user", "kim@example.test"),
        await signIn(app, "user", "kim@example.test"),
      ];
      const ids = await table("active_session_keys").where({ account_id }).orderBy("id");
      await table("active_session_keys").where({ id: ids[1].id }).update({ factors: "webauthn" });
      const key = { ...KEY, account_id, credential_digest: "kim", sign_count: 0, created_at: new Date() };
      await table("webauthn_keys").insert(key);
      const [{ id }] = await table("webauthn_keys").where({ account_id });
      assert.ok(await opens(thief));
      assert.is((await owner.submit(`/users/webauthn-setup?remove=${id}`, {})).status, 303);
      assert.not(await opens(thief));
      assert.ok(await opens(owner));
    });

    can("A changed login renews the key of its session, and a copied cookie is refused", async () => {
      await person("lea@example.test");
      const client = await signIn(app, "user", "lea@example.test");
      const copy = client.copy();
      await client.submit("/users/change-login", { login: "lea2@example.test", password: PASSWORD });
      const { path } = await mailTo(app, "lea2@example.test", "new");
      assert.is((await client.submit(path, {})).status, 303);
      assert.ok(await opens(client));
      assert.not(await opens(copy));
    });

    can("One of two first authenticator apps that are set up at once is stored and accepted", async () => {
      const account_id = await person("two@example.test");
      const first = await signIn(app, "user", "two@example.test");
      const second = await signIn(app, "user", "two@example.test");
      const setUps = await Promise.allSettled([setUpCodes(first), setUpCodes(second)]);
      const secrets = setUps.filter((one) => one.status === "fulfilled").map(({ value }) => value);
      assert.is((await table("otp_keys").where({ account_id })).length, 1);
      const codes = await Promise.all(
        secrets.map(async (secret) => {
          const client = app.client();
          await client.submit("/users/login", { login: "two@example.test", password: PASSWORD });
          return (await client.submit("/users/otp-auth", { otp_code: codeOf(secret) })).status;
        }),
      );
      assert.is(codes.filter((status) => status === 303).length, 1);
    });
  });
}
