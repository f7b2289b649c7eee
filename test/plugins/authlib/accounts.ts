import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { camelize, pluralize } from "framewright/host";
import { Liquid } from "liquidjs";
import { addFiles, type TestApp, writeApp } from "../../support/apps.ts";
import { databaseOf, openMigrated } from "../../support/shop.ts";

const plugins = join(import.meta.dirname, "../../../plugins");
export const PASSWORD = "correct horse battery";

/** An account type of a test: the features as its list says them, and what stands in the class. */
export interface TestType {
  features: string;
  body?: string;
  /** Further imports of its file. */
  imports?: string;
}
export const everyday =
  "login(), logout(), remember(), createAccount(), verifyAccount(), resetPassword(), changePassword(), changeLogin(), closeAccount(), lockout()";

const snippet = (file: string, locals: object): string =>
  existsSync(file) ? new Liquid().parseAndRenderSync(readFileSync(file, "utf8"), locals) : "";

/** `resetPassword()` → `reset_password` */
const named = (features: string): string[] =>
  [...features.matchAll(/([a-zA-Z]+)\(/g)].map(([, name]) =>
    name!.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );

/** The plugin of a feature, by its name or that of its function. */
const pluginOf = (name: string) =>
  /^api_?keys$/i.test(name)
    ? "api_keys"
    : /^tenant_?sso$/i.test(name)
      ? "sso"
      : (/^(?:jwt|oidc)/.exec(name)?.[0] ?? "authlib");

interface Tables {
  account: string;
  table: string;
  features: string;
}
/** A migration with the tables of account types, from the features' own schemas, and what all of them share. */
export function accountMigration(first: string, ...types: Tables[]): string {
  const folder = (name: string) => join(plugins, pluginOf(name), "features", name, "schema.liquid");
  const parts = types.flatMap(({ features, ...locals }) =>
    named(features).map((name) => snippet(folder(name), locals)),
  );
  const shared =
    snippet(join(plugins, "authlib/schema.liquid"), {}) +
    snippet(join(plugins, "jobs/schema.liquid"), {}) +
    snippet(join(plugins, "limits/schema.liquid"), {});
  return `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) {\n${first}\n${parts.join("")}${shared}\n}
    export async function down(_db: Schema) {}`;
}

function migration(types: Record<string, TestType>): string {
  const tables = Object.entries(types).map(([account, { features }]) => ({
    account,
    table: pluralize(account),
    features,
  }));
  const made = tables.map(
    ({
      table,
    }) => `await db.createTable("${table}", (t) => { t.id(); t.string("email").notNull().unique(); t.string("name"); t.string("role");
      t.enum("account_status", ["unverified", "verified", "closed"]).notNull().default("verified"); t.timestamps(); });`,
  );
  return accountMigration(made.join("\n"), ...tables);
}

function typeFiles([account, { features, body = "", imports = "" }]: [string, TestType]): [string, string][] {
  const model = camelize(account);
  const names = [...new Set(features.match(/[a-zA-Z]+(?=\()/g))].filter((name) => pluginOf(name) === "authlib");
  return [
    [
      `app/models/${account}.ts`,
      `import { Model } from "framewright/plugins/database"; export default class ${model} extends Model("${pluralize(account)}") {}`,
    ],
    [
      `app/authlib/${account}_authlib_plugin.ts`,
      `import { AuthlibBase, features, ${names.join(", ")} } from "framewright/plugins/authlib"; ${imports}
      export default class ${model}AuthlibPlugin extends features(AuthlibBase, [${features}]) { ${body} }`,
    ],
  ];
}

function portalFiles(account: string, mounted: boolean): Record<string, string> {
  const path = `${account}_portal`;
  const portal = camelize(path);
  return {
    [`packages/${path}/lib/engine.ts`]: `import { definePortal } from "framewright/plugins/portals"; export const ${portal} = definePortal("${portal}");`,
    [`packages/${path}/config/routes.ts`]: `import { ${portal} } from "../lib/engine.ts";
      export default ${portal}.routes.draw((routes) => { routes.root({ to: "home#index" }); routes.get("form", { to: "home#form" }); routes.post("form", { to: "home#submit" }); });`,
    [`packages/${path}/app/controllers/${path}/home_controller.ts`]: `import { BaseController, concern, csrfInput } from "framewright"; import { Authlib } from "framewright/plugins/authlib"; import { PortalController } from "framewright/plugins/portals";
      export default class HomeController extends (concern(BaseController, PortalController, Authlib("${account}" as never)) as typeof BaseController) {
        index() { const { email } = this.currentUser as { email: string }; return this.request.format === "json" ? this.json({ email, logout: (this as any).logoutUrl, profile: (this as any).profileUrl ?? null, alias: (this as any).current${camelize(account)}.email }) : this.render("index", { locals: { email } }); }
        form() { return this.render("form", { locals: { csrf: csrfInput(this.request, this.request.path), text: (this.request.typed?.take() as any)?.text ?? "" } }); }
        submit() { return this.json({ took: this.params.string("text") ?? null }); }
      }`,
    [`packages/${path}/app/views/${path}/home/index.liquid`]: `<h1>Hello {{ email }}</h1><p>{{ current_${account}.email }} {{ logout_url }} {{ authlib.type }}</p>`,
    [`packages/${path}/app/views/${path}/home/form.liquid`]: `<form method="post" action="{{ request.path }}">{{ csrf }}<input name="text" value="{{ text }}"></form>`,
    [`fragments/${path}`]: mounted
      ? `routes.constraints(authenticate("${account}"), (r) => r.mount(${portal}, { at: "/${account}" }));`
      : `routes.mount(${portal}, { at: "/${account}" });`,
  };
}

export interface AccountsOptions {
  values?: Record<string, string>;
  files?: Record<string, string>;
  /** The plugins that follow the standard ones, as code, with their imports. */
  plugins?: { imports: string; list: string };
  /** The options of authlib(), as code. */
  authlib?: string;
  /** Whether the portals' mounts ask for the account, or the portals do by themselves. */
  mounted?: boolean;
}

/** An application with these account types, each with a portal of its own at `/<account>`. */
export async function openAccounts(
  types: Record<string, TestType>,
  { values = {}, files = {}, plugins: more, authlib = "", mounted = true }: AccountsOptions = {},
): Promise<TestApp> {
  const names = Object.keys(types);
  const portals = Object.assign({}, ...names.map((name) => portalFiles(name, mounted))) as Record<string, string>;
  const mounts = names.map((name) => portals[`fragments/${name}_portal`]).join("\n");
  for (const name of names) delete portals[`fragments/${name}_portal`];
  const constants = names.map((name) => `${camelize(name)}AuthlibPlugin`);
  const root = writeApp({
    "plugins.config.ts": `import { definePlugins } from "framewright/kernel"; import standard from "framewright/plugins.config"; import { authlib } from "framewright/plugins/authlib";
      ${more?.imports ?? ""}
      export default definePlugins([...standard.filter((plugin) => plugin.name !== "authlib"), authlib(${authlib}), ${more?.list ?? ""}]);`,
    "config/routes.ts": `import { drawRoutes } from "framewright"; import { authenticate } from "framewright/plugins/authlib"; ${names.map((name) => `import { ${camelize(name)}Portal } from "#packages/${name}_portal/lib/engine.ts";`).join(" ")}
      export default drawRoutes((routes) => { ${mounts} void authenticate; });`,
    "app/authlib/authlib_app.ts": `import { defineAuthlib } from "framewright/plugins/authlib"; ${names.map((name, index) => `import ${constants[index]} from "./${name}_authlib_plugin.ts";`).join(" ")}
      export default defineAuthlib([${constants.join(", ")}]);`,
    "db/migrate/20260101000000_create_accounts.ts": migration(types),
    ...Object.fromEntries(Object.entries(types).flatMap(typeFiles)),
    ...portals,
  });
  addFiles(root, files);
  return openMigrated(root, values);
}

/** People who are there already, with the password above; returns their ids. */
export async function addPeople(app: TestApp, type: string, ...emails: string[]): Promise<number[]> {
  const auth = app.application.kernel.service("auth");
  const ids: number[] = [];
  for (const email of emails) ids.push((await auth.createAccount(type, { email }, { password: PASSWORD })).id);
  return ids;
}
export { databaseOf };

/** A visitor who has signed in. */
export async function signIn(
  app: TestApp,
  type: string,
  login: string,
  fields: Record<string, string> = {},
  password = PASSWORD,
) {
  const client = app.client();
  const answer = await client.submit(`/${pluralize(type)}/login`, { login, password, ...fields });
  if (answer.status !== 303) throw new Error(`${login} could not sign in: ${answer.status}`);
  return client;
}

/** The last mail to somebody whose subject says this, and the path that its link leads to. */
export async function mailTo(app: TestApp, to: string, subject: string) {
  const { kernel } = app.application;
  await kernel.service("jobs").drain();
  const mail = kernel.service("mailer").kept.findLast((kept) => kept.to === to && kept.subject.includes(subject));
  if (!mail) throw new Error(`no mail to ${to} says "${subject}"`);
  const url = /https?:\/\/\S+/.exec(mail.text)?.[0];
  return { ...mail, path: url === undefined ? "" : url.replace(/^https?:\/\/[^/]+/, "") };
}
