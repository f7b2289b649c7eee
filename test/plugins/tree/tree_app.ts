import { edited, withPlugin } from "../../support/fixtures.ts";
import { tenantFiles } from "../scoping/tenants.ts";

/** The list of places, which stand within each other. */
const routes = "packages/customer_portal/config/routes.ts";
export const treeFiles = (definition: string): Record<string, string> => ({
  "plugins.config.ts": withPlugin(tenantFiles["plugins.config.ts"]!, "tree()", "tree"),
  "db/migrate/20260301000000_create_places.ts": `export async function up(db) {
  await db.createTable("places", (t) => {
    t.id(); t.string("name").notNull(); t.string("kind"); t.belongsTo("organization", { null: false }); t.belongsTo("parent", { table: "places" }); t.timestamps();
  });
}
export async function down(db) { await db.dropTable("places"); }
`,
  "app/models/place.ts": `import { belongsTo, Model } from "framewright/plugins/database";
export default class Place extends Model("places" as never) {
  static override associations = { organization: belongsTo(), parent: belongsTo({ class: "Place", optional: true }) };
}`,
  "app/policies/place_policy.ts": `import { Policy } from "framewright/plugins/resources";
export default class PlacePolicy extends Policy {
  override canRead() { return true; }
  override canCreate() { return true; }
  override permittedAttributesForCreate() { return ["name", "kind", "parent"]; }
  override permittedAttributesForRead() { return ["name", "kind", "parent"]; }
  override relationScope(query) { return query.where("name", "<>", "Hidden"); }
}`,
  "app/definitions/place_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
export default class PlaceDefinition extends ResourceDefinition { override configure() { super.configure(); this.search(["name"]); this.defaultSort("name"); ${definition} } }`,
  [routes]: edited(
    tenantFiles,
    routes,
    [
      'import User from "#app/models/user.ts";',
      'import Place from "#app/models/place.ts";\nimport User from "#app/models/user.ts";',
    ],
    ["Attachment, Category])", "Attachment, Category, Place])"],
  ),
});
export const place = (id: number, name: string, parent_id: number | null, organization_id = 1) => ({
  ...{ id, name, parent_id, organization_id, kind: `kind ${id}` },
  ...{ created_at: "2026-03-01 10:00:00", updated_at: "2026-03-01 10:00:00" },
});
