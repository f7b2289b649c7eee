import { readFileSync } from "node:fs";
import { join } from "node:path";
import knex from "knex";
import { addPeople, mailTo, openAccounts, PASSWORD, signIn } from "../plugins/authlib/accounts.ts";
import { neutral, quick } from "../plugins/authlib/promises/support.ts";
import { openApp, type TestApp } from "../support/apps.ts";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { databaseOf } from "../support/shop.ts";

// The guide about hashes under another database user, with the code and the statements that stand in it.

const guide = readFileSync(
  join(import.meta.dirname, "../../docs/how-to/password-hashes-in-another-database-user.md"),
  "utf8",
);
const blocks = (kind: string) =>
  [...guide.matchAll(new RegExp(`^ {3}\`\`\`${kind}\\n([\\s\\S]*?)^ {3}\`\`\`$`, "gm"))].map(([, text]) =>
    text!.replaceAll(/^ {3}/gm, ""),
  );
const files = Object.fromEntries(blocks("ts").map((text) => [/\/\/ (lib\/\w+\.ts)/.exec(text)![1]!, text]));
/** As npm install puts it there. */
const installed = {
  "node_modules/knex/package.json": JSON.stringify({ name: "knex", type: "module", exports: "./index.js" }),
  "node_modules/knex/index.js": `export { default } from ${JSON.stringify(import.meta.resolve("knex"))};`,
};
const [listing = "", grants = ""] = blocks("sql");

const features =
  "login(), logout(), createAccount(), verifyAccount(), resetPassword(), changePassword(), closeAccount(), separateHashes()";
const imports = `import { separateHashes } from "../../lib/separate_hashes.ts";`;
/** A server with an anonymous user takes whoever comes from its own machine for that one. */
const hosts = ["%", "localhost"];
const OTHER = "meadow under rain";

for (const database of (await databases()).filter(({ name }) => name === "mysql")) {
  describe("Password hashes under another database user", (it, { before, after }) => {
    let app: TestApp;
    const users: string[] = [];
    let admin: ReturnType<typeof knex>;
    const as = (url: string, user: string) => Object.assign(new URL(url), { username: user, password: "secret" }).href;

    /** The schema of the guide is called shop, its users shop_app and shop_passwords: here they have names of this run. */
    async function secure(url: string): Promise<Record<string, string>> {
      const schema = new URL(url).pathname.slice(1);
      admin = knex({ client: "mysql2", connection: url });
      for (const role of ["app", "passwords"]) {
        users.push(`${schema}_${role}`);
        for (const host of hosts) await admin.raw(`create user '${schema}_${role}'@'${host}' identified by 'secret'`);
      }
      const named = (text: string) => text.replaceAll("shop_", `${schema}_`).replaceAll(/\bshop\b/g, schema);
      const [rows] = (await admin.raw(named(listing).replace(/;\s*$/, ""))) as [Record<string, string>[]];
      const statements = [...rows.flatMap((row) => Object.values(row)), ...named(grants).split("\n")];
      for (const statement of statements.filter((line) => line.trim() !== "")) {
        const targets = statement.startsWith("grant") ? hosts.map((host) => `@'${host}'`) : [""];
        for (const target of targets) await admin.raw(statement.replace(/;$/, target));
      }
      return { DATABASE_URL: as(url, users[0]!), PASSWORD_DATABASE_URL: as(url, users[1]!) };
    }
    if (database.skip === undefined) {
      before(async () => {
        const { DATABASE_URL = "" } = await database.values();
        const store = {
          imports: `${quick.imports} import { passwordStore } from "./lib/password_store.ts";`,
          list: `${quick.list} passwordStore(),`,
        };
        const written = await openAccounts(
          { user: { features, imports } },
          {
            values: { DATABASE_URL, PASSWORD_DATABASE_URL: DATABASE_URL },
            files: { ...files, ...installed },
            plugins: store,
            authlib: "{ limits: false }",
          },
        );
        await written.close();
        app = await openApp(written.root, { values: await secure(DATABASE_URL) });
      });
      after(async () => {
        await app?.close();
        for (const user of users) for (const host of hosts) await admin.raw(`drop user '${user}'@'${host}'`);
        await admin?.destroy();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const hashes = () => admin("user_password_hashes").select("account_id", "password_hash");
    const set = (path: string, password: string) =>
      app.client().submit(path, { password, password_confirmation: password });

    can("The application's connection can't read or write the hashes, and fw doctor accepts their table", async () => {
      const own = databaseOf(app.application).knex;
      for (const query of [
        own("user_password_hashes").select("password_hash"),
        own("user_password_hashes").update({ password_hash: "x" }),
      ])
        await query.then(
          () => assert.unreachable("it was answered"),
          (error: { code: string }) => assert.match(error.code, /ACCESS_DENIED/),
        );
      const findings: { what: string; ok: boolean; detail: string }[] = [];
      await app.application.hooks.examine.promise(findings);
      const { ok, detail } = findings.find(({ what }) => what === "account type user")!;
      assert.ok(ok, detail);
    });
    can(
      "A user signs up, signs in, changes and resets the password and closes the account with separate hashes",
      async () => {
        const login = "ann@example.test";
        await app
          .client()
          .submit("/users/create-account", { login, password: PASSWORD, password_confirmation: PASSWORD });
        assert.is((await set((await mailTo(app, login, "Verify")).path, PASSWORD)).status, 303);
        const client = await signIn(app, "user", login);
        const change = { password: PASSWORD, new_password: OTHER, password_confirmation: OTHER };
        assert.is((await client.submit("/users/change-password", change)).status, 303);
        await app.client().submit("/users/reset-password-request", { login });
        const { path } = await mailTo(app, login, "Set a new password");
        assert.is((await set(path, OTHER)).status, 422);
        assert.is((await set(path, PASSWORD)).status, 303);
        assert.is((await hashes()).length, 1);
        assert.match(await (await signIn(app, "user", login)).page("/users/account"), "Last changed");
        const leaving = await signIn(app, "user", login);
        assert.is((await leaving.submit("/users/close-account", { password: PASSWORD })).status, 303);
        assert.is((await hashes()).length, 0);
      },
    );
    can(
      "Sign-in and sign-up give the same answers for an existing and an unknown login with separate hashes",
      async () => {
        await addPeople(app, "user", "bob@example.test");
        const tried = async (login: string) =>
          neutral(await app.client().submit("/users/login", { login, password: "no such password" }), login);
        assert.equal(await tried("bob@example.test"), await tried("eve@example.test"));
        const signedUp = async (login: string) =>
          neutral(
            await app
              .client()
              .submit("/users/create-account", { login, password: OTHER, password_confirmation: OTHER }),
            login,
          );
        assert.equal(await signedUp("bob@example.test"), await signedUp("joe@example.test"));
      },
    );
  });
}
