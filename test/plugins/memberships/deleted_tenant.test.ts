import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, databaseOf, mailTo, signIn } from "../authlib/accounts.ts";
import { quick } from "../authlib/promises/support.ts";
import { memberFiles, openMembers } from "./members_app.ts";

const plugins = {
  imports: `${quick.imports} import { trash } from "framewright/plugins/trash";`,
  list: `trash(), ${quick.list}`,
};
const model = "app/models/organization.ts";
const tables = "db/migrate/20260102000000_add_organizations.ts";
const files = {
  [tables]: memberFiles[tables]!.replaceAll(
    'belongsTo("organization", { null: false, onDelete: "cascade" })',
    'belongsTo("organization", { null: false })',
  ),
  [model]: memberFiles[model]!.replace("static override associations", "static softDelete = true; $&"),
  "db/migrate/20260103000000_add_trash.ts": `export async function up(db) {
    await db.addColumns("organizations", (t) => { t.datetime("deleted_at"); t.string("deleted_by"); t.string("deleted_batch", 36); }); }
    export async function down() {}`,
};

for (const database of await databases()) {
  describe(`Invitations to a tenant in the trash, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openMembers(await database.values(), files, plugins);
        await addPeople(app, "user", "own@example.test", "new@example.test", "old@example.test");
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const knex = (table: string) => databaseOf(app.application).knex(table);
    const deleted = (at: Date | null) => knex("organizations").where({ id: 1 }).update({ deleted_at: at });
    const accept = async (path: string, email: string) => {
      const client = await signIn(app, "user", email);
      const { body } = await client.json("/users/account");
      const headers = { accept: "application/json", "x-csrf-token": String(body.csrf_token) };
      const shown = await client.request(path);
      return [shown.status, (await client.request(path, { method: "POST", headers })).status];
    };

    can("Nobody becomes its first owner, until it is restored", async () => {
      await knex("organizations").insert({ id: 1, name: "Alder" });
      const root = await signIn(app, "admin", "root@example.test");
      const sent = await root.submit("/admin/organizations/1/actions/invite_owner", {
        "interaction[email]": "own@example.test",
      });
      assert.is(sent.status, 303, await sent.text());
      const { path } = await mailTo(app, "own@example.test", "You are invited to Alder");
      await deleted(new Date());
      assert.equal(await accept(path, "own@example.test"), [410, 410]);
      assert.equal(await knex("members"), []);
      await deleted(null);
      assert.equal(await accept(path, "own@example.test"), [200, 200]);
    });
  });
}
