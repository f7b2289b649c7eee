import { HttpError, localeOf, type ParamObject, type Params, type Reply, type SafeHtml } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import { timeTag } from "framewright/plugins/views";
import { conflict } from "../components/index.ts";
import type { ResourceController } from "../controller.ts";
import { loadRelatedLabels } from "../entry/load_labels.ts";
import { formFields } from "../operations/form_fields.ts";
import { keptName, removeName, restoreFiles } from "../operations/pending_files.ts";
import { recordForm } from "../operations/record_files.ts";
import { formParams, type Invalid } from "../operations/save.ts";
import { conflictRows } from "./conflict_rows.ts";
import { formChrome, formView, withForm } from "./form_page.ts";
import { isLinks } from "./link_fields.ts";

/** The id of the form on the page of a conflict, to which the buttons beside the values belong. */
const FORM_ID = "fw-conflict-form";
/** The name of the buttons that put what is saved in the place of what was typed, each in one field. */
const USE_SAVED = "_use_saved";

/** 422 with the form again: what was typed is kept, what is wrong stands beside it; 409 when somebody was faster. */
export async function renderInvalid(
  controller: ResourceController,
  record: BaseModel | undefined,
  { errors, stale }: Invalid,
): Promise<Reply> {
  if (controller.request.format === "json") {
    if (stale) throw new HttpError(409, "FW_STALE", controller.t("resource.conflict"));
    throw new HttpError(422, "FW_INVALID", controller.t("resource.invalid"), { fields: errors });
  }
  const typed = controller.params.nested(controller.registration.key);
  if (stale) return renderConflict(controller, stale, typed);
  const version = controller.params.string("lock_version"); // what was edited: somebody else may have been faster since
  const view = await formView(controller, { record, typed, errors, version });
  const locals = withForm(controller, formChrome(controller, record), view);
  return controller.render(record ? "edit" : "new", { status: 422, locals });
}

/** Both values side by side, and the form with what was typed, ready to be saved over the stored one. */
async function renderConflict(controller: ResourceController, stored: BaseModel, typed: Params): Promise<Reply> {
  const names = formFields(controller, stored, typed).names.filter((name) => typed.has(name));
  const { registration } = controller;
  const shown = names.filter((name) => !isLinks(registration.attribute(name)));
  const graph = controller.graphOf(shown);
  if (graph) await stored.$fetchGraph(graph);
  await loadRelatedLabels(controller, [stored], registration.model, shown);
  const view = await formView(controller, { record: stored, typed, errors: {} });
  const rows = await conflictRows(controller, { stored, typed, names, fields: view.fields });
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

/** Whether the person asks for what is saved, in one field of the page of a conflict. */
export const usesSaved = ({ params, request }: ResourceController): boolean =>
  typeof params.get(USE_SAVED) === "string" && request.format !== "json";

/** The page of the conflict again, without what was typed in that field. */
export async function renderWithSaved(controller: ResourceController, stored: BaseModel): Promise<Reply> {
  const { params, registration } = controller;
  const name = params.string(USE_SAVED)!;
  const typed = formParams(controller);
  const values = params.get(registration.key) as ParamObject;
  for (const one of [name, keptName(name), removeName(name)]) delete values[one];
  const { names } = formFields(controller, stored, typed);
  const attributes = names.map((one) => registration.attribute(one));
  await restoreFiles(controller, recordForm(controller, stored, attributes));
  return renderConflict(controller, stored, typed);
}

/** When the record was saved last, for people who may see that. */
function savedAt(controller: ResourceController, stored: BaseModel): SafeHtml | undefined {
  const at = (stored as { updated_at?: unknown }).updated_at;
  const isShown = at !== undefined && at !== null && controller.listOf("Show", stored).includes("updated_at");
  const { timeZone, locale } = controller.request;
  return isShown ? timeTag(at, timeZone, localeOf(locale)) : undefined;
}
