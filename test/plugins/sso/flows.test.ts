import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { mailTo, PASSWORD } from "../authlib/accounts.ts";
import { setUpCodes } from "../authlib/promises/support.ts";
import { SECRET, SsoApp } from "./sso_app.ts";

for (const database of await databases({ withPostgres: true })) {
  describe(`Companies that sign in with their own provider, on ${database.name}`, (it, { before, after }) => {
    let one: SsoApp;
    if (database.skip === undefined) {
      before(async () => {
        one = await SsoApp.open({ values: await database.values() });
      });
      after(async () => {
        await one?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);

    can(
      "An owner adds a domain, publishes its record and verifies it; then the provider, whose secret is not shown again",
      async () => {
        const ann = await one.signIn("ann@acme.test");
        assert.match(await ann.page("/user/1/members"), "/user/1/_sso");
        const id = await one.addDomain(ann, "acme.test");
        one.dns.zones.clear();
        const early = await one.verify(ann, id);
        assert.is(early.status, 303);
        assert.match(await ann.page("/user/1/_sso"), "was not found");
        one.publish(await one.knex("user_sso_domains").where({ id }).first());
        await one.verify(ann, id);
        const page = await ann.page("/user/1/_sso");
        assert.match(page, "acme.test is verified");
        assert.match(page, "/users/oidc/tenant-1/callback");
        const saved = await one.saveProvider(ann, { roles_claim: "groups", roles: "bosses = admin\nstaff = member" });
        assert.is(saved.status, 303, await saved.text());
        const form = await ann.page("/user/1/_sso/provider");
        assert.match(form, one.idp.issuer);
        assert.match(form, "bosses = admin");
        for (const shown of [form, await ann.page("/user/1/_sso")]) assert.not.match(shown, SECRET);
        const row = await one.knex("user_sso_connections").first();
        assert.not.match(JSON.stringify(row), SECRET);
        const logged = await one.knex("user_authentication_audit_logs").where({ event: "company_sign_in_changed" });
        assert.ok(logged.length >= 2);
        assert.not.match(JSON.stringify(logged), SECRET);
      },
    );

    can(
      "Somebody new signs in from the login page by their address, and is a member with the role of the claim",
      async () => {
        const dora = one.browser();
        assert.match(await dora.page("/users/login"), "Sign in with your company");
        const unknown = await dora.submit("/users/sso", { login: "dora@nowhere.test" });
        assert.is(unknown.status, 422);
        assert.match(await unknown.text(), "No company signs in with this address");
        const led = await dora.submit("/users/sso", { login: "Dora@ACME.test" });
        assert.is(led.status, 200);
        const url = /content="0;url=([^"]*)"/.exec(await led.text())?.[1];
        assert.is(url, "/users/oidc/tenant-1?hint=dora%40acme.test");
        const begun = await dora.request(url!);
        const sent = new URL(String(begun.headers.get("location"))).searchParams;
        assert.equal(
          [sent.get("login_hint"), sent.get("client_id"), sent.get("code_challenge_method")],
          ["dora@acme.test", "shop", "S256"],
        );
        const person = {
          sub: "d-1",
          email: "Dora@acme.test",
          email_verified: true,
          name: "Dora",
          groups: ["bosses", "staff"],
        };
        assert.is(await one.arrive(dora, person), "/user");
        assert.is(await one.opens(dora), true);
        assert.is(await one.roleOf("dora@acme.test"), "admin");
        const account = await one.knex("users").where({ email: "dora@acme.test" }).first();
        assert.equal([account.account_status, account.name], ["verified", "Dora"]);
        assert.match(await dora.page("/users/oidc-identities"), "Acme");
        const again = one.browser();
        assert.is(await one.arrive(again, { ...person, groups: ["staff"] }), "/user");
        assert.is(await one.roleOf("dora@acme.test"), "admin", "roles follow the claim only where that is chosen");
        await again.submit("/users/logout", {});
        assert.is(await one.opens(again), false);
      },
    );

    can(
      "Who has an account signs in to it once to connect the two; owners keep their role whatever the claim is",
      async () => {
        const ann = await one.signIn("ann@acme.test");
        await one.saveProvider(ann, {
          client_secret: "",
          roles_claim: "groups",
          roles: "bosses = admin\nstaff = member",
          refreshes_roles: "1",
        });
        const person = { sub: "a-1", email: "ann@acme.test", groups: "staff" };
        const fresh = one.browser();
        assert.is(await one.arrive(fresh, person), "/users/oidc-identity");
        const page = await fresh.page("/users/oidc-identity");
        assert.match(page, "sign in and connect");
        assert.not.match(page, "Create an account");
        const led = await fresh.submit("/users/login", { login: "ann@acme.test", password: PASSWORD });
        assert.is(led.headers.get("location"), "/users/oidc-identity");
        await fresh.submit("/users/oidc-identity", {});
        assert.is(await one.arrive(one.browser(), person), "/user");
        assert.is(await one.roleOf("ann@acme.test"), "owner");
        const meg = one.browser();
        await one.arrive(meg, { sub: "m-1", email: "meg@acme.test", groups: ["staff"] });
        await meg.submit("/users/login", { login: "meg@acme.test", password: PASSWORD });
        await meg.submit("/users/oidc-identity", {});
        assert.is(await one.roleOf("meg@acme.test"), "admin", "connecting changes no role");
        assert.is(await one.arrive(one.browser(), { sub: "m-1", email: "meg@acme.test", groups: ["staff"] }), "/user");
        assert.is(await one.roleOf("meg@acme.test"), "member");
      },
    );

    can(
      "Once it is required, only the provider signs members of the domain in; owners come in by what they have, and all owners are mailed",
      async () => {
        const ann = await one.signIn("ann@acme.test");
        const max = await one.signIn("max@acme.test");
        const guest = await one.signIn("guest@home.test");
        const refused = await one.send(ann, "/enforcement");
        assert.is(refused.status, 303);
        assert.match(await ann.page("/user/1/_sso"), "second factor first");
        await setUpCodes(ann);
        await one.send(ann, "/enforcement");
        assert.match(await ann.page("/user/1/_sso"), "with your provider only");
        assert.is(await one.opens(ann), true, "the owner goes on");
        assert.is(await one.opens(max), false, "a session by a password has ended");
        assert.is(await one.opens(guest), true, "whose address is not the company's is not concerned");
        const again = one.browser();
        const login = await again.submit("/users/login", { login: "max@acme.test", password: PASSWORD });
        assert.is(login.headers.get("location"), "/users/sso");
        assert.match(await again.page("/users/sso"), "Acme requires its own sign-in");
        const wrong = await one.browser().submit("/users/login", { login: "max@acme.test", password: "wrong" });
        assert.is(wrong.status, 422, "strangers learn nothing");
        assert.is(await one.arrive(again, { sub: "x-1", email: "max@acme.test" }), "/users/oidc-identity");
        assert.is(
          (await again.submit("/users/login", { login: "max@acme.test", password: PASSWORD })).headers.get("location"),
          "/users/oidc-identity",
          "who comes from the provider may sign in to connect the two",
        );
        await again.submit("/users/oidc-identity", {});
        assert.is(await one.opens(again), true);
        const removed = await again.submit("/users/oidc-identities", {
          remove: String((await one.knex("user_oidc_identities").where({ subject: "x-1" }).first()).id),
        });
        assert.is(removed.status, 422);
        assert.match(await removed.text(), "requires this sign-in");
        const owner = one.browser();
        const second = await owner.submit("/users/login", { login: "ann@acme.test", password: PASSWORD });
        assert.is(second.headers.get("location"), "/users/otp-auth");
        await one.knex("user_otp_keys").delete();
        const alone = await one.signIn("ann@acme.test");
        assert.is(await one.opens(alone), true);
        const notice = await mailTo(one.app, "ann@acme.test", "without your company's provider");
        assert.match(notice.text, "ann@acme.test, an owner of Acme");
        await one.send(ann, "/enforcement");
        assert.match(await ann.page("/user/1/_sso"), "in other ways, too");
        assert.is(await one.opens(await one.signIn("max@acme.test")), true);
      },
    );
  });
}
