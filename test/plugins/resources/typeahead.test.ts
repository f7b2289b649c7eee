import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

// What may be chosen for an association: found as the target's own list is searched, as far as its policy allows.

const post = "app/policies/post_policy.ts";
const user = "app/policies/user_policy.ts";
const changes = {
  "app/definitions/user_definition.ts": `import { contains, ResourceDefinition } from "framewright/plugins/resources";
    import type User from "../models/user.ts";
    export default class UserDefinition extends ResourceDefinition<User> {
      override configure() {
        super.configure();
        this.choiceLine(["nickname" as never, "secret" as never]);
        this.search((query, term, { currentUser }) =>
          contains(query, "nickname", term).where("id", "!=", (currentUser as { id: number }).id), { reads: ["nickname"] });
      }
    }`,
  "db/migrate/20260103000000_add_nicknames.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) { await db.addColumns("users", (t) => { t.string("nickname"); t.string("secret"); }); }
    export async function down() {}`,
  [user]: edited(
    tenantFiles,
    user,
    ['["name", "organizations", "posts"]', '["name", "nickname" as "name", "organizations", "posts"]'],
    [
      "canRead() {\n    return true;\n  }",
      "canRead() {\n    return true;\n  }\n  override canTypeahead() {\n    return (this.user as { id: number }).id !== 3;\n  }\n  override canSearch() {\n    return (this.user as { id: number }).id !== 1;\n  }",
    ],
  ),
  [post]: edited(tenantFiles, post, [
    "override permittedAttributesForRead",
    'override permittedAttributesForNew(): Attributes<Post> { return ["title", "author", "status"]; }\n  override permittedAttributesForEdit(): Attributes<Post> { return ["title"]; }\n  override permittedAttributesForRead',
  ]),
};

describe("The second line of choices", (it) => {
  it("Names that are no columns are refused at boot", async () => {
    const path = "app/definitions/user_definition.ts";
    const wrong = edited(changes, path, ['"secret" as never', '"secrets" as never']);
    const error = await throwsCode("FW_DEFINITION_NAME", async () =>
      (await openTenants({ ...changes, [path]: wrong })).close(),
    );
    assert.match(error.message, /choiceLine.*secrets.*secret/);
  });
});

for (const database of await databases({ withPostgres: true })) {
  describe(`The choices of an association, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(changes, await database.values());
        const { knex } = databaseOf(app.application);
        const people = Array.from({ length: 150 }, (_, at) => ({
          name: `Person ${at}`,
          nickname: `nick-${at}`,
          secret: "marked",
        }));
        for (const person of people) await knex("users").insert(person);
        const [{ least }] = (await knex("users").min("id as least").where("name", "Person 0")) as [{ least: number }];
        const rows = people.map((_, at) => ({ user_id: least + at, organization_id: 1 }));
        await knex("memberships").insert(rows);
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const asked = async (path: string, user: number, accept = "application/json") => {
      const answer = await app.request(path, { headers: { accept, "x-user": String(user) } });
      return { status: answer.status, text: await answer.text() };
    };
    const found = async (term: string, user = 1) => {
      const { status, text } = await asked(`/customer/1/posts/typeahead/author?q=${term}`, user);
      assert.is(status, 200, text);
      return JSON.parse(text) as { data: { label: string }[]; meta: { more: number; text?: string } };
    };

    can("Choices are searched by the target's own search, which knows who asks", async () => {
      assert.equal(
        (await found("nick-149")).data.map(({ label }) => label),
        ["Person 149"],
      );
      assert.equal((await found("Person 149")).data, []);
    });
    can("A second line has what the person may read of the columns that the definition names", async () => {
      const { data } = (await found("nick-149")) as { data: object[] };
      assert.equal(
        data.map((one) => Reflect.get(one, "line")),
        ["nick-149"],
      );
      const form = (await asked("/customer/1/posts/new", 1, "text/html")).text;
      assert.match(form, / data-label="Person 1" data-line="nick-1">Person 1 \(nick-1\)</);
      assert.not.match(form, "marked");
      assert.not.match(form, 'data-line=""');
    });
    can("A list of choices says how many it leaves out, and a form shows it", async () => {
      const { data, meta } = await found("");
      assert.is(data.length, 100);
      assert.ok(meta.more >= 50 && meta.more < 60, String(meta.more));
      assert.is(meta.text, `and ${meta.more} more: type to search`);
      assert.match(
        (await asked("/customer/1/posts/new", 1, "text/html")).text,
        `<option value="" disabled>${meta.text}`,
      );
      assert.equal((await found("nick-14")).meta, { more: 0 });
    });
    can(
      "A policy that denies canTypeahead leaves nothing to choose, and one that denies canSearch no search",
      async () => {
        assert.equal((await found("nick-149", 3)).data, []);
        assert.not.match((await asked("/customer/1/posts/new", 3, "text/html")).text, "Person 1");
        assert.is((await asked("/customer/1/users?q=nick", 3)).status, 200);
        assert.is((await asked("/customer/1/users?q=nick", 1)).status, 422);
        assert.match((await asked("/customer/1/users", 3, "text/html")).text, 'name="q"');
        assert.not.match((await asked("/customer/1/users", 1, "text/html")).text, 'name="q"');
      },
    );
    can("The forms of a new and of a stored record have lists of their own", async () => {
      const fresh = (await asked("/customer/1/posts/new", 1, "text/html")).text;
      const stored = (await asked("/customer/1/posts/1/edit", 1, "text/html")).text;
      for (const name of ["title", "author", "status"]) assert.match(fresh, `name="post[${name}]"`);
      assert.not.match(fresh, 'name="post[category]"');
      assert.match(stored, 'name="post[title]"');
      for (const name of ["author", "status", "category"]) assert.not.match(stored, `name="post[${name}]"`);
    });
  });
}
