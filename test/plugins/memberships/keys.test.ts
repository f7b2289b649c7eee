import { addFiles, openApp, writeApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf, openMigrated } from "../../support/shop.ts";
import { accountFiles, tenantFiles } from "../scoping/tenants.ts";

const migration = "db/migrate/20260101000000_create_tables.ts";
const membership = "app/models/membership.ts";
const concern = "packages/customer_portal/app/controllers/customer_portal/concerns/controller.ts";
const tables = edited(tenantFiles, migration, [
  't.belongsTo("organization", { null: false });\n  });\n  await db.createTable("categories"',
  't.belongsTo("organization", { null: false });\n    t.string("role");\n  });\n  await db.createTable("categories"',
]);
/** Customers enter their organizations by memberships with roles. */
const files: Record<string, string> = {
  ...tenantFiles,
  ...accountFiles,
  [migration]: tables,
  [membership]: edited(
    tenantFiles,
    membership,
    ["import {", 'import { Membership as WithRole } from "framewright/plugins/memberships";\nimport {'],
    [
      'extends Model("memberships") {',
      'extends WithRole(Model("memberships")) {\n  static override enums = { role: ["owner", "member"] };',
    ],
  ),
  [concern]: edited(
    accountFiles,
    concern,
    [
      "import { Authlib }",
      'import Membership from "#app/models/membership.ts"; import { Members } from "framewright/plugins/memberships"; import { Authlib }',
    ],
    ['Authlib("user" as never))', 'Authlib("user" as never), Members(Membership))'],
  ),
};
/** The tables with other keys for those of some models, and for what refers to them. */
const keyed = (names: readonly string[], type: string) =>
  names.reduce(
    (text, name) =>
      text
        .replace(
          `createTable("${name}s", (t) => {\n    t.id()`,
          `createTable("${name}s", (t) => {\n    t.id({ type: "${type}" })`,
        )
        .replaceAll(`t.belongsTo("${name}", {`, `t.belongsTo("${name}", { type: "${type}",`)
        .replaceAll(`{ table: "${name}s" }`, `{ table: "${name}s", type: "${type}" }`),
    tables,
  );

describe("The domain that invitations enforce", (it) => {
  const invite = "app/models/membership_invite.ts";
  const withColumn = (column: string) => ({
    ...files,
    [migration]: edited(files, migration, [
      'await db.createTable("categories"',
      'await db.createTable("membership_invites", (t) => { t.id(); t.belongsTo("organization", { null: false }); t.string("email"); });\n  await db.createTable("categories"',
    ]),
    [invite]: `import { belongsTo, Model } from "framewright/plugins/database";
      import { Invitation } from "framewright/plugins/memberships";
      export default class MembershipInvite extends Invitation(Model("membership_invites")) {
        static associations = { organization: belongsTo() };
        static enforceDomain = ${JSON.stringify(column)};
      }`,
  });
  it("Boot refuses a column that the tenant does not have, by name, and takes one that it has", async () => {
    const { message } = await throwsCode("FW_INVITATION_DOMAIN", () => openMigrated(writeApp(withColumn("nmae"))));
    assert.match(message, 'MembershipInvite invites addresses of the domain in "nmae"');
    assert.match(message, 'Did you mean "name"?');
    const app = await openMigrated(writeApp(withColumn("name")));
    await app.close();
  });
});

for (const database of await databases())
  describe(`Members of tenants whose keys are no numbers, on ${database.name}`, (it, { after }) => {
    after(() => database.clean());
    for (const type of ["uuid", "string"])
      it.unless(database.skip, `Boot refuses a tenant whose ids are of the type ${type}, by name`, async () => {
        const root = writeApp({ ...files, [migration]: keyed(["organization"], type) });
        const values = await database.values();
        const { message } = await throwsCode("FW_MEMBERSHIP_MODEL", () => openMigrated(root, values));
        assert.match(
          message,
          `Membership can't be a membership: the ids of Organization are of the type ${type}, and members are stored by number. Create its table with t.id().`,
        );
      });
    it.unless(
      database.skip,
      "A database without tables is migrated all the same, and numbers are accepted",
      async () => {
        const root = writeApp(files);
        const app = await openMigrated(root, await database.values());
        await databaseOf(app.application).knex("organizations").insert({ id: 1, name: "Alpine" });
        assert.is((await app.request("/customer/1/posts", { headers: { accept: "application/json" } })).status, 401);
        await app.close();
      },
    );
  });

describe("Other keys of a product with members", (it) => {
  it("Boot refuses an account whose ids are UUIDs, by name", async () => {
    const root = writeApp({ ...files, [migration]: keyed(["user"], "uuid") }); // MariaDB refuses the migration already
    const { message } = await throwsCode("FW_ACCOUNT_KEY", () => openMigrated(root));
    assert.match(message, /the ids of User are of the type uuid/);
  });
  it("Posts whose ids are UUIDs are no reason to refuse its tenants", async () => {
    const root = writeApp({ ...files });
    addFiles(root, { [migration]: keyed(["post"], "uuid") });
    const first = await openApp(root);
    await databaseOf(first.application).migrations.up();
    await first.close();
    await (await openApp(root)).close();
  });
});
