import { html, htmlReply, humanize, localeOf, type Reply, type SafeHtml } from "framewright/host";
import { type Choice, choiceOf } from "framewright/plugins/fields";
import { FILTER_FRAME, filterPanel, type PanelFilter, relativeDayNames } from "framewright/plugins/fields/toolkit";
import { choicesFor, moreText } from "../operations/choices.ts";
import { sortableNames } from "../operations/list_context.ts";
import { shownNames } from "../operations/shown_names.ts";
import { typedFields } from "../operations/typeahead.ts";
import { type FilterKind, filterKind } from "../registration/filter_operators.ts";
import { listedColumns } from "../registration/list_conventions.ts";
import { type FilterValue, isAttribute, type ListRequest, MAX_SORTS, sortable } from "../registration/list_params.ts";
import { fieldLabel, namedChoices, valueLabels } from "../registration/resource_texts.ts";
import type { ResourceRequest } from "../request.ts";
import { hasColumnChoice, panelFilters } from "./list_filters.ts";
import type { ListUrls } from "./list_urls.ts";

/** The parameter of the list's address that opens the panel. */
export const OPEN_FILTERS = "_filters";

/** Whether the panel stands open on the page. */
export const isPanelOpen = ({ params }: ResourceRequest): boolean => params.get(OPEN_FILTERS) === "1";

/** The panel alone, for the frame that loads it. */
export async function answerFilterPanel(
  controller: ResourceRequest,
  list: ListRequest,
  urls: ListUrls,
): Promise<Reply> {
  return htmlReply(frame(await drawFilterPanel(controller, list, urls)).html);
}

/** The place of the panel in the page. */
export const frame = (content: SafeHtml | undefined): SafeHtml =>
  html`<turbo-frame id="${FILTER_FRAME}">${content}</turbo-frame>`;

export async function drawFilterPanel(
  controller: ResourceRequest,
  list: ListRequest,
  urls: ListUrls,
): Promise<SafeHtml> {
  const names = panelFilters(controller).map(([name]) => name);
  const columns = columnChoices(controller, list);
  const orders = orderChoices(controller, list);
  const filters: PanelFilter[] = [];
  for (const name of names) filters.push(await panelFilter(controller, name, list.filters.get(name)));
  const isHere = (name: string) =>
    name === "columns" ||
    (name === "sort" && orders.length > 0) ||
    names.some((one) => name === `filter[${one}]` || name.startsWith(`filter[${one}][`));
  return filterPanel({
    action: urls.base,
    keep: urls.carried().flatMap(([name, value]) => (isHere(name) ? [] : [{ name, value }])),
    filters,
    columns,
    orders,
    after: partsAfter(controller, urls.same()),
    closeUrl: urls.same(),
    t: (key, vars) => controller.t(key, vars),
  });
}

/** What plugins add below the filters; a form there leads back to the location. */
function partsAfter(controller: ResourceRequest, location: string): SafeHtml | undefined {
  const parts: SafeHtml[] = [];
  controller.resources.hooks.filterPanel.call(parts, location, controller);
  return parts.length > 0 ? html`${parts}` : undefined;
}

/** The columns that the person may choose from: those that are shown first, in their order. */
function columnChoices(controller: ResourceRequest, list: ListRequest): Choice[] {
  const { registration } = controller;
  const permitted = controller.listOf("Index");
  if (!hasColumnChoice(controller, permitted)) return [];
  const shown = list.columns ?? listedColumns(registration, permitted);
  const names = shownNames(controller, [...new Set([...shown, ...permitted])], "columns");
  return names.map((name) => {
    const label = fieldLabel(controller, registration, registration.attribute(name), "listed");
    return { value: name, label, selected: shown.includes(name) };
  });
}

/** What the list is ordered by, first and then, with choices of each; empty where the person chooses nothing. */
function orderChoices(controller: ResourceRequest, list: ListRequest): Choice[][] {
  const { registration } = controller;
  const permitted = controller.listOf("Index");
  if (!hasColumnChoice(controller, permitted)) return [];
  const sorts = list.sorted ? list.sorts : [];
  const offered = sortableNames(controller, permitted);
  const names = shownNames(controller, permitted, "columns").filter((name) => sortable(name, registration, offered));
  const all = [...new Set([...names, ...sorts.map(({ name }) => name)])];
  const levels = Math.min(MAX_SORTS, Math.max(USUAL_SORTS, sorts.length + 1));
  return Array.from({ length: levels }, (_, at) => all.flatMap((name) => directionsOf(controller, name, sorts[at])));
}
const USUAL_SORTS = 3;

function directionsOf(controller: ResourceRequest, name: string, current: ListRequest["sorts"][number] | undefined) {
  const { registration } = controller;
  const isOwn = isAttribute(name, registration.model);
  const column = isOwn ? fieldLabel(controller, registration, registration.attribute(name), "listed") : humanize(name);
  return (["asc", "desc"] as const).map((direction) => ({
    value: direction === "desc" ? `-${name}` : name,
    label: controller.t(`filters.order.${direction}`, { column }),
    selected: current?.name === name && current.direction === direction,
  }));
}

async function panelFilter(
  controller: ResourceRequest,
  name: string,
  value: FilterValue | undefined,
): Promise<PanelFilter> {
  const { registration } = controller;
  const { model, definition } = registration;
  const attribute = registration.attribute(name);
  const declared = definition.filters.get(name);
  const kind = filterKind(registration, name)!;
  const column = model.columns.get(model.money[name] ?? model.associations.get(name)?.foreignKey ?? name);
  const view: PanelFilter = {
    name: `filter[${name}]`,
    label:
      (declared && "label" in declared ? declared.label : undefined) ??
      fieldLabel(controller, registration, attribute, "listed"),
    kind: attribute.association ? "record" : kindOf(kind),
    values: typeof value === "string" ? { "": value } : (value ?? {}),
    mayBeEmpty: column?.nullable === true,
  };
  if (attribute.association) await addRecords(controller, name, view);
  else if (kind === "choice") {
    const choices = (model.choices[name] ?? column?.values ?? []).map(choiceOf);
    view.choices = namedChoices(choices, valueLabels(controller, registration, name));
  }
  if (kind === "number" && isDecimal(controller, name)) view.locale = localeOf(controller.request.locale);
  if (view.kind === "day")
    view.days = relativeDayNames.map((day) => ({ value: day, label: controller.t(`filters.days.${day}`) }));
  return view;
}

/** Whether the numbers of a name have decimals, which languages write in forms of their own. */
export const isDecimal = ({ registration: { model } }: ResourceRequest, name: string): boolean =>
  model.money[name] !== undefined || ["decimal", "float"].includes(model.columns.get(name)?.type ?? "");

const kindOf = (kind: FilterKind): PanelFilter["kind"] =>
  kind === "date" || kind === "datetime" ? "day" : kind === "text" ? "choice" : kind;

async function addRecords(controller: ResourceRequest, name: string, view: PanelFilter): Promise<void> {
  const { target } = controller.registration.model.associations.get(name)!;
  const { choices, more, capped } = await choicesFor(controller, target, view.values[""], []);
  view.choices = choices;
  view.moreChoices = moreText(controller, { more, capped });
  if (more > 0 && typedFields(controller).includes(name)) view.searchUrl = `${controller.listUrl}/typeahead/${name}`;
}
