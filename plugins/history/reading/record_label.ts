import type { BaseController } from "framewright/host";
import { type KeyValue, ModelInfo } from "framewright/plugins/database";
import { labelOf, labelsFor } from "framewright/plugins/resources";
import { isLabelOpen } from "framewright/plugins/resources/toolkit";
import type { ShownEntry } from "./shown_changes.ts";

/** What a record is called, and whether that begins with what its resource is called: it has no name of its own then. */
export interface RecordLabel {
  readonly text: string;
  readonly isNumber: boolean;
}

/** What the record is called now; a deleted one as it was, where nothing of that is hidden. */
export function recordLabel(controller: BaseController, shown: ShownEntry): RecordLabel {
  const { record } = shown.of;
  const model = ModelInfo.ofRecord(record);
  const key = ModelInfo.keyOf(record) ?? model.key.parse(shown.entry.record);
  const text = storedLabel(controller, shown, model, key);
  if (text !== model.numberLabel(key)) return { text, isNumber: false };
  return { text: numberIn(controller, shown, model, key), isNumber: true };
}

function storedLabel(
  controller: BaseController,
  { of, entry }: ShownEntry,
  model: ModelInfo,
  key: KeyValue | undefined,
) {
  if (!of.isDeleted) return labelOf(of.controller, of.record);
  return isLabelOpen(controller, of.controller.registration.model) ? entry.label : model.numberLabel(key);
}

/** "Post #12" in the language of the request: labels are not translated, and what is stored has one language. */
function numberIn(controller: BaseController, { of }: ShownEntry, model: ModelInfo, key: KeyValue | undefined): string {
  const { one } = labelsFor(controller, of.controller.registration);
  const values = key === undefined ? [] : (model.key.values(key) ?? [key]);
  return `${one} #${values.join(", ")}`;
}
