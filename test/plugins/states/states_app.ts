import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { openWizards, wizardFiles } from "../wizards/mounts_support.ts";

const deletions = readFileSync(join(import.meta.dirname, "../../../plugins/undo/schema.liquid"), "utf8");

/** Posts that are submitted, and approved or rejected with a reason. Without a comment a post is not approved. */
export const stateFiles: Record<string, string> = {
  "plugins.config.ts": edited(
    wizardFiles,
    "plugins.config.ts",
    [
      "export default",
      'import { states } from "framewright/plugins/states";\nimport { undo } from "framewright/plugins/undo";\nimport { heard } from "./lib/heard.ts";\nexport default',
    ],
    ["resources(),", "resources(), states(), undo(), heard(),"],
  ),
  "lib/heard.ts": `import { definePlugin } from "framewright/kernel";
    import type {} from "framewright/plugins/states";
    export const events: string[] = [];
    export const heard = () => definePlugin({
      name: "heard",
      requires: ["states"],
      apply({ hooks }) {
        hooks.states.transitioned.tap("heard", ({ record, name, from }) => void events.push(\`\${name} of \${record.$id()} from \${from}\`));
        (globalThis as { stateEvents?: string[] }).stateEvents = events;
      },
    });`,
  "app/models/post.ts": `import { hasMany, Model } from "framewright/plugins/database";
    import { type GuardContext, states } from "framewright/plugins/states";
    import Comment from "./comment.ts";
    export default class Post extends Model("posts") {
      static override associations = { comments: hasMany() };
      static states = states("status", {
        draft: { submit: "submitted" },
        submitted: {
          approve: {
            to: "approved",
            category: "primary",
            prepare: async (posts, { query }: GuardContext) => {
              const rows = await query(Comment).whereIn("post_id", posts.map((post) => post.$id() as number));
              return new Set(rows.map(({ post_id }) => post_id));
            },
            if: (post, known: Set<unknown>) => known.has(post.$id()) || "Nobody has commented on it.",
          },
          reject: { to: "rejected", category: "danger", fields: { reason: { required: true } } },
        },
        approved: {},
        rejected: { submit: "submitted" },
      }, { tones: { approved: "success", rejected: "danger" } });
    }`,
  "app/policies/post_policy.ts": edited(
    wizardFiles,
    "app/policies/post_policy.ts",
    [/return \["title"\];/g, 'return ["title", "status", "reason"] as never;'],
    [
      "canConfigure()",
      "canSubmit() { return true; }\n  canApprove() { return (this.user as { id?: number } | undefined)?.id === 1; }\n  canReject() { return this.canApprove(); }\n  canConfigure()",
    ],
  ),
  "db/migrate/20260101000002_add_status.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) {
      await db.addColumns("posts", (t) => { t.string("status").notNull().default("draft"); t.string("reason"); });
      ${deletions}
    }
    export async function down(): Promise<void> {}`,
};
export const openStates = (
  values: Record<string, string> = {},
  changes: Record<string, string> = {},
): Promise<TestApp> => openWizards({ ...stateFiles, ...changes }, values);
