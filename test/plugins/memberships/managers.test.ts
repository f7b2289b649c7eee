import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, databaseOf, mailTo, signIn } from "../authlib/accounts.ts";
import { memberFiles, openMembers } from "./members_app.ts";

const member = "app/models/member.ts";
const withRoles = (managers: string) => ({
  [member]: edited(memberFiles, member, [
    'static override enums = { role: ["owner", "admin", "member"] };',
    `static override enums = { role: ["owner", "editor", "admin", "member"] }; ${managers}`,
  ]),
});
const [sqlite] = await databases();

describe("The least role that manages members", (it) => {
  for (const [what, line, statuses] of [
    ["is the one that the model states", 'static managers = "admin";', { editor: 303, admin: 303, member: 403 }],
    ["is the second of several where the model states none", "", { editor: 303, admin: 403, member: 403 }],
  ] as const)
    it(`The least role that manages members ${what}: others send no invitation`, async () => {
      const app = await openMembers(await sqlite!.values(), withRoles(line));
      try {
        const { knex } = databaseOf(app.application);
        const stamps = { created_at: new Date(), updated_at: new Date() };
        for (const [index, [role, status]] of Object.entries(statuses).entries()) {
          const id = index + 1;
          const [email, invited] = [`${role}@example.test`, `new${id}@example.test`];
          const [person] = await addPeople(app, "user", email);
          await knex("organizations").insert({ id, name: `Alder ${id}` });
          await knex("members").insert({ organization_id: id, user_id: person, role, ...stamps });
          const sent = { sent_at: new Date(0), expires_at: new Date(0), key_digest: `k${id}` };
          await knex("invites").insert({
            id,
            organization_id: id,
            email: invited,
            role: "member",
            inviter_id: person,
            ...sent,
          });
          const client = await signIn(app, "user", email);
          assert.is((await client.submit(`/user/${id}/invites/${id}/actions/resend`, {})).status, status, role);
          if (status !== 303) continue;
          const { path } = await mailTo(app, invited, "You are invited");
          assert.is((await app.client().request(path)).status, 200, "its link is valid");
        }
      } finally {
        await app.close();
      }
    });
  it("Boot names managers that are no role of the model", async () => {
    const app = openMembers(await sqlite!.values(), withRoles('static managers = "boss";'));
    const message = await app.then(
      async (opened) => {
        await opened.close();
        return "booted";
      },
      (error: Error) => error.message,
    );
    assert.match(
      message,
      'FW_MEMBERSHIP_MODEL: Member can\'t be a membership: its managers, "boss", are none of its roles',
    );
  });
});
