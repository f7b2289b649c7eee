import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestApp } from "../../support/apps.ts";
import { copyFixture, edited } from "../../support/fixtures.ts";
import { openTenants } from "../scoping/tenants.ts";
import { taskFiles } from "./tasks_app.ts";

const schema = readFileSync(join(import.meta.dirname, "../../../plugins/wizards/schema.liquid"), "utf8");
const fields = copyFixture("tenant_fields");
const tasks = taskFiles(`this.input("note", { as: "markdown", condition: ({ values }) => values.title !== "Without" });
    this.column("note", { edit: true });`);
const [policy, guest] = [
  "app/policies/task_policy.ts",
  "packages/guest_portal/app/policies/guest_portal/task_policy.ts",
];

/** Tasks whose note is Markdown, which Cat may not write and guests may write of new ones; an interaction and a wizard of posts ask for Markdown too. */
export const openMarkdown = (values: Record<string, string> = {}): Promise<TestApp> =>
  openTenants(
    {
      ...fields,
      ...tasks,
      [policy]: edited(tasks, policy, ['name !== "status" &&', 'name !== "status" && name !== "note" &&']),
      [guest]: `import TaskPolicy from "#app/policies/task_policy.ts";
export default class GuestTaskPolicy extends TaskPolicy {
  override canCreate() { return true; }
  override permittedAttributesForCreate() { return ["title", "note"]; }
}`,
      "app/interactions/ask.ts": edited(fields, "app/interactions/ask.ts", [
        'title: { as: "string"',
        'title: { as: "markdown"',
      ]),
      "app/wizards/ask_wizard.ts": edited(fields, "app/wizards/ask_wizard.ts", [
        '.string("title"',
        '.markdown("title"',
      ]),
      "db/migrate/20260101000001_create_framewright_wizards.ts": `import type { Schema } from "framewright/plugins/database";
export async function up(db: Schema): Promise<void> { ${schema} }
export async function down(): Promise<void> {}`,
    },
    values,
  );
