import { edited } from "../../support/fixtures.ts";
import { importFiles } from "./import_app.ts";

// The shipments of import_app.ts, which may be deleted, and parcels that refer to them.

const policy = "app/policies/shipment_policy.ts";
const migration = "db/migrate/20260302000000_create_imports.ts";

export const undoFiles: Record<string, string> = {
  ...importFiles,
  [policy]: edited(importFiles, policy, [
    "override canExport()",
    'override canDestroy() { return this.canCreate() && this.record?.reference !== "KEEP"; } override canExport()',
  ]),
  [migration]: edited(importFiles, migration, [
    '  await db.createTable("arrivals"',
    '  await db.createTable("parcels", (t) => { t.id(); t.belongsTo("shipment", { onDelete: "cascade" }); });\n  await db.createTable("arrivals"',
  ]),
  "app/models/parcel.ts": `import { belongsTo, Model } from "framewright/plugins/database";
export default class Parcel extends Model("parcels" as never) {
  static override associations = { shipment: belongsTo() };
}`,
};
