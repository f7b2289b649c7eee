import type { BaseController } from "framewright/host";
import type { BaseModel, Transaction } from "framewright/plugins/database";
import { type DrawnChoices, type FieldLookups, FieldSource } from "framewright/plugins/fields";
import { labelOf } from "../entry/labels.ts";
import { loadLabels } from "../entry/load_labels.ts";
import { type Chosen, choicesFor, isChoosable, moreText } from "./choices.ts";
import { polymorphicChoices } from "./polymorphic_choices.ts";

/** What fields of a request are read and drawn with: its types, and the records that its person may see and choose. */
export const fieldSource = (controller: BaseController, record?: BaseModel, transaction?: Transaction): FieldSource =>
  new FieldSource(lookupsOf(controller), record, transaction);

function lookupsOf(controller: BaseController): FieldLookups {
  const resources = controller.request.kernel.service("resources");
  return {
    controller,
    fieldTypes: resources.fieldTypes,
    query: (model, transaction) => resources.visibleIn(controller, model, transaction),
    choices: async (target, given, kept) => drawn(controller, await choicesFor(controller, target, given, kept)),
    polymorphicChoices: async (polymorphic, given, kept) =>
      drawn(controller, await polymorphicChoices(controller, polymorphic, given, kept)),
    labels: (records) => labelsOf(controller, records),
    isChoosable: (target, key, transaction) => isChoosable({ controller, transaction }, target, key),
  };
}

/** Records are copied: those of an application may be cached, and what is hidden from one person is removed from them. */
export async function labelsOf(controller: BaseController, records: readonly BaseModel[]): Promise<string[]> {
  const copies = records.map(
    (one) => Object.assign(Object.create(Object.getPrototypeOf(one) as object), one) as BaseModel,
  );
  await loadLabels(controller, copies);
  return copies.map((copy) => labelOf(controller, copy));
}

const drawn = (controller: BaseController, chosen: Chosen): DrawnChoices => ({
  choices: chosen.choices,
  ...(chosen.groups && { groups: chosen.groups }),
  moreChoices: moreText(controller, chosen),
  isSearched: true,
});
