import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { tenantFiles } from "../scoping/tenants.ts";

// Tasks of two tenants, some below a post. Ann may write all but "Locked"; Cat reads no fee and writes no status; the
// guest portal lets everybody read. "Hidden" nobody sees.

const routes = (portal: string) => `packages/${portal}/config/routes.ts`;
const withTasks = (portal: string) =>
  edited(
    tenantFiles,
    routes(portal),
    [
      'import User from "#app/models/user.ts";',
      'import Task from "#app/models/task.ts";\nimport User from "#app/models/user.ts";',
    ],
    ["Attachment, Category])", "Attachment, Category, Task])"],
  );

/** The files of the application; `definition`: the lines of its `configure()`. */
export const taskFiles = (definition: string): Record<string, string> => ({
  "db/migrate/20260301000000_create_tasks.ts": `export async function up(db) {
  await db.createTable("tasks", (t) => {
    t.id();
    t.string("title").notNull();
    t.string("code").unique();
    t.string("serial");
    t.string("status").notNull().default("open");
    t.integer("fee_cents"); t.integer("hours"); t.decimal("weight", 10, 3); t.integer("position").notNull().default(0);
    t.date("due_on"); t.datetime("starts_at"); t.boolean("urgent").notNull().default(false);
    t.text("note"); t.string("internal"); t.string("door_token"); t.json("plan");
    t.belongsTo("organization", { null: false }); t.belongsTo("author", { table: "users" }); t.belongsTo("post");
    t.timestamps();
  });
}
export async function down(db) { await db.dropTable("tasks"); }
`,
  "app/models/task.ts": `import { belongsTo, Model } from "framewright/plugins/database";
export default class Task extends Model("tasks" as never) {
  static override associations = { organization: belongsTo(), author: belongsTo({ class: "User" }), post: belongsTo({ optional: true }) };
  static override enums = { status: ["open", "busy", "done"] };
  static override money = { fee: "fee_cents" };
  static override validations = { serial: { uniqueness: { scope: "organization" } }, hours: { numericality: { lessThanOrEqualTo: 100 } } };
}`,
  "app/models/post.ts": edited(tenantFiles, "app/models/post.ts", [
    "note: hasOne(),",
    "note: hasOne(), tasks: hasMany(),",
  ]),
  "app/policies/task_policy.ts": `import { Policy } from "framewright/plugins/resources";
export default class TaskPolicy extends Policy {
  get isCat() { return this.user?.name === "Cat"; }
  override canRead() { return true; }
  override canCreate() { return true; }
  override canUpdate() { return this.record?.title !== "Locked"; }
  canDuplicate() { return this.record?.title !== "Sealed"; }
  override permittedAttributesForCreate() {
    return ["title", "code", "serial", "status", "fee", "hours", "weight", "due_on", "starts_at", "urgent", "note", "internal", "door_token", "author", "post"];
  }
  override permittedAttributesForUpdate() {
    const all = [...this.permittedAttributesForCreate(), "position"];
    return this.isCat ? all.filter((name) => name !== "status" && name !== "position") : all;
  }
  override permittedAttributesForRead() {
    const all = ["title", "code", "serial", "status", "fee", "hours", "weight", "due_on", "starts_at", "urgent", "note", "door_token", "author", "position"];
    return this.isCat ? all.filter((name) => name !== "fee") : all;
  }
  override permittedAttributesForIndex() { return this.permittedAttributesForRead().filter((name) => name !== "door_token"); }
  override relationScope(query) { return query.where("title", "<>", "Hidden"); }
}`,
  "app/definitions/task_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
export default class TaskDefinition extends ResourceDefinition {
  override configure() {
    super.configure();
    ${definition}
  }
}`,
  [routes("customer_portal")]: withTasks("customer_portal"),
  [routes("guest_portal")]: withTasks("guest_portal"),
});

/** A task of a tenant as its table has it. */
export const task = (id: number, more: Record<string, unknown> = {}, organization_id = 1) => ({
  ...{ id, organization_id, title: `Task ${id}`, code: `C${id}`, serial: `S${id}`, status: "open" },
  ...{
    fee_cents: 1250,
    hours: 4,
    weight: "1.500",
    position: id,
    due_on: "2026-03-04",
    starts_at: "2026-03-04 10:00:00.000",
  },
  ...{ urgent: true, note: "Read me", internal: "not for reading", door_token: "sesame", author_id: 3, post_id: null },
  ...{ created_at: "2026-03-01 10:00:00.000", updated_at: "2026-03-01 10:00:00.000" },
  ...more,
});

/** The value of an input of a page, by its name. */
export function inputValue(html: string, name: string): string | undefined {
  const input = new RegExp(`<input[^>]* name="task\\[${name}\\]"[^>]*>`).exec(html)?.[0];
  return input && (/ value="([^"]*)"/.exec(input)?.[1] ?? "");
}

/** A person with cookies, known by a header. */
export function visitor(app: TestApp, known: Record<string, string>) {
  const cookies = new Map<string, string>();
  return async (path: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await app.request(path, { ...init, headers: { ...known, cookie, ...init.headers } });
    for (const line of answer.headers.getSetCookie())
      cookies.set(...(line.split(";")[0]!.split("=", 2) as [string, string]));
    return answer;
  };
}

/** The hidden fields of the form of a class on a page, ready to be sent. */
export function hiddenFields(html: string, form: string): URLSearchParams {
  const from = html.indexOf(`class="${form}"`);
  const text = html.slice(from, html.indexOf("</form>", from));
  const fields = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return new URLSearchParams(
    fields.map(([, name, value]) => [name!, value!.replaceAll("&amp;", "&")] as [string, string]),
  );
}
