import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import type { Client } from "../../testing/client.ts";
import { addPeople, databaseOf, mailTo, openAccounts, PASSWORD, signIn } from "./accounts.ts";
import { addPasskey } from "./promises/passkey.ts";
import { asJson, everything, post, quick, setUpCodes } from "./promises/support.ts";

const NEW = "another horse battery";
const chosen = { password: NEW, password_confirmation: NEW };
const features = `${everything}, webauthn(), securityMails()`;
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const EDGE = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0";

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Security mails, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let count = 0;
    if (database.skip === undefined) {
      before(async () => {
        app = await openAccounts(
          {
            user: { features },
            member: {
              features: "login(), resetPassword(), changePassword(), securityMails()",
              body: `override securityNotice(event, details) { return event === "login" ? undefined : super.securityNotice(event, details); }`,
            },
          },
          {
            values: { TRUST_PROXY: "1", ...(await database.values()) },
            authlib: "{ limits: false }",
            plugins: quick,
          },
        );
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const knex = (table: string) => databaseOf(app.application).knex(table);
    const mails = async (to: string) => {
      const { kernel } = app.application;
      await kernel.service("jobs").drain();
      return kernel.service("mailer").kept.filter((mail) => mail.to === to);
    };
    const person = async () => {
      const login = `p${++count}@example.test`;
      const [id] = await addPeople(app, "user", login);
      return { id: id!, login };
    };
    const inside = async () => {
      const { id, login } = await person();
      return { id, login, client: await signIn(app, "user", login) };
    };
    /** What an account was mailed, as far as it is about what happened to it. */
    const notices = async (login: string) =>
      (await mails(login)).filter(({ text }) => text.includes("UTC")).map(({ subject }) => subject.split(" at ")[0]);

    can(
      "A changed password causes one mail, with the time, network address, device and a link to report it",
      async () => {
        const { login, client } = await inside();
        const fields = { password: PASSWORD, new_password: NEW, password_confirmation: NEW };
        assert.is((await client.submit("/users/change-password", fields)).status, 303);
        assert.equal(
          (await mails(login)).map(({ subject }) => subject.split(" at ")[0]),
          ["Your password"],
        );
        const { text, html = "" } = (await mails(login))[0]!;
        for (const body of [text, html]) {
          assert.match(body, /Time: \d{1,2} \w+ \d{4}, \d\d:\d\d \(UTC\)/);
          assert.match(body, "Network address: 127.0.0.1");
          assert.match(body, "Device: Unknown device");
          assert.match(body, "/users/report-compromise?key=");
        }
      },
    );
    can("A password that is set by a mailed link is mailed to its owner", async () => {
      const { login } = await person();
      await post(app, "/users/reset-password-request", { login });
      await app.client().submit((await mailTo(app, login, "Set a new password")).path, chosen);
      assert.equal(await notices(login), ["Your password"]);
      await mailTo(app, login, "was reset");
    });
    can(
      "Factors that are added and removed, and recovery codes that are created and used, are mailed to their owner",
      async () => {
        const { login, client } = await inside();
        await addPasskey(client);
        await setUpCodes(client);
        await client.submit("/users/recovery-codes", {});
        const [code] = /[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}/.exec(await client.page("/users/recovery-codes"))!;
        const other = await signIn(app, "user", login);
        assert.is((await other.submit("/users/recovery-codes", { recovery_code: code! })).status, 303);
        await client.submit("/users/otp-setup", { password: PASSWORD });
        const id = /webauthn-setup\?remove=(\d+)/.exec(await client.page("/users/webauthn-setup"))![1];
        await client.submit(`/users/webauthn-setup?remove=${id}`, { password: PASSWORD });
        assert.equal(await notices(login), [
          "A passkey was added to your account",
          "An authenticator app was added to your account",
          "New recovery codes for your account",
          "A recovery code was used",
          "The authenticator app was removed from your account",
          "A passkey was removed from your account",
        ]);
      },
    );
    can(
      "Ended sessions and a closed account are mailed to their owner, the latter without a link to report it",
      async () => {
        const { login, client } = await inside();
        await signIn(app, "user", login);
        await client.submit("/users/sessions", { all: "others" });
        await client.submit("/users/close-account", { password: PASSWORD });
        assert.equal(await notices(login), ["Sessions of your account", "Your account"]);
        const { text } = await mailTo(app, login, "is closed");
        assert.not.match(text, "report-compromise");
        assert.match(text, "contact the operators of");
      },
    );
    can("A changed login is mailed once to the address from before, and not to the new one", async () => {
      const { login, client } = await inside();
      await client.submit("/users/change-login", { login: `new${login}`, password: PASSWORD });
      await client.submit((await mailTo(app, `new${login}`, "Confirm")).path, {});
      assert.equal(await notices(login), ["Your address"]);
      assert.is((await mails(login)).length, 1);
      assert.equal(await notices(`new${login}`), []);
    });
    can("Attempts of others to sign in, reset the password or sign up cause no security mail", async () => {
      const { login } = await person();
      for (let time = 0; time < 6; time++) await post(app, "/users/login", { login, password: "wrong" });
      await post(app, "/users/reset-password-request", { login });
      await post(app, "/users/create-account", { login, ...chosen });
      assert.equal(await notices(login), []);
    });
    can("Security mails of one kind from one place are limited by rows in the database", async () => {
      const { login, client } = await inside();
      for (let time = 0; time < 3; time++) await client.submit("/users/sessions", { all: "others" });
      assert.equal(await notices(login), ["Sessions of your account"]);
      await knex("framewright_spent_keys").delete();
      await client.submit("/users/sessions", { all: "others" });
      assert.is((await notices(login)).length, 2);
    });

    can("Every factor that is added causes a mail, also several of one kind from one place", async () => {
      const { login, client } = await inside();
      for (let time = 0; time < 2; time++) await addPasskey(client);
      assert.is((await notices(login)).filter((subject) => subject?.includes("passkey")).length, 2);
    });

    const from = async (client: Client, login: string, address: string, agent: string) => {
      const html = await client.page("/users/login");
      const token = /name="authenticity_token" value="([^"]+)"/.exec(html)![1]!;
      const body = new URLSearchParams({ login, password: PASSWORD, authenticity_token: token });
      const headers = { "x-forwarded-for": address, "user-agent": agent };
      const answer = await client.request("/users/login", { method: "POST", body, headers });
      assert.is(answer.status, 303);
      client.forget("fw_session");
    };
    can(
      "A sign-in on a device that was not seen before is mailed, and one on the first or a known device is not",
      async () => {
        const { login } = await person();
        const laptop = app.client();
        await from(laptop, login, "192.0.2.1", FIREFOX);
        await from(laptop, login, "192.0.2.1", FIREFOX);
        await from(laptop, login, "198.51.100.7", FIREFOX);
        assert.equal(await notices(login), [], "the first, and the same cookie elsewhere");
        await from(app.client(), login, "192.0.2.1", FIREFOX);
        assert.equal(await notices(login), [], "the same browser and network, without the cookie");
        await from(app.client(), login, "203.0.113.9", EDGE);
        assert.equal(await notices(login), ["A new device signed in"]);
        const { text } = await mailTo(app, login, "A new device");
        assert.match(text, "Network address: 203.0.113.9\nDevice: Edge, Windows");
      },
    );
    can(
      "The sign-in after a sign-up is not mailed, and sign-ins of a client without cookies are mailed once",
      async () => {
        const login = `fresh${++count}@example.test`;
        const client = app.client();
        await client.submit("/users/create-account", { login, ...chosen });
        await client.submit((await mailTo(app, login, "Verify your address")).path, {});
        assert.equal(await notices(login), []);
        const headers = { ...asJson, "user-agent": "agent/1", "x-forwarded-for": "192.0.2.50" };
        const body = JSON.stringify({ login, password: NEW });
        for (let time = 0; time < 2; time++) {
          const answer = await app.request("/users/login", { method: "POST", headers, body });
          assert.is(answer.status, 200);
          assert.not.match(answer.headers.getSetCookie().join(), "_device");
        }
        assert.equal(await notices(login), ["A new device signed in"]);
      },
    );
    can("An account type may leave out mails on sign-ins", async () => {
      const login = `quiet${++count}@example.test`;
      await addPeople(app, "member", login);
      const client = app.client();
      await client.submit("/members/login", { login, password: PASSWORD });
      for (let time = 0; time < 2; time++)
        await post(app, "/members/login", { login, password: PASSWORD }, { "user-agent": `a${time}` });
      await client.submit("/members/change-password", {
        password: PASSWORD,
        new_password: NEW,
        password_confirmation: NEW,
      });
      assert.equal(await notices(login), ["Your password"]);
    });
    can("A security mail that can't be sent does not change the answer", async () => {
      const { client } = await inside();
      const { mailer } = app.application.kernel.service("auth").types.get("user", "a test").services;
      const { deliver } = mailer;
      mailer.deliver = () => Promise.reject(new Error("the queue is full"));
      try {
        assert.is((await client.submit("/users/sessions", { all: "others" })).status, 303);
      } finally {
        mailer.deliver = deliver;
      }
    });
    can("The keys of links to report and of devices are stored as digests", async () => {
      const { id, login, client } = await inside();
      await client.submit("/users/sessions", { all: "others" });
      const { path } = await mailTo(app, login, "Sessions of");
      const row = await knex("user_compromise_keys").where({ account_id: id }).first();
      assert.not.match(JSON.stringify(row), new URL(path, "http://x").searchParams.get("key")!);
      for (const { device_digest } of await knex("user_known_devices").where({ account_id: id }))
        assert.not.match(device_digest, client.cookie("fw_user_device")!);
    });
  });
}
