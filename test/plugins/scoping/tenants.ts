import { addFiles, type TestApp, writeApp } from "../../support/apps.ts";
import { copyFixture, edited } from "../../support/fixtures.ts";
import { databaseOf, openMigrated } from "../../support/shop.ts";
import { accountMigration, PASSWORD } from "../authlib/accounts.ts";

/** Two tenants in every kind of portal, and policies, searches, filters and scopes that all try to widen. */
export const tenantFiles = copyFixture("tenants");

export const people = { ann: 1, bob: 2, cat: 3, dan: 4 };
/** The ids of each tenant's records, by table. */
export const ids = {
  a: { organizations: 1, users: 1, posts: 1, comments: 1, notes: 1, attachments: 1, categories: 1 },
  b: { organizations: 2, users: 2, posts: 2, comments: 2, notes: 2, attachments: 2, categories: 1 },
} as const;
export const marks = { a: "Alpine", b: "Baltic" } as const;

/** The concern of a portal's controllers, which asks for an account in place of a header. */
const byAccount = (portal: string) => {
  const path = `packages/${portal}/app/controllers/${portal}/concerns/controller.ts`;
  const text = edited(
    tenantFiles,
    path,
    ["import { CurrentUser", 'import { Authlib } from "framewright/plugins/authlib"; import { CurrentUser'],
    ["(Base, PortalController, PublicAccess, findUser)", '(Base, PortalController, Authlib("user" as never))'],
  );
  return { [path]: text };
};
/** What makes the same people sign in with accounts; the table of users stays as it is, and takes the columns. */
export const accountFiles: Record<string, string> = {
  ...byAccount("customer_portal"),
  ...byAccount("domain_portal"),
  "plugins.config.ts": edited(
    tenantFiles,
    "plugins.config.ts",
    ["import { definePlugin,", 'import standard from "framewright/plugins.config"; import { definePlugin,'],
    [/definePlugins\(\[.*\]\)/s, "definePlugins([...standard, widening])"],
  ),
  "db/migrate/20260102000000_add_accounts.ts": accountMigration(
    `await db.addColumns("users", (t) => { t.string("email").unique(); t.string("role"); t.enum("account_status", ["unverified", "verified", "closed"]).notNull().default("verified"); });`,
    { account: "user", table: "users", features: "login(), logout()" },
  ),
  "app/authlib/authlib_app.ts": `import { defineAuthlib } from "framewright/plugins/authlib"; import UserAuthlibPlugin from "./user_authlib_plugin.ts"; export default defineAuthlib([UserAuthlibPlugin]);`,
  "app/authlib/user_authlib_plugin.ts": `import { AuthlibBase, features, login, logout } from "framewright/plugins/authlib"; export default class UserAuthlibPlugin extends features(AuthlibBase, [login(), logout()]) {}`,
  "app/policies/attachment_policy.ts": `import { Policy } from "framewright/plugins/resources"; export default class AttachmentPolicy extends Policy {
    override canRead() { return true; } override canCreate() { return this.user?.role !== "reader"; }
    override permittedAttributesForCreate() { return ["name", "comment_id"]; } override permittedAttributesForRead() { return ["name", "comment"]; } }`,
};

/** What each of the people brings with a request. */
export type Known = Record<keyof typeof people, Record<string, string>>;

/** The headers by which people are known to a portal that has a way of its own. */
export const byHeader = async () =>
  Object.fromEntries(Object.entries(people).map(([name, id]) => [name, { "x-user": String(id) }])) as unknown as Known;

/** Everybody signs in, once; returns the cookie and the token that each of them brings. */
export async function signedIn(app: TestApp): Promise<Known> {
  const { knex } = databaseOf(app.application);
  const password_hash = await app.application.kernel.service("passwordHasher").hash(PASSWORD);
  const known: [string, Record<string, string>][] = [];
  for (const [name, id] of Object.entries(people)) {
    await knex("users")
      .where({ id })
      .update({ email: `${name}@example.test` });
    await knex("user_password_hashes").insert({
      account_id: id,
      password_hash,
      created_at: new Date(),
      updated_at: new Date(),
    });
    const client = app.client();
    await client.submit("/users/login", { login: `${name}@example.test`, password: PASSWORD });
    const { body } = await client.json("/users/account");
    known.push([
      name,
      { cookie: `fw_session=${client.cookie("fw_session")}`, "x-csrf-token": String(body.csrf_token) },
    ]);
  }
  return Object.fromEntries(known) as unknown as Known;
}

/** Everything of a tenant carries its mark; Cat belongs to both, the category to everybody. */
export async function openTenants(
  changes: Record<string, string> = {},
  values: Record<string, string> = {},
): Promise<TestApp> {
  const root = writeApp({ ...tenantFiles });
  addFiles(root, changes);
  const app = await openMigrated(root, values);
  const { knex } = databaseOf(app.application);
  await knex("organizations").insert([
    { id: 1, name: "Alpine" },
    { id: 2, name: "Baltic" },
  ]);
  await knex("users").insert([
    { id: 1, name: "Ann Alpine" },
    { id: 2, name: "Bob Baltic" },
    { id: 3, name: "Cat" },
    { id: 4, name: "Dan" },
  ]);
  await knex("memberships").insert([
    { user_id: 1, organization_id: 1 },
    { user_id: 2, organization_id: 2 },
    { user_id: 3, organization_id: 1 },
    { user_id: 3, organization_id: 2 },
    { user_id: 3, organization_id: 2 },
  ]);
  await knex("categories").insert([{ id: 1, name: "Shared" }]);
  for (const [index, mark] of ["Alpine", "Baltic"].entries()) {
    const id = index + 1;
    await knex("posts").insert({
      id,
      title: `Post ${mark}`,
      status: "live",
      organization_id: id,
      author_id: 3,
      category_id: 1,
    });
    await knex("comments").insert({ id, title: `Comment ${mark}`, post_id: id });
    await knex("notes").insert({ id, title: `Note ${mark}`, post_id: id });
    await knex("attachments").insert({ id, name: `Attachment ${mark}`, comment_id: id });
  }
  return app;
}
