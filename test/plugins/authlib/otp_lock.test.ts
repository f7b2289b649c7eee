import { decodeDate } from "framewright/plugins/database";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import type { Client } from "../../testing/client.ts";
import { addPeople, databaseOf, openAccounts, PASSWORD, signIn } from "./accounts.ts";
import { codeOf, opens, post, quick, quickWithTokens, rowOf, setUpCodes, tokenImports } from "./promises/support.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const YEAR = 365 * DAY;
const FEATURES = "login(), logout(), otp(), otpUnlock(), recoveryCodes(), webauthn(), auditLogging()";

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Guessing the codes of an authenticator app, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        const user = { features: FEATURES };
        const values = await database.values();
        app = await openAccounts({ user }, { values, authlib: "{ limits: false }", plugins: quick });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const half = async (login: string) => {
      const client = app.client();
      await client.submit("/users/login", { login, password: PASSWORD });
      return client;
    };
    /** Somebody whose sign-ins are asked for a code; `id` is theirs, `secret` their app's. */
    const person = async (login: string) => {
      const [id] = await addPeople(app, "user", login);
      const owner = await signIn(app, "user", login);
      return { id: id!, owner, secret: await setUpCodes(owner) };
    };
    const keys = (account_id: number) => databaseOf(app.application).knex("user_otp_keys").where({ account_id });
    const tokenOf = async (client: Client) =>
      /action="\/users\/otp-auth".*?name="authenticity_token" value="([^"]+)"/s.exec(
        await client.page("/users/otp-auth"),
      )![1]!;
    const type = (client: Client, authenticity_token: string, otp_code: string) =>
      client.request("/users/otp-auth", {
        method: "POST",
        body: new URLSearchParams({ authenticity_token, otp_code }),
      });
    const waitOf = async (id: number) => {
      const { locked_until } = await rowOf(app, "user_otp_keys", { account_id: id });
      const until = decodeDate(locked_until) as Date | null;
      return Math.max(0, (until?.getTime() ?? 0) - Date.now());
    };
    const pass = (id: number) => keys(id).update({ locked_until: new Date(Date.now() - 1000) });

    can(
      "Codes are locked for 15 minutes after five wrong ones, and twice as long after each further one, up to a day",
      async () => {
        const { id } = await person("ann@example.test");
        const thief = await half("ann@example.test");
        const token = await tokenOf(thief);
        for (let time = 0; time < 4; time++) assert.is((await type(thief, token, "000000")).status, 422);
        const waits: number[] = [];
        for (let time = 0; time < 9; time++) {
          assert.is((await type(thief, token, "000000")).status, 429);
          waits.push(Math.round((await waitOf(id)) / MINUTE));
          await pass(id);
        }
        assert.equal(waits, [15, 30, 60, 120, 240, 480, 960, 1440, 1440]);
      },
    );

    can("The chance to guess a code within a year is less than 0.12 percent", async () => {
      const { id } = await person("bob@example.test");
      const thief = await half("bob@example.test");
      const token = await tokenOf(thief);
      let [guesses, at] = [0, 0];
      for (; at < YEAR; guesses++) {
        await type(thief, token, "000000");
        at += await waitOf(id);
        await pass(id);
      }
      const chance = 1 - (1 - 3 / 1_000_000) ** guesses;
      assert.ok(guesses > 350 && chance < 0.0012, `${guesses} guesses, ${chance}`);
    });

    can(
      "The chance to guess a code within a year is less than 0.7 percent when the owner signs in every day",
      async () => {
        const { id, secret } = await person("bea@example.test");
        const thief = await half("bea@example.test");
        const token = await tokenOf(thief);
        let guesses = 0;
        for (let day = 0; day < 30; day++) {
          for (let at = 0; at < DAY; ) {
            await type(thief, token, "000000");
            guesses++;
            at += await waitOf(id);
            if (at < DAY) await pass(id);
          }
          await keys(id).update({ locked_until: null, last_counter: 0 }); // the next day, another code
          const owner = await half("bea@example.test");
          assert.is((await type(owner, await tokenOf(owner), codeOf(secret))).status, 303);
        }
        const chance = 1 - (1 - 3 / 1_000_000) ** ((guesses / 30) * 365);
        assert.ok(chance < 0.007, `${guesses} guesses in 30 days, ${chance} a year`);
      },
    );

    can("Locked codes are not counted, and the answer states the end of the lock and the other factors", async () => {
      const { id, owner, secret } = await person("cat@example.test");
      await owner.submit("/users/recovery-codes", {});
      const [code] = /[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}/.exec(await owner.page("/users/recovery-codes"))!;
      const client = await half("cat@example.test");
      const token = await tokenOf(client);
      for (let time = 0; time < 5; time++) await type(client, token, "000000");
      const { locked_until, failures, locks } = await rowOf(app, "user_otp_keys", { account_id: id });
      for (let time = 0; time < 7; time++) await type(client, token, "111111");
      const refused = await type(client, token, codeOf(secret));
      assert.is(refused.status, 429);
      const seconds = Number(refused.headers.get("retry-after"));
      assert.ok(seconds > 880 && seconds <= 900, `${seconds}`);
      const page = await refused.text();
      assert.match(page, /Codes are accepted again from <time datetime="/);
      for (const path of ["recovery-codes", "otp-unlock"]) assert.match(page, `href="/users/${path}"`);
      assert.not.match(page, 'name="otp_code"');
      assert.match(await client.page("/users/otp-auth"), "Codes are accepted again from");
      const row = await rowOf(app, "user_otp_keys", { account_id: id });
      assert.equal([row.locked_until, row.failures, row.locks], [locked_until, failures, locks]);
      assert.is((await client.submit("/users/recovery-codes", { recovery_code: code })).status, 303);
      assert.ok(await opens(client));
    });

    can("A right code is accepted after the lock has ended, and resets the failures", async () => {
      const { id, secret } = await person("dan@example.test");
      const client = await half("dan@example.test");
      const token = await tokenOf(client);
      for (let time = 0; time < 5; time++) await type(client, token, "000000");
      await pass(id);
      assert.is((await type(client, token, codeOf(secret))).status, 303);
      const { failures, locks, locked_until } = await rowOf(app, "user_otp_keys", { account_id: id });
      assert.equal([failures, locks, locked_until], [0, 0, null]);
    });

    can("Five of twenty codes that are sent at once are counted, also without the mutex of the process", async () => {
      const { id } = await person("eve@example.test");
      const clients = await Promise.all(Array.from({ length: 20 }, () => half("eve@example.test")));
      const tokens = await Promise.all(clients.map(tokenOf));
      const { mutex } = app.application.kernel.service("auth").types.get("user", "a test").services;
      const { run } = mutex;
      mutex.run = (_key, work) => work(); // what runs one after the other in a process does not between two
      try {
        const answers = await Promise.all(clients.map((client, at) => type(client, tokens[at]!, "000000")));
        const wrong = answers.filter(({ status }) => status === 422).length;
        assert.is(wrong, 4, "the fifth one is told of the wait, like those that are not looked at");
      } finally {
        mutex.run = run;
      }
      const { failures, locks } = await rowOf(app, "user_otp_keys", { account_id: id });
      assert.equal([failures, locks], [5, 1]);
      const log = databaseOf(app.application).knex("user_authentication_audit_logs");
      assert.is((await log.where({ account_id: id, event: "otp_locked" })).length, 1);
    });

    const locked = async (login: string) => {
      const one = await person(login);
      const client = await half(login);
      const token = await tokenOf(client);
      for (let time = 0; time < 5; time++) await type(client, token, "000000");
      return { ...one, client };
    };
    const unlocks = () => databaseOf(app.application).knex("user_otp_unlocks");
    /** As half a minute later: this sign-in may type the next code, and those that were used are long past. */
    const step = async (id: number) => {
      await unlocks().update({ next_at: new Date(Date.now() - 1000) });
      await keys(id).update({ last_counter: 0 });
    };
    const unlock = (client: Client, otp_code: string) => client.submit("/users/otp-unlock", { otp_code });

    can("Three right codes in a row, half a minute apart, end the lock and sign in", async () => {
      const { id, client, secret } = await locked("fay@example.test");
      await keys(id).update({ last_counter: 0 });
      assert.match(await client.page("/users/otp-unlock"), "Code 1 of 3");
      assert.is((await unlock(client, codeOf(secret))).status, 303);
      const early = await unlock(client, codeOf(secret, 1));
      assert.is(early.status, 429, "it may be the next code, and is not looked at yet");
      assert.ok(Number(early.headers.get("retry-after")) <= 30);
      assert.match(await client.page("/users/otp-unlock"), "Code 2 of 3");
      for (let time = 0; time < 2; time++) {
        await step(id);
        assert.is((await unlock(client, codeOf(secret))).status, 303);
      }
      assert.ok(await opens(client));
      const { failures, locked_until } = await rowOf(app, "user_otp_keys", { account_id: id });
      assert.equal([failures, locked_until], [0, null]);
      assert.is((await unlocks()).length, 0);
    });

    can("A code that was used before restarts the unlocking", async () => {
      const { id, client, secret } = await locked("gus@example.test");
      await keys(id).update({ last_counter: 0 });
      await unlock(client, codeOf(secret));
      await unlocks().update({ next_at: new Date(Date.now() - 1000) });
      assert.is((await unlock(client, codeOf(secret))).status, 422);
      assert.match(await client.page("/users/otp-unlock"), "Code 1 of 3");
    });

    can("A wrong code restarts the unlocking for the sign-in that typed it only", async () => {
      const { id, client, secret } = await locked("hal@example.test");
      const thief = await half("hal@example.test");
      await keys(id).update({ last_counter: 0 });
      await unlock(client, codeOf(secret));
      assert.is((await unlock(thief, "000000")).status, 422);
      await step(id);
      assert.match(await client.page("/users/otp-unlock"), "Code 2 of 3");
      assert.is((await unlock(client, "000000")).status, 422);
      assert.match(await client.page("/users/otp-unlock"), "Code 1 of 3");
      const log = databaseOf(app.application).knex("user_authentication_audit_logs");
      assert.is((await log.where({ account_id: id, event: "otp_unlock_failed" })).length, 2);
    });

    can("The unlocking restarts after a quarter of an hour", async () => {
      const { id, client, secret } = await locked("ida@example.test");
      await keys(id).update({ last_counter: 0 });
      await unlock(client, codeOf(secret));
      await unlocks().update({ next_at: new Date(Date.now() - 16 * MINUTE) });
      assert.match(await client.page("/users/otp-unlock"), "Code 1 of 3");
    });

    can("The page to unlock codes redirects while they are not locked, and without a password", async () => {
      await person("joe@example.test");
      const client = await half("joe@example.test");
      assert.is((await client.request("/users/otp-unlock")).headers.get("location"), "/users/otp-auth");
      assert.is((await app.client().request("/users/otp-unlock")).headers.get("location"), "/users/login");
    });
  });
}

describe("Locked codes with the default limits", (it) => {
  it("Locked codes fail with FW_OTP_LOCKED in JSON, and attempts of another client leave the recovery codes usable", async () => {
    const features = "login(), logout(), otp(), otpUnlock(), recoveryCodes(), jwt()";
    const user = { features, imports: tokenImports };
    const app = await openAccounts({ user }, { plugins: quickWithTokens, values: { TRUST_PROXY: "1" } });
    try {
      const login = "ann@example.test";
      await addPeople(app, "user", login);
      const owner = await signIn(app, "user", login);
      const secret = await setUpCodes(owner);
      await owner.submit("/users/recovery-codes", {});
      const [code] = /[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}/.exec(await owner.page("/users/recovery-codes"))!;
      const pending = async () => {
        const answer = await post(app, "/users/login", { login, password: PASSWORD });
        return ((await answer.json()) as { pending_token: string }).pending_token;
      };
      const send = (path: string, body: object, token: string, from: string) =>
        post(app, `/users/${path}`, body, { authorization: `Bearer ${token}`, "x-forwarded-for": from });
      const thief = await pending();
      for (let time = 0; time < 40; time++) {
        await send("otp-auth", { otp_code: "000000" }, thief, "198.51.100.7");
        await send("recovery-codes", { recovery_code: "aaaa-bbbb-cccc" }, thief, "198.51.100.7");
      }
      const own = await pending();
      const refused = await send("otp-auth", { otp_code: codeOf(secret) }, own, "192.0.2.1");
      assert.is(refused.status, 429);
      assert.is(((await refused.json()) as { code: string }).code, "FW_OTP_LOCKED");
      assert.ok(Number(refused.headers.get("retry-after")) > 800);
      assert.is((await send("otp-unlock", { otp_code: codeOf(secret) }, own, "192.0.2.1")).status, 200);
      const early = await send("otp-unlock", { otp_code: codeOf(secret) }, own, "192.0.2.1");
      assert.is(((await early.json()) as { code: string }).code, "FW_OTP_UNLOCK_WAIT");
      assert.is((await send("recovery-codes", { recovery_code: code }, own, "192.0.2.1")).status, 200);
    } finally {
      await app.close();
    }
  });
});
