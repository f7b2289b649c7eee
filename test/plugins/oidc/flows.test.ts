import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { Client } from "../../testing/client.ts";
import { addPeople, mailTo, PASSWORD, signIn } from "../authlib/accounts.ts";
import { codeOf, opens, waitForFreshCode } from "../authlib/promises/support.ts";
import { HostileProvider } from "./hostile_provider.ts";
import { credentials, openOidc } from "./oidc_app.ts";

const secretOf = (page: string): string => /<code[^>]*>([A-Z2-7 ]+)</.exec(page)![1]!.replaceAll(" ", "");

for (const database of await databases()) {
  describe(`Accounts and the identities that are connected to them, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let acme: HostileProvider;
    if (database.skip === undefined) {
      before(async () => {
        acme = await HostileProvider.open();
        const shared = `issuer: "${acme.issuer}"`;
        app = await openOidc(
          `company: provider({ ${shared}, label: "Company", verifiesEmail: true, secondFactor: { amr: ["mfa"] }, accept: ({ email }) => String(email).endsWith("@company.test") }), acme: provider({ ${shared}, label: "Acme" })`,
          { values: { ...credentials("company"), ...credentials("acme"), ...(await database.values()) } },
        );
        await addPeople(app, "user", "ann@example.com");
      });
      after(async () => {
        await app?.close();
        await acme.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const rows = () => databaseOf(app.application).knex("user_oidc_identities").orderBy("id");
    async function arrive(client: Client, provider: string, person: Record<string, unknown>): Promise<string> {
      const begun = await client.request(`/users/oidc/${provider}`);
      acme.person = person;
      const back = new URL(acme.allow(String(begun.headers.get("location"))));
      const answer = await client.request(back.pathname + back.search);
      return String(answer.headers.get("location"));
    }
    const fresh = () => new Client(app.url);

    can("The login page offers the providers; a company's own creates accounts whose addresses it proves", async () => {
      const client = fresh();
      const login = await client.page("/users/login");
      assert.match(login, /href="\/users\/oidc\/company" data-turbo="false"/);
      assert.match(login, "Sign in with Acme");
      const refused = await arrive(client, "company", {
        sub: "m",
        email: "mallory@elsewhere.test",
        email_verified: true,
      });
      assert.is(refused, "/users/login");
      assert.match(await client.page("/users/login"), "has no access here");
      const person = { sub: "c-1", email: "Carl@company.test", email_verified: true, name: "Carl" };
      assert.is(await arrive(client, "company", person), "/users/oidc-identity");
      assert.match(await client.page("/users/oidc-identity"), "Carl@company.test");
      assert.is((await client.submit("/users/oidc-identity", {})).headers.get("location"), "/user");
      assert.is(await opens(client), true);
      const account = await databaseOf(app.application).knex("users").where({ email: "carl@company.test" }).first();
      assert.equal([account.account_status, account.name], ["verified", "Carl"]);
      assert.match(await client.page("/users/account"), "Company");
      const again = fresh();
      assert.is(await arrive(again, "company", person), "/user");
      const unproven = fresh();
      const doubtful = { sub: "c-2", email: "dan@company.test", email_verified: false };
      assert.is(await arrive(unproven, "company", doubtful), "/users/oidc-identity");
      assert.is((await unproven.submit("/users/oidc-identity", {})).headers.get("location"), "/users/create-account");
      const owner = fresh();
      await databaseOf(app.application)
        .knex("users")
        .where({ email: "carl@company.test" })
        .update({ email: "taken@company.test" });
      assert.is(
        await arrive(owner, "company", { sub: "c-3", email: "taken@company.test", email_verified: true }),
        "/users/oidc-identity",
      );
      const taken = await owner.submit("/users/oidc-identity", {});
      assert.is(taken.status, 422);
      assert.match(await taken.text(), "There is an account with this address");
      assert.is(await opens(owner), false);
    });

    can(
      "Who signs in after they came from a provider is offered to connect it, and then goes where they wanted",
      async () => {
        const client = fresh();
        await client.request("/user/form");
        assert.is(await arrive(client, "acme", { sub: "a-1", email: "ann@acme.test" }), "/users/oidc-identity");
        assert.match(await client.page("/users/oidc-identity"), "sign in and connect");
        const login = await client.submit("/users/login", { login: "ann@example.com", password: PASSWORD });
        assert.is(login.headers.get("location"), "/users/oidc-identity");
        const page = await client.page("/users/oidc-identity");
        assert.match(page, "Connect Acme");
        assert.match(page, "ann@acme.test");
        const connected = await client.submit("/users/oidc-identity", {});
        assert.is(connected.headers.get("location"), "/user/form");
        const notice = await mailTo(app, "ann@example.com", "Another sign-in was connected");
        assert.match(notice.text, "ann@example.com");
        assert.match(await client.page("/users/account"), "Acme");
        const other = fresh();
        assert.is(await arrive(other, "acme", { sub: "a-1", email: "ann@acme.test" }), "/user");
        assert.match(await other.page("/users/oidc-identities"), "Last used");
      },
    );

    can(
      "A second factor of ours is required, unless the provider has checked two; removing requires the password again",
      async () => {
        const client = await signIn(app, "user", "ann@example.com");
        assert.is(
          await arrive(client, "company", { sub: "ann", email: "ann@company.test", email_verified: true }),
          "/users/oidc-identity",
        );
        await client.submit("/users/oidc-identity", {});
        await waitForFreshCode();
        const page = await client.page("/users/otp-setup");
        const sealed = /name="otp_secret" value="([^"]+)"/.exec(page)![1]!;
        const added = await client.submit("/users/otp-setup", { otp_secret: sealed, otp_code: codeOf(secretOf(page)) });
        assert.is(added.status, 303);
        const weak = fresh();
        assert.is(await arrive(weak, "acme", { sub: "a-1" }), "/users/otp-auth");
        assert.is(await opens(weak), false);
        const strong = fresh();
        assert.is(
          await arrive(strong, "company", { sub: "ann", email: "ann@company.test", amr: ["pwd", "mfa"] }),
          "/user",
        );
        assert.is(await opens(strong), true);
        const old = (await rows()).find(({ subject }) => subject === "a-1");
        const unconfirmed = await strong.submit("/users/oidc-identities", { remove: String(old.id) });
        assert.is(unconfirmed.status, 422, "who came from a provider has not shown the password");
        const wrong = await strong.submit("/users/oidc-identities", { remove: String(old.id), password: "wrong" });
        assert.is(wrong.status, 422);
        const removed = await strong.submit("/users/oidc-identities", { remove: String(old.id), password: PASSWORD });
        assert.is(removed.status, 303);
        assert.is(await arrive(fresh(), "acme", { sub: "a-1" }), "/users/oidc-identity");
        await mailTo(app, "ann@example.com", "was removed from your account");
      },
    );

    can("Nothing of it is stored that signs in by itself, and closing an account forgets its identities", async () => {
      const all = JSON.stringify(await rows());
      assert.not.match(all, "secret-of-the-shop");
      assert.ok((await rows()).every(({ digest }) => /^[\da-f]{64}$/.test(digest)));
      const client = fresh();
      assert.is(
        await arrive(client, "company", { sub: "z-1", email: "zoe@company.test", email_verified: true }),
        "/users/oidc-identity",
      );
      await client.submit("/users/oidc-identity", {});
      assert.is(await opens(client), true);
      const { id } = await databaseOf(app.application).knex("users").where({ email: "zoe@company.test" }).first();
      await app.application.kernel.service("auth").accounts("user").close(Number(id));
      assert.is(
        (await rows()).some(({ subject }) => subject === "z-1"),
        false,
      );
      assert.is(await opens(client), false);
    });
  });
}
