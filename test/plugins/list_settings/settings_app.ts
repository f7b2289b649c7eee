import { withPlugin } from "../../support/fixtures.ts";
import { schemaMigration } from "../attachments/attachments_app.ts";
import { wideFiles } from "../resources/wide_app.ts";
import { tenantFiles } from "../scoping/tenants.ts";

const policy = "app/policies/shipment_policy.ts";
export const list = "/customer/1/shipments";
export const settings = `${list}/list/settings`;
export const as = (id: number): Record<string, string> => ({ "x-user": String(id) });

const config = tenantFiles["plugins.config.ts"]!;
/** Lists whose settings are stored; Cat reads one column of the list. */
export const files: Record<string, string> = {
  ...wideFiles,
  "plugins.config.ts": withPlugin(withPlugin(config, "savedViews()", "saved_views"), "listSettings()", "list_settings"),
  "db/migrate/20260401000000_create_framewright_saved_views.ts": schemaMigration("saved_views"),
  "db/migrate/20260401000001_create_framewright_list_settings.ts": schemaMigration("list_settings"),
  [policy]: wideFiles[policy]!.replace(
    "override canCreate",
    `override canDestroy() { return true; }
  override permittedAttributesForIndex() {
    return this.user?.name === "Cat" ? ["reference"] : ["reference", "carrier", "status", "weight"];
  }
  override canCreate`,
  ),
};
