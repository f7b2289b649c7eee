import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import type { Client } from "../../testing/client.ts";
import { addPeople, databaseOf, mailTo, openAccounts, PASSWORD, signIn } from "./accounts.ts";
import { addPasskey, type Passkey } from "./promises/passkey.ts";
import { asJson, codeOf, everything, opens, post, quick, quickWithTokens, tokenImports } from "./promises/support.ts";

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const vault = (confirms: string) => ({
  "packages/user_portal/app/controllers/user_portal/vault_controller.ts": `import { BaseController, concern, csrfInput } from "framewright"; import { Authlib } from "framewright/plugins/authlib"; import { PortalController } from "framewright/plugins/portals";
    export default class VaultController extends concern(BaseController, PortalController, Authlib("user" as never)) {
      static confirms = ${confirms};
      show() { return this.render("show", { locals: { csrf: csrfInput(this.request, "/user/vault"), note: (this.request.typed?.take() as any)?.note ?? "" } }); }
      open() { return this.json({ note: this.params.string("note") ?? null }); }
      async burn() { const asked = await this.confirmed({ within: 1 }); return asked ? this.answer(asked) : this.json({ burnt: true }); }
    }`,
  "packages/user_portal/app/views/user_portal/vault/show.liquid": `<form method="post" action="/user/vault">{{ csrf }}<input name="note" value="{{ note }}"></form>`,
  "packages/user_portal/config/routes.ts": `import { UserPortal } from "../lib/engine.ts";
    export default UserPortal.routes.draw((routes) => { routes.root({ to: "home#index" }); routes.get("vault", { to: "vault#show" }); routes.post("vault", { to: "vault#open" }); routes.post("burn", { to: "vault#burn" }); });`,
});
const features = `${everything}, webauthn(), jwt()`;

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Confirmation of identity, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let count = 0;
    if (database.skip === undefined) {
      before(async () => {
        const files = vault(`["open"]`);
        const options = { values: await database.values(), files, plugins: quickWithTokens };
        app = await openAccounts({ user: { features, imports: tokenImports } }, options);
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, work: () => Promise<void>) => it.unless(database.skip, sentence, work);
    const table = (name: string) => databaseOf(app.application).knex(name);
    const person = async () => {
      const login = `p${++count}@example.test`;
      const [id] = await addPeople(app, "user", login);
      return { login, id: id! };
    };
    /** Signed in for so long that the sign-in itself confirms nothing any more. */
    const signedInLong = async () => {
      const { login, id } = await person();
      const client = await signIn(app, "user", login);
      await table("user_active_session_keys")
        .where({ account_id: id })
        .update({ created_at: ago(60) });
      return { login, id, client };
    };
    /** Somebody who has no password, signed in by a mailed link. */
    const withoutPassword = async () => {
      const { login, id } = await person();
      await table("user_password_hashes").where({ account_id: id }).delete();
      const client = app.client();
      await client.submit("/users/email-auth", { login });
      const { path } = await mailTo(app, login, "sign in");
      assert.is((await client.submit(path, {})).status, 303);
      return { login, id, client };
    };
    const grow = (id: number, minutes: number) =>
      table("user_active_session_keys")
        .where({ account_id: id })
        .update({ created_at: ago(minutes) });
    const place = (answer: Response) => answer.headers.get("location");
    /** As a browser sends the form: it says on which page it stood. */
    const send = async (client: Client, note: string) => {
      const csrf = /action="\/user\/vault"><input[^>]* value="([^"]+)"/.exec(await client.page("/user/vault"))![1]!;
      const body = new URLSearchParams({ authenticity_token: csrf, note });
      return client.request("/user/vault", { method: "POST", body, headers: { referer: `${app.url}/user/vault` } });
    };

    can(
      "A listed action asks for a confirmation when the sign-in is old, and goes back to the form with what was typed",
      async () => {
        const { login } = await person();
        const fresh = await signIn(app, "user", login);
        assert.is((await send(fresh, "fresh")).status, 200);
        const { client } = await signedInLong();
        const answer = await send(client, "kept words");
        assert.is(answer.status, 303);
        assert.is(place(answer), "/users/confirm-identity");
        assert.is((await client.submit("/users/confirm-identity", { password: "wrong" })).status, 422);
        assert.is(place(await send(client, "kept words")), "/users/confirm-identity");
        const done = await client.submit("/users/confirm-identity", { password: PASSWORD });
        assert.is(place(done), "/user/vault", "back to the form");
        assert.match(await client.page("/user/vault"), `value="kept words"`, "with what was typed");
        assert.is((await send(client, "kept words")).status, 200);
      },
    );
    can("A confirmation gives the session a new key, and a copied cookie is refused", async () => {
      const { client } = await signedInLong();
      const copy = client.copy();
      await client.submit("/users/confirm-identity", { password: PASSWORD });
      assert.ok(await opens(client));
      assert.not(await opens(copy));
    });
    can("A password in a form of the account counts as a confirmation, and a copied cookie is refused", async () => {
      const { client } = await signedInLong();
      const page = await client.page("/users/otp-setup");
      const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(page)![1]!.replaceAll(" ", "");
      const copy = client.copy();
      const fields = { otp_secret: /name="otp_secret" value="([^"]+)"/.exec(page)![1]!, otp_code: codeOf(secret) };
      assert.is((await client.submit("/users/otp-setup", { ...fields, password: PASSWORD })).status, 303);
      assert.not.match(await client.page("/users/recovery-codes"), 'name="password"');
      assert.is((await client.submit("/users/recovery-codes", {})).status, 303);
      assert.not(await opens(copy), "a copied cookie is not confirmed along");
    });
    can("An action with a shorter limit asks again with FW_CONFIRMATION", async () => {
      const { id, client } = await signedInLong();
      await client.submit("/users/confirm-identity", { password: PASSWORD });
      await table("user_active_session_keys")
        .where({ account_id: id })
        .update({ confirmed_at: ago(2) });
      assert.is((await send(client, "ten minutes are fine")).status, 200);
      const token = String((await client.json("/users/account")).body.csrf_token);
      const headers = { "x-csrf-token": token, ...asJson };
      const burnt = await client.request("/user/burn", { method: "POST", headers, body: "{}" });
      assert.is(burnt.status, 403);
      assert.is(((await burnt.json()) as { code: string }).code, "FW_CONFIRMATION");
    });
    can("A client of the API gets 403, confirms with its token and goes on with it", async () => {
      const { login, id } = await person();
      const { access_token } = (await (
        await post(app, "/users/login", { login, password: PASSWORD })
      ).json()) as Record<string, string>;
      const bearer = { authorization: `Bearer ${access_token}` };
      assert.is((await post(app, "/user/vault", { note: "x" }, bearer)).status, 200);
      await grow(id, 60);
      const asked = await post(app, "/user/vault", { note: "x" }, bearer);
      assert.is(asked.status, 403);
      assert.match(await asked.text(), "/users/confirm-identity");
      assert.is((await post(app, "/users/confirm-identity", { password: "wrong" }, bearer)).status, 422);
      assert.is((await post(app, "/users/confirm-identity", { password: PASSWORD }, bearer)).status, 200);
      assert.is((await post(app, "/user/vault", { note: "x" }, bearer)).status, 200);
    });
    can("A user without a password confirms by a mailed code, which is valid once and for five attempts", async () => {
      const { login, id, client } = await withoutPassword();
      assert.is((await send(client, "fresh by the link")).status, 200);
      await grow(id, 60);
      assert.is(place(await send(client, "later")), "/users/confirm-identity");
      const code = async () => {
        const asked = await client.submit("/users/confirm-identity", {});
        assert.is(place(asked), "/users/confirm-identity");
        return /\b\d{8}\b/.exec((await mailTo(app, login, "Your code")).text)![0];
      };
      const first = await code();
      const wrong = first === "00000000" ? "11111111" : "00000000";
      for (let time = 0; time < 5; time++)
        assert.is((await client.submit("/users/confirm-identity", { code: wrong })).status, 422);
      const headers = { "x-csrf-token": String((await client.json("/users/account")).body.csrf_token), ...asJson };
      const late = await client.request("/users/confirm-identity", {
        method: "POST",
        headers,
        body: JSON.stringify({ code: first }),
      });
      assert.is(late.status, 422, "after five wrong ones the right one is dead");
      const second = await code();
      assert.is(place(await client.submit("/users/confirm-identity", { code: second })), "/user/vault");
      assert.is((await send(client, "later")).status, 200);
      await table("user_active_session_keys").where({ account_id: id }).update({ confirmed_at: null });
      assert.is(place(await send(client, "later")), "/users/confirm-identity");
      const again = await client.request("/users/confirm-identity", {
        method: "POST",
        headers: { ...headers, "x-csrf-token": String((await client.json("/users/account")).body.csrf_token) },
        body: JSON.stringify({ code: second }),
      });
      assert.is(again.status, 422, "used once");
    });
    can("A user with a password is mailed no confirmation code", async () => {
      const { login, client } = await signedInLong();
      const headers = { "x-csrf-token": String((await client.json("/users/account")).body.csrf_token), ...asJson };
      await client.request("/users/confirm-identity", {
        method: "POST",
        headers,
        body: JSON.stringify({ send: "code" }),
      });
      await app.application.kernel.service("jobs").drain();
      const { kept } = app.application.kernel.service("mailer");
      assert.not(kept.some((mail) => mail.to === login && mail.subject.includes("Your code")));
    });
    can(
      "A user without a password may set one and close the account, and has to confirm when the sign-in is old",
      async () => {
        for (const path of ["change-password", "change-login", "close-account", "otp-setup"]) {
          const { id, client } = await withoutPassword();
          assert.is((await client.request(`/users/${path}`)).status, 200, `${path} right after the link`);
          await grow(id, 60);
          const later = await client.request(`/users/${path}`);
          assert.is(place(later), "/users/confirm-identity", `${path} asks later`);
        }
        const { login, client } = await withoutPassword();
        const NEW = "another horse battery";
        const set = await client.submit("/users/change-password", { new_password: NEW, password_confirmation: NEW });
        assert.is(set.status, 303);
        await signIn(app, "user", login, {}, NEW);
        const closing = await withoutPassword();
        assert.is((await closing.client.submit("/users/close-account", {})).status, 303);
        assert.not(await opens(closing.client));
      },
    );
    can(
      "Wrong passwords at the confirmation count as at the login, and end the session when they lock the login",
      async () => {
        const { login, id, client } = await signedInLong();
        for (let time = 0; time < 4; time++)
          assert.is((await client.submit("/users/confirm-identity", { password: `wrong ${time}` })).status, 422);
        assert.ok(await opens(client));
        await client.submit("/users/confirm-identity", { password: "wrong for the fifth time" });
        assert.not(await opens(client), "the thief of a session is out");
        const own = app.client();
        assert.is((await own.submit("/users/login", { login, password: PASSWORD })).status, 422, "locked");
        await app.application.kernel.service("jobs").drain();
        const logged = await table("user_authentication_audit_logs").where({ account_id: id, event: "login_failed" });
        assert.is(logged.length, 6);
      },
    );
    can("An owner may confirm while the login is locked, and a wrong password then ends the session", async () => {
      const { login, client } = await signedInLong();
      for (let time = 0; time < 5; time++) await app.client().submit("/users/login", { login, password: "wrong" });
      assert.is((await client.submit("/users/confirm-identity", { password: PASSWORD })).status, 303);
      assert.ok(await opens(client));
      await client.submit("/users/confirm-identity", { password: "wrong" });
      assert.not(await opens(client));
    });
    can("A passkey of the own account confirms, and one of another account does not", async () => {
      const { id, client } = await withoutPassword();
      const [key, other] = [await addPasskey(client), await addPasskey((await withoutPassword()).client)];
      const confirm = async (device: Passkey) => {
        const page = await client.page("/users/confirm-identity");
        const { challenge } = JSON.parse(/data-webauthn-options="([^"]+)"/.exec(page)![1]!.replaceAll("&quot;", '"'));
        const token = /<form[^>]*data-webauthn[^>]*><input[^>]* value="([^"]+)"/.exec(page)![1]!;
        const body = new URLSearchParams({ authenticity_token: token, credential: device.assert(challenge as string) });
        return client.request("/users/confirm-identity", { method: "POST", body });
      };
      await grow(id, 60);
      assert.is(place(await send(client, "by passkey")), "/users/confirm-identity");
      assert.is((await confirm(other)).status, 422);
      assert.is(place(await send(client, "by passkey")), "/users/confirm-identity");
      assert.is(place(await confirm(key)), "/user/vault");
      assert.is((await send(client, "by passkey")).status, 200);
    });
    can(
      "A guest who would confirm is redirected to the login, and a sign-in without its second factor to the code",
      async () => {
        assert.is(place(await app.client().request("/users/confirm-identity")), "/users/login");
        const { login, client } = await signedInLong();
        const { setUpCodes } = await import("./promises/support.ts");
        await client.submit("/users/confirm-identity", { password: PASSWORD });
        await setUpCodes(client);
        const half = app.client();
        await half.submit("/users/login", { login, password: PASSWORD });
        assert.is(place(await half.request("/users/confirm-identity")), "/users/otp-auth");
      },
    );
  });
}

describe("The list of actions to confirm", (it) => {
  const boots = async (confirms: string) => {
    const app = await openAccounts({ user: { features: "login()" } }, { files: vault(confirms), plugins: quick });
    await app.close();
  };
  it("Boot fails with FW_CONFIRMS for a listed action that does not exist", async () => {
    await boots(`["open"]`);
    await throwsCode("FW_CONFIRMS", () => boots(`["opne"]`));
  });
});
