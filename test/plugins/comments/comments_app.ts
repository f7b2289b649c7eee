import { readFileSync } from "node:fs";
import { join } from "node:path";
import { jobTables } from "framewright/testing";
import { edited, editedText } from "../../support/fixtures.ts";
import { Client } from "../../testing/client.ts";
import { accountFiles, tenantFiles } from "../scoping/tenants.ts";

const schemaOf = (name: string) =>
  readFileSync(join(import.meta.dirname, `../../../plugins/${name}/schema.liquid`), "utf8");
const policy = "app/policies/post_policy.ts";
const table = (name: string, at: string) => ({
  [`db/migrate/${at}_create_framewright_${name}.ts`]: `export async function up(db) {\n${schemaOf(name)}}\nexport async function down() {}\n`,
});

/**
 * Two tenants whose people sign in with accounts, and posts that are commented on: Ann (1) updates posts and so sees internal
 * comments, Cat (3), who is in both tenants, and Eve (5) do not; "Sealed" is shown to Ann alone, on "Quiet" nobody writes.
 */
export const commentFiles: Record<string, string> = {
  ...accountFiles,
  ...jobTables(),
  ...table("comments", "20260401000000"),
  "db/migrate/20260401000003_date_posts.ts": `export async function up(db) { await db.addColumns("posts", (t) => { t.datetime("created_at"); }); }\nexport async function down() {}\n`,
  ...table("history", "20260401000001"),
  ...table("notifications", "20260401000002"),
  "plugins.config.ts": editedText(
    accountFiles["plugins.config.ts"]!,
    [
      /^import /,
      'import { comments } from "framewright/plugins/comments"; import { history } from "framewright/plugins/history"; import { notifications } from "framewright/plugins/notifications";\nimport ',
    ],
    ["...standard, widening", "...standard, widening, history(), notifications(), comments()"],
  ),
  "app/models/post.ts": edited(tenantFiles, "app/models/post.ts", [
    "  static override associations",
    "  static comments = { internal: true };\n  static override associations",
  ]),
  "app/models/attachment.ts": edited(tenantFiles, "app/models/attachment.ts", [
    "  static override associations",
    "  static comments = true;\n  static override associations",
  ]),
  "app/models/organization.ts": edited(tenantFiles, "app/models/organization.ts", [
    "memberships: hasMany()",
    'memberships: hasMany(), users: hasMany({ through: "memberships" })',
  ]),
  [policy]: editedText(tenantFiles[policy]!, [
    "  canPublish() {",
    `  override canShow() { return this.record?.title !== "Sealed" || this.#id === 1; }
  override canUpdate() { return this.#id === 1; }
  canComment() { return this.record?.title !== "Quiet"; }
  canModerateComments() { return this.#id === 1; }
  get #id() { return (this.user as { id?: number } | undefined)?.id; }
  canPublish() {`,
  ]),
};
export const post = (tenant: number, id = tenant) => `/customer/${tenant}/posts/${id}`;

/** Somebody in a browser without scripts, by what they bring with a request. */
export class Person extends Client {
  readonly #known: Record<string, string>;

  constructor(url: string, known: Record<string, string>) {
    super(url);
    this.#known = known;
  }
  override request(path: string, init: RequestInit = {}): Promise<Response> {
    const { cookie } = this.#known;
    return super.request(path, { ...init, headers: { ...(init.headers as object), cookie: cookie! } });
  }
}
