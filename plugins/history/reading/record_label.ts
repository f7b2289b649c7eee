import type { BaseController } from "framewright/host";
import { labelOf } from "framewright/plugins/resources";
import { isLabelOpen } from "framewright/plugins/resources/toolkit";
import type { ShownEntry } from "./shown_changes.ts";

/** What the record is called now; a deleted one as it was, where nothing of that is hidden. */
export function recordLabel(controller: BaseController, { of, entry }: ShownEntry): string {
  const { record, isDeleted } = of;
  const { model } = of.controller.registration;
  if (!isDeleted) return labelOf(of.controller, record);
  return isLabelOpen(controller, model) ? entry.label : model.numberLabel(model.key.parse(entry.record));
}
