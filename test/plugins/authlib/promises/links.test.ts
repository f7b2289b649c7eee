import { openApp, type TestApp } from "../../../support/apps.ts";
import { databases } from "../../../support/databases.ts";
import { assert, describe, throwsCode } from "../../../support/index.ts";
import type { Client } from "../../../testing/client.ts";
import { addPeople, databaseOf, mailTo, openAccounts, PASSWORD, signIn } from "../accounts.ts";
import { asJson, barrier, everything, post, quick, rowOf, stored } from "./support.ts";

const NEW = "another horse battery";
const chosen = { password: NEW, password_confirmation: NEW };
const keyTables: Record<string, string> = {
  reset: "password_reset_keys",
  email: "email_auth_keys",
  change: "login_change_keys",
  unlock: "unlock_keys",
  verify: "verification_keys",
};

/** All requests of a race stand here, each with the key in hand, before any of them uses it up. */
const meeting = `override async findAccountById(id) { const found = await super.findAccountById(id); await (globalThis as any).meet?.(); return found; }`;
const room = globalThis as { meet?: (() => Promise<void>) | undefined };

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Mailed links, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let count = 0;
    if (database.skip === undefined) {
      before(async () => {
        const options = { values: await database.values(), authlib: "{ limits: false }", plugins: quick };
        app = await openAccounts(
          { user: { features: everything, body: meeting }, member: { features: everything } },
          options,
        );
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);

    /** Somebody who was mailed a link of every kind, and somebody new who was mailed the fifth. */
    const mailed = async (type = "user") => {
      const login = `p${++count}@example.test`;
      const fresh = `f${count}@example.test`;
      await addPeople(app, type, login);
      const client = await signIn(app, type, login);
      for (let time = 0; time < 5; time++) await post(app, `/${type}s/login`, { login, password: "wrong" });
      await post(app, `/${type}s/reset-password-request`, { login });
      await post(app, `/${type}s/email-auth`, { login });
      await client.submit(`/${type}s/change-login`, { login: `new${login}`, password: PASSWORD });
      await post(app, `/${type}s/create-account`, { login: fresh, ...chosen });
      const links: Record<string, string> = {
        reset: (await mailTo(app, login, "Set a new password")).path,
        email: (await mailTo(app, login, "Your link to sign in")).path,
        change: (await mailTo(app, `new${login}`, "Confirm your new address")).path,
        unlock: (await mailTo(app, login, "Unlock your account")).path,
        verify: (await mailTo(app, fresh, "Verify your address")).path,
      };
      return { login, fresh, client, links };
    };
    const keyOf = (path: string) => new URL(path, "http://x").searchParams.get("key")!;
    const postKey = (path: string, key: string) => post(app, path, { key, ...chosen });
    const isUsed = async (kind: string, key: string) => {
      const digest = app.application.kernel.service("auth").types.get("user", "a test").services.digests.digest(key);
      return (await rowOf(app, `user_${keyTables[kind]}`, { key_digest: digest })) === undefined;
    };

    can("A mailed link is accepted once, also when it is submitted twenty times at once", async () => {
      const { links } = await mailed();
      for (const kind of ["unlock", "email", "verify", "reset"]) await once(kind, links[kind]!); // the last ends the others
      await once("change", (await mailed()).links.change!);
    });
    const once = async (kind: string, path: string) => {
      const visitors = Array.from({ length: 20 }, () => app.client());
      const forms = await Promise.all(visitors.map(async (client) => ({ client, html: await client.page(path) })));
      room.meet = barrier(forms.length);
      const sent = forms.map(({ client, html }) => send(client, html, path));
      const statuses = (await Promise.all(sent)).map(({ status }) => status);
      room.meet = undefined;
      assert.is(statuses.filter((status) => status === 303).length, 1, `${kind}: ${statuses}`);
      assert.is(statuses.filter((status) => status === 422).length, 19, `${kind}: ${statuses}`);
      assert.is((await app.request(path)).status, 422, kind);
    };
    const send = (client: Client, html: string, path: string) => {
      const action = path.replace(/\?.*/, "");
      const form = [...html.matchAll(/<form\b.*?<\/form>/gs)].find(([one]) => one.includes(`action="${action}"`))![0];
      const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(form)![1]!;
      const fields = { authenticity_token: value("authenticity_token"), key: value("key"), ...chosen };
      return client.request(action, { method: "POST", body: new URLSearchParams(fields) });
    };

    can("GET, HEAD, OPTIONS and prefetches use no mailed link up, and change nothing", async () => {
      const { client, links } = await mailed();
      const remembered = await signIn(app, "user", await unlocked(), { remember: "1" });
      remembered.forget("fw_session");
      const pages = app.application
        .routes()
        .filter(({ verb, path }) => verb === "GET" && /^\/(?:users|members|user|member)\b/.test(path));
      assert.ok(pages.length > 30, `${pages.length} pages`);
      const was = await stored(app);
      const looks: RequestInit[] = [
        {},
        { method: "HEAD" },
        { headers: { "sec-purpose": "prefetch;prerender" } },
        { headers: { "sec-purpose": "prefetch" } },
        { method: "OPTIONS" },
      ];
      for (const { path } of pages) {
        const keys = Object.values(links)
          .filter((link) => link.startsWith(`${path}?`))
          .map((link) => link.slice(path.length));
        for (const key of ["", ...keys]) {
          for (const [index, look] of looks.entries()) {
            await client.copy().request(path + key, look);
            await app.request(path + key, look);
            if (index > 0) await remembered.copy().request(path + key, look);
          }
        }
      }
      assert.is(await stored(app), was);
      for (const [kind, path] of Object.entries(links)) assert.not(await isUsed(kind, keyOf(path)), kind);
    });
    const unlocked = async () => {
      const login = `u${++count}@example.test`;
      await addPeople(app, "user", login);
      return login;
    };

    can("A mailed link is refused for another purpose and for another account type", async () => {
      const { links, fresh } = await mailed();
      const paths = Object.values(links).map((path) => path.replace(/\?.*/, ""));
      for (const [kind, link] of Object.entries(links)) {
        for (const path of paths) {
          for (const where of [path, path.replace("/users/", "/members/")]) {
            if (where === link.replace(/\?.*/, "")) continue;
            assert.is((await postKey(where, keyOf(link))).status, 422, `${kind} at ${where}`);
            assert.not(await isUsed(kind, keyOf(link)), `${kind} at ${where}`);
          }
        }
      }
      assert.is((await rowOf(app, "users", { email: fresh })).account_status, "unverified");
      assert.is((await postKey("/users/email-auth", keyOf(links.email!))).status, 200);
      assert.is((await postKey("/users/reset-password", keyOf(links.reset!))).status, 200);
    });

    can("Expired, truncated and invalid mailed links get the same answer", async () => {
      const { links } = await mailed();
      const { knex } = databaseOf(app.application);
      for (const [kind, path] of Object.entries(links)) {
        const table = `user_${keyTables[kind]}`;
        const rows = knex(table).where({ id: (await knex(table).orderBy("id", "desc").first()).id });
        await rows.update({ deadline: new Date(Date.now() - 1000) });
        const page = path.replace(/\?.*/, "");
        const answers = [];
        for (const key of [
          keyOf(path),
          keyOf(path).slice(0, -1),
          "x",
          "%00",
          "' or 1=1 --",
          "A".repeat(43),
          "A".repeat(5000),
        ]) {
          const answer = await postKey(page, key);
          answers.push(`${answer.status} ${await answer.text()}`);
        }
        assert.is(new Set(answers).size, 1, `${kind}: ${answers.join("\n")}`);
        assert.match(answers[0]!, /^422 /);
      }
    });

    can(
      "The link of a sign-up that somebody else has repeated asks for a password, also in the owner's browser",
      async () => {
        const login = `victim${++count}@example.test`;
        const owner = app.client();
        await owner.submit("/users/create-account", { login, ...chosen });
        const first = (await mailTo(app, login, "Verify your address")).path;
        await databaseOf(app.application)
          .knex("user_verification_keys")
          .update({ requested_at: new Date(Date.now() - 6 * 60_000) });
        const attackers = "attackers own one";
        await app
          .client()
          .submit("/users/create-account", { login, password: attackers, password_confirmation: attackers });
        const { path } = await mailTo(app, login, "Verify your address");
        assert.is.not(path, first);
        assert.not.match(await owner.page(first), 'type="password"');
        assert.match(await owner.page(path), 'type="password"');
        assert.is((await owner.submit(path, {})).status, 422);
        assert.is((await owner.submit(path, chosen)).status, 303);
        assert.is((await post(app, "/users/login", { login, password: attackers })).status, 401);
        assert.is((await post(app, "/users/login", { login, password: NEW })).status, 200);
      },
    );
    can(
      "A sign-up by an attacker gives the attacker no access to the address, whatever was requested before",
      async () => {
        const login = `victim${++count}@example.test`;
        const attacker = app.client();
        const attackers = "attackers own one";
        const typed = { login, password: attackers, password_confirmation: attackers, remember: "1" };
        await attacker.submit("/users/create-account", typed);
        for (const page of ["reset-password-request", "email-auth", "unlock-account"])
          await post(app, `/users/${page}`, { login });
        await attacker.submit("/users/login", typed);
        const { path } = await mailTo(app, login, "Verify your address");
        const { kept } = app.application.kernel.service("mailer");
        assert.is(kept.filter(({ to }) => to === login).length, 1, "nothing but the link to verify");
        await app.client().submit(path, chosen);
        assert.is((await attacker.request("/user")).status, 303);
        assert.is((await attacker.submit("/users/login", typed)).status, 422);
      },
    );
  });
}

describe("The host in mailed links", (it) => {
  const ask = (app: TestApp, headers: Record<string, string>) =>
    rawPost(app.url, "/users/reset-password-request", { login: "ann@example.test" }, headers);
  const cases: [name: string, values: Record<string, string>, host: string, expected: string | undefined][] = [
    ["nothing set", {}, "evil.example", undefined],
    ["nothing set, a name of this machine", {}, "localhost", "http://localhost/"],
    ["APP_URL", { APP_URL: "http://shop.example" }, "localhost", "http://shop.example/"],
    ["APP_URL, a foreign host", { APP_URL: "http://shop.example" }, "evil.example", undefined],
    ["ALLOWED_HOSTS", { ALLOWED_HOSTS: "shop.example,other.example" }, "other.example", "https://shop.example/"],
    ["ALLOWED_HOSTS, a foreign host", { ALLOWED_HOSTS: "shop.example" }, "evil.example", undefined],
    ["both", { ALLOWED_HOSTS: "evil.example", APP_URL: "http://shop.example" }, "evil.example", "http://shop.example/"],
  ];
  it("Mailed links have the configured host, and boot fails in production with FW_MAIL_HOST where there is none", async () => {
    const features = "login(), logout(), resetPassword()";
    let app = await openAccounts({ user: { features } }, { authlib: "{ limits: false }", plugins: quick });
    await addPeople(app, "user", "ann@example.test");
    for (const [name, values, host, expected] of cases) {
      await app.close();
      app = await openApp(app.root, { values });
      const { kernel } = app.application;
      const forged = {
        "x-forwarded-host": "evil.example",
        forwarded: "host=evil.example",
        "x-original-host": "evil.example",
      };
      await databaseOf(app.application).knex("user_password_reset_keys").delete(); // else the last mail is minutes old
      const status = await ask(app, { host, ...forged });
      assert.is(status, expected === undefined ? 400 : 200, name);
      await kernel.service("jobs").drain();
      const mails = kernel.service("mailer").kept;
      assert.is(mails.length, expected === undefined ? 0 : 1, name);
      for (const { text, html = "" } of mails) {
        assert.match(text, `${expected}users/reset-password?key=`);
        assert.not.match(text + html, /evil\.example/, name);
      }
    }
    await app.close();
    const production = { NODE_ENV: "production", LOG_LEVEL: "silent" };
    await throwsCode("FW_MAIL_HOST", () => openApp(app.root, { values: production }));
    const configured: Record<string, string>[] = [
      { APP_URL: "https://shop.example" },
      { ALLOWED_HOSTS: "shop.example" },
    ];
    for (const values of configured) await (await openApp(app.root, { values: { ...production, ...values } })).close();
  });
});

/** With a Host header of one's own; returns the status. */
async function rawPost(url: string, path: string, fields: object, headers: Record<string, string>): Promise<number> {
  const { request } = await import("node:http");
  const body = JSON.stringify(fields);
  return new Promise((resolve, reject) => {
    const sent = request(
      url + path,
      { method: "POST", headers: { ...asJson, "content-length": body.length, ...headers } },
      (answer) => {
        answer.resume().once("end", () => resolve(answer.statusCode!));
      },
    );
    sent.once("error", reject).end(body);
  });
}
