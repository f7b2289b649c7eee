import { type TimeZone, utc, zoneOf } from "framewright/host";
import { columnLabel, isInstant } from "framewright/plugins/exports";
import { type Attribute, fieldLabel, type ResourceController } from "framewright/plugins/resources";

/** The zone that the header of an export names behind the label of an attribute; undefined where it is not such a header. */
export function headerZone(controller: ResourceController, attribute: Attribute, header: string): TimeZone | undefined {
  if (!isInstant(attribute)) return undefined;
  const column = fieldLabel(controller, controller.registration, attribute, "listed");
  if (header === column) return undefined;
  if (header === columnLabel(controller, attribute)) return utc;
  const [before = "", after = ""] = controller.t("resource.export.zone", { column, zone: "\0" }).split("\0");
  if (!header.startsWith(before) || !header.endsWith(after)) return undefined;
  return zoneOf(header.slice(before.length, header.length - after.length));
}
