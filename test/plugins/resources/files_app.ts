import { shopFiles } from "../../support/shop.ts";

const config = "plugins.config.ts";
const definition = "packages/blogging/app/definitions/blogging/post_definition.ts";
const policy = "packages/blogging/app/policies/blogging/post_policy.ts";
const concern = "packages/admin_portal/app/controllers/admin_portal/concerns/controller.ts";
const model = "packages/blogging/app/models/blogging/post.ts";
/** Keeps files. */
export const stored = {
  [config]: shopFiles[config]!.replace("resources()]", "resources(), storage()]").replace(
    "export default",
    'import { storage } from "framewright/plugins/storage"; export default',
  ),
};
/** Posts with a paper and an optional cover, an action that asks for a file and a word, and guests at `x-guest`. */
export const changes = {
  ...stored,
  "db/migrate/20260102000000_add_paper.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) { await db.addColumns("blogging_posts", (t) => { t.json("paper"); t.json("cover"); }); }
    export async function down() {}`,
  [model]: shopFiles[model]!.replace(
    "title: {",
    "paper: { presence: true }, secret_token: { uniqueness: true }, title: {",
  ),
  [policy]: shopFiles[policy]!.replaceAll(
    '["title", "body",',
    '["title", "paper", "cover", "secret_token", "body",',
  ).replace("canTidy()", "canAttach() { return true; } canTidy()"),
  [definition]: shopFiles[definition]!.replace(
    "super.configure();",
    `super.configure(); this.input("paper", { as: "file", accept: [".txt"], maximum: 20 }); this.input("cover", { as: "file" }); this.input("secret_token", { as: "string" });
     this.action("attach", { interaction: Attach });`,
  ).replace("import TidyPosts", 'import Attach from "#packages/blogging/lib/attach.ts"; import TidyPosts'),
  "packages/blogging/lib/attach.ts": `import { Interaction, succeed } from "framewright/plugins/resources";
    export default class Attach extends Interaction {
      static override attributes = { paper: { as: "file", required: true }, proof: { as: "file" }, word: { as: "string", required: true } };
      async execute() {
        const text = (file: unknown) => file ? (file as { filename: string; bytes: Buffer }).filename + "=" + (file as { bytes: Buffer }).bytes : "none";
        return succeed().withMessage(text(this.values.paper) + " " + text(this.values.proof));
      }
    }`,
  "packages/admin_portal/app/policies/admin_portal/blogging/post_policy.ts": `import PostPolicy from "#packages/blogging/app/policies/blogging/post_policy.ts";
    export default class AdminPostPolicy extends PostPolicy { override canCreate() { return true; } override canNew() { return true; } }`,
  [concern]: shopFiles[concern]!.replace(
    'CurrentUser(async () => ({ name: "Somebody" }))',
    'CurrentUser(async (request) => (request.header("x-guest") === undefined ? { name: "Somebody" } : undefined), { guests: "admit" })',
  ),
};
