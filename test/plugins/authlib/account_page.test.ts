import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import type { Client } from "../../testing/client.ts";
import { addPeople, databaseOf, openAccounts, PASSWORD, signIn } from "./accounts.ts";
import { everything, quick, setUpCodes } from "./promises/support.ts";

interface Line {
  name: string;
  label: string;
  text: string;
  at?: string;
  level?: string;
  url?: string;
}
interface Section {
  name: string;
  title: string;
  lines: Line[];
}
const own = `async accountLines() { return [...(await super.accountLines()), { section: "protection", name: "insured", label: "Insurance", text: "Up to 1000" }]; }`;

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`The page of an account, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let count = 0;
    if (database.skip === undefined) {
      before(async () => {
        app = await openAccounts(
          {
            user: { features: `${everything}, webauthn(), accountExpiration()`, body: own },
            clerk: { features: "login()" },
          },
          { values: await database.values(), authlib: "{ limits: false }", plugins: quick },
        );
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, work: () => Promise<void>) => it.unless(database.skip, sentence, work);
    const knex = (table: string) => databaseOf(app.application).knex(table);
    const person = async (type = "user") => {
      const login = `p${++count}@example.test`;
      const [id] = await addPeople(app, type, login);
      return { login, id: id! };
    };
    const sections = async (client: Client, plural = "users") =>
      (await client.json(`/${plural}/account`)).body.sections as Section[];
    const line = async (client: Client, name: string) =>
      (await sections(client)).flatMap(({ lines }) => lines).find((one) => one.name === name);

    can("The account page shows sign-in methods, protection, devices and history, as a page and in JSON", async () => {
      const { login } = await person();
      const [warnings, { warn }] = [[] as unknown[], console];
      console.warn = (text: unknown) => void warnings.push(text);
      const client = await signIn(app, "user", login);
      const found = await sections(client).finally(() => Object.assign(console, { warn }));
      assert.equal(warnings, [], "no text is missed of a section that has no lines");
      assert.equal(
        found.map(({ name }) => name),
        ["sign_in", "protection", "devices", "history"],
      );
      assert.equal(
        found[0]!.lines.map(({ name, text, url }) => [name, text, url]),
        [
          ["login", login, "/users/change-login"],
          ["password", "Last changed", "/users/change-password"],
          ["email_auth", `A link to ${login} signs you in`, undefined],
          ["webauthn", "None yet", "/users/webauthn-setup"],
        ],
      );
      const page = await client.page("/users/account");
      for (const { title, lines } of found)
        for (const text of [title, ...lines.map(({ label }) => label)]) assert.match(page, text);
    });
    can("The account page warns of a missing second factor and of few recovery codes", async () => {
      const { login, id } = await person();
      const client = await signIn(app, "user", login);
      assert.is((await line(client, "otp"))!.level, "warning");
      assert.is(await line(client, "recovery_codes"), undefined);
      await setUpCodes(client);
      assert.is((await line(client, "otp"))!.level, "success");
      assert.is((await line(client, "recovery_codes"))!.level, "warning");
      await client.submit("/users/recovery-codes", {});
      assert.equal((await line(client, "recovery_codes"))!.text, "10 codes left");
      const codes = await knex("user_recovery_codes").where({ account_id: id }).select("id");
      await knex("user_recovery_codes")
        .whereIn(
          "id",
          codes.slice(2).map((row: { id: number }) => row.id),
        )
        .delete();
      const { text, level } = (await line(client, "recovery_codes"))!;
      assert.equal([text, level], ["2 codes left", "warning"]);
    });
    can("The account page counts other sign-ins, and warns of those without their second factor", async () => {
      const { login } = await person();
      const client = await signIn(app, "user", login);
      assert.is((await line(client, "session_others"))!.text, "None");
      await setUpCodes(client);
      await app.client().submit("/users/login", { login, password: PASSWORD });
      const { text, level } = (await line(client, "session_half"))!;
      assert.equal([text.slice(0, 9), level], ["1 sign-in", "warning"]);
      assert.is((await line(client, "session_others"))!.text, "None");
    });
    can("The account page lists the last ten events of its own account by their labels", async () => {
      const { login, id } = await person();
      const stranger = await person();
      await signIn(app, "user", stranger.login);
      const client = await signIn(app, "user", login);
      const history = async () => (await sections(client)).find(({ name }) => name === "history")!.lines;
      assert.equal(
        (await history()).map(({ label }) => label),
        ["Signed in", "Account created"],
      );
      for (let index = 0; index < 4; index++)
        await app.client().submit("/users/login", { login, password: "no such password" });
      await app.application.kernel.service("jobs").drain();
      const failed = new Array(4).fill("Wrong password or code");
      assert.equal(
        (await history()).map(({ label }) => label),
        [...failed, "Signed in", "Account created"],
      );
      const rows = new Array(9).fill({ account_id: id, event: "logout", at: new Date() });
      await knex("user_authentication_audit_logs").insert(rows);
      assert.is((await history()).length, 10);
      const again = await signIn(app, "user", login);
      assert.is((await line(again, "previous_login"))!.label, "Previous sign-in");
    });
    can(
      "The account page has the lines that an application adds, and none of features that the type does not have",
      async () => {
        const { login } = await person();
        assert.is((await line(await signIn(app, "user", login), "insured"))!.text, "Up to 1000");
        const clerk = await person("clerk");
        const found = await sections(await signIn(app, "clerk", clerk.login), "clerks");
        assert.equal(
          found.map(({ name, lines }) => [name, lines.map(({ name: one, url }) => [one, url])]),
          [
            [
              "sign_in",
              [
                ["login", undefined],
                ["password", undefined],
              ],
            ],
          ],
        );
      },
    );
    can("The account page shows when the password was changed", async () => {
      const { login, id } = await person();
      const client = await signIn(app, "user", login);
      const then = new Date("2020-02-02T10:00:00Z");
      await knex("user_password_hashes").where({ account_id: id }).update({ updated_at: then });
      assert.is(new Date((await line(client, "password"))!.at!).getTime(), then.getTime());
      const next = "another horse battery";
      const change = { password: PASSWORD, new_password: next, password_confirmation: next };
      await client.submit("/users/change-password", change);
      assert.ok(Date.now() - new Date((await line(client, "password"))!.at!).getTime() < 60_000);
    });
  });
}
