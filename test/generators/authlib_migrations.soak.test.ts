import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { database } from "framewright/plugins/database";
import { catalogue, schemaOf } from "../../plugins/authlib/feature_catalogue.ts";
import { addFiles, openApp, type TestApp, writeApp } from "../support/apps.ts";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { fwOk, newApp } from "./support.ts";

// The migrations that generators write, run by a database alone: nothing else of the application is needed for it.

const g = (app: string, ...words: string[]) => fwOk(app, "g", ...words);
const slot = ({ application }: TestApp) => application.kernel.service("database");
const tablesOf = async (app: TestApp) =>
  (await slot(app).tables())
    .filter((name) => !/^(sqlite|libsql|framewright_migration|framewright_releases)/.test(name))
    .sort();
const jobs = [
  "framewright_held_forms",
  "framewright_job_schedules",
  "framewright_jobs",
  "framewright_limits",
  "framewright_spent_keys",
];

/** The migrations of an application, with a database alone. */
async function open(app: string, values: Record<string, string>): Promise<TestApp> {
  const root = writeApp({
    "config/routes.ts": `import { drawRoutes } from "framewright"; export default drawRoutes(() => undefined);`,
  });
  for (const name of readdirSync(join(app, "db/migrate")).filter((file) => file.endsWith(".ts")))
    addFiles(root, { [`db/migrate/${name}`]: readFileSync(join(app, "db/migrate", name), "utf8") });
  const opened = await openApp(root, { values, plugins: [database()] });
  left.push(opened);
  return opened;
}
/** What a failing test leaves open would keep its file from ending. */
const left: TestApp[] = [];
const closeAll = async () => {
  for (const app of left.splice(0)) await app.close();
};
const peopleTable = (columns: string) => `import type { Schema } from "framewright/plugins/database";
export async function up(db: Schema) { await db.createTable("users", (t) => { t.id(); t.string("name").notNull(); ${columns} t.timestamps(); }); }
export async function down(db: Schema) { await db.dropTable("users"); }
`;
/** An application that has people: their model and table are older than their accounts. */
async function withPeople(columns: string): Promise<string> {
  const app = await newApp();
  mkdirSync(join(app, "app/models"), { recursive: true });
  writeFileSync(
    join(app, "app/models/user.ts"),
    'import { Model } from "framewright/plugins/database";\nexport default class User extends Model("users") {}\n',
  );
  writeFileSync(join(app, "db/migrate/20260101000000_create_users.ts"), peopleTable(columns));
  return app;
}

for (const database of await databases({ mysqlInSoak: true })) {
  const can = (it: { unless: (...given: never[]) => void }, sentence: string, body: () => Promise<void>) =>
    (it.unless as (reason: string | undefined, sentence: string, body: () => Promise<void>) => void)(
      database.skip,
      sentence,
      body,
    );

  describe(`The tables of account types, on ${database.name}`, (it, { after }) => {
    after.each(closeAll);
    after(() => database.clean());
    const combinations: [string[][], string[]][] = [
      [[["fw:authlib:install"]], jobs],
      [
        [["fw:authlib:account", "user"]],
        [
          ...jobs,
          "user_active_session_keys",
          "user_compromise_keys",
          "user_known_devices",
          "user_lockouts",
          "user_login_change_keys",
          "user_login_failures",
          "user_password_hashes",
          "user_password_reset_keys",
          "user_remember_keys",
          "user_required_password_changes",
          "user_unlock_keys",
          "user_verification_keys",
          "users",
        ],
      ],
      [
        [
          ["fw:authlib:account", "user", "--only"],
          ["fw:authlib:account", "user", "--otp", "--audit-logging"],
        ],
        [
          ...jobs,
          "user_active_session_keys",
          "user_authentication_audit_logs",
          "user_otp_keys",
          "user_password_hashes",
          "users",
        ],
      ],
      [
        [
          ["fw:authlib:account", "api_user", "--api_only", "--jwt", "--jwt_refresh"],
          ["fw:authlib:admin", "--roles=owner,editor,reader"],
        ],
        [
          "admin_active_session_keys",
          "admin_authentication_audit_logs",
          "admin_compromise_keys",
          "admin_invitation_keys",
          "admin_known_devices",
          "admin_lockouts",
          "admin_login_failures",
          "admin_otp_keys",
          "admin_password_hashes",
          "admin_password_reset_keys",
          "admin_recovery_codes",
          "admin_required_password_changes",
          "admin_unlock_keys",
          "admins",
          "api_user_active_session_keys",
          "api_user_jwt_refresh_keys",
          "api_user_lockouts",
          "api_user_login_failures",
          "api_user_password_hashes",
          "api_user_unlock_keys",
          "api_users",
          ...jobs,
        ],
      ],
    ];
    for (const [runs, tables] of combinations) {
      can(it, `The tables are created and dropped after ${runs.map((run) => run.join(" ")).join(", ")}`, async () => {
        const folder = await newApp();
        for (const run of runs) await g(folder, ...run);
        const app = await open(folder, await database.values());
        const { migrations } = slot(app);
        await migrations.up();
        assert.equal(await tablesOf(app), tables);
        const [user] = tables.filter((table) => table.endsWith("users"));
        if (user) await tryRows(app, user);
        await migrations.down(1);
        await migrations.up();
        assert.equal(await tablesOf(app), tables);
        await migrations.down(9);
        assert.equal(await tablesOf(app), []);
      });
    }

    can(it, "The tables of every feature are created and dropped for an account type with a long name", async () => {
      const folder = await newApp();
      await g(folder, "fw:authlib:account", "preferred_enterprise_customer", "--kitchen_sink");
      const app = await open(folder, await database.values());
      await slot(app).migrations.up();
      const root = join(import.meta.dirname, "../..");
      const texts = catalogue.map((entry) => readMaybe(join(root, schemaOf(entry)))).join("");
      const named = [...texts.matchAll(/createTable\("\{\{ account \}\}_(\w+)"/g)]
        .filter(([, name]) => !/^(?:oidc|sso)_/.test(name!)) // features with settings of their own, which no flag adds
        .map(([, name]) => `preferred_enterprise_customer_${name}`);
      assert.equal(await tablesOf(app), [...named, "preferred_enterprise_customers", ...jobs].sort());
      await slot(app).migrations.down(9);
      assert.equal(await tablesOf(app), []);
    });

    can(
      it,
      "A second run of the generator writes one migration of the tables that a release added, and a third run none",
      async () => {
        const folder = await newApp();
        await g(folder, "fw:authlib:account", "user", "--otp");
        const names = () => readdirSync(join(folder, "db/migrate")).filter((file) => file.endsWith(".ts"));
        const before = names();
        const tables = /^ {2}await db\.createTable\("(?:framewright_spent_keys|user_otp_keys)".*?^ {2}\}\);\n/gms;
        for (const name of before) {
          const path = join(folder, "db/migrate", name);
          const text = readFileSync(path, "utf8").replaceAll(tables, "");
          writeFileSync(path, text.replaceAll(/.*dropTable\("(?:framewright_spent_keys|user_otp_keys)"\);\n/g, ""));
        }
        await g(folder, "fw:authlib:account", "user");
        const added = names().filter((name) => !before.includes(name));
        assert.is(added.length, 1);
        const text = readFileSync(join(folder, "db/migrate", added[0]!), "utf8");
        const made = [...text.matchAll(/createTable\("(\w+)"/g)].map(([, table]) => table);
        assert.equal(made, ["framewright_spent_keys", "user_otp_keys"]);
        const app = await open(folder, await database.values());
        await slot(app).migrations.up();
        assert.ok((await tablesOf(app)).includes("framewright_spent_keys"));
        await g(folder, "fw:authlib:account", "user");
        assert.is(names().length, before.length + 1, "and once");
        await slot(app).migrations.down(9);
        assert.equal(await tablesOf(app), []);
      },
    );

    can(it, "The column of roles defaults to the second role and refuses a value outside of the list", async () => {
      const folder = await newApp();
      await g(folder, "fw:authlib:admin", "boss", "--roles=super,plain,reader");
      const app = await open(folder, await database.values());
      const { knex, migrations } = slot(app);
      await migrations.up();
      await knex("bosses").insert({ email: "a@x.test", created_at: new Date(), updated_at: new Date() });
      const [row] = await knex("bosses").select("role", "account_status");
      assert.equal({ ...row }, { role: "plain", account_status: "verified" });
      const intruder = { email: "b@x.test", role: "king", created_at: new Date(), updated_at: new Date() };
      assert.ok(
        await knex("bosses")
          .insert(intruder)
          .catch((error: Error) => error instanceof Error),
      );
    });
  });

  describe(`Accounts for an existing table of users, on ${database.name}`, (it, { after }) => {
    after.each(closeAll);
    after(() => database.clean());
    const at = { created_at: new Date(), updated_at: new Date() };

    /** Migrates what was there, puts people in, generates, and migrates on. */
    async function grown(columns: string, people: object[], ...flags: string[]) {
      const values = await database.values();
      const folder = await withPeople(columns);
      const before = await open(folder, values);
      await slot(before).migrations.up();
      for (const person of people)
        await slot(before)
          .knex("users")
          .insert({ ...person, ...at });
      const rows = await slot(before).knex("users").orderBy("id");
      const model = readFileSync(join(folder, "app/models/user.ts"), "utf8");
      await g(folder, "fw:authlib:account", "user", ...flags);
      assert.is(readFileSync(join(folder, "app/models/user.ts"), "utf8"), model);
      const root = before.root;
      for (const name of readdirSync(join(folder, "db/migrate")).filter((file) => file.endsWith(".ts")))
        addFiles(root, { [`db/migrate/${name}`]: readFileSync(join(folder, "db/migrate", name), "utf8") });
      return { app: before, rows: rows as Record<string, unknown>[] };
    }
    const kept = async (app: TestApp, rows: Record<string, unknown>[]) => {
      const now: Record<string, unknown>[] = await slot(app).knex("users").orderBy("id");
      assert.equal(
        now.map((row, index) => Object.fromEntries(Object.keys(rows[index]!).map((name) => [name, row[name]]))),
        rows.map((row) => ({ ...row })),
      );
      return now;
    };

    can(
      it,
      "Existing rows without an email are kept as verified accounts, and emails that differ only in case are refused",
      async () => {
        const { app, rows } = await grown("", [{ name: "Ada" }, { name: "Eve" }]);
        const { knex, migrations } = slot(app);
        await migrations.up();
        const now = await kept(app, rows);
        assert.equal(
          now.map(({ email, account_status }) => [email, account_status]),
          [
            [null, "verified"],
            [null, "verified"],
          ],
        );
        await knex("users").where({ name: "Ada" }).update({ email: "ada@x.test" });
        assert.ok(
          await knex("users")
            .where({ name: "Eve" })
            .update({ email: "ADA@x.test" })
            .catch((error: Error) => error instanceof Error),
        );
      },
    );

    can(it, "Existing emails are found in any case and become unique, and rolling back keeps every row", async () => {
      const people = [
        { name: "Ada", email: "Ada@X.test" },
        { name: "Eve", email: null },
        { name: "Bob", email: "bob@x.test" },
      ];
      const { app, rows } = await grown('t.string("email");', people, "--otp");
      const { knex, migrations } = slot(app);
      await migrations.up();
      await kept(app, rows);
      const [ada] = await knex("users").where({ email: "ada@x.test" });
      assert.is(ada.name, "Ada");
      const twin = { name: "Twin", email: "bob@x.test", ...at };
      assert.ok(
        await knex("users")
          .insert(twin)
          .catch((error: Error) => error instanceof Error),
      );
      await tryRows(app, "users");
      await migrations.down(1);
      await kept(app, rows);
      await migrations.up();
      await kept(app, rows);
      await migrations.down(2); // back to before the accounts
      assert.equal(await tablesOf(app), ["users"]);
      await kept(app, rows);
    });

    can(it, "Rows of a table whose email is unique already are kept", async () => {
      const { app, rows } = await grown('t.string("email").notNull().unique();', [
        { name: "Ada", email: "ada@x.test" },
      ]);
      await slot(app).migrations.up();
      await kept(app, rows);
    });

    can(
      it,
      "Duplicate logins stop the migration before any change, with a query that lists them, until they are resolved",
      async () => {
        const people = [
          { name: "Ada", email: "ada@x.test" },
          { name: "Ada again", email: "ADA@x.test" },
          { name: "Bob", email: "bob@x.test" },
          { name: "Bob again", email: "bob@x.test" },
          { name: "Eve", email: null },
          { name: "Eve again", email: null },
        ];
        const { app, rows } = await grown('t.string("email");', people);
        const { knex, migrations } = slot(app);
        const error = await migrations.up().then(
          () => undefined,
          (reason: Error) => reason,
        );
        assert.match(error?.message ?? "", /2 of the logins in users\.email are not unique/);
        const [shown] = /select lower[^"]*/.exec(error!.message)!;
        const found = await knex.raw(shown);
        assert.is((database.name === "mysql" ? found[0] : (found.rows ?? found)).length, 2);
        assert.equal(
          (await tablesOf(app)).filter((name) => name.startsWith("user")),
          ["users"],
        );
        await kept(app, rows);
        assert.is(await knex.schema.hasColumn("users", "account_status"), false);
        await knex("users").where("name", "like", "% again").update({ email: null });
        await migrations.up();
        assert.is(await knex.schema.hasColumn("users", "account_status"), true);
      },
    );
  });
}

/** What deleting an account takes along. */
async function tryRows(app: TestApp, table: string): Promise<void> {
  const { knex } = slot(app);
  const account = table.replace(/s$/, "");
  const now = new Date();
  const has = await knex.schema.hasColumn(table, "name");
  await knex(table).insert({ email: "x@x.test", created_at: now, updated_at: now, ...(has ? { name: "X" } : {}) });
  const [{ id }] = await knex(table).where({ email: "x@x.test" });
  await knex(`${account}_password_hashes`).insert({
    account_id: id,
    password_hash: "h",
    created_at: now,
    updated_at: now,
  });
  await knex(table).where({ id }).delete();
  assert.equal(await knex(`${account}_password_hashes`).where({ account_id: id }), []);
}

function readMaybe(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
