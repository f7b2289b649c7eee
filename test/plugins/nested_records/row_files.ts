import { edited, withPlugin } from "../../support/fixtures.ts";
import { schemaMigration } from "../attachments/attachments_app.ts";
import { permitFiles } from "./permits_app.ts";

const definitionOf = (name: string) => `app/definitions/${name}_definition.ts`;
/** Permits whose parcels have a plan each, a file of their own. */
export const rowFiles = {
  "plugins.config.ts": withPlugin(
    withPlugin(permitFiles["plugins.config.ts"]!, "attachments()", "attachments"),
    "undo()",
    "undo",
  ),
  "db/migrate/20260401000000_create_framewright_deletions.ts": schemaMigration("undo"),
  "app/policies/parcel_policy.ts": edited(permitFiles, "app/policies/parcel_policy.ts", [
    /"purpose",\s*"owners"/g,
    '"purpose","owners","plan"',
  ]),
  [definitionOf("parcel")]: edited(
    permitFiles,
    definitionOf("parcel"),
    ["import type {} from", 'import type {} from "framewright/plugins/attachments"; import type {} from'],
    ['this.repeated("owners"', 'this.file("plan"); this.repeated("owners"'],
  ),
  [definitionOf("permit")]: edited(permitFiles, definitionOf("permit"), [
    '"purpose", "owners"]',
    '"purpose", "plan", "owners"]',
  ]),
  "db/migrate/20260101000003_create_framewright_attachments.ts": schemaMigration("attachments"),
};
