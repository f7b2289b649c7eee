import type { TestApp } from "../../../support/apps.ts";
import { databases } from "../../../support/databases.ts";
import { assert, describe } from "../../../support/index.ts";
import { type AccountsOptions, addPeople, databaseOf, openAccounts, PASSWORD, signIn } from "../accounts.ts";
import { codeOf, everything, neutral, post, quick, setUpCodes, triedWhile } from "./support.ts";

const WRONG = "not it, not at all";
const features = "login(), logout(), resetPassword(), verifyAccount(), createAccount(), emailAuth(), changePassword()";

const statuses = (answers: Response[]) => answers.map(({ status }) => status);
const times = (answers: Response[], status: number) => statuses(answers).filter((one) => one === status).length;
const many = <T>(count: number, ask: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => ask(index)));

/** Whole seconds, one at least. */
function checkRetry(answer: Response, most = 900): void {
  const seconds = answer.headers.get("retry-after")!;
  assert.match(seconds, /^[1-9]\d*$/);
  assert.ok(Number(seconds) <= most, seconds);
}

async function withPeople(
  options: AccountsOptions,
  tell: (app: TestApp) => Promise<void>,
  list = features,
): Promise<void> {
  const app = await openAccounts({ user: { features: list } }, { plugins: quick, ...options });
  try {
    await addPeople(app, "user", "ann@example.test", "bob@example.test");
    await tell(app);
  } finally {
    await app.close();
  }
}

describe("Default limits of password guesses", (it) => {
  it("Ten of fifty concurrent guesses at a login are tried and the others get 429, whether anybody has the login or not", () =>
    withPeople({}, async (app) => {
      const guess = (login: string) => post(app, "/users/login", { login, password: WRONG });
      const seen = [];
      for (const login of ["ann@example.test", "nob@example.test"]) {
        let answers: Response[] = [];
        const tried = await triedWhile(async () => {
          answers = await many(50, () => guess(login));
        });
        assert.is(tried, 10);
        assert.is(times(answers, 401), 10);
        assert.is(times(answers, 429), 40);
        for (const answer of answers.filter(({ status }) => status === 429)) checkRetry(answer);
        seen.push({ ...(await neutral(answers.find(({ status }) => status === 429)!, login)), headers: [] });
      }
      assert.equal(seen[0], seen[1]);
      assert.is((await post(app, "/users/login", { login: "ann@example.test", password: PASSWORD })).status, 429);
    }));

  it("A hundred guesses from one address are tried, over however many logins", () =>
    withPeople({}, async (app) => {
      const answers: Response[] = [];
      const tried = await triedWhile(async () => {
        answers.push(
          ...(await many(130, (index) =>
            post(app, "/users/login", { login: `p${index}@example.test`, password: WRONG }),
          )),
        );
      });
      assert.is(tried, 100);
      assert.is(times(answers, 429), 30);
    }));

  it("Headers that name another address do not raise the limit without a trusted proxy", () =>
    withPeople({ authlib: "{ limits: { login: { perAddress: 5 } } }" }, async (app) => {
      const answers = await many(20, (index) =>
        post(
          app,
          "/users/login",
          { login: `p${index}@example.test`, password: WRONG },
          {
            "x-forwarded-for": `192.0.2.${index}`,
            "x-real-ip": `192.0.2.${index}`,
            forwarded: `for=192.0.2.${index}`,
            "x-client-ip": `192.0.2.${index}`,
          },
        ),
      );
      assert.is(times(answers, 401), 5);
      assert.is(times(answers, 429), 15);
    }));

  it("Guesses are counted by the address that the nearest proxy has seen, and for IPv6 by its network", () =>
    withPeople({ authlib: "{ limits: { login: { perAddress: 5 } } }", values: { TRUST_PROXY: "1" } }, async (app) => {
      const from = (address: string, index: number) =>
        post(
          app,
          "/users/login",
          { login: `p${index}${address}@example.test`, password: WRONG },
          { "x-forwarded-for": address },
        );
      assert.is(times(await many(8, (index) => from(`198.51.100.${index}, 192.0.2.1`, index)), 429), 3);
      assert.is(times(await many(8, (index) => from(`192.0.2.${10 + index}`, index)), 429), 0);
      assert.is(times(await many(8, (index) => from(`2001:db8:1:2::${index + 1}`, index)), 429), 3);
      assert.is(times(await many(8, (index) => from(`2001:db8:1:${index + 3}::1`, index)), 429), 0);
      assert.is(times(await many(8, (index) => from(index % 2 ? "192.0.2.77" : "::ffff:192.0.2.77", index)), 429), 3);
    }));

  it("A successful login resets the guesses at its login, and not those from its address", () =>
    withPeople({ authlib: "{ limits: { login: { perLogin: 3, perAddress: 6 } } }" }, async (app) => {
      const login = "ann@example.test";
      for (const password of [WRONG, WRONG, PASSWORD, WRONG, WRONG, PASSWORD]) {
        const { status } = await post(app, "/users/login", { login, password });
        assert.is(status, password === WRONG ? 401 : 200);
      }
      const bob = { login: "bob@example.test", password: WRONG };
      assert.is((await post(app, "/users/login", bob)).status, 401, "the fifth wrong one from this address");
      assert.is((await post(app, "/users/login", bob)).status, 401);
      assert.is((await post(app, "/users/login", bob)).status, 429, "what was wrong stays counted against the address");
    }));

  it("Wrong current passwords at a password change count as guesses at the login", () =>
    withPeople({ authlib: "{ limits: { login: { perLogin: 4 } } }" }, async (app) => {
      const client = await signIn(app, "user", "ann@example.test");
      const change = { new_password: "another one here", password_confirmation: "another one here" };
      let answers: Response[] = [];
      const copies = Array.from({ length: 12 }, () => client.copy());
      const tried = await triedWhile(async () => {
        answers = await Promise.all(
          copies.map((copy) => copy.submit("/users/change-password", { ...change, password: WRONG })),
        );
      });
      assert.is(tried, 4);
      assert.is(times(answers, 422), 4);
      assert.is(times(answers, 429), 8);
      assert.is((await post(app, "/users/login", { login: "ann@example.test", password: PASSWORD })).status, 429);
    }));
});

describe("Limits of requests", (it) => {
  const mailing = ["reset-password-request", "verify-account", "email-auth", "create-account"];
  const fields = { password: WRONG, password_confirmation: WRONG };
  it("Every form that sends a mail is limited with 429 and Retry-After, as a page and as a problem document", () =>
    withPeople({ authlib: "{ limits: { mail: { perLogin: 2, perAddress: 1000, within: 60 } } }" }, async (app) => {
      for (const path of mailing) {
        const send = (index: number) =>
          post(app, `/users/${path}`, { ...fields, login: `${path}@example.test`, index });
        const answers = await many(6, send);
        assert.is(times(answers, 200), 2, path);
        const refused = answers.find(({ status }) => status === 429)!;
        checkRetry(refused, 60);
        assert.match(refused.headers.get("content-type")!, "application/problem+json");
        assert.is(((await refused.json()) as { status: number }).status, 429);
        const page = await app.client().submit(`/users/${path}`, { ...fields, login: `${path}@example.test` });
        assert.is(page.status, 429);
        checkRetry(page, 60);
        assert.match(page.headers.get("content-type")!, "text/html");
        assert.match(await page.text(), "<h1");
      }
    }));
  it("A browser that guesses passwords gets 429 as a page, without the password", () =>
    withPeople({ authlib: "{ limits: { login: { perLogin: 1, within: 7 } } }" }, async (app) => {
      const client = app.client();
      const typed = { login: "ann@example.test", password: WRONG };
      assert.is((await client.submit("/users/login", typed)).status, 422);
      const refused = await client.submit("/users/login", typed);
      assert.is(refused.status, 429);
      checkRetry(refused, 7);
      const page = await refused.text();
      assert.match(page, "<h1");
      assert.not.match(page, WRONG);
    }));
  it("Limits are configured one by one, and lifted by false", async () => {
    for (const [authlib, tries] of [
      ["{ limits: { login: { perLogin: 2 } } }", 2],
      ["{ limits: { login: { perAddress: 3 } } }", 3],
      ["{ limits: { code: { perLogin: 1 }, mail: { perLogin: 1 } } }", 10],
      ["{ limits: false }", 15],
    ] as const) {
      await withPeople({ authlib }, async (app) => {
        const login = "ann@example.test";
        const answers = await many(15, () => post(app, "/users/login", { login, password: WRONG }));
        assert.is(times(answers, 401), tries, authlib);
      });
    }
  });
  it("A limit ends after its time", () =>
    withPeople({ authlib: "{ limits: { login: { perLogin: 1, within: 1 } } }" }, async (app) => {
      const guess = () => post(app, "/users/login", { login: "ann@example.test", password: WRONG });
      assert.equal(statuses([await guess(), await guess()]), [401, 429]);
      await new Promise((resolve) => setTimeout(resolve, 1100));
      assert.is((await guess()).status, 401);
    }));
  it("A password of a megabyte gets 401, and is not hashed", () =>
    withPeople({}, async (app) => {
      const password = "\uFDFA".repeat(300_000);
      const tried = await triedWhile(async () => {
        for (const login of ["ann@example.test", "nob@example.test"])
          assert.is((await post(app, "/users/login", { login, password })).status, 401);
      });
      assert.is(tried, 0);
    }));
  it("Logins that differ beyond the longest possible login are counted as one", () =>
    withPeople({ authlib: "{ limits: { login: { perLogin: 2 } } }" }, async (app) => {
      const long = "x".repeat(100_000);
      const answers = await many(4, (index) =>
        post(app, "/users/login", { login: `${long}${index}`, password: WRONG }),
      );
      assert.is(times(answers, 429), 2);
    }));
});

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`The lockout under parallel guesses with limits lifted, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        const options = { values: await database.values(), authlib: "{ limits: false }", plugins: quick };
        app = await openAccounts({ user: { features: everything } }, options);
        await addPeople(app, "user", "ann@example.test", "bob@example.test", "cat@example.test", "dan@example.test");
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const guess = (login: string, password = WRONG) => post(app, "/users/login", { login, password });
    const count = async (table: string, where: object = {}) =>
      (await databaseOf(app.application).knex(table).where(where)).length;

    can("Four wrong passwords are tolerated, and the fifth one locks the login", async () => {
      await many(4, () => guess("ann@example.test"));
      assert.is((await guess("ann@example.test", PASSWORD)).status, 200, "four are stood, and forgotten now");
      await many(4, () => guess("ann@example.test"));
      assert.is((await guess("ann@example.test")).status, 401);
      assert.is((await guess("ann@example.test", PASSWORD)).status, 401);
    });
    can("A login is locked once by any number of concurrent guesses, and its owner is mailed once", async () => {
      const before = await count("user_lockouts");
      await many(40, () => guess("bob@example.test"));
      assert.is(await count("user_lockouts"), before + 1);
      const { kernel } = app.application;
      await kernel.service("jobs").drain();
      const mails = kernel.service("mailer").kept.filter(({ to }) => to === "bob@example.test");
      assert.is(mails.length, 1);
      const locked = { event: "locked" };
      const logged = await count("user_authentication_audit_logs", locked);
      await many(10, () => guess("bob@example.test"));
      assert.is(await count("user_authentication_audit_logs", locked), logged, "a locked login is not locked again");
    });
    can("The right password of a locked login gets the answer of a wrong one", async () => {
      const right = await neutral(await guess("bob@example.test", PASSWORD), "bob@example.test");
      assert.equal(right, await neutral(await guess("nob@example.test"), "nob@example.test"));
    });
    can("A login that nobody has is locked as well, and nobody is mailed", async () => {
      const before = await count("user_lockouts");
      await many(12, () => guess("non@example.test"));
      assert.is(await count("user_lockouts"), before + 1);
      const { kernel } = app.application;
      await kernel.service("jobs").drain();
      assert.is(kernel.service("mailer").kept.filter(({ to }) => to === "non@example.test").length, 0);
    });
    can("A login can be locked again after its lock has expired", async () => {
      await many(9, () => guess("cat@example.test"));
      const { knex } = databaseOf(app.application);
      await knex("user_lockouts").update({ deadline: new Date(Date.now() - 1000) });
      assert.is((await guess("cat@example.test")).status, 401);
      await many(5, () => guess("cat@example.test"));
      assert.is((await guess("cat@example.test", PASSWORD)).status, 401);
    });
    can("Concurrent guesses are counted together also without the mutex of the process, as on two nodes", async () => {
      const locks = () => databaseOf(app.application).knex("user_lockouts").where("deadline", ">", new Date());
      const before = (await locks()).length;
      const serial = app.application.kernel.service("auth").types.get("user", "a test").services.mutex;
      const { run } = serial;
      serial.run = (_key, work) => work(); // what runs one after the other in a process does not between two
      try {
        await many(12, () => guess("dan@example.test"));
      } finally {
        serial.run = run;
      }
      assert.is((await locks()).length, before + 1);
      assert.is((await guess("dan@example.test", PASSWORD)).status, 401);
    });
    can("Guesses are counted by the normalized login, and a similar letter makes another login", async () => {
      await addPeople(app, "user", "eve@example.test");
      for (const login of [
        "Eve@example.test",
        " eve@example.test",
        "EVE@EXAMPLE.TEST ",
        "eve@example.test",
        "eve@Example.test",
      ])
        await guess(login);
      assert.is((await guess("eve@example.test", PASSWORD)).status, 401);
      await addPeople(app, "user", "fay@example.test");
      for (const login of ["fáy", "fäy", "ﬀay", "fa\u0301y", "ｆay"])
        assert.is((await guess(`${login}@example.test`, PASSWORD)).status, 401, `${login} is another login`);
      assert.is((await guess("fay@example.test", PASSWORD)).status, 200);
    });
  });
}

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Guessing codes, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        const authlib = "{ limits: { code: { perLogin: 8, perAddress: 1000 }, login: { perAddress: 1000 } } }";
        app = await openAccounts(
          { user: { features: "login(), logout(), otp({ maxAttempts: 5 }), recoveryCodes()" } },
          { values: await database.values(), authlib, plugins: quick },
        );
        await addPeople(app, "user", "ann@example.test", "bob@example.test", "cat@example.test");
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    /** Visitors who showed the password, each with the form of a page open. */
    const half = (login: string, count: number) =>
      many(count, async () => {
        const client = app.client();
        await client.submit("/users/login", { login, password: PASSWORD });
        return client;
      });

    can(
      "Five of twenty concurrent codes of an app are tried, and any other gets 429, the right one included",
      async () => {
        const secret = await setUpCodes(await signIn(app, "user", "ann@example.test"));
        const clients = await half("ann@example.test", 20);
        const answers = await Promise.all(
          clients.map((client) => client.submit("/users/otp-auth", { otp_code: "000000" })),
        );
        assert.is(times(answers, 422), 4, "the fifth is told of the wait already");
        for (const answer of answers.filter(({ status }) => status === 429)) checkRetry(answer);
        const form = clients[0]!.copy();
        await databaseOf(app.application).knex("user_otp_keys").update({ locked_until: null });
        const token = /name="authenticity_token" value="([^"]+)"/.exec(
          (await form.page("/users/otp-auth")).split('action="/users/otp-auth"')[1]!,
        )![1]!;
        await clients[1]!.submit("/users/otp-auth", { otp_code: "000000" });
        const body = new URLSearchParams({ authenticity_token: token, otp_code: codeOf(secret) });
        assert.is((await form.request("/users/otp-auth", { method: "POST", body })).status, 429);
      },
    );
    can("Recovery codes are counted apart from codes of the app, and each is accepted once", async () => {
      const owner = await signIn(app, "user", "cat@example.test");
      await setUpCodes(owner);
      await owner.submit("/users/recovery-codes", {});
      const [code] = /[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}/.exec(await owner.page("/users/recovery-codes"))!;
      const clients = await half("cat@example.test", 5);
      const same = await Promise.all(
        clients.map((client) => client.submit("/users/recovery-codes", { recovery_code: code! })),
      );
      assert.is(times(same, 303), 1, "one code, five at once");
      const others = await half("cat@example.test", 12);
      const answers = await Promise.all(
        others.map((client) => client.submit("/users/recovery-codes", { recovery_code: "aaaa-bbbb-cccc" })),
      );
      assert.is(times(answers, 422) + times(same, 422), 8);
      assert.ok(times(answers, 429) > 0);
      const [visitor] = await half("cat@example.test", 1);
      assert.is((await visitor!.submit("/users/otp-auth", { otp_code: "000000" })).status, 422);
    });
  });
}
