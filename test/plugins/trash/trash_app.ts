import { readFileSync } from "node:fs";
import { join } from "node:path";
import { edited, withPlugin } from "../../support/fixtures.ts";
import { tenantFiles } from "../scoping/tenants.ts";

const undoSchema = readFileSync(join(import.meta.dirname, "../../../plugins/undo/schema.liquid"), "utf8");
/** Notes in `globalThis.heard` what is reported of posts and comments, and what is purged. */
const withHeard = edited(
  tenantFiles,
  "plugins.config.ts",
  [
    "const widening",
    `import Comment from "./app/models/comment.ts";
import Post from "./app/models/post.ts";
const hearing = definePlugin({ name: "hearing", requires: ["database", "trash"], apply({ hooks }) {
  const note = (kind, record) => globalThis.heard.push([kind, record.constructor.name, record.id].join(" "));
  for (const model of [Post, Comment])
    hooks.database.changing.for(model).tapPromise("hearing", async ({ kind, record, isRestored }) => note(isRestored ? "restored" : kind, record));
  hooks.trash.purging.tapPromise("hearing", async ({ records }) => records.forEach((record) => note("purged", record)));
} });
const widening`,
  ],
  ["  widening,", "  widening, hearing,"],
);

const soft = (path: string, more = "") =>
  tenantFiles[path]!.replace(
    "static override associations",
    `static softDelete = true;${more}\n  static override associations`,
  );
const policy = (path: string, more: string) => tenantFiles[path]!.replace(/\}\s*$/, `${more}\n}\n`);

/** Posts of two tenants and their comments, whose deleted ones go to a trash; notes and attachments have none. */
export const trashFiles = (call = "trash()"): Record<string, string> => ({
  "plugins.config.ts": withPlugin(withPlugin(withHeard, call, "trash"), "undo()", "undo"),
  "db/migrate/20260402000000_create_deletions.ts": `export async function up(db) {\n${undoSchema}}\nexport async function down(db) { await db.dropTable("framewright_deletions"); }\n`,
  "app/models/post.ts": soft(
    "app/models/post.ts",
    ' static override validations = { title: { uniqueness: { scope: "organization_id" } } };',
  ),
  "app/definitions/post_definition.ts": tenantFiles["app/definitions/post_definition.ts"]!.replace(
    "{ interaction: PublishPost }",
    "{ interaction: PublishPost, bulk: true }",
  ),
  "app/models/comment.ts": soft("app/models/comment.ts"),
  "app/policies/post_policy.ts": policy(
    "app/policies/post_policy.ts",
    "canPurge() { return (this.user as { id?: number } | undefined)?.id === 3; }",
  ).replaceAll('["title", "status"', '["deleted_at" as never, "title", "status"'),
  "app/policies/comment_policy.ts": policy(
    "app/policies/comment_policy.ts",
    'canRestore() { return true; } override relationScope(query: Query<Comment>) { return query.whereNot("comments.title", "Hidden"); }',
  ),
  "db/migrate/20260401000000_add_trash.ts": `import { addTrash, removeTrash } from "framewright/plugins/trash";
export async function up(db) {
  await db.addIndex("posts", ["organization_id", "title"], { unique: true });
  await addTrash(db, "posts", { within: ["organization_id"] });
  await addTrash(db, "comments");
}
export async function down(db) {
  await removeTrash(db, "posts");
  await removeTrash(db, "comments");
}
`,
});
