import { readFileSync } from "node:fs";
import { join } from "node:path";
import { edited } from "../../support/fixtures.ts";
import { tenantFiles } from "../scoping/tenants.ts";

// A plugin that writes a line for each change of a post, whoever writes the post.

const plugins = join(import.meta.dirname, "../../../plugins");
const schema = ["jobs/schema.liquid", "wizards/schema.liquid"]
  .map((file) => readFileSync(join(plugins, file), "utf8"))
  .join("");
const definition = "app/definitions/post_definition.ts";

export const changesFiles: Record<string, string> = {
  "audit.ts": `import { definePlugin } from "framewright/kernel";
    import type {} from "framewright/plugins/jobs";
    import Post from "./app/models/post.ts";
    export const audit = definePlugin({
      name: "audit",
      requires: ["database", "jobs", "resources"],
      apply({ hooks, services: { jobs, database } }) {
        const user = (by: { user: unknown } | undefined) => (by?.user as { id: number } | undefined)?.id ?? null;
        hooks.database.changing.for(Post).tapPromise("audit", async ({ kind, record, before, changed, by, transaction }) => {
          const [old, now] = [before, record];
          await transaction("lines").insert({
            kind, post: record.$id(), names: changed.join(" "), old: old?.title ?? null, now: now.title,
            user_id: user(by), portal: by?.portal ?? null, wizard: by?.wizard ?? null, job: by?.job ?? null,
          });
        });
        hooks.database.changed.for(Post).tap("audit", ({ record }) => {
          if (record.title === "Broken") throw new Error("no");
        });
        jobs.define("rename", async () => {
          await Post.query().findById(1).patch({ title: "By the job" });
        });
      },
    });`,
  "plugins.config.ts": edited(
    tenantFiles,
    "plugins.config.ts",
    [
      "import { i18n }",
      'import { jobs } from "framewright/plugins/jobs";\nimport { wizards } from "framewright/plugins/wizards";\nimport { storage } from "framewright/plugins/storage";\nimport { audit } from "./audit.ts";\nimport { i18n }',
    ],
    ["  resources(),", "  resources(),\n  jobs({ poll: 100 }),\n  audit,\n"],
    ["  scoping(),", "  scoping(),\n  storage(),\n  wizards({ sweep: false }),"],
  ),
  "db/migrate/20260102000000_create_lines.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) {
      ${schema}
      await db.createTable("lines", (t) => {
        t.id(); t.bigint("post"); t.bigint("user_id");
        for (const name of ["kind", "names", "old", "now", "portal", "wizard", "job"]) t.string(name);
      });
    }
    export async function down(_db: Schema) {}`,
  "app/wizards/rename_wizard.ts": `import { anchored, steps, succeed, Wizard } from "framewright/plugins/wizards";
    import Post from "#app/models/post.ts";
    const flow = steps().step("name", {}, (f) => f.string("title", { required: true }));
    export default class RenameWizard extends Wizard(flow, { anchored: anchored({ with: Post }) }) {
      async execute() {
        await (this.anchor as Post).$query(this.transaction).patch({ title: this.data.name!.title });
        return succeed();
      }
    }`,
  "app/interactions/publish_post.ts": `import { Interaction, succeed } from "framewright/plugins/resources";
    import type Post from "../models/post.ts";
    export default class PublishPost extends Interaction<Post> {
      async execute() {
        await this.record.$query(this.transaction).patch({ title: "By the interaction" });
        return succeed(this.record);
      }
    }`,
  [definition]: edited(
    tenantFiles,
    definition,
    ["import type Post", 'import RenameWizard from "../wizards/rename_wizard.ts";\nimport type Post'],
    ['this.scope("widest");', 'this.scope("widest");\n    this.wizard("rename", RenameWizard);'],
  ),
};
changesFiles["app/policies/post_policy.ts"] = edited(tenantFiles, "app/policies/post_policy.ts", [
  "  canPublish() {",
  "  canRename() {\n    return true;\n  }\n  canPublish() {",
]);
