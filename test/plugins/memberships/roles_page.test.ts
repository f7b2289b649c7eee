import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, databaseOf, signIn } from "../authlib/accounts.ts";
import { openMembers } from "./members_app.ts";

const files = {
  "config/locales/en.json": JSON.stringify({
    models: {
      member: { values: { role: { admin: "Manager" } }, value_texts: { role: { admin: "Manages <b>people</b>." } } },
    },
  }),
};
interface Role {
  role: string;
  label: string;
  text: string | null;
  total: number;
  members: { id: number; label: string }[];
}
const flags = globalThis as { membersSeeEachOther?: boolean; hidesRoles?: boolean };

for (const database of await databases()) {
  describe(`The roles of a tenant and who has them, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openMembers(await database.values(), files);
        const people = await addPeople(app, "user", ...["ann", "bob", "cat"].map((name) => `${name}@example.test`));
        await knex("organizations").insert([{ name: "Alder" }, { name: "Birch" }]);
        const [ann, bob, cat] = people as [number, number, number];
        for (const [organization_id, user_id, role] of [
          [1, ann, "owner"],
          [1, bob, "member"],
          [2, cat, "owner"],
        ])
          await knex("members").insert({
            organization_id,
            user_id,
            role,
            created_at: new Date(),
            updated_at: new Date(),
          });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const knex = (table: string) => databaseOf(app.application).knex(table);
    const enter = (name: string) => signIn(app, "user", `${name}@example.test`);
    const page = "/user/1/members/_roles";

    can("The page is reached from the list of members, and has each role with those who have it", async () => {
      const ann = await enter("ann");
      assert.match(await ann.page("/user/1/members"), `href="${page}"`);
      const shown = await ann.page(page);
      for (const text of [
        "Owner",
        "Manager",
        "Manages &lt;b&gt;people&lt;/b&gt;.",
        "Nobody",
        `href="/user/1/members/1"`,
      ])
        assert.match(shown, text);
      assert.not.match(shown, "/members/3");
      const { body } = await ann.json(page);
      const roles = body.data as Role[];
      assert.equal(
        roles.map(({ role, label, text, total, members }) => [
          role,
          label,
          text,
          total,
          members.map(({ id, label }) => `${id} ${label}`),
        ]),
        [
          ["owner", "Owner", null, 1, ["1 ann@example.test"]],
          ["admin", "Manager", "Manages <b>people</b>.", 0, []],
          ["member", "Member", null, 1, ["2 bob@example.test"]],
        ],
      );
    });
    can("Members of another tenant and guests do not see it", async () => {
      assert.is((await (await enter("cat")).request(page)).status, 404);
      assert.is((await app.client().request(page)).status, 303);
      assert.is((await app.request(page, { headers: { accept: "application/json" } })).status, 401);
    });
    can("Who may not see the list of members, or roles in it, sees neither page nor link", async () => {
      const bob = await enter("bob");
      assert.is((await bob.request(page)).status, 200);
      flags.membersSeeEachOther = false;
      try {
        assert.is((await bob.request(page)).status, 403);
      } finally {
        delete flags.membersSeeEachOther;
      }
      flags.hidesRoles = true;
      try {
        assert.is((await bob.request(page)).status, 404);
        assert.not.match(await bob.page("/user/1/members"), "_roles");
      } finally {
        delete flags.hidesRoles;
      }
    });
    can("A role of many names twenty, and leads to the list of the others", async () => {
      const many = await addPeople(app, "user", ...Array.from({ length: 22 }, (_, at) => `m${at}@example.test`));
      for (const user_id of many)
        await knex("members").insert({
          organization_id: 1,
          user_id,
          role: "admin",
          created_at: new Date(),
          updated_at: new Date(),
        });
      const ann = await enter("ann");
      const shown = await ann.page(page);
      assert.match(shown, "2 more");
      const [, more] = /href="([^"]*filter[^"]*)"/.exec(shown)!;
      const { body } = await ann.json(more!.replaceAll("&amp;", "&"));
      assert.is((body.meta as { total: number }).total, 22);
      const roles = (await ann.json(page)).body.data as Role[];
      assert.equal([roles[1]!.total, roles[1]!.members.length], [22, 20]);
    });
  });
}
