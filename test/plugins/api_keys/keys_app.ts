import { readFileSync } from "node:fs";
import { join } from "node:path";
import { addFiles, type TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { accountMigration, databaseOf, PASSWORD } from "../authlib/accounts.ts";
import { quick } from "../authlib/promises/support.ts";
import { accountFiles, openTenants, people, tenantFiles } from "../scoping/tenants.ts";

const plugins = join(import.meta.dirname, "../../../plugins");
const schemaOf = (name: string) => readFileSync(join(plugins, name, "schema.liquid"), "utf8");
const own = ["login", "logout", "changePassword", "resetPassword", "securityMails", "activeSessions", "lockout", "closeAccount", "auditLogging"]; // biome-ignore format: a list
const features = `${own.map((name) => `${name}()`).join(", ")}, apiKeys({ max: 4 })`;

/** Two tenants whose people sign in, and have keys; history, idempotency and OpenAPI besides. */
export const keyFiles: Record<string, string> = {
  ...accountFiles,
  "plugins.config.ts": edited(
    accountFiles,
    "plugins.config.ts",
    ["import standard", `import { tree } from "framewright/plugins/tree"; import { live } from "framewright/plugins/live"; import { presence } from "framewright/plugins/presence"; import { apiKeyScopes } from "framewright/plugins/api_keys"; import { history } from "framewright/plugins/history"; import { idempotency } from "framewright/plugins/idempotency"; import { jsonApi } from "framewright/plugins/json_api"; import { openapi } from "framewright/plugins/openapi"; import { personalData } from "framewright/plugins/personal_data"; import { trash } from "framewright/plugins/trash"; ${quick.imports.replace('import { definePlugin } from "framewright/kernel";', "")} import standard`], // biome-ignore format: one line of a file
    [/definePlugins\(\[.*\]\)/s, `definePlugins([...standard, widening, apiKeyScopes(), history(), idempotency(), jsonApi(), openapi(), tree(), live(), presence(), personalData(), trash(), ${quick.list}])`], // biome-ignore format: one line of a file
  ),
  "db/migrate/20260102000000_add_accounts.ts": accountMigration(
    `await db.addColumns("users", (t) => { t.string("email").unique(); t.string("role"); t.enum("account_status", ["unverified", "verified", "closed"]).notNull().default("verified"); });
     await db.addColumns("posts", (t) => { t.integer("position").notNull().default(0); });
     await db.addColumns("notes", (t) => { t.datetime("deleted_at"); t.string("deleted_by"); t.string("deleted_batch"); });`,
    { account: "user", table: "users", features },
  ),
  "db/migrate/20260103000000_add_plugins.ts": `export async function up(db) {\n${schemaOf("history")}\n${schemaOf("idempotency")}\n}\nexport async function down() {}\n`,
  "app/models/note.ts": edited(tenantFiles, "app/models/note.ts", [
    "static override",
    "static softDelete = true;\n  static override",
  ]),
  "app/policies/post_policy.ts": edited(tenantFiles, "app/policies/post_policy.ts", [
    "canPublish()",
    "override canImport() { return true; } override canExport() { return true; }\n  canPublish()",
  ]),
  "app/definitions/post_definition.ts": edited(
    tenantFiles,
    "app/definitions/post_definition.ts",
    [
      'this.scope("widest");',
      'this.scope("widest"); this.reorder("position"); this.column("title", { edit: true }); this.action("destroy", { bulk: true });',
    ],
    [
      "import { ResourceDefinition }",
      'import type {} from "framewright/plugins/bulk_actions"; import { ResourceDefinition }',
    ],
  ),
  "app/authlib/user_authlib_plugin.ts": `import { apiKeys } from "framewright/plugins/api_keys"; import { AuthlibBase, features, ${own.join(", ")} } from "framewright/plugins/authlib";
    export default class UserAuthlibPlugin extends features(AuthlibBase, [${features}]) {}`,
};

/** The application on a database, with the people's logins and passwords. */
export async function openKeys(values: Record<string, string>, changes: Record<string, string> = {}): Promise<TestApp> {
  const app = await openTenants({ ...keyFiles, ...changes }, values);
  const { knex } = databaseOf(app.application);
  const password_hash = await app.application.kernel.service("passwordHasher").hash(PASSWORD);
  const now = new Date();
  for (const [name, id] of Object.entries(people)) {
    await knex("users")
      .where({ id })
      .update({ email: `${name}@example.test` });
    await knex("user_password_hashes").insert({ account_id: id, password_hash, created_at: now, updated_at: now });
  }
  return app;
}
export { addFiles, PASSWORD, tenantFiles };

interface Shown {
  id: number;
  key: string;
  name: string;
  title: string;
}
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: { code?: string; data: Shown & readonly Shown[] };
}

/** A program with a key. */
export class KeyClient {
  readonly app: TestApp;
  readonly key: string;

  constructor(app: TestApp, key: string) {
    this.app = app;
    this.key = key;
  }
  async send(verb: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await this.app.request(path, {
      method: verb,
      redirect: "manual",
      headers: {
        authorization: `Bearer ${this.key}`,
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...sent,
    });
    const text = await answer.text();
    const isJson = /json/.test(answer.headers.get("content-type") ?? "");
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: (isJson && text !== "" ? JSON.parse(text) : {}) as Answer["body"],
    };
  }
  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send("GET", path, undefined, headers);
  }
}

/** Somebody signs in as a person and creates a key by the page's JSON; returns the program that has it. */
export async function createKey(
  app: TestApp,
  who: string,
  scopes: string,
  more: Record<string, unknown> = {},
): Promise<KeyClient & { id: number }> {
  const client = app.client();
  await client.submit("/users/login", { login: `${who}@example.test`, password: PASSWORD });
  const { body } = await client.json("/users/account");
  const answer = await client.request("/users/api-keys", {
    method: "POST",
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      "x-csrf-token": String(body.csrf_token),
    },
    body: JSON.stringify({ name: scopes.slice(0, 60), scopes, ...more }),
  });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`no key: ${answer.status} ${text}`);
  const { data } = JSON.parse(text) as { data: { id: number; key: string } };
  return Object.assign(new KeyClient(app, data.key), { id: data.id });
}
