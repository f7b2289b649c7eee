import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { addFiles, withDrivers, writeApp } from "../support/apps.ts";

const plugins = join(import.meta.dirname, "../../plugins");
const schemaOf = (plugin: string) => readFileSync(join(plugins, plugin, "schema.liquid"), "utf8");
const migration = (up: string) => `import type { Schema } from "framewright/plugins/database";
export async function up(db: Schema): Promise<void> { ${up} }
export async function down(_: Schema): Promise<void> {}
`;
const engine = `import { definePortal } from "framewright/plugins/portals";
export const OfficePortal = definePortal("OfficePortal");
`;
const concern = `import { type ControllerClass, concern } from "framewright";
import { CurrentUser, PortalController, PublicAccess } from "framewright/plugins/portals";
import User from "#app/models/user.ts";
const findUser = CurrentUser(async (request) => User.query().findById(Number(request.session.get("user") ?? 0)));
export default <B extends ControllerClass>(Base: B) => concern(Base, PortalController, PublicAccess, findUser);
`;
const resourceController = `import { ResourceController as Base } from "framewright/plugins/resources";
import Controller from "./concerns/controller.ts";
export default class ResourceController extends Controller(Base) {}
`;
const list = [
  "database",
  "i18n",
  "sessions",
  "views",
  "assets",
  "layout",
  "portals",
  "resources",
  "storage",
  "wizards",
  "jobs",
];
const model = (name: string, table: string, members = "") => `import { Model } from "framewright/plugins/database";
export default class ${name} extends Model("${table}" as never) { ${members} }
`;

/** What differs between the releases. */
export interface Release {
  /** Tells which one answers, at /release. */
  number: number;
  steps: string;
  members?: string;
  fields: readonly string[];
  /** Runs when the wizard is completed. */
  greets?: boolean;
  migrations?: Readonly<Record<string, string>>;
}
export const first: Release = {
  number: 1,
  fields: ["title", "subtitle"],
  steps: `steps().step("what", {}, (f) => f.string("name", { presence: true })).step("where", {}, (f) => f.string("city", { presence: true })).review()`,
};
/** One column more, another style sheet, a step and a kind of job that the first does not know; and it ignores what the third drops. */
export const second: Release = {
  number: 2,
  fields: ["title", "slug"],
  greets: true,
  members: `static override ignoredColumns = ["subtitle"];`,
  steps: first.steps.replace(".review()", `.step("wrap", {}, (f) => f.string("paper", { presence: true })).review()`),
  migrations: {
    "20260201000000_add_slug": `await db.addColumns("posts", (t) => { t.string("slug"); t.integer("pages").notNull().default(1); });`,
  },
};
export const third: Release = {
  ...second,
  number: 3,
  migrations: {
    ...second.migrations,
    "20260301000000_drop_subtitle": `await db.removeColumns("posts", ["subtitle"]);`,
  },
};

/** Writes a release as it lies on a server: its TypeScript, and what `fw build` makes of it */
export function writeRelease({
  number,
  steps,
  members = "",
  fields,
  greets = false,
  migrations = {},
}: Release): string {
  const names = JSON.stringify(fields);
  const code = {
    "plugins.config.ts": withDrivers(`import { definePlugin, definePlugins } from "framewright/kernel";
${list.map((name) => `import { ${name} } from "framewright/plugins/${name}";`).join("\n")}
const work = definePlugin({ name: "work", requires: ["jobs", "assets", "database"], apply({ services: { jobs, assets, database } }) {
  const done = (by: string) => async ({ n }: { n: string }) => void (await database.knex("notes").insert({ text: by + n }));
  jobs.define<{ n: string }>("note", done("note "));
  ${greets ? `jobs.define<{ n: string }>("greet", done("greet "));` : ""}
  assets.add("shop.css", import.meta.dirname.replace(/[/]dist$/, "") + "/shop.css");
} });
export default definePlugins([${list.map((name) => `${name}()`).join(", ")}, work]);`),
    "config/routes.ts": `import { drawRoutes } from "framewright";
import { OfficePortal } from "#packages/office_portal/lib/engine.ts";
export default drawRoutes((routes) => {
  routes.mount(OfficePortal, { at: "/office" });
  for (const page of ["enter", "release", "work"]) routes.get(page, { to: \`pages#\${page}\` });
});`,
    "app/controllers/pages_controller.ts": `import { BaseController } from "framewright";
export default class PagesController extends BaseController {
  static override guests = "admit" as const;
  enter() { this.session.set("user", Number(this.params.string("user"))); return this.json({}); }
  release() { return this.json({ release: ${number}, pid: process.pid, css: this.request.application.kernel.service("assets", "pages").url("shop.css") }); }
  async work() {
    const jobs = this.request.application.kernel.service("jobs", "pages");
    const n = this.params.string("n");
    await jobs.enqueue("note", { n });
    ${greets ? `await jobs.enqueue("greet" as never, { n } as never);` : ""}
    return this.json({ kinds: ${greets ? `["note", "greet"]` : `["note"]`} });
  }
}`,
    "app/models/user.ts": model("User", "users"),
    "app/models/post.ts": model(
      "Post",
      "posts",
      `static override validations = { title: { presence: true } }; ${members}`,
    ),
    "app/models/company.ts": model("Company", "companies"),
    "app/policies/post_policy.ts": `import { Policy } from "framewright/plugins/resources";
export default class PostPolicy extends Policy<any> {
  override canRead() { return true; }
  override canCreate() { return true; }
  override canUpdate() { return true; }
  override permittedAttributesForCreate() { return ${names} as never; }
  override permittedAttributesForRead() { return ${names} as never; }
}`,
    "app/wizards/order_wizard.ts": `import { steps, succeed, Wizard } from "framewright/plugins/wizards";
import Company from "#app/models/company.ts";
const flow = ${steps};
export default class OrderWizard extends Wizard(flow, { concurrencyKey: (run) => run.currentUser }) {
  async execute() {
    await this.query(Company).insert({ name: this.data.what.name } as never);
    return succeed().withRedirect("/office/posts");
  }
}`,
    "packages/office_portal/lib/engine.ts": engine,
    "packages/office_portal/app/controllers/office_portal/concerns/controller.ts": concern,
    "packages/office_portal/app/controllers/office_portal/resource_controller.ts": resourceController,
    "packages/office_portal/config/routes.ts": `import Post from "#app/models/post.ts";
import OrderWizard from "#app/wizards/order_wizard.ts";
import { OfficePortal } from "../lib/engine.ts";
export default OfficePortal.routes.draw((routes) => {
  routes.registerResource(Post);
  routes.registerWizard(OrderWizard, { at: "order" });
});`,
  };
  const tables = `for (const [table, ...names] of [["users", "name"], ["posts", "title", "subtitle"], ["companies", "name"], ["notes", "text"]] as const)
    await db.createTable(table, (t) => { t.id(); for (const name of names) t.string(name); if (table === "posts") t.timestamps(); });
  for (let id = 1; id <= 9; id++) await db.knex("users").insert({ name: \`user \${id}\` });
  await db.knex("posts").insert({ title: "edited", created_at: "2026-01-01 00:00:00.000", updated_at: "2026-01-01 00:00:00.000" });`;
  const pending = {
    "20260101000000_create_tables": tables,
    "20260101000001_create_wizard_runs": schemaOf("wizards"),
    "20260101000002_create_jobs": schemaOf("jobs"),
    ...migrations,
  };
  const root = writeApp(code);
  addFiles(root, {
    "shop.css": `body { --release: ${number}; }`,
    "package.json": JSON.stringify({ name: "shop", type: "module", imports }),
    ...Object.fromEntries(Object.entries(code).map(([path, text]) => [`dist/${path.slice(0, -3)}.js`, compiled(text)])),
    ...Object.fromEntries(Object.entries(pending).map(([name, up]) => [`db/migrate/${name}.ts`, migration(up)])),
  });
  return root;
}

const imports = {
  "#app/*.ts": { "app-source": "./app/*.ts", default: "./dist/app/*.js" },
  "#packages/*.ts": { "app-source": "./packages/*.ts", default: "./dist/packages/*.js" },
};
/** As `fw build` compiles it, without its type-check, which takes seconds. */
const compiled = (text: string): string =>
  transformSync(text, { loader: "ts", format: "esm", target: "es2022" }).code.replace(
    /(from "\.[^"]*)\.ts"/g,
    '$1.js"',
  );
