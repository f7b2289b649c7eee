import { HttpError, html, localeOf, type ParamObject, Params, type Reply, type SafeHtml } from "framewright/host";
import { BaseModel } from "framewright/plugins/database";
import { conflict, ORIGINALS } from "framewright/plugins/fields";
import { fieldNames, restoreFiles } from "framewright/plugins/fields/toolkit";
import { timeTag } from "framewright/plugins/views";
import { isSecret } from "../definition/attributes.ts";
import { loadRelatedLabels } from "../entry/load_labels.ts";
import { etagOf, versionOf } from "../entry/version.ts";
import { isLinks } from "../operations/chosen_links.ts";
import { formFields } from "../operations/form_fields.ts";
import { ignoredIn } from "../operations/known_keys.ts";
import { isSameValue, originalsIn, sentValue } from "../operations/originals.ts";
import { formParams } from "../operations/prepare_record.ts";
import { recordForm } from "../operations/record_files.ts";
import type { Invalid } from "../operations/save.ts";
import type { ResourceRequest } from "../request.ts";
import { changesOf, conflictRows } from "./conflict_rows.ts";
import { formChrome, formView, withForm } from "./form_page.ts";
import { storedText } from "./typed_text.ts";

/** The id of the form on the page of a conflict, to which the buttons beside the values belong. */
const FORM_ID = "fw-conflict-form";
/** The name of the buttons that put what is saved in the place of what was typed, each in one field. */
const USE_SAVED = "_use_saved";

/** The association to the account that saved a record last, where a model has one. */
const SAVED_BY = "updated_by";
/** Of a long text that is saved its beginning is enough to recognise it. */
const MAX_SHOWN_CHARS = 200;

/** 422 with the form again: what was typed is preserved, with its errors beside it; 409 when somebody was faster. */
export async function renderInvalid(
  controller: ResourceRequest,
  record: BaseModel | undefined,
  { errors, stale }: Invalid,
): Promise<Reply> {
  if (controller.request.format === "json") {
    if (stale) throw staleJson(controller, stale);
    const meta = ignoredIn(controller);
    throw new HttpError(422, "FW_INVALID", controller.t("resource.invalid"), { fields: errors, ...(meta && { meta }) });
  }
  const typed = controller.params.nested(controller.registration.key);
  if (stale) return renderConflict(controller, stale, typed);
  const version = controller.params.string("lock_version"); // what was edited: somebody else may have been faster since
  const originals = controller.params.string(ORIGINALS);
  const view = await formView(controller, { record, typed, errors, version, originals });
  const locals = withForm(controller, formChrome(controller, record), view);
  return controller.render(record ? "edit" : "new", { status: 422, locals });
}

/** 409 for programs: what is saved of the attributes that were sent, where it is another value, and the version to send next. */
function staleJson(controller: ResourceRequest, stored: BaseModel): HttpError {
  const { registration } = controller;
  const sent = formParams(controller);
  const shown = controller.listOf("Show", stored);
  const fields: Record<string, string[]> = {};
  for (const { name } of formFields(controller, stored, sent).names.map((one) => registration.attribute(one))) {
    const attribute = registration.attribute(name);
    if (!sent.has(name) || !shown.includes(name) || attribute.handler || isLinks(attribute) || isSecret(attribute))
      continue;
    const value = storedText(attribute, stored) ?? "";
    if (!isSameValue(attribute, value, sentValue(attribute, sent)))
      fields[name] = [controller.t("resource.conflict_saved", { value: value.slice(0, MAX_SHOWN_CHARS) })];
  }
  const headers = { etag: etagOf(versionOf(stored, registration.model)) };
  return new HttpError(409, "FW_STALE", controller.t("resource.conflict_json"), { fields, headers });
}

/** Who changed what, and the form: what only they changed as they saved it, the rest as it was typed, ready to be saved. */
async function renderConflict(controller: ResourceRequest, stored: BaseModel, sent: Params): Promise<Reply> {
  const { registration, params } = controller;
  const originals = originalsIn(params);
  const drawn = controller.listOf("Edit", stored);
  const names = formFields(controller, stored, sent).names.filter(
    (name) => sent.has(name) || (originals && drawn.includes(name)),
  );
  const compared = names.filter((name) => !registration.attribute(name).handler);
  const shown = compared.filter((name) => !isLinks(registration.attribute(name)));
  const graph = controller.graphOf([...shown, ...controller.listOf("Show", stored).filter((one) => one === SAVED_BY)]);
  if (graph) await stored.$fetchGraph(graph);
  await loadRelatedLabels(controller, [stored], registration.model, shown);
  const changes = await changesOf(controller, { stored, typed: sent, names: compared }, originals);
  const values = sent.toObject();
  for (const [name, by] of changes) if (by === "them") for (const one of fieldNames(name)) delete values[one];
  const typed = new Params(values);
  const view = await formView(controller, { record: stored, typed, errors: {}, originals: params.string(ORIGINALS) });
  const rows = await conflictRows(controller, { stored, typed, changes, fields: view.fields });
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(key, vars);
  const around = {
    ...formChrome(controller, stored),
    message: t("resource.conflict"),
    conflict: conflict({ rows, savedAt: savedAt(controller, stored), button: { form: FORM_ID, name: USE_SAVED }, t }),
  };
  const again = {
    ...view,
    id: FORM_ID,
    submitLabel: t("resource.conflict_save"),
    cancelLabel: t("resource.conflict_keep"),
  };
  return controller.render("conflict", { status: 409, locals: withForm(controller, around, again) });
}

/** Whether the person chose what is saved, in one field of the page of a conflict. */
export const usesSaved = ({ params, request }: ResourceRequest): boolean =>
  typeof params.get(USE_SAVED) === "string" && request.format !== "json";

/** The page of the conflict again, without what was typed in that field. */
export async function renderWithSaved(controller: ResourceRequest, stored: BaseModel): Promise<Reply> {
  const { params, registration } = controller;
  const name = params.string(USE_SAVED)!;
  const typed = formParams(controller);
  const values = params.get(registration.key) as ParamObject;
  for (const one of fieldNames(name)) delete values[one];
  const { names } = formFields(controller, stored, typed);
  const attributes = names.map((one) => registration.attribute(one));
  await restoreFiles(controller, recordForm(controller, stored, attributes));
  return renderConflict(controller, stored, typed);
}

/** When the record was saved last, and by whom where the model records it, for people who may see that. */
function savedAt(controller: ResourceRequest, stored: BaseModel): SafeHtml | undefined {
  const { updated_at: at, [SAVED_BY]: by } = stored as { updated_at?: unknown; [SAVED_BY]?: unknown };
  const shown = controller.listOf("Show", stored);
  const { timeZone, locale } = controller.request;
  const time = at && shown.includes("updated_at") ? timeTag(at, timeZone, localeOf(locale)) : undefined;
  const person = by instanceof BaseModel && shown.includes(SAVED_BY) ? html`, ${by.toLabel()}` : undefined;
  return time || person ? html`${time}${person}` : undefined;
}
