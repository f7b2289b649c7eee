import { edited } from "../../support/fixtures.ts";
import { tenantFiles } from "../scoping/tenants.ts";

const routes = "packages/customer_portal/config/routes.ts";
const [post, note] = ["app/models/post.ts", "app/models/note.ts"];
const posts = "app/policies/post_policy.ts";

export const remarkPolicy = (names = '"text", "subject"') => `import { Policy } from "framewright/plugins/resources";
export default class RemarkPolicy extends Policy {
  override canRead() { return true; }
  override canCreate() { return true; }
  override permittedAttributesForCreate() { return [${names}]; }
  override permittedAttributesForRead() { return ["text", "subject"]; }
}`;
/** Remarks of an organization, on its posts and notes; of the posts "Hidden" ones are nobody's to see. */
export const remarkFiles = (definition = "", changes: Record<string, string> = {}): Record<string, string> => ({
  "db/migrate/20260102000000_create_remarks.ts": `import type { Schema } from "framewright/plugins/database";
export async function up(db: Schema) {
  await db.createTable("remarks", (t) => {
    t.id(); t.string("text"); t.polymorphic("subject", { null: false });
    t.belongsTo("organization", { null: false }); t.lockVersion();
  });
  await db.createTable("tips", (t) => { t.id(); });
}
export async function down() {}`,
  "app/models/remark.ts": `import { belongsTo, Model } from "framewright/plugins/database";
export default class Remark extends Model("remarks") {
  static override associations = { organization: belongsTo(), subject: belongsTo({ polymorphic: ["Post", "Note"] }) };
}`,
  "app/policies/remark_policy.ts": remarkPolicy(),
  "app/definitions/remark_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
export default class RemarkDefinition extends ResourceDefinition { configure() { super.configure(); ${definition} } }`,
  [post]: edited(tenantFiles, post, [
    "note: hasOne(),",
    'note: hasOne(), remarks: hasMany({ as: "subject", dependent: "destroy" }),',
  ]),
  [note]: edited(
    tenantFiles,
    note,
    ["import { belongsTo,", "import { belongsTo, hasOne,"],
    ["post: belongsTo()", 'post: belongsTo(), remark: hasOne({ as: "subject", dependent: "restrict" })'],
  ),
  [posts]: edited(
    tenantFiles,
    posts,
    ['return ["comments", "note"]', 'return ["comments", "note", "remarks"] as never'],
    ['return query.where("status", "nowhere").orWhereRaw("1 = 1")', 'return query.whereNot("title", "Hidden")'],
  ),
  [routes]: edited(
    tenantFiles,
    routes,
    ["import User from", 'import Remark from "#app/models/remark.ts";\nimport User from'],
    ["Attachment, Category]", "Attachment, Category, Remark]"],
  ),
  ...changes,
});
