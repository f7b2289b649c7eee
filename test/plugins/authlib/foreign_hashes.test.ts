import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openAccounts, PASSWORD, signIn } from "./accounts.ts";
import { rowOf } from "./promises/support.ts";

const WORDS = "lètmein orchard";
const imported = {
  "devise@example.test": "$2b$06$T5BLYcbhJQPm3n9rBaJ2secI4kjjsC8gYl3Hl7li0TeatRG5BN6rW",
  "django@example.test": "pbkdf2_sha256$1000000$seasalt$Q2ox4j356zGw5GgL3c5pSRWlOeBF7B0bpQyvoMWO2h4=",
};
/** What hashers are asked for, in their order: the kind of work, and for whom. */
const seen = globalThis as { hashed?: string[] };
const plugins = {
  imports: `import { bcryptHashes, djangoHashes, passwords } from "framewright/plugins/passwords";
    const watched = (plugin) => ({ ...plugin, name: "imported", replaces: true, apply: async (kernel) => {
      const hasher = await plugin.apply(kernel);
      const note = (line) => { ((globalThis as any).hashed ??= []).push(line); };
      return { ...hasher,
        hash: (password) => hasher.hash(password), needsRehash: (hash) => hasher.needsRehash(hash),
        verify: (password, hash) => { note("own"); return hasher.verify(password, hash); },
        foreign: { accepts: (hash) => hasher.foreign.accepts(hash),
          verify: (password, hash) => { note("foreign"); return hasher.foreign.verify(password, hash); } } };
    } });`,
  list: `watched(passwords({ memory: 64, iterations: 1, foreign: [bcryptHashes({ like: "${imported["devise@example.test"]}" }), djangoHashes()] })),`,
};

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Users with imported password hashes, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        const values = { ...(await database.values()), PASSWORD_PEPPER: "pepper-".repeat(6) };
        const user = { features: "login(), logout(), changePassword(), passwordPepper()" };
        app = await openAccounts({ user }, { plugins, values, authlib: "{ limits: false }" });
        const { knex } = databaseOf(app.application);
        const now = new Date();
        for (const [email, password_hash] of Object.entries(imported)) {
          const [id] = await knex("users").insert({ email, created_at: now, updated_at: now });
          await knex("user_password_hashes").insert({
            account_id: id,
            password_hash,
            created_at: now,
            updated_at: now,
          });
        }
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const hashOf = async (email: string) => {
      const { id } = await rowOf(app, "users", { email });
      return String((await rowOf(app, "user_password_hashes", { account_id: id })).password_hash);
    };
    const workOf = async (login: string) => {
      seen.hashed = [];
      assert.is((await app.client().submit("/users/login", { login, password: "no such password" })).status, 422);
      return seen.hashed.join(" ");
    };

    can("A wrong password costs the same work for imported hashes, an own hash and an unknown login", async () => {
      const works = [await workOf("nobody@example.test")];
      for (const email of Object.keys(imported)) works.push(await workOf(email));
      await app.application.kernel
        .service("auth")
        .createAccount("user", { email: "own@example.test" }, { password: PASSWORD });
      works.push(await workOf("own@example.test"));
      assert.equal([...new Set(works)], ["own own foreign"], "with the pepper, without, and the others'");
    });
    for (const email of Object.keys(imported)) {
      can(`An imported hash lets its user sign in, and is replaced by argon2id: ${email}`, async () => {
        assert.is(await hashOf(email), imported[email as keyof typeof imported]);
        await signIn(app, "user", email, {}, WORDS);
        assert.match(await hashOf(email), /^\$argon2id\$/);
        await signIn(app, "user", email, {}, WORDS);
      });
    }
    can("A wrong password costs the same work after the imported hash was replaced", async () => {
      assert.is(await workOf("devise@example.test"), "own own foreign");
    });
  });
}
