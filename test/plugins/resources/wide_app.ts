import { edited } from "../../support/fixtures.ts";
import { tenantFiles } from "../scoping/tenants.ts";

// A resource of 16 columns as generators write it: its policy lists what may be written and read, its definition says nothing.

const columns = [
  ...["reference", "note", "carrier", "contact_email", "status", "weight", "fee_cents", "fragile", "due_on"],
  ...["sent_at", "extra", "tracking_code", "author", "category", "created_at", "updated_at"],
];
/** What a person may choose for the list. */
export const shownColumns: readonly string[] = columns.map((name) => (name === "fee_cents" ? "fee" : name));
const names = shownColumns.map((name) => `"${name}"`).join(", ");
const written = names.replace(', "created_at", "updated_at"', "");

const routes = "packages/customer_portal/config/routes.ts";

export const wideFiles: Record<string, string> = {
  "db/migrate/20260301000000_create_shipments.ts": `export async function up(db) {
  await db.createTable("shipments", (t) => {
    t.id();
    t.string("reference").notNull();
    t.text("note"); t.string("carrier"); t.string("contact_email"); t.string("status");
    t.integer("weight"); t.integer("fee_cents"); t.boolean("fragile").notNull().default(false); t.date("due_on"); t.datetime("sent_at");
    t.json("extra"); t.string("tracking_code"); t.string("secret_token");
    t.belongsTo("organization", { null: false }); t.belongsTo("author", { table: "users" }); t.belongsTo("category");
    t.timestamps();
  });
}
export async function down(db) { await db.dropTable("shipments"); }
`,
  "app/models/shipment.ts": `import { belongsTo, Model } from "framewright/plugins/database";
export default class Shipment extends Model("shipments" as never) {
  static override associations = { organization: belongsTo(), author: belongsTo({ class: "User" }), category: belongsTo() };
  static override enums = { status: ["draft", "packed", "sent"] };
  static override money = { fee: "fee_cents" };
}`,
  "app/policies/shipment_policy.ts": `import { Policy } from "framewright/plugins/resources";
export default class ShipmentPolicy extends Policy {
  override canRead() { return true; }
  override canCreate() { return true; }
  override permittedAttributesForCreate() { return [${written}]; }
  override permittedAttributesForRead() { return [${names}]; }
}`,
  "app/definitions/shipment_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
export default class ShipmentDefinition extends ResourceDefinition { override configure() { super.configure(); } }`,
  [routes]: edited(
    tenantFiles,
    routes,
    [
      'import User from "#app/models/user.ts";',
      'import Shipment from "#app/models/shipment.ts";\nimport User from "#app/models/user.ts";',
    ],
    ["Attachment, Category])", "Attachment, Category, Shipment])"],
  ),
};

/** The rows of one tenant; what another one has is found by none of them. */
export const shipments = (organization_id: number, mark: string) => {
  const row = (at: number, more: object) => ({
    id: organization_id * 1000 + at,
    organization_id,
    ...{
      reference: `${mark}-${String(at).padStart(3, "0")}`,
      note: `A long note ${mark}`,
      carrier: "Dart",
      status: "draft",
    },
    ...{ weight: at, fee_cents: at * 100, fragile: at % 2 === 1, due_on: `2026-03-${String(at).padStart(2, "0")}` },
    ...{ sent_at: `2026-03-${String(at).padStart(2, "0")} 23:30:00.000`, secret_token: `hidden-${mark}-${at}` },
    ...{ author_id: 3, category_id: 1, created_at: "2026-03-01 10:00:00.000", updated_at: "2026-03-01 10:00:00.000" },
    ...{ contact_email: `desk${at}@example.test`, extra: null, tracking_code: null, ...more },
  });
  return [
    row(1, { status: "packed", author_id: 1, tracking_code: "50%_off" }),
    row(2, { status: "sent", carrier: "Swift" }),
    row(3, { status: null, category_id: null, due_on: null, sent_at: null, carrier: "" }),
    row(4, { carrier: null, fee_cents: null }),
  ];
};
