import { readFileSync } from "node:fs";
import { join } from "node:path";
import { edited } from "../../support/fixtures.ts";
import { tenantFiles } from "../scoping/tenants.ts";

// Two tenants, whose people mark posts in the background. Each mark is a row, so that a second one would be seen.

const plugins = join(import.meta.dirname, "../../../plugins");
const schema = ["jobs/schema.liquid", "background_runs/schema.liquid"]
  .map((file) => readFileSync(join(plugins, file), "utf8"))
  .join("");

const config = (options: string, more = "") =>
  edited(
    tenantFiles,
    "plugins.config.ts",
    [
      "import { i18n }",
      'import { backgroundRuns } from "framewright/plugins/background_runs";\nimport { jobs } from "framewright/plugins/jobs";\nimport { i18n }',
    ],
    ["  resources(),", `  resources(),\n  ${options}\n  people,`],
    [
      "export default",
      `const people = definePlugin({
        name: "people",
        requires: ["resources", "database"],
        apply({ hooks, services: { database } }) {
          hooks.resources.backgroundAccount.tapPromise("people", async ({ id }) => {
            const user = await database.query(database.model("User").class).findById(Number(id));
            return (user as { closed?: unknown } | undefined)?.closed ? false : (user ?? false);
          });
          hooks.resources.backgroundRun.tap("people", (event) => {
            ((globalThis as { ended?: unknown[] }).ended ??= []).push(event);
          });
          ${more}
        },
      });
      export default`,
    ],
  );

export const backgroundFiles: Record<string, string> = {
  "plugins.config.ts": config("backgroundRuns({ lease: 1500 }),\n  jobs({ lease: 1500, poll: 100 }),"),
  "db/migrate/20260102000000_create_marks.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) {
      ${schema}
      await db.createTable("marks", (t) => { t.id(); t.bigint("post").notNull(); t.string("label"); t.string("day"); t.index(["post"]); });
      await db.addColumns("users", (t) => { t.boolean("may_mark").notNull().default(true); t.boolean("closed").notNull().default(false); });
    }
    export async function down(_db: Schema) {}`,
  "app/interactions/mark_posts.ts": `import { fail, Interaction, succeed } from "framewright/plugins/resources";
    import type { Query } from "framewright/plugins/database";
    import type Post from "../models/post.ts";
    export default class MarkPosts extends Interaction<Post> {
      static override inBackground = true;
      static override attributes = { label: { as: "string", required: true }, day: { as: "datetime" } };
      static override targets(query: Query<Post>) { return query.whereNot("title", "Never"); }
      async execute() {
        const { record, values } = this;
        const day = values.day instanceof Date ? values.day.toISOString() : null;
        await this.transaction("marks").insert({ post: record.id, label: values.label, day });
        if (record.title === "Slow") await new Promise((resolve) => setTimeout(resolve, 10));
        if (record.title === "Close") await this.transaction("users").where({ id: 1 }).update({ closed: true });
        if (record.title === "Leave") await this.transaction("memberships").where({ user_id: 1 }).delete();
        if (record.title === "Forbid") await this.transaction("users").where({ id: 1 }).update({ may_mark: false });
        if (record.title === "Full") return fail({}, "There is no room for a mark.");
        if (record.title === "Broken") throw new TypeError("a mistake in the interaction");
        return succeed(record);
      }
      override async afterCommit() {
        const room = globalThis as { marked?: number[] };
        (room.marked ??= []).push(Number(this.record.id));
      }
    }`,
  "app/definitions/post_definition.ts": edited(
    tenantFiles,
    "app/definitions/post_definition.ts",
    ["import PublishPost", 'import MarkPosts from "../interactions/mark_posts.ts";\nimport PublishPost'],
    [
      'this.action("publish"',
      `this.filter("title");
    this.action("mark", { interaction: MarkPosts, resourceAction: true });
    this.action("mark_one", { interaction: MarkPosts, policy: "mark" });
    this.action("publish"`,
    ],
  ),
  "app/policies/post_policy.ts": edited(tenantFiles, "app/policies/post_policy.ts", [
    "canPublish() {",
    `canMark() {
    const user = this.user as { may_mark?: unknown } | undefined;
    return Boolean(user?.may_mark) && this.record?.title !== "Locked";
  }
  canPublish() {`,
  ]),
};
export const withoutJobs = config("");
