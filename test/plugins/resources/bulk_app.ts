import { edited } from "../../support/fixtures.ts";
import { tenantFiles } from "../scoping/tenants.ts";
import { backgroundFiles } from "./background_app.ts";

// Two tenants, whose people select several posts. What is called "Hidden" nobody sees, "Locked" nobody may change.

const stamp = (
  name: string,
  more: string,
  body: string,
) => `import { fail, Interaction, succeed } from "framewright/plugins/resources";
import type Post from "../models/post.ts";
export default class ${name} extends Interaction<Post> {
  ${more}
  async execute() {
    ${body}
    if (this.record.title === "Full") return fail({}, "There is no room.");
    if (this.record.title === "Broken") throw new TypeError("a mistake in the interaction");
    return succeed(this.record);
  }
  override async afterCommit() {
    const room = globalThis as { published?: number[] };
    (room.published ??= []).push(Number(this.record.id));
  }
}`;

export const bulkFiles: Record<string, string> = {
  ...backgroundFiles,
  "app/interactions/publish_post.ts": stamp(
    "PublishPost",
    "",
    `await this.transaction("posts").where({ id: this.record.id }).update({ status: "published" });`,
  ),
  "app/interactions/halt_posts.ts": stamp(
    "HaltPosts",
    'static override onFailure = "stop" as const;',
    `await this.transaction("posts").where({ id: this.record.id }).update({ status: "halted" });`,
  ),
  "app/interactions/label_posts.ts": stamp(
    "LabelPosts",
    `static override attributes = { label: { as: "string", required: true, length: { maximum: 10 } } };`,
    `await this.transaction("posts").where({ id: this.record.id }).update({ status: String(this.values.label) });`,
  ),
  "app/definitions/post_definition.ts": edited(
    backgroundFiles as Record<string, string>,
    "app/definitions/post_definition.ts",
    [
      "import MarkPosts",
      'import HaltPosts from "../interactions/halt_posts.ts";\nimport LabelPosts from "../interactions/label_posts.ts";\nimport MarkPosts',
    ],
    [
      'this.action("mark_one", { interaction: MarkPosts, policy: "mark" });',
      `this.action("mark_one", { interaction: MarkPosts, policy: "mark", bulk: true });
    this.action("destroy", { bulk: true });
    this.action("label", { interaction: LabelPosts, bulk: true, policy: "publish", category: "danger" });
    this.action("stamp", { interaction: PublishPost, bulk: true, confirmation: false, policy: "publish" });
    this.action("halt", { interaction: HaltPosts, bulk: true, policy: "publish" });
    this.action("secret", { interaction: PublishPost, bulk: true, policy: "never" });
    this.filter("zone", { apply: (query, _, { timeZone }) => query.where("title", timeZone.name) });`,
    ],
    [
      'this.action("publish", { interaction: PublishPost',
      'this.action("publish", { bulk: true, condition: ({ record }) => record?.title !== "Never", interaction: PublishPost',
    ],
  ),
  "app/policies/post_policy.ts": edited(
    backgroundFiles as Record<string, string>,
    "app/policies/post_policy.ts",
    [
      "canPublish() {\n    return true;",
      `canNever() {
    return false;
  }
  override canDestroy() {
    return this.record?.title !== "Locked";
  }
  canPublish() {
    return this.record?.title !== "Locked";`,
    ],
    [
      'query.where("status", "nowhere").orWhereRaw("1 = 1")',
      'query.where("title", "not like", "Hidden%").orWhere("title", "never")',
    ],
  ),
};
/** With an action that does all of the records or none, which no run can do, and one that a rule of the model refuses. */
export const wholeFiles: Record<string, string> = {
  ...bulkFiles,
  "app/interactions/whole_posts.ts": stamp(
    "WholePosts",
    'static override onFailure = "rollback" as const;',
    `await this.transaction("posts").where({ id: this.record.id }).update({ status: "whole" });`,
  ),
  "app/interactions/give_posts.ts": stamp(
    "GivePosts",
    "",
    "await this.record.$query(this.transaction).patch({ author_id: 2 });",
  ),
  "app/models/post.ts": edited(tenantFiles, "app/models/post.ts", [
    "static override scopes",
    'static override validations = { author_id: { custom: (_: unknown, { title, author_id }: Post) => title === "Taken" && author_id === 2 ? "has enough posts" : undefined } };\n  static override scopes',
  ]),
  "app/definitions/post_definition.ts": edited(
    bulkFiles,
    "app/definitions/post_definition.ts",
    [
      "import MarkPosts",
      'import GivePosts from "../interactions/give_posts.ts";\nimport WholePosts from "../interactions/whole_posts.ts";\nimport MarkPosts',
    ],
    [
      'this.action("secret",',
      'this.action("whole", { interaction: WholePosts, bulk: true, policy: "publish" });\n    this.action("give", { interaction: GivePosts, bulk: true, policy: "publish" });\n    this.action("secret",',
    ],
  ),
};
/** Without jobs, and without runs. */
export const bulkAlone: Record<string, string> = {
  ...bulkFiles,
  "plugins.config.ts": tenantFiles["plugins.config.ts"]!,
  "app/definitions/post_definition.ts": edited(
    bulkFiles,
    "app/definitions/post_definition.ts",
    [/this\.action\("mark(_one)?".*\n/g, ""],
    [/import MarkPosts.*\n/, ""],
  ),
};
