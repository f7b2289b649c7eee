import { encodeDate } from "framewright/plugins/database";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import type { Client } from "../../testing/client.ts";
import { addPeople, mailTo, PASSWORD } from "../authlib/accounts.ts";
import { post, setUpCodes, tokenImports } from "../authlib/promises/support.ts";
import { HostileProvider } from "../oidc/hostile_provider.ts";
import { credentials } from "../oidc/oidc_app.ts";
import { features, SsoApp } from "./sso_app.ts";

const withTokens = features
  .replace("oidcLogin({ providers: {} })", "oidcLogin({ providers: known })")
  .replace("auditLogging()", "jwt(), jwtRefresh(), auditLogging()");

for (const database of await databases({ withPostgres: true })) {
  describe(`A tenant that requires its provider, on ${database.name}`, (it, { before, after }) => {
    let one: SsoApp;
    let google: HostileProvider;
    let ann: Client;
    if (database.skip === undefined) {
      before(async () => {
        google = await HostileProvider.open();
        one = await SsoApp.open({
          values: { ...(await database.values()), ...credentials("elsewhere") },
          types: withTokens,
          imports: `${tokenImports} import { jwtTokens } from "framewright/plugins/jwt"; import { provider } from "framewright/plugins/oidc"; const known = { elsewhere: provider({ issuer: "${google.issuer}", label: "Elsewhere" }) }; void [jwt, jwtRefresh, jwtTokens, known];`,
          list: '...(standard.some(({ name }) => name === "jwt") ? [] : [jwtTokens()]),',
        });
        ann = await one.signIn("ann@acme.test");
        await one.setUp(ann, "acme.test");
        await setUpCodes(ann);
      });
      after(async () => {
        await one?.close();
        await google.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const max = { sub: "max", email: "max@acme.test" };
    const isRefused = async (client: Client, name: string) => {
      assert.is(await one.opens(client), false, name);
      assert.is(await one.opens(client, "/users/account"), false, name);
    };

    can("It can be required once somebody has come in by it; what members signed in with otherwise ends", async () => {
      await one.send(ann, "/enforcement");
      assert.match(await ann.page("/user/1/_sso"), "Nobody has signed in with the provider yet");
      const meg = one.browser();
      await one.arrive(meg, { sub: "meg", email: "meg@acme.test" });
      await meg.submit("/users/login", { login: "meg@acme.test", password: PASSWORD });
      await meg.submit("/users/oidc-identity", {});
      const remembered = one.browser();
      await remembered.submit("/users/login", { login: "max@acme.test", password: PASSWORD, remember: "1" });
      const tokens = (await (
        await post(one.app, "/users/login", { login: "max@acme.test", password: PASSWORD })
      ).json()) as { access_token: string; refresh_token: string };
      const bearer = { authorization: `Bearer ${tokens.access_token}`, accept: "application/json" };
      assert.is((await one.app.request("/user/1/members", { headers: bearer })).status, 200);
      await one.browser().submit("/users/reset-password-request", { login: "max@acme.test" });
      const reset = await mailTo(one.app, "max@acme.test", "password");
      const mallory = one.browser();
      await mallory.submit("/users/login", { login: "max@acme.test", password: PASSWORD });
      google.person = { sub: "max-elsewhere", email: "max@home.test" };
      const begun = await mallory.request("/users/oidc/elsewhere");
      await one.follow(mallory, google.allow(String(begun.headers.get("location"))));
      await mallory.submit("/users/oidc-identity", {});

      await one.send(ann, "/enforcement");
      assert.match(await ann.page("/user/1/_sso"), "with your provider only");
      assert.is(await one.opens(meg), true, "who came from the provider goes on");
      await isRefused(mallory, "a session by a password");
      await isRefused(remembered, "a session that is remembered");
      remembered.forget("fw_session");
      await isRefused(remembered, "a remembered device");
      assert.is((await one.app.request("/user/1/members", { headers: bearer })).status, 401, "a token");
      assert.is((await post(one.app, "/users/jwt-refresh", { refresh_token: tokens.refresh_token })).status, 401);
      const dead = await one.browser().request(reset.path);
      assert.is(dead.status, 422, "a link to reset the password");
    });

    can("Passwords, mailed links, resets, other providers and programs' logins lead to the provider", async () => {
      const byPassword = one.browser();
      assert.is(
        (await byPassword.submit("/users/login", { login: "max@acme.test", password: PASSWORD })).headers.get(
          "location",
        ),
        "/users/sso",
      );
      await isRefused(byPassword, "a password");
      const byToken = await post(one.app, "/users/login", { login: "max@acme.test", password: PASSWORD });
      assert.is(byToken.status, 403);
      assert.match(await byToken.text(), "/users/sso");
      for (const path of ["/users/email-auth", "/users/reset-password-request"]) {
        const client = one.browser();
        const before = one.app.application.kernel.service("mailer").kept.length;
        await client.submit(path, { login: "max@acme.test" });
        const mail = await mailTo(one.app, "max@acme.test", "with your company");
        assert.is(mail.path, "/users/sso");
        const sent = one.app.application.kernel.service("mailer").kept.slice(before);
        assert.not.match(JSON.stringify(sent), "key=");
      }
      const elsewhere = one.browser();
      google.person = { sub: "max-elsewhere", email: "max@home.test" };
      const begun = await elsewhere.request("/users/oidc/elsewhere");
      assert.is(await one.follow(elsewhere, google.allow(String(begun.headers.get("location")))), "/users/sso");
      await isRefused(elsewhere, "another provider");
      const back = one.browser();
      assert.is(await one.arrive(back, max), "/users/oidc-identity");
      await back.submit("/users/login", { login: "max@acme.test", password: PASSWORD });
      await back.submit("/users/oidc-identity", { password: PASSWORD });
      assert.is(await one.opens(back), true);
      const moved = await back.submit("/users/change-login", { login: "max@home.test", password: PASSWORD });
      assert.is(moved.status, 303);
      assert.match(await back.page("/users/account"), "manages your email address");
    });

    can("Who comes from the provider as one person and signs in as another is not let past", async () => {
      const client = one.browser();
      assert.is(await one.arrive(client, { sub: "eve", email: "eve@acme.test" }), "/user");
      await one.knex("user_oidc_identities").where({ subject: "eve" }).delete();
      const other = one.browser();
      assert.is(await one.arrive(other, { sub: "eve", email: "eve@acme.test" }), "/users/oidc-identity");
      const login = await other.submit("/users/login", { login: "max@acme.test", password: PASSWORD });
      assert.is(login.headers.get("location"), "/users/sso");
      await isRefused(other, "another account than the provider's");
    });

    can(
      "Who becomes a member while signed in another way signs in by the provider before they enter the tenant",
      async () => {
        await addPeople(one.app, "user", "late@acme.test");
        const late = one.browser();
        await late.submit("/users/login", { login: "late@acme.test", password: PASSWORD, remember: "1" });
        const { id } = await one.knex("users").where({ email: "late@acme.test" }).first();
        const now = new Date();
        await one
          .knex("members")
          .insert({ organization_id: 1, user_id: id, role: "member", created_at: now, updated_at: now });
        const entering = await late.request("/user/1/members");
        assert.equal([entering.status, entering.headers.get("location")], [303, "/users/sso"]);
        const { status } = await late.json("/user/1/members");
        assert.is(status, 403);
        assert.is(await one.arrive(late, { sub: "late", email: "late@acme.test" }), "/users/oidc-identity");
        await late.submit("/users/oidc-identity", {});
        assert.is(await one.opens(late), true);
        const again = one.browser();
        await one.knex("members").where({ user_id: id }).update({ organization_id: 2 });
        await again.submit("/users/login", { login: "late@acme.test", password: PASSWORD });
        await one.knex("members").where({ user_id: id }).update({ organization_id: 1 });
        assert.is((await again.request("/user/1/members")).status, 303);
        assert.is(
          await one.arrive(again, { sub: "late", email: "late@acme.test" }),
          "/user/1/members",
          "back to the page that was requested",
        );
        assert.is(await one.opens(again), true);
      },
    );

    can("A proof that lapses requires nothing any more, and owners are mailed", async () => {
      const own = () => one.knex("user_sso_domains").where({ domain: "acme.test" });
      const old = encodeDate(new Date(Date.now() - 8 * 86_400_000));
      await own().update({ checked_at: old });
      one.dns.zones.set("_framewright-challenge.acme.test", "nxdomain");
      const first = one.browser();
      assert.is(
        (await first.submit("/users/login", { login: "max@acme.test", password: PASSWORD })).headers.get("location"),
        "/users/sso",
      );
      const failing = await own().first();
      assert.ok(failing.failing_since, "the record is missing since now");
      assert.is(failing.proven_domain, "acme.test", "and the proof holds for a while");
      await own().update({ failing_since: encodeDate(new Date(Date.now() - 15 * 86_400_000)) });
      await one.app.application.kernel.service("jobs").enqueue("sso.renew", {});
      await one.app.application.kernel.service("jobs").drain();
      assert.is((await own().first()).proven_domain, null);
      await mailTo(one.app, "ann@acme.test", "no longer verified");
      assert.is(await one.opens(await one.signIn("max@acme.test")), true);
      assert.is(await one.arrive(one.browser(), max), "/users/login", "the provider vouches for nobody there");
      one.publish(await own().first());
      const owner = await one.signIn("ann@acme.test");
      assert.is(await one.opens(owner), false, "the second factor is pending");
    });
  });
}
