import { Secret, TOTP } from "otpauth";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import type { Client } from "../../testing/client.ts";
import { addPeople, databaseOf, mailTo, openAccounts, PASSWORD, signIn } from "./accounts.ts";
import { quick, waitForFreshCode } from "./promises/support.ts";

const features =
  "login(), logout(), resetPassword(), activeSessions(), otp(), recoveryCodes(), webauthn(), emailAuth(), auditLogging()";
const admins =
  "login({ phases: 2 }), logout(), resetPassword(), otp({ required: true }), recoveryCodes(), sessionExpiration(), invitation(), passwordComplexity(), auditLogging()";

const secretOf = (page: string) => /<code>([A-Z2-7 ]+)<\/code>/.exec(page)![1]!.replaceAll(" ", "");
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

for (const database of await databases()) {
  describe(`Second factors on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let adminSecret = "";
    if (database.skip === undefined) {
      before(async () => {
        const types = {
          user: { features },
          admin: { features: admins, imports: "", body: "" },
        };
        app = await openAccounts(types, {
          values: await database.values(),
          authlib: "{ limits: false }",
          plugins: quick,
          files: {
            "app/models/admin.ts": `import { Model } from "framewright/plugins/database"; export default class Admin extends Model("admins") { static override enums = { role: ["super_admin", "admin"] }; }`,
          },
        });
        await addPeople(app, "user", "ann@example.test", "bob@example.test", "cat@example.test", "dan@example.test");
        await app.application.kernel
          .service("auth")
          .createAccount("admin", { email: "root@example.test", role: "super_admin" }, { password: PASSWORD });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const setUp = async (client: Client, type = "users") => {
      await waitForFreshCode();
      const page = await client.page(`/${type}/otp-setup`);
      const secret = secretOf(page);
      const sealed = /name="otp_secret" value="([^"]+)"/.exec(page)![1]!;
      const answer = await client.submit(`/${type}/otp-setup`, { otp_secret: sealed, otp_code: codeOf(secret, -1) });
      return { secret, answer };
    };

    can("A sign-in opens nothing before the code of the app, and each code is accepted once", async () => {
      const client = await signIn(app, "user", "ann@example.test");
      const { secret, answer } = await setUp(client);
      assert.is(answer.headers.get("location"), "/users/recovery-codes");
      const other = app.client();
      const half = await other.submit("/users/login", { login: "ann@example.test", password: PASSWORD });
      assert.is(half.headers.get("location"), "/users/otp-auth");
      assert.is((await other.request("/user")).headers.get("location"), "/users/otp-auth");
      assert.is((await other.request("/users/account")).headers.get("location"), "/users/otp-auth");
      assert.is((await other.request("/users/sessions")).status, 303);
      assert.is((await other.submit("/users/otp-auth", { otp_code: "000000" })).status, 422);
      const code = codeOf(secret);
      const passed = await other.submit("/users/otp-auth", { otp_code: code });
      assert.is(passed.headers.get("location"), "/users/sessions", "where they were going last");
      assert.is((await other.request("/user")).status, 200);
      const third = app.client();
      await third.submit("/users/login", { login: "ann@example.test", password: PASSWORD });
      assert.is((await third.submit("/users/otp-auth", { otp_code: code })).status, 422, "a code is good once");
    });

    can("A code is accepted once from parallel requests", async () => {
      const { secret } = await setUp(await signIn(app, "user", "bob@example.test"));
      const clients = await Promise.all(
        [1, 2, 3, 4].map(async () => {
          const client = app.client();
          await client.submit("/users/login", { login: "bob@example.test", password: PASSWORD });
          return client;
        }),
      );
      const code = codeOf(secret);
      const answers = await Promise.all(clients.map((client) => client.submit("/users/otp-auth", { otp_code: code })));
      assert.equal(answers.map(({ status }) => status).sort(), [303, 422, 422, 422]);
    });

    can("Recovery codes are shown once, stored as digests and accepted once each", async () => {
      const client = await signIn(app, "user", "cat@example.test");
      await setUp(client);
      assert.is((await client.submit("/users/recovery-codes", {})).status, 303);
      const page = await client.page("/users/recovery-codes");
      const codes = [...page.matchAll(/<li><code>([a-z0-9-]+)<\/code>/g)].map(([, code]) => code!);
      assert.is(codes.length, 10);
      assert.not.match(await client.page("/users/recovery-codes"), codes[0]!);
      const stored = await databaseOf(app.application).knex("user_recovery_codes").select("code_digest");
      assert.not.ok(stored.some(({ code_digest }: { code_digest: string }) => codes.includes(code_digest)));
      const lost = app.client();
      await lost.submit("/users/login", { login: "cat@example.test", password: PASSWORD });
      assert.is(
        (await lost.submit("/users/recovery-codes", { recovery_code: codes[3]!.toUpperCase() })).headers.get(
          "location",
        ),
        "/user",
      );
      const again = app.client();
      await again.submit("/users/login", { login: "cat@example.test", password: PASSWORD });
      assert.is((await again.submit("/users/recovery-codes", { recovery_code: codes[3]! })).status, 422);
    });

    can("The secret of an app is stored sealed, and the app can be turned off", async () => {
      const client = await signIn(app, "user", "dan@example.test");
      const { secret } = await setUp(client);
      const rows = await databaseOf(app.application).knex("user_otp_keys");
      assert.not.match(JSON.stringify(rows), secret);
      assert.is((await client.submit("/users/otp-setup", {})).status, 303);
      await signIn(app, "user", "dan@example.test");
      const free = app.client();
      assert.is(
        (await free.submit("/users/login", { login: "dan@example.test", password: PASSWORD })).headers.get("location"),
        "/user",
      );
    });

    can("A mailed link signs in once, and only when it is confirmed", async () => {
      const client = app.client();
      await client.submit("/users/email-auth", { login: "dan@example.test" });
      const { path } = await mailTo(app, "dan@example.test", "link to sign in");
      await client.request(path, { method: "HEAD" });
      await client.request(path);
      assert.is((await client.request("/user")).status, 303);
      assert.is((await client.submit(path, {})).status, 303);
      assert.is((await client.request("/user")).status, 200);
      assert.is((await app.client().request(path)).status, 422);
    });

    can("Sessions are listed, and are ended one by one, all others or all at once", async () => {
      const client = await signIn(app, "user", "dan@example.test");
      const other = await signIn(app, "user", "dan@example.test");
      const { data } = (await client.json("/users/sessions")).body as { data: { id: number; current: boolean }[] };
      const foreign = await signIn(app, "user", "dan@example.test");
      const { data: theirs } = (await other.json("/users/sessions")).body as {
        data: { id: number; current: boolean }[];
      };
      const otherId = theirs.find(({ current }) => current)!.id;
      assert.ok(data.some(({ id }) => id === otherId));
      assert.is((await client.submit("/users/sessions", { id: String(otherId) })).status, 303);
      assert.is((await other.request("/user")).status, 303);
      assert.is((await client.submit("/users/sessions", { all: "others" })).status, 303);
      assert.is((await foreign.request("/user")).status, 303);
      assert.is((await client.request("/user")).status, 200);
      await client.submit("/users/sessions", { all: "all" });
      assert.is((await client.request("/user")).status, 303);
    });

    can("An administrator signs in with two phases and has to set up an authenticator app", async () => {
      const client = app.client();
      const step = await client.submit("/admins/login", { login: "root@example.test" });
      assert.is(step.headers.get("location"), "/admins/login");
      const half = await client.submit("/admins/login", { password: PASSWORD });
      assert.is(half.headers.get("location"), "/admins/otp-setup");
      assert.is((await client.request("/admin")).headers.get("location"), "/admins/otp-setup");
      const { answer, secret } = await setUp(client, "admins");
      adminSecret = secret;
      assert.is(answer.headers.get("location"), "/admin");
      assert.is((await client.request("/admin")).status, 200);
    });

    can("An unknown login gets the same password page as a known one", async () => {
      const asked = async (login: string) => {
        const client = app.client();
        const step = await client.submit("/admins/login", { login });
        const page = await client.page(step.headers.get("location")!);
        return page.replaceAll(/(?:value|content)="[^"]*"/g, "").replaceAll(login, "");
      };
      assert.match(await asked("root@example.test"), 'name="password"');
      assert.is(await asked("root@example.test"), await asked("none@example.test"));
    });

    can(
      "An invitation selects the second role by default, and the invited user sets a password that follows the rules",
      async () => {
        const client = app.client();
        await client.submit("/admins/login", { login: "root@example.test" });
        await client.submit("/admins/login", { password: PASSWORD });
        await client.submit("/admins/otp-auth", { otp_code: codeOf(adminSecret) });
        assert.match(await client.page("/admins/invite"), '<option value="admin" selected>');
        assert.is((await client.submit("/admins/invite", { login: "next@example.test", role: "owner" })).status, 422);
        assert.is((await client.submit("/admins/invite", { login: "next@example.test" })).status, 303);
        const invited = await databaseOf(app.application).knex("admins").where({ email: "next@example.test" }).first();
        assert.is(invited.role, "admin");
        const { path } = await mailTo(app, "next@example.test", "You are invited");
        const fresh = app.client();
        assert.is(
          (await fresh.submit(path, { password: "password123", password_confirmation: "password123" })).status,
          422,
        );
        assert.is(
          (
            await fresh.submit(path, {
              password: "meadow under winter rain",
              password_confirmation: "meadow under winter rain",
            })
          ).status,
          303,
        );
        const audit = await databaseOf(app.application).knex("admin_authentication_audit_logs").select("event");
        assert.ok(audit.some(({ event }: { event: string }) => event === "invited"));
      },
    );
  });
}
