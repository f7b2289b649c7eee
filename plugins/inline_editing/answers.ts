import {
  addToOrigin,
  type FieldErrors,
  html,
  notFound,
  type Params,
  type Reply,
  raw,
  type SafeHtml,
} from "framewright/host";
import { type BaseModel, ModelInfo } from "framewright/plugins/database";
import { rowLink } from "framewright/plugins/fields/toolkit";
import { allows, fieldLabel, labelOf, type ResourceController } from "framewright/plugins/resources";
import {
  attributeView,
  chrome,
  detailOf,
  formFields,
  formParams,
  fromList,
  isVisible,
  ListUrls,
  listAt,
  loadRelatedLabels,
  originalMarks,
  planFor,
  recordEntry,
  requestedVersion,
  saveRecord,
  shownNames,
  versionOf,
} from "framewright/plugins/resources/toolkit";
import { cellForm } from "./cell_form.ts";
import { cellFrame, editableNames, insideOf } from "./edited_cells.ts";

/** The input of one cell: in its place in the list, or as a page. */
export async function editCell(controller: ResourceController, record: BaseModel): Promise<Reply> {
  const name = cellName(controller);
  checkCell(controller, record, name);
  return renderCell(controller, record, name, {});
}

/** Saves one attribute, unless the record was changed since its input was opened. */
export async function updateCell(controller: ResourceController, record: BaseModel): Promise<Reply> {
  addToOrigin({ means: "cell" });
  const name = cellName(controller);
  checkCell(controller, record, name);
  const { request, params } = controller;
  const typed = formParams(controller);
  const hasVersion = requestedVersion(request.header("if-match"), params.get("lock_version")) !== undefined;
  if (!hasVersion) return renderCell(controller, record, name, { typed, stale: record }); // an input always has one
  const saved = await saveRecord(controller, record, name);
  if (!("record" in saved)) return renderCell(controller, saved.stale ?? record, name, { typed, ...saved });
  if (!isInPlace(controller, record, name)) return controller.answerUpdated(saved.record);
  return showCell(controller, saved.record, name);
}

const cellName = ({ request }: ResourceController): string => request.routeParams.cell_name ?? "";

/** @throws HttpError 404 for what is not edited in the list, or not by this person */
function checkCell(controller: ResourceController, record: BaseModel, name: string): void {
  const { registration, request } = controller;
  const isEdited = registration.definition.columns.get(name)?.edit === true;
  if (!isEdited || request.format === "json") throw notFound();
  const listed = shownNames(controller, controller.listOf("Index"), "columns");
  const names = editableNames(controller, controller.policyFor(record), [name], () => record);
  if (!listed.includes(name) || names.length === 0) throw notFound();
}

/** Whether the request is from the cell itself, and not its page. */
const isInPlace = ({ request }: ResourceController, record: BaseModel, name: string): boolean =>
  [true, false].some((isFirst) => request.frame === cellFrame(ModelInfo.keyOf(record), name, isFirst));

interface CellState {
  typed?: Params;
  errors?: FieldErrors;
  /** What is stored now, where somebody was faster. */
  stale?: BaseModel;
}

async function renderCell(
  controller: ResourceController,
  record: BaseModel,
  name: string,
  { typed, errors = {}, stale }: CellState,
): Promise<Reply> {
  const { registration } = controller;
  const attribute = registration.attribute(name);
  if (stale) await loadShown(controller, stale, name);
  const { contexts } = formFields(controller, record, typed);
  const field = await attributeView(controller, attribute, { record, typed, errors }, contexts.get(name));
  field.attributes = { ...field.attributes, autofocus: true };
  const action = `${controller.urlFor(record)}/cells/${name}`;
  const label = fieldLabel(controller, registration, attribute, "listed");
  const title = controller.t("resource.edit_cell", { field: label, name: labelOf(controller, record) });
  const content = cellForm({
    action,
    field,
    request: controller.request,
    errors: errors.base ?? [],
    lockVersion: versionOf(record, registration.model),
    originals: await originalMarks(controller, [attribute], record),
    saved: stale && detailOf(controller, attribute, stale),
    returnTo: controller.returnTo(),
    cancelUrl: controller.returnTo() ?? controller.listUrl,
    t: (key, vars) => controller.t(key, vars),
  });
  const status = stale ? 409 : typed ? 422 : 200;
  const trail = [{ label: labelOf(controller, record), url: controller.urlFor(record) }, { label: title }];
  return controller.render("cell", { status, locals: { ...chrome(controller, { title, trail }), content } });
}

const loadShown = async (controller: ResourceController, record: BaseModel, name: string): Promise<void> => {
  const graph = controller.graphOf([name]);
  if (graph) await record.$fetchGraph(graph);
  await loadRelatedLabels(controller, [record], controller.registration.model, [name]);
};

/** The cell as the list shows it, once it is saved. With a status that Turbo shows to a form. */
async function showCell(controller: ResourceController, saved: BaseModel, name: string): Promise<Reply> {
  const content = (await isVisible(controller, saved))
    ? await shownCell(controller, name)
    : html`<span class="fw-cell-gone">${controller.t("resource.out_of_sight")}</span>`;
  const totals = await changedTotals(controller);
  return controller.render("cell", { status: 201, locals: { content: html`${content}${totals}` } });
}

/** The address of the list that the cell is in. */
const listLocation = (controller: ResourceController): string => controller.returnTo() ?? controller.listUrl;

/** The totals of the list as they are now, where it has some: the script puts them into the row below the list. */
async function changedTotals(controller: ResourceController): Promise<SafeHtml | undefined> {
  const { kernel } = controller.request;
  if (!kernel.has("summaries") || !allows(controller.policyFor(), "index")) return undefined;
  const cells = await kernel.service("summaries").drawn(controller, () => listAt(controller, listLocation(controller)));
  return cells && html`<template data-totals>${cells.map((cell) => raw(cell))}</template>`;
}

async function shownCell(controller: ResourceController, name: string): Promise<SafeHtml> {
  const record = await controller.findRecord([name]);
  const entry = recordEntry(controller, record);
  const [column] = planFor(controller, [name], controller.listOf("Index")).columns;
  const isFirst = controller.request.frame === cellFrame(ModelInfo.keyOf(record), name, true);
  const mayShow = allows(entry.policy(), "show");
  const cell = column!.cell(entry);
  const location = listLocation(controller);
  const list = listAt(controller, location);
  const url =
    mayShow && isFirst
      ? entry.url() + (list ? fromList(controller, list, new ListUrls(controller, list)) : "")
      : undefined;
  const shown = isFirst ? rowLink(cell, url, column!.keepsLinks) : cell;
  const isEditable = editableNames(controller, entry.policy(), [name], () => record).length > 0;
  if (!isEditable) return raw(shown);
  const back = encodeURIComponent(location);
  return raw(insideOf(controller, entry, { column: column!, shown, isFirst, back, version: entry.version() }));
}
