import { readFileSync } from "node:fs";
import { join } from "node:path";
import { addFiles, openApp, type TestApp, writeApp } from "../../support/apps.ts";
import { copyFixture } from "../../support/fixtures.ts";
import { databaseOf, openMigrated } from "../../support/shop.ts";
import type { Client } from "../../testing/client.ts";

/** A class of wizards, in `app/wizards/<name>_wizard.ts`. */
export function wizardFile(
  name: string,
  options: string,
  { steps = twoSteps, body = done, imports = "" } = {},
): string {
  return `import { anchored, fail, steps, succeed, Wizard } from "framewright/plugins/wizards"; ${imports}
    const flow = steps()${steps};
    export default class ${name} extends Wizard(flow, { ${options} }) { ${body} }`;
}
export const twoSteps = `.step("first", { label: "First" }, (f) => f.string("title", { presence: true }).text("body")).step("second", { label: "Second" }, (f) => f.string("note"))`;
export const done = `async execute() { return succeed().withMessage("Well done"); }`;

/** Everybody is known by the header \`x-user\`; Ann is 1, Bob is 2. Post 3 is out of everybody's scope. */
export const wizardFiles = copyFixture("wizards");

/** The routes of the portal: posts and comments, and what a test adds. */
export function portalRoutes(lines: string, imports = ""): string {
  return `import { AdminPortal } from "../lib/engine.ts"; import type {} from "framewright/plugins/resources"; import type {} from "framewright/plugins/wizards"; import Post from "#app/models/post.ts"; import Comment from "#app/models/comment.ts"; ${imports}
    export default AdminPortal.routes.draw((routes) => { routes.root({ to: "dashboard#index" }); routes.registerResource(Post); routes.registerResource(Comment); ${lines} });`;
}

/** An application with wizards, its tables made and its people there. */
export async function openWizards(
  changes: Record<string, string> = {},
  values: Record<string, string> = {},
): Promise<TestApp> {
  const root = writeApp({ ...wizardFiles });
  addFiles(root, { "db/migrate/20260101000001_create_framewright_wizards.ts": tables, ...changes });
  const app = await openMigrated(root, values);
  const { knex } = databaseOf(app.application);
  await knex("users").insert([
    { id: 1, name: "Ann" },
    { id: 2, name: "Bob" },
  ]);
  await knex("posts").insert([
    { id: 1, title: "Hello" },
    { id: 2, title: "Locked" },
    { id: 3, title: "Unseen" },
  ]);
  await knex("comments").insert([{ id: 1, title: "Nice", post_id: 1 }]);
  return app;
}

/** Boots, and gives what it is refused with. */
export async function bootWith(changes: Record<string, string>): Promise<void> {
  const root = writeApp({ ...wizardFiles, ...changes });
  const app = await openApp(root);
  await app.close();
}

/** The framework's own tables, as `fw:wizards:install` writes them. */
export const tables = `import type { Schema } from "framewright/plugins/database";
  export async function up(db: Schema) {
${readFileSync(join(import.meta.dirname, "../../../plugins/wizards/schema.liquid"), "utf8")}
  }
  export async function down(db: Schema) { for (const name of ["leases", "events", "runs"]) await db.dropTable("framewright_wizard_" + name); }`;

/** Somebody whom every request of a visitor is made as. */
export function as(client: Client, user: number): Client {
  const request = client.request.bind(client);
  client.request = (path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set("x-user", String(user));
    return request(path, { ...init, headers });
  };
  return client;
}
