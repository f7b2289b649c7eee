import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withPlugin } from "../../support/fixtures.ts";
import { wideFiles } from "../resources/wide_app.ts";
import { tenantFiles } from "../scoping/tenants.ts";

const schema = readFileSync(join(import.meta.dirname, "../../../plugins/presence/schema.liquid"), "utf8");
export const CLOSED_AFTER_MS = 1200;

/** Shipments whose forms say who has them open, for `closedAfter` milliseconds after the last report. `configure` is added to their definition. */
export const presenceFiles = (configure = "", closedAfter = CLOSED_AFTER_MS): Record<string, string> => ({
  ...wideFiles,
  "plugins.config.ts": withPlugin(
    tenantFiles["plugins.config.ts"]!,
    `presence({ closedAfter: ${closedAfter / 1000} })`,
    "presence",
  ),
  "app/definitions/shipment_definition.ts": wideFiles["app/definitions/shipment_definition.ts"]!.replace(
    "super.configure();",
    `super.configure(); ${configure}`,
  ),
  "db/migrate/20260401000000_create_framewright_presence.ts": `export async function up(db) {\n${schema}}\nexport async function down(db) { await db.dropTable("framewright_presence"); }\n`,
});
export const list = "/customer/1/shipments";
export const form = `${list}/1001/edit`;
