import { edited } from "../../support/fixtures.ts";
import { tenantFiles } from "../scoping/tenants.ts";
import { wideFiles } from "./wide_app.ts";

// The application of wide_app.ts in English, German and French; its shipments have a volume with decimals besides.

const policy = "app/policies/shipment_policy.ts";
const german = {
  portals: { customer: "Kundschaft" },
  models: {
    shipment: {
      one: "Lieferung",
      many: "Lieferungen",
      fields: {
        fee: "Honorar",
        sent_at: "Versendet am",
        due_on: "Fällig am",
        weight: "Gewicht",
        reference: "Referenz",
      },
      hints: { weight: "Ohne Zoll." },
      values: { status: { draft: "Entwurf", packed: "Gepackt", sent: "Versendet" } },
    },
  },
};
const french = { models: { shipment: { values: { status: { packed: "Emballé" } } } } };

export const germanFiles: Record<string, string> = {
  ...wideFiles,
  "plugins.config.ts": tenantFiles["plugins.config.ts"]!,
  "config/locales/de.json": JSON.stringify(german),
  "config/locales/fr.json": JSON.stringify(french),
  [policy]: wideFiles[policy]!.replaceAll('"weight", "fee"', '"weight", "fee", "volume"').replace(
    "override canCreate()",
    "override canExport() { return true; }\n  override canCreate()",
  ),
  "app/models/shipment.ts": edited(wideFiles, "app/models/shipment.ts", [
    "static override money",
    "static override validations = { reference: { presence: true } };\n  static override money",
  ]),
  "app/definitions/shipment_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
export default class ShipmentDefinition extends ResourceDefinition {
  override configure() { super.configure(); this.field("fee", { currency: "EUR" }); }
}`,
  "db/migrate/20260401000000_add_languages.ts": `export async function up(db) {
  await db.addColumns("users", (t) => { t.string("locale"); });
  await db.addColumns("shipments", (t) => { t.decimal("volume", 12, 3); });
}
export async function down(db) {
  await db.removeColumns("users", ["locale"]);
  await db.removeColumns("shipments", ["volume"]);
}
`,
};

/** The rows with a volume. */
export const volumes = (rows: readonly object[]) => rows.map((row) => ({ ...row, volume: "1.5" }));
