import { humanize, raw, type SafeHtml } from "framewright/host";
import { type FilterView, filters } from "../components/index.ts";
import type { ResourceController } from "../controller.ts";
import type { Attribute } from "../definition/attributes.ts";
import { type FilterGroup, type FilterOptions, isFilterGroup } from "../definition/definition.ts";
import { choiceOf } from "../fields/options.ts";
import { choicesFor } from "../operations/choices.ts";
import { listContextOf, maySearch } from "../operations/list_context.ts";
import { filterType } from "../registration/filter_type.ts";
import { filtersOf, isAttribute, type ListRequest } from "../registration/list_params.ts";
import type { Registration } from "../registration/registration.ts";

/** The search box and the filters above a list, of the names that the policy permits. */
export async function toolbar(controller: ResourceController, list: ListRequest): Promise<SafeHtml> {
  const isSearchable = maySearch(controller);
  const permitted = controller.listOf("Index");
  const offered = filtersOf(controller.registration, permitted, listContextOf(controller));
  if (!isSearchable && offered.size === 0) return raw("");
  const narrowed = list.search !== undefined || list.filters.size > 0;
  const sort = controller.params.string("sort");
  const keep = Object.entries({ scope: list.askedScope, sort }).flatMap(([name, value]) =>
    value ? [{ name, value }] : [],
  );
  const views: FilterView[] = [];
  for (const [name, options] of offered) {
    const value = list.filters.get(name);
    if (isFilterGroup(options))
      views.push(...(await groupViews(controller, name, options, value as Record<string, string> | undefined)));
    else views.push(await filterView(controller, name, options, value as string | undefined));
  }
  return filters({
    action: controller.listUrl,
    ...(isSearchable ? { search: { label: controller.t("resource.search"), value: list.search } } : {}),
    filters: views,
    keep,
    ...(narrowed ? { clearUrl: controller.listUrl } : {}),
    t: (key, vars) => controller.t(key, vars),
  });
}

/** The inputs of a filter that has several. */
async function groupViews(
  controller: ResourceController,
  name: string,
  { inputs }: FilterGroup,
  values: Readonly<Record<string, string>> = {},
): Promise<FilterView[]> {
  const views: FilterView[] = [];
  for (const [key, input] of Object.entries(inputs)) {
    const label = input.label ?? `${humanize(name)} ${humanize(key).toLowerCase()}`;
    const view = await filterView(controller, key, { ...input, label }, values[key], false);
    views.push({ ...view, name: `filter[${name}][${key}]` });
  }
  return views;
}

/** A filter as it was declared; what it leaves out follows from the column. */
async function filterView(
  controller: ResourceController,
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
  const label = options.label ?? attribute?.label ?? humanize(name);
  const offered = choices.length === 0 && options.labels ? labelled(controller, options.labels) : choices;
  return { name: `filter[${name}]`, label, as: options.as ?? "text", type, value, choices: offered };
}

/** The two values of a boolean. */
const labelled = (controller: ResourceController, { true: yes, false: no }: FilterOptions["labels"] & {}) => [
  { value: "1", label: yes ?? controller.t("framework.yes") },
  { value: "0", label: no ?? controller.t("framework.no") },
];

/** The attribute that a filter is named after; undefined for one under a name of its own. */
const attributeIn = (registration: Registration, name: string): Attribute | undefined =>
  isAttribute(name, registration.model) ? registration.attribute(name) : undefined;

async function choicesOf(
  controller: ResourceController,
  attribute: Attribute | undefined,
  { choices, as }: FilterOptions,
  value: string | undefined,
) {
  const { registration } = controller;
  const own = typeof choices === "function" ? await choices(listContextOf(controller)) : choices;
  const given = own ?? (attribute && registration.model.choices[attribute.name]);
  if (given) return given.map(choiceOf);
  const association = attribute?.association;
  return association?.kind === "belongsTo" && as === undefined
    ? (await choicesFor(controller, association.target, value, [])).choices
    : [];
}
