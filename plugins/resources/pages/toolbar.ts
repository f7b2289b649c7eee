import { html, humanize, raw, type SafeHtml, safeUrl } from "framewright/host";
import { type FilterView, filters, type ToolbarView } from "framewright/plugins/fields";
import { iconOrNothing } from "framewright/plugins/views";
import type { Attribute } from "../definition/attributes.ts";
import { type FilterGroup, type FilterOptions, isFilterGroup } from "../definition/definition_options.ts";
import { choicesFor } from "../operations/choices.ts";
import { fieldSource } from "../operations/field_source.ts";
import { listContextOf, maySearch } from "../operations/list_context.ts";
import { hasConditions } from "../registration/conditions.ts";
import { filterType } from "../registration/filter_operators.ts";
import { isAttribute } from "../registration/list_params.ts";
import type { Registration } from "../registration/registration.ts";
import { fieldLabel, namedChoices, ownText, valueLabels } from "../registration/resource_texts.ts";
import { hrefOf } from "../registration/urls.ts";
import type { ResourceRequest } from "../request.ts";
import { HOLES } from "./holes.ts";
import { standingFilters } from "./list_choices.ts";
import type { ListHead } from "./list_parts.ts";
import type { ListUrls } from "./list_urls.ts";

/**
 * The bar above a list: the search box, the filters of the definition that are no days and no numbers, and what plugins add.
 * Fast path: the search of a list without parameters is the same for everybody, but for its address.
 */
export async function toolbar(controller: ResourceRequest, head: ListHead): Promise<SafeHtml> {
  const { list, urls, names, filters: added, tools } = head;
  const isAsked = urls.query() !== "" || controller.registration.definition.filters.size > 0;
  const find = isAsked ? await askedForm(controller, head) : bareForm(controller, urls, names);
  const clear =
    (list.search !== undefined || hasConditions(list)) &&
    html`<a class="btn btn-ghost-secondary fw-clear" href="${safeUrl(urls.cleared())}">${iconOrNothing("x")}<span>${controller.t("framework.clear")}</span></a>`;
  if (find === "" && added.length === 0 && tools.length === 0 && !clear) return raw("");
  const end = tools.length > 0 && html`<div class="fw-toolbar-end">${tools}</div>`;
  return html`<div class="fw-toolbar">${raw(find)}${added}${clear}${end}</div>`;
}

function formOf(
  controller: ResourceRequest,
  names: readonly string[],
  view: Omit<ToolbarView, "t" | "search">,
  value?: string,
) {
  const search = maySearch(controller, names) ? { search: { label: controller.t("resource.search"), value } } : {};
  return filters({ ...view, ...search, t: (key, vars) => controller.t(key, vars) }).html;
}

function bareForm(controller: ResourceRequest, urls: ListUrls, names: readonly string[]): string {
  const parts = controller.registration.onceWithTexts(controller, `bare search ${maySearch(controller, names)}`, () =>
    formOf(controller, names, { action: HOLES.url, filters: [] }).split(HOLES.url),
  );
  return parts.join(hrefOf(urls.base));
}

async function askedForm(controller: ResourceRequest, { list, urls, names }: ListHead): Promise<string> {
  const views: FilterView[] = [];
  for (const [name, options] of standingFilters(controller, names, list)) {
    const value = list.filters.get(name);
    if (isFilterGroup(options)) views.push(...(await groupViews(controller, name, options, value as never)));
    else views.push(await filterView(controller, name, options, value as string | undefined));
  }
  const isHere = (name: string) => name === "q" || views.some((view) => view.name === name);
  const keep = urls.carried().flatMap(([name, value]) => (isHere(name) ? [] : [{ name, value }]));
  return formOf(controller, names, { action: controller.listUrl, filters: views, keep }, list.search);
}

/** The inputs of a filter that has several. */
async function groupViews(
  controller: ResourceRequest,
  name: string,
  { inputs }: FilterGroup,
  values: Readonly<Record<string, string>> = {},
): Promise<FilterView[]> {
  const views: FilterView[] = [];
  for (const [key, input] of Object.entries(inputs)) {
    const usual = input.label ?? `${humanize(name)} ${humanize(key).toLowerCase()}`;
    const label = ownText(controller, controller.registration, `filters.${name}.${key}`, usual);
    const view = await filterView(controller, key, { ...input, label }, values[key], false);
    views.push({ ...view, name: `filter[${name}][${key}]` });
  }
  return views;
}

/** A filter as it was declared; what it leaves out follows from the column. */
async function filterView(
  controller: ResourceRequest,
  name: string,
  options: FilterOptions,
  value: string | undefined,
  isNamed = true,
): Promise<FilterView> {
  const attribute = isNamed ? attributeIn(controller.registration, name) : undefined;
  const choices = await choicesOf(controller, attribute, options, value);
  const { types } = controller.registration;
  const chosen = choices.length > 0 && options.as === undefined ? types.get("select") : undefined;
  const type = chosen ?? filterType(controller.registration, attribute, options) ?? types.get("text");
  const label = isNamed ? filterLabel(controller, name, options) : (options.label ?? humanize(name));
  const offered = choices.length === 0 && options.labels ? labelled(controller, options.labels) : choices;
  return { name: `filter[${name}]`, label, as: options.as ?? "text", type, value, choices: offered };
}

/** What a filter is called: by the catalogue, by itself, else as the attribute that it is named after. */
function filterLabel(controller: ResourceRequest, name: string, { label }: { label?: string }): string {
  const { registration } = controller;
  const attribute = attributeIn(registration, name);
  return registration.onceWithTexts(controller, `filter label of ${name}`, () => {
    const usual = label ?? (attribute && fieldLabel(controller, registration, attribute, "input")) ?? humanize(name);
    return ownText(controller, registration, `filters.${name}`, usual);
  });
}

/** The two values of a boolean. */
const labelled = (controller: ResourceRequest, { true: yes, false: no }: FilterOptions["labels"] & {}) => [
  { value: "1", label: yes ?? controller.t("framework.yes") },
  { value: "0", label: no ?? controller.t("framework.no") },
];

/** The attribute that a filter is named after; undefined for one under a name of its own. */
const attributeIn = (registration: Registration, name: string): Attribute | undefined =>
  isAttribute(name, registration) ? registration.attribute(name) : undefined;

async function choicesOf(
  controller: ResourceRequest,
  attribute: Attribute | undefined,
  { choices, as }: FilterOptions,
  value: string | undefined,
) {
  const { registration } = controller;
  const own = typeof choices === "function" ? await choices(listContextOf(controller)) : choices;
  const given = own ?? (attribute && registration.model.choices[attribute.name]);
  if (given)
    return namedChoices(
      await fieldSource(controller).labelled(given),
      attribute && valueLabels(controller, registration, attribute.name),
    );
  const association = attribute?.association;
  return association?.kind === "belongsTo" && as === undefined
    ? (await choicesFor(controller, association.target, value, [])).choices
    : [];
}
