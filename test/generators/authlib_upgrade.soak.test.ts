import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argon2id } from "hash-wasm";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { Client } from "../testing/client.ts";
import { fw, fwOk, newApp, runCommand } from "./support.ts";

/** The migrations that an earlier release wrote for the same account types. */
const before = join(import.meta.dirname, "fixtures/accounts_before");
const PASSWORD = "meadow under rain";
const at = "2026-01-01 10:00:00.000";

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`The upgrade of an application of an earlier release, on ${database.name}`, (it, { after }) => {
    let app = "";
    let env: Record<string, string> = {};
    const can = (sentence: string, work: () => Promise<void>) => it.unless(database.skip, sentence, work);
    after(() => database.clean());
    const run = async (...args: string[]) => {
      const ran = await runCommand(process.execPath, [fw, ...args], app, env);
      return { ...ran, text: ran.out + ran.err };
    };
    const ok = async (...args: string[]) => {
      const ran = await run(...args);
      assert.is(ran.code, 0, ran.text);
      return ran;
    };
    const migrations = () => join(app, "db/migrate");
    /** Runs code with the application's connection to its database. */
    const withKnex = async (code: string) => {
      const head = `import type { Application } from "framewright";\nexport default async function seed(app: Application) { const { knex } = app.kernel.service("database");\n`;
      writeFileSync(join(app, "db/seeds.ts"), `${head}${code}\n}\n`);
      return (await ok("db:seed")).out;
    };

    can(
      "fw doctor names a missing column and fw:authlib:upgrade, and /readyz answers 503 before the upgrade",
      async () => {
        env = { ...(await database.values()), NODE_ENV: "development", PASSWORD_PEPPER: "p".repeat(64) };
        app = await newApp("clinic", ...(database.name === "mysql" ? ["--database=mysql"] : []));
        await fwOk(app, "g", "fw:authlib:account", "user", "--kitchen_sink");
        await fwOk(app, "g", "fw:authlib:admin");
        for (const file of readdirSync(migrations())) rmSync(join(migrations(), file));
        for (const file of readdirSync(before)) copyFileSync(join(before, file), join(migrations(), file));
        await ok("db:migrate");
        const { text } = await run("doctor");
        assert.match(text, "user_active_session_keys.confirmed_at");
        assert.match(text, "fw generate fw:authlib:upgrade");
        const served = await serveApp(app, env);
        try {
          const answer = await fetch(`${served.url}/readyz`);
          assert.is(answer.status, 503);
        } finally {
          served.child.kill("SIGTERM");
          await exitOf(served.child);
        }
      },
    );
    can(
      "fw:authlib:upgrade writes a migration that adds the missing columns, and reports complete when it runs again",
      async () => {
        const { text } = await ok("g", "fw:authlib:upgrade");
        const [written] = readdirSync(migrations()).filter((file) => file.endsWith("_upgrade_authlib.ts"));
        assert.ok(written, text);
        const migration = readFileSync(join(migrations(), written), "utf8");
        assert.match(migration, 'await db.addColumns("user_active_session_keys"');
        assert.match(migration, 'await db.addColumns("admin_active_session_keys"');
        assert.match((await ok("g", "fw:authlib:upgrade")).text, "complete");
      },
    );
    can(
      "The upgrade keeps every row, /readyz answers 200, and an existing user signs in with the same password",
      async () => {
        await addPeople();
        const counted = await counts();
        await ok("db:migrate");
        assert.equal(await counts(), counted);
        const { text } = await run("doctor");
        assert.match(text, /\d+ features, all tables exist/, text);
        assert.not.match(text, "fw:authlib:upgrade");
        const served = await serveApp(app, env);
        try {
          assert.is((await fetch(`${served.url}/readyz`)).status, 200);
          const client = new Client(served.url);
          const answer = await client.submit("/users/login", { login: "ann@example.test", password: PASSWORD });
          assert.is(answer.status, 303, await answer.text());
          assert.is((await client.request("/users/account")).status, 200);
        } finally {
          served.child.kill("SIGTERM");
          await exitOf(served.child);
        }
      },
    );

    can("The upgraded tables equal those of a new application, apart from old columns of the lockouts", async () => {
      const upgraded = await tables();
      [app, env] = [
        await newApp("fresh", ...(database.name === "mysql" ? ["--database=mysql"] : [])),
        { ...env, ...(await database.values()) },
      ];
      await fwOk(app, "g", "fw:authlib:account", "user", "--kitchen_sink");
      await fwOk(app, "g", "fw:authlib:admin");
      await ok("db:migrate");
      const now = await tables();
      assert.ok(now.length > 150, `${now.length} columns`);
      assert.equal(
        now.filter((line) => !upgraded.includes(line)),
        [],
      );
      const left = upgraded.filter((line) => !now.includes(line));
      assert.equal(
        left.filter((line) => !/^(?:user|admin)_lockouts\.(?:account_id|key_digest) /.test(line)),
        [],
        "and nothing else is left",
      );
    });

    /** The columns of all tables, and which of them are unique. */
    async function tables(): Promise<string[]> {
      const listing = `const database = app.kernel.service("database");
        for (const table of await database.tables()) if (!/^knex_|^framewright_(?:migration|schema)/.test(table))
          for (const { name, unique, type, hasDefault } of await database.introspect(table)) console.log("> " + table + "." + name + " " + type + " " + (unique ? "unique" : "") + (hasDefault ? " default" : ""));`;
      const out = await withKnex(listing);
      return [...out.matchAll(/^> (.*)$/gm)].map(([, line]) => line!.trim()).sort();
    }
    /** As the earlier release stored them. */
    async function addPeople(): Promise<void> {
      const salt = new Uint8Array(16).fill(7);
      const hashing = { password: PASSWORD, salt, parallelism: 1, iterations: 2, memorySize: 19456, hashLength: 32 };
      const password_hash = await argon2id({ ...hashing, outputType: "encoded" });
      const stamps = { created_at: at, updated_at: at };
      const digest = (letter: string) => letter.repeat(64);
      const link = { account_id: 1, requested_at: at, deadline: at };
      const rows = {
        users: { id: 1, email: "ann@example.test", account_status: "verified", ...stamps },
        user_password_hashes: { account_id: 1, password_hash, ...stamps },
        user_password_reset_keys: { ...link, key_digest: digest("a") },
        user_email_auth_keys: { ...link, key_digest: digest("b") },
        user_recovery_codes: { account_id: 1, code_digest: digest("c"), created_at: at },
        user_active_session_keys: {
          account_id: 1,
          session_digest: digest("d"),
          factors: "password",
          created_at: at,
          last_use: at,
        },
      };
      await withKnex(
        `const rows = ${JSON.stringify(rows)}; for (const [table, row] of Object.entries(rows)) await knex(table).insert(row);`,
      );
    }
    /** How many rows each table holds. */
    async function counts(): Promise<string> {
      const tables = [
        "users",
        "user_password_hashes",
        "user_password_reset_keys",
        "user_email_auth_keys",
        "user_recovery_codes",
        "user_active_session_keys",
      ];
      return withKnex(
        `for (const table of ${JSON.stringify(tables)}) console.log(table, Number((await knex(table).count({ n: "*" }))[0]!.n));`,
      );
    }
  });
}
