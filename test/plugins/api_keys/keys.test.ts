import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import type { Client } from "../../testing/client.ts";
import { stored } from "../authlib/promises/support.ts";
import { createKey, KeyClient, openKeys, PASSWORD } from "./keys_app.ts";

const posts = "/customer/1/posts";
const page = "/users/api-keys";
const KEY = /fwk_[\w-]{49}/;

for (const database of await databases({ withPostgres: true })) {
  describe(`API keys of accounts, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openKeys(await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);
    const knex = (table: string) => databaseOf(app.application).knex(table);
    const rows = (id: number) => knex("user_api_keys").where({ account_id: id });
    const signIn = async (name: string, password = PASSWORD): Promise<Client> => {
      const client = app.client();
      const answer = await client.submit("/users/login", { login: `${name}@example.test`, password });
      assert.is(answer.status, 303, name);
      return client;
    };
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    /** The sign-in was long ago: what is sensitive requires the password. */
    const age = (id: number) =>
      knex("user_active_session_keys")
        .where({ account_id: id })
        .update({ created_at: minutesAgo(30), confirmed_at: null });
    const mails = async (to: string) => {
      const { kernel } = app.application;
      await kernel.service("jobs").drain();
      return kernel.service("mailer").kept.filter((mail) => mail.to === to);
    };
    const works = async (key: KeyClient) => (await key.get(posts)).status;

    can(
      "A person creates a key on the page by their password, sees it once, and it is nowhere afterwards",
      async () => {
        const ann = await signIn("ann");
        await age(1);
        const fields = { name: "Importer", days: "30", "scopes[]": "posts:read" };
        const form = await ann.page(page);
        assert.match(form, 'name="password"');
        assert.match(form, 'value="posts:read"');
        assert.not.match(form, /value="never"/);
        const wrong = await ann.submit(page, { ...fields, password: "wrong" }, /api-keys/);
        assert.is(wrong.status, 422);
        assert.match(await wrong.text(), /value="posts:read"[^>]* checked/, "what was chosen stays");
        assert.is((await rows(1)).length, 0);
        const created = await ann.submit(page, { ...fields, password: PASSWORD }, /api-keys/);
        const text = await created.text();
        assert.equal([created.status, created.headers.get("cache-control")], [201, "no-store"]);
        const key = KEY.exec(text)![0];
        assert.match(text, 'name="turbo-cache-control" content="no-cache"');
        const list = await ann.page(page);
        assert.is(KEY.test(list), false);
        assert.match(list, "Importer");
        assert.match(list, `<code>${key.slice(-4)}</code>`);
        const everything = await stored(app);
        assert.is(everything.includes(key) || everything.includes(key.slice(4)), false, "the key is stored nowhere");
        assert.is(await works(new KeyClient(app, key)), 200);
        assert.match(await ann.page(page), "last used");
        const notices = (await mails("ann@example.test")).filter(({ subject }) =>
          subject.includes("API key was added"),
        );
        assert.is(notices.length, 1);
        assert.is(JSON.stringify(notices).includes(key), false);
        const log = await knex("user_authentication_audit_logs").where({ account_id: 1, event: "api_key_created" });
        assert.is(log.length, 1);
        assert.match(String(JSON.stringify(log[0])), "Importer");
        await rows(1).delete();
      },
    );

    can("What is wrong with a new key is said beside its fields, in JSON by field", async () => {
      const ann = await signIn("ann");
      const empty = await ann.submit(page, { name: "", days: "30" }, /api-keys/);
      assert.is(empty.status, 422);
      assert.match(await empty.text(), "choose at least one");
      const { body } = await ann.json("/users/account");
      const post = async (sent: object) => {
        const answer = await ann.request(page, {
          method: "POST",
          headers: {
            accept: "application/json",
            "content-type": "application/json",
            "x-csrf-token": String(body.csrf_token),
          },
          body: JSON.stringify(sent),
        });
        return { status: answer.status, text: await answer.text() };
      };
      const cases: [object, string][] = [
        [{ name: "x", scopes: "posts" }, '\\"posts\\" is no scope'],
        [{ name: "x", scopes: "ghosts:read" }, "there is no resource"],
        [{ name: "x", scopes: "posts:fly" }, "has no action"],
        [{ name: "x", scopes: "*:publish" }, "of all resources"],
        [{ name: "x", scopes: ["posts:read"], days: 31 }, '"days"'],
        [{ name: "x", scopes: ["posts:read"], days: "never" }, '"days"'],
        [{ name: "n".repeat(101), scopes: ["posts:read"] }, '"name"'],
        [{ name: { a: 1 }, scopes: { b: 2 }, days: { c: 3 } }, '"scopes"'],
      ];
      for (const [sent, expected] of cases) {
        const answer = await post(sent);
        assert.is(answer.status, 422, answer.text);
        assert.match(answer.text, expected);
      }
      assert.is((await rows(1)).length, 0);
    });

    can("An account has no more keys than its option permits, also when they are created at once", async () => {
      const ann = await signIn("ann");
      const { body } = await ann.json("/users/account");
      const create = () =>
        ann.request(page, {
          method: "POST",
          headers: {
            accept: "application/json",
            "content-type": "application/json",
            "x-csrf-token": String(body.csrf_token),
          },
          body: JSON.stringify({ name: "x", scopes: "posts:read" }),
        });
      const answers = await Promise.all(Array.from({ length: 6 }, create));
      assert.equal(answers.map(({ status }) => status).sort(), [201, 201, 201, 201, 422, 422]);
      assert.match(await answers.find(({ status }) => status === 422)!.text(), "FW_API_KEYS_MAX");
      await rows(1).delete();
    });

    can("The last use is written, and at most once a minute", async () => {
      const key = await createKey(app, "ann", "posts:read");
      const used = async () => (await rows(1).first()).last_used_at;
      assert.is(await used(), null);
      await works(key);
      const first = await used();
      assert.ok(first);
      await works(key);
      assert.equal(await used(), first);
      await rows(1).update({ last_used_at: minutesAgo(2) });
      await works(key);
      assert.ok(new Date((await used()) as string).getTime() > minutesAgo(1).getTime());
      await rows(1).delete();
    });

    can("Unknown, mistyped, expired and revoked keys are the same 401", async () => {
      const key = await createKey(app, "ann", "posts:read");
      assert.is(await works(key), 200);
      await rows(1).update({ expires_at: minutesAgo(1) });
      const expired = await key.get(posts);
      await rows(1).update({ expires_at: null });
      assert.is(await works(key), 200, "and one without an end works");
      const ann = await signIn("ann");
      assert.match(await ann.page(page), "does not expire");
      const other = ann.copy(); // another tab
      assert.is((await other.submit(page, { revoke: String(key.id) }, /api-keys/)).status, 303);
      const revoked = await key.get(posts);
      assert.is((await ann.submit("/users/api-keys", { revoke: String(key.id) }, /api-keys/)).status, 303, "twice");
      const unknown = await new KeyClient(app, (await createKey(app, "bob", "posts:read")).key).get(
        "/customer/2/posts",
      );
      assert.is(unknown.status, 200);
      await rows(2).delete();
      const mistyped = await new KeyClient(app, `${key.key.slice(0, -1)}~`).get(posts);
      for (const answer of [expired, revoked, mistyped]) {
        assert.equal([answer.status, answer.text], [401, expired.text]);
        assert.match(answer.headers.get("www-authenticate")!, 'Bearer realm="users", error="invalid_token"');
      }
      assert.is(
        (await key.get(posts, { accept: "text/html" })).status,
        401,
        "also for a page, which leads to no sign-in",
      );
      const log = await knex("user_authentication_audit_logs").where({ account_id: 1, event: "api_key_revoked" });
      assert.is(log.length, 1);
    });

    can("Nobody revokes a key of somebody else", async () => {
      const key = await createKey(app, "bob", "*:read");
      const ann = await signIn("ann");
      await ann.submit(page, { revoke: String(key.id) }, /api-keys/);
      assert.is((await key.get("/customer/2/posts")).status, 200);
      await rows(2).delete();
    });

    can("A key opens no page of the account, and does nothing that is the person's own", async () => {
      const key = await createKey(app, "ann", "*:read *:write *:delete");
      const own = ["account", "api-keys", "sessions", "change-password", "close-account", "login", "logout", "reset-password"]; // biome-ignore format: a list
      for (const path of own)
        for (const verb of ["GET", "POST"]) {
          if (path === "logout" && verb === "GET") continue;
          const answer = await key.send(verb, `/users/${path}`, verb === "POST" ? { name: "x", scopes: "*:read", revoke: key.id, new_password: "x", password: PASSWORD, login: "ann@example.test" } : undefined); // biome-ignore format: one thought
          assert.ok([401, 403, 405].includes(answer.status), `${verb} ${path}: ${answer.status} ${answer.text}`);
          assert.is(answer.headers.get("set-cookie"), null, `${verb} ${path}`);
        }
      assert.is((await rows(1)).length, 1);
      assert.is((await key.get("/users/api-keys")).body.code, "FW_API_KEY_CLOSED");
      assert.is(await works(key), 200, "it is neither revoked nor signed out");
      await rows(1).delete();
    });

    can("A key ends with its person's rights, status and lock", async () => {
      const key = await createKey(app, "cat", "*:read *:write");
      const account = knex("users").where({ id: 3 });
      assert.is(await works(key), 200);
      await knex("memberships").where({ user_id: 3, organization_id: 1 }).delete();
      assert.is(await works(key), 404, "the person has left the tenant");
      await knex("memberships").insert({ user_id: 3, organization_id: 1 });
      assert.is(await works(key), 200);
      for (const account_status of ["unverified", "closed"]) {
        await account.clone().update({ account_status });
        assert.is(await works(key), 401, account_status);
      }
      await account.clone().update({ account_status: "verified" });
      assert.is(await works(key), 200);
      const accounts = app.application.kernel.service("auth").accounts("user" as never);
      await accounts.lock(3);
      assert.is(await works(key), 401, "locked");
      await accounts.unlock(3);
      assert.is(await works(key), 200);
      await accounts.close(3);
      assert.is(await works(key), 401);
      assert.is((await rows(3)).length, 0, "closing revokes the keys");
      await accounts.reopen(3);
      await knex("user_password_hashes").insert({
        ...(await knex("user_password_hashes").where({ account_id: 4 }).first()),
        id: 3000,
        account_id: 3,
      });
    });

    can(
      "Changing the password and signing out other devices keep keys; what ends every sign-in revokes them",
      async () => {
        const key = await createKey(app, "dan", "*:read");
        const dan = await signIn("dan");
        const changed = {
          new_password: "another horse battery",
          password_confirmation: "another horse battery",
          password: PASSWORD,
        };
        assert.is((await dan.submit("/users/change-password", changed)).status, 303);
        assert.is((await rows(4)).length, 1);
        await dan.submit("/users/sessions", { all: "others" });
        assert.is((await rows(4)).length, 1);
        await dan.submit("/users/sessions", { all: "all" });
        assert.is((await rows(4)).length, 0);
        assert.is((await key.get(posts)).status, 401);
      },
    );

    can("A password that is reset by mail revokes them", async () => {
      await createKey(app, "bob", "*:read");
      const visitor = app.client();
      await visitor.submit("/users/reset-password-request", { login: "bob@example.test" });
      const mail = (await mails("bob@example.test")).at(-1)!;
      const link = /https?:\/\/[^/]+(\/users\/reset-password\?\S+)/.exec(mail.text)![1]!;
      const chosen = { password: "another horse battery", password_confirmation: "another horse battery" };
      assert.is((await visitor.submit(link, chosen)).status, 303);
      assert.is((await rows(2)).length, 0);
    });

    can("A person's keys are in the export of their data without the digest, and are erased with it", async () => {
      const key = await createKey(app, "ann", "posts:read", { name: "Exported" });
      const { kernel } = app.application;
      const parts: Buffer[] = [];
      for await (const part of kernel.service("personal_data").export("user", 1)) parts.push(part);
      const zip = Buffer.concat(parts);
      assert.ok(zip.includes("api_keys"));
      await kernel.service("personal_data").erase("user", 1);
      assert.is((await rows(1)).length, 0);
      assert.is(await works(key), 401);
    });

    can("An address that sends many wrong keys has to wait, and a key that is right works from there", async () => {
      const key = await createKey(app, "cat", "posts:read");
      const wrong = new KeyClient(app, `fwk_${"a".repeat(49)}`);
      const answers: number[] = [];
      for (let count = 0; count < 70; count++) answers.push(await works(wrong));
      assert.is(answers[0], 401);
      assert.is(answers.at(-1), 429);
      assert.ok((await wrong.get(posts)).headers.get("retry-after"));
      assert.is(await works(key), 200);
    });
  });
}
