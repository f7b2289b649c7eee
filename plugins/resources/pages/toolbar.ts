import { humanize, raw, type SafeHtml } from "framewright/host";
import { choiceOf, type FilterView, filters } from "framewright/plugins/fields";
import type { Attribute } from "../definition/attributes.ts";
import { type FilterGroup, type FilterOptions, isFilterGroup } from "../definition/definition_options.ts";
import { choicesFor } from "../operations/choices.ts";
import { listContextOf, maySearch } from "../operations/list_context.ts";
import { filterType } from "../registration/filter_type.ts";
import { isAttribute, type ListRequest } from "../registration/list_params.ts";
import type { Registration } from "../registration/registration.ts";
import { fieldLabel, namedChoices, ownText, valueLabels } from "../registration/resource_texts.ts";
import type { ResourceRequest } from "../request.ts";
import { bareToolbar } from "./bare_toolbar.ts";
import { chipsOf } from "./filter_chips.ts";
import { drawFilterPanel, frame, isPanelOpen, OPEN_FILTERS } from "./filter_panel.ts";
import { hasListPanel, panelLabel, standingFilters } from "./list_filters.ts";
import type { ListUrls } from "./list_urls.ts";

/** The search box and the filters above a list, of the names that the policy permits; days, numbers and what the definition does not name are opened. */
export async function toolbar(
  controller: ResourceRequest,
  { list, urls, names }: { list: ListRequest; urls: ListUrls; names: readonly string[] },
): Promise<SafeHtml> {
  const bare = bareToolbar(controller, { list, urls, names });
  if (bare) return bare;
  const isSearchable = maySearch(controller, names);
  const standing = standingFilters(controller, names);
  const hasPanel = hasListPanel(controller, names);
  if (!isSearchable && standing.length === 0 && !hasPanel) return raw("");
  const narrowed = list.search !== undefined || list.filters.size > 0;
  const views: FilterView[] = [];
  for (const [name, options] of standing) {
    const value = list.filters.get(name);
    if (isFilterGroup(options))
      views.push(...(await groupViews(controller, name, options, value as Record<string, string> | undefined)));
    else views.push(await filterView(controller, name, options, value as string | undefined));
  }
  return filters({
    action: controller.listUrl,
    ...(isSearchable ? { search: { label: controller.t("resource.search"), value: list.search } } : {}),
    filters: views,
    keep: keptBeside(urls, standing),
    ...(narrowed ? { clearUrl: urls.cleared() } : {}),
    ...(hasPanel
      ? {
          panelUrl: urls.with(OPEN_FILTERS, "1"),
          ...panelLabel(controller, names),
          panel: await panelOf(controller, list, urls),
        }
      : {}),
    chips: await chipsOf(controller, list, urls),
    t: (key, vars) => controller.t(key, vars),
  });
}

const panelOf = async (controller: ResourceRequest, list: ListRequest, urls: ListUrls): Promise<SafeHtml> =>
  frame(isPanelOpen(controller) ? await drawFilterPanel(controller, list, urls) : undefined);

/** Everything that the address has and the form has no input for. */
function keptBeside(urls: ListUrls, standing: readonly (readonly [string, unknown])[]) {
  const isHere = (name: string) =>
    name === "q" || standing.some(([one]) => name === `filter[${one}]` || name.startsWith(`filter[${one}][`));
  return urls.carried().flatMap(([name, value]) => (isHere(name) ? [] : [{ name, value }]));
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
export function filterLabel(controller: ResourceRequest, name: string, { label }: { label?: string }): string {
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
  isAttribute(name, registration.model) ? registration.attribute(name) : undefined;

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
    return namedChoices(given.map(choiceOf), attribute && valueLabels(controller, registration, attribute.name));
  const association = attribute?.association;
  return association?.kind === "belongsTo" && as === undefined
    ? (await choicesFor(controller, association.target, value, [])).choices
    : [];
}
