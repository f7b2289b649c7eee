import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, databaseOf, PASSWORD, signIn } from "../authlib/accounts.ts";
import { placesOf, unzipped } from "./everywhere.ts";
import { openPersonalData } from "./personal_data_app.ts";

for (const database of await databases()) {
  describe(`The pages of a person's data, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let count = 0;
    if (database.skip === undefined) {
      before(async () => {
        app = await openPersonalData({ values: await database.values() });
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const knex = (table: string) => databaseOf(app.application).knex(table);
    const person = async () => {
      const login = `person${++count}@example.test`;
      const [id] = (await addPeople(app, "user", login)) as [number];
      await knex("users")
        .where({ id })
        .update({ name: `Person Nr${count}` });
      return { id, login, name: `Person Nr${count}`, at: `/admin/users/${id}` };
    };
    const events = async (id: number) =>
      (await knex("user_authentication_audit_logs").where({ account_id: id }).orderBy("id")) as {
        event: string;
        metadata: string;
      }[];
    const work = () => app.application.kernel.service("jobs").drain();

    can("People download their own data from their account's page, once they have confirmed who they are", async () => {
      const { id, login, name } = await person();
      const client = await signIn(app, "user", login);
      assert.match(await client.page("/users/account"), 'href="/users/personal-data"');
      await knex("user_active_session_keys")
        .where({ account_id: id })
        .update({ created_at: new Date(Date.now() - 3_600_000), confirmed_at: null });
      const wrong = await client.submit("/users/personal-data", { password: "wrong" });
      assert.is(wrong.status, 422);
      assert.is(wrong.headers.get("content-disposition"), null);
      const page = await client.page("/users/personal-data");
      assert.match(page, 'type="password"');
      const answer = await client.submit("/users/personal-data", { password: PASSWORD });
      assert.equal([answer.status, answer.headers.get("content-type")], [200, "application/zip"]);
      assert.match(
        String(answer.headers.get("content-disposition")),
        /attachment; filename="?user-\d+-\d{4}-\d\d-\d\d\.zip/,
      );
      assert.match(String(answer.headers.get("cache-control")), "no-store");
      const files = unzipped(Buffer.from(await answer.arrayBuffer()));
      assert.match(files.get("models/user.json")!.toString(), name);
      assert.is((await events(id)).filter(({ event }) => event === "data_exported").length, 1);
      const guest = await app.client().request("/users/personal-data");
      assert.is(guest.status, 303);
    });

    can("Nobody downloads it who acts for the person", async () => {
      const { at, login } = await person();
      const client = await signIn(app, "admin", "root@example.test");
      await client.submit(`${at}/actions/impersonate`, {}, /actions\/impersonate/);
      assert.is((await client.json<{ email?: string }>("/user")).body.email, login);
      for (const method of ["GET", "POST"])
        assert.is((await client.request("/users/personal-data", { method })).status, 403, method);
    });

    can(
      "An administrator whom the policy permits it exports and erases a person, and types the login for that",
      async () => {
        const { id, at, login } = await person();
        const client = await signIn(app, "admin", "root@example.test");
        const shown = await client.page(at);
        assert.match(shown, "Export personal data");
        assert.match(shown, "Erase person");
        const file = await client.submit(`${at}/actions/export_personal_data`, {}, /actions\/export_personal_data/);
        assert.equal(
          [file.status, file.headers.get("content-type")],
          [200, "application/zip"],
          await file.clone().text(),
        );
        assert.match(
          unzipped(Buffer.from(await file.arrayBuffer()))
            .get("models/user.json")!
            .toString(),
          login,
        );
        const [exportEvent] = (await events(id)).reverse();
        assert.equal(
          [exportEvent!.event, JSON.parse(exportEvent!.metadata)],
          ["data_exported", { by: "administrator", actor: "admin 1" }],
        );
        const erase = (typed: string) =>
          client.submit(`${at}/actions/erase_person`, { "interaction[login]": typed }, /actions\/erase_person/);
        const wrong = await erase("other@example.test");
        assert.is(wrong.status, 422);
        assert.match(await wrong.text(), "not the login");
        assert.is((await knex("users").where({ id }).first()).email, login);
        const done = await erase(login);
        assert.is(done.status, 303, await done.text());
        await work();
        assert.equal(await placesOf(app, login), []);
        const after = (await events(id)).map(({ event }) => event);
        assert.equal(after.slice(-2), ["closed", "data_erased"]);
      },
    );
    can(
      "Where the policy does not permit it, and in a portal of a tenant, an administrator can do neither",
      async () => {
        const { id, at, login } = await person();
        const vice = await signIn(app, "admin", "vice@example.test");
        assert.not.match(await vice.page(at), /Erase person|Export personal data/);
        for (const key of ["erase_person", "export_personal_data"])
          assert.is((await vice.request(`${at}/actions/${key}`)).status, 403, key);
        const root = await signIn(app, "admin", "root@example.test");
        const desk = `/desk/1/users/${id}`;
        for (const [key, typed] of [
          ["erase_person", { "interaction[login]": login }],
          ["export_personal_data", {}],
        ] as const) {
          const answer = await root.submit(`${desk}/actions/${key}`, typed, new RegExp(`actions/${key}`));
          assert.is(answer.status, 422, key);
          assert.match(await answer.text(), "in a portal without tenants");
        }
        assert.is((await knex("users").where({ id }).first()).email, login);
      },
    );
  });
}
