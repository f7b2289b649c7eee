import { notFound, type Reply } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import { duplicateOf } from "../definition/actions.ts";
import { type Attribute, isFileField, isSecret } from "../definition/attributes.ts";
import { labelOf } from "../entry/labels.ts";
import { recordEntry } from "../entry/record_entry.ts";
import { writableNames } from "../operations/form_fields.ts";
import type { Registration } from "../registration/registration.ts";
import type { ResourceRequest } from "../request.ts";
import { applies, chrome } from "./chrome.ts";
import { formView, withForm } from "./form_page.ts";
import { prepareActions } from "./hidden_actions.ts";

/** The form of a new record, with what the person may read of another and write of a new one. */
export async function newDuplicate(controller: ResourceRequest): Promise<Reply> {
  const action = duplicateOf(controller.registration.definition);
  if (!action) throw notFound();
  const record = await controller.findRecord();
  controller.record = record;
  await controller.authorizeAction(action.policy!, record);
  await controller.authorizeAction("show", record);
  const entry = recordEntry(controller, record);
  await prepareActions(controller, [entry]);
  if (!applies(controller, action, entry)) throw notFound();
  controller.record = undefined; // what follows is about a new one
  await controller.authorizeAction("new");
  const pattern = { record, names: new Set(copiedNames(controller, record)) };
  const view = await formView(controller, { record: undefined, typed: undefined, errors: {}, pattern });
  return controller.render("new", { locals: withForm(controller, duplicateChrome(controller, record), view) });
}

function duplicateChrome(controller: ResourceRequest, record: BaseModel) {
  const name = labelOf(controller, record);
  const title = controller.t("resource.duplicate_title", { name });
  return chrome(controller, { title, trail: [{ label: name, url: controller.urlFor(record) }, { label: title }] });
}

/** What a new record takes from another: neither files, nor secrets, nor what only one record can have. */
function copiedNames(controller: ResourceRequest, record: BaseModel): string[] {
  const { registration } = controller;
  const readable = controller.listOf("Show", record);
  return writableNames(controller, undefined).filter((name) => {
    const attribute = registration.attribute(name);
    const isReadable =
      readable.includes(name) || registration.model.columnsOf(name).every((one) => readable.includes(one));
    return isReadable && !isFileField(attribute) && !isSecret(attribute) && !isUnique(attribute, registration);
  });
}

/** Whether two records can't have the same value, by the table, the rules of the model, or its addresses. */
function isUnique({ name, column, association }: Attribute, { model }: Registration): boolean {
  const columns = model.columnsOf(name);
  const isKey = association?.key.isComposite && model.key.columns.every((one) => columns.includes(one));
  const isRuled = model.class.validations[name]?.uniqueness !== undefined;
  const isAddress = name === model.paramKey || column?.name === model.primaryKey;
  return isRuled || isAddress || isKey || (columns.length === 1 && model.columns.get(columns[0]!)?.unique === true);
}
