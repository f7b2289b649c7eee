import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Liquid } from "liquidjs";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, databaseOf, mailTo, signIn } from "../authlib/accounts.ts";
import { memberFiles, openMembers } from "./members_app.ts";

const template = join(
  import.meta.dirname,
  "../../../plugins/memberships/generators/invites/owner/templates/migration.ts.liquid",
);
const created = "db/migrate/20260102000000_add_organizations.ts";
/** The table of an earlier release, with an invitation, and the migration that the generator writes. */
const files = {
  [created]: memberFiles[created]!.replace(
    '"inviter", { table: "users",',
    '"inviter", { table: "users", null: false,',
  ).replace(' t.string("administrator_type", 50); t.bigint("administrator_id");', ""),
  "db/migrate/20260103000000_add_rows.ts": `export async function up(db) {
    await db.knex("organizations").insert({ name: "Alder" });
    await db.knex("users").insert({ email: "ann@example.test", account_status: "verified", created_at: new Date(), updated_at: new Date() });
    await db.knex("invites").insert({ organization_id: 1, email: "bob@example.test", role: "member", inviter_id: 1, key_digest: "x", sent_at: new Date(0), expires_at: new Date(0) }); }
    export async function down() {}`,
  "db/migrate/20260104000000_let_administrators_invite.ts": new Liquid().parseAndRenderSync(
    readFileSync(template, "utf8"),
    { table: "invites", users: "users" },
  ),
};

for (const database of await databases()) {
  describe(`Invitations of an earlier release, on ${database.name}`, (it, { after }) => {
    after(() => database.clean());
    it.unless(database.skip, "Their table takes the invitation of a first owner, and keeps inviters", async () => {
      const app = await openMembers(await database.values(), files);
      try {
        const { knex } = databaseOf(app.application);
        const [row] = await knex("invites");
        assert.equal([Number(row.inviter_id), row.administrator_type, row.email], [1, null, "bob@example.test"]);
        const client = await signIn(app, "admin", "root@example.test");
        await client.submit("/admin/organizations/1/actions/invite_owner", {
          "interaction[email]": "cat@example.test",
        });
        const { path } = await mailTo(app, "cat@example.test", "You are invited to Alder");
        await addPeople(app, "user", "cat@example.test");
        const cat = await signIn(app, "user", "cat@example.test");
        assert.is((await cat.submit(path, {})).headers.get("location"), "/user/1");
        await knex("users").where({ id: 1 }).delete();
        assert.equal(await knex("invites").pluck("email"), ["cat@example.test"], "they go with their inviter");
      } finally {
        await app.close();
      }
    });
  });
}
