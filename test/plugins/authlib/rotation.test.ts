import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Finding, openDigests, openSealer } from "framewright/host";
import { fw, runCommand } from "../../generators/support.ts";
import { openApp, type TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { exitOf, serveApp } from "../../support/processes.ts";
import type { Client } from "../../testing/client.ts";
import { addPeople, databaseOf, openAccounts, PASSWORD, signIn } from "./accounts.ts";
import { Passkey } from "./promises/passkey.ts";
import { codeOf, quick, rowOf, setUpCodes } from "./promises/support.ts";

const OLD = "old-secret-".repeat(6);
const NEW = "new-secret-".repeat(6);
/** Where passkeys are for, whatever port a server has. */
const ORIGIN = "http://localhost";
const LEGACY = "abcdefghjkmn";
const features = "login(), logout(), otp(), recoveryCodes(), webauthn()";

/** Somebody with everything that is kept for long. */
interface Person {
  id: number;
  login: string;
  secret: string;
  codes: string[];
  passkey: Passkey;
}

/** What the script of a page sends: an answer to the challenge. */
async function answer(client: Client, page: string, sign: (challenge: string) => string): Promise<Response> {
  const { challenge } = (await client.json(`/users/${page}`)).body as { challenge: string };
  const asked =
    (await client.json("/users/login")).body.csrf_token ?? (await client.json("/users/otp-setup")).body.csrf_token;
  const headers = { "x-csrf-token": String(asked) };
  const body = new URLSearchParams({ credential: sign(challenge), name: "Phone" });
  return client.request(`/users/${page}`, { method: "POST", headers, body });
}

for (const database of await databases()) {
  describe(`A new SECRET_KEY_BASE, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let values: Record<string, string> = {};
    let [used, unused] = [{} as Person, {} as Person];
    const reopen = async (secrets: Record<string, string>) => {
      await app.close();
      app = await openApp(app.root, { values: { ...values, ...secrets } });
    };
    const table = (name: string) => databaseOf(app.application).knex(`user_${name}`);

    /** As releases stored it before: digests under the application's secret. */
    async function asBefore({ id, passkey }: Person): Promise<void> {
      const digests = openDigests({ secrets: [OLD] }, "authlib");
      await table("webauthn_keys")
        .where({ account_id: id })
        .update({ credential_digest: digests.digest(passkey.id) });
      const code_digest = digests.digest(`recovery user ${id} ${LEGACY}`);
      await table("recovery_codes").insert({ account_id: id, code_digest, created_at: new Date() });
    }
    async function person(login: string): Promise<Person> {
      const [id] = await addPeople(app, "user", login);
      const client = await signIn(app, "user", login);
      const passkey = new Passkey(ORIGIN);
      const { secret, codes } = await setUp(client, passkey);
      const made = { id: id!, login, secret, codes, passkey };
      await asBefore(made);
      return made;
    }
    async function setUp(client: Client, passkey: Passkey) {
      const added = await answer(client, "webauthn-setup", (challenge) => passkey.register(challenge));
      assert.is(added.status, 303, await added.text());
      const secret = await setUpCodes(client);
      await client.submit("/users/recovery-codes", {});
      const page = await client.page("/users/recovery-codes");
      return { secret, codes: [...page.matchAll(/[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}/g)].map(([code]) => code) };
    }
    const half = async (login: string) => {
      const client = app.client();
      assert.is((await client.submit("/users/login", { login, password: PASSWORD })).status, 303);
      return client;
    };
    const byCode = async ({ login, secret }: Person, steps: number) =>
      (await (await half(login)).submit("/users/otp-auth", { otp_code: codeOf(secret, steps) })).status;
    const byRecovery = async ({ login }: Person, recovery_code: string) =>
      (await (await half(login)).submit("/users/recovery-codes", { recovery_code })).status;
    const byPasskey = async ({ passkey }: Person) => {
      const answered = await answer(app.client(), "webauthn-auth", (challenge) => passkey.assert(challenge));
      return answered.status;
    };
    const doctor = async () => {
      const findings: Finding[] = [];
      await app.application.hooks.examine.promise(findings);
      return findings.find(({ what }) => what === "secrets of account type user")!;
    };

    if (database.skip === undefined) {
      before(async () => {
        values = { ...(await database.values()), APP_URL: ORIGIN };
        const options = { authlib: "{ limits: false }", plugins: quick, values: { ...values, SECRET_KEY_BASE: OLD } };
        app = await openAccounts({ user: { features } }, options);
        used = await person("used@example.test");
        unused = await person("unused@example.test");
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);

    can("Factors under the previous secret are accepted beside a new one, and fw doctor counts them", async () => {
      assert.is((await doctor()).ok, true);
      await reopen({ SECRET_KEY_BASE: NEW, SECRET_KEY_BASE_PREVIOUS: OLD });
      const { ok, detail } = await doctor();
      assert.is(ok, false);
      assert.match(detail, "2 of user_otp_keys depend on a secret: run npx fw authlib:reseal");
      assert.match(detail, "2 of user_webauthn_keys depend");
      assert.match(detail, "2 of user_recovery_codes can't be moved");
      assert.match(detail, "expire within 60 days");
      assert.is(await byPasskey(used), 303);
      assert.is(await byCode(used, 0), 303);
      assert.is(await byRecovery(used, used.codes[0]!), 303);
      assert.is(await byRecovery(used, LEGACY), 303);
      assert.is(await byRecovery(used, LEGACY), 422);
    });
    can("Factors that are used are moved to the new secret", async () => {
      const { detail } = await doctor();
      assert.match(detail, "1 of user_otp_keys depend");
      assert.match(detail, "1 of user_webauthn_keys depend");
      assert.match(detail, "1 of user_recovery_codes can't");
    });
    can("The command fw authlib:reseal moves the other factors to the new secret, and may run again", async () => {
      const env = { ...values, NODE_ENV: "test", SECRET_KEY_BASE: NEW, SECRET_KEY_BASE_PREVIOUS: OLD };
      const run = () => runCommand(process.execPath, [fw, "authlib:reseal"], app.root, env);
      const secret = openSealer([OLD], "otp secret").seal(used.secret); // as it was before seals named their account
      await table("otp_keys").where({ account_id: used.id }).update({ secret });
      const first = await run();
      assert.is(first.code, 0, first.err);
      assert.match(first.out, "user_otp_keys: 2 moved, 0 end with their secret, 0 open under no configured secret");
      assert.match(first.out, "user_webauthn_keys: 1 moved");
      assert.match(first.out, "user_recovery_codes: 0 moved, 1 end with their secret");
      assert.match((await run()).out, "user_otp_keys: 0 moved");
      assert.is((await doctor()).ok, true);
    });
    can("Passkeys, apps and recovery codes sign in by the new secret alone", async () => {
      await reopen({ SECRET_KEY_BASE: NEW });
      for (const one of [used, unused]) {
        assert.is(await byPasskey(one), 303);
        assert.is(await byCode(one, 1), 303);
        assert.is(await byRecovery(one, one.codes[1]!), 303);
      }
      assert.is(await byRecovery(unused, LEGACY), 422);
    });
    can("A passkey under the previous secret can't be registered by a second account", async () => {
      await table("recovery_codes").delete();
      await asBefore(unused);
      const { credential_digest } = await rowOf(app, "user_webauthn_keys", { account_id: unused.id });
      assert.is(String(credential_digest).length, 64);
      await reopen({ SECRET_KEY_BASE: NEW, SECRET_KEY_BASE_PREVIOUS: OLD });
      const [id] = await addPeople(app, "user", "thief@example.test");
      const client = await signIn(app, "user", "thief@example.test");
      await answer(client, "webauthn-setup", (challenge) => unused.passkey.register(challenge));
      assert.is((await table("webauthn_keys").where({ account_id: id })).length, 0);
      assert.is((await table("webauthn_keys").where({ account_id: unused.id })).length, 1);
    });
    can(
      "A secret that is missing is reported at boot, by fw doctor and by fw authlib:reseal, until it is configured",
      async () => {
        const other = randomBytes(32).toString("hex");
        await reopen({ SECRET_KEY_BASE: other });
        const { ok, detail } = await doctor();
        assert.is(ok, false);
        assert.match(detail, /2 rows of user_otp_keys open under no configured secret\. Put the secret/);
        const env = { ...values, NODE_ENV: "test", SECRET_KEY_BASE: other };
        const ran = await runCommand(process.execPath, [fw, "authlib:reseal"], app.root, env);
        assert.is(ran.code, 1);
        assert.match(ran.out, "user_otp_keys: 0 moved, 0 end with their secret, 2 open under no configured secret");
        const served = await serveApp(app.root, { ...env, LOG_LEVEL: "warn" });
        for (let tries = 0; tries < 50 && !/user_otp_keys/.test(served.output()); tries++) await sleep(100);
        served.child.kill("SIGTERM");
        await exitOf(served.child);
        assert.match(served.output(), "some rows of user_otp_keys open under no configured secret");
        await reopen({ SECRET_KEY_BASE: other, SECRET_KEY_BASE_PREVIOUS: NEW });
        assert.equal(
          [(await doctor()).ok, (await doctor()).detail.includes("2 of user_otp_keys depend")],
          [false, true],
        );
      },
    );
  });
}
