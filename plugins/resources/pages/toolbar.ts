import { humanize, raw, type SafeHtml } from "framewright/host";
import { type FilterView, filters } from "../components/index.ts";
import type { ResourceController } from "../controller.ts";
import type { Attribute } from "../definition/attributes.ts";
import type { FilterOptions } from "../definition/definition.ts";
import { choiceOf } from "../fields/options.ts";
import { choicesFor } from "../operations/choices.ts";
import { listContextOf, maySearch } from "../operations/list_context.ts";
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
  for (const [name, options] of offered)
    views.push(await filterView(controller, name, options, list.filters.get(name)));
  return filters({
    action: controller.listUrl,
    ...(isSearchable ? { search: { label: controller.t("resource.search"), value: list.search } } : {}),
    filters: views,
    keep,
    ...(narrowed ? { clearUrl: controller.listUrl } : {}),
    t: (key, vars) => controller.t(key, vars),
  });
}

/** A filter as it was declared; what it leaves out follows from the column. */
async function filterView(
  controller: ResourceController,
  name: string,
  options: FilterOptions,
  value: string | undefined,
): Promise<FilterView> {
  const attribute = attributeIn(controller.registration, name);
  const choices = await choicesOf(controller, name, options, value);
  const isBoolean = attribute?.column?.type === "boolean";
  const as = options.as ?? (choices.length > 0 ? "select" : isBoolean ? "boolean" : "text");
  const label = options.label ?? attribute?.label ?? humanize(name);
  return { name: `filter[${name}]`, label, as, value, choices };
}

/** The attribute that a filter is named after; undefined for one under a name of its own. */
const attributeIn = (registration: Registration, name: string): Attribute | undefined =>
  isAttribute(name, registration.model) ? registration.attribute(name) : undefined;

async function choicesOf(
  controller: ResourceController,
  name: string,
  { choices, as }: FilterOptions,
  value: string | undefined,
) {
  const { registration } = controller;
  const own = typeof choices === "function" ? await choices(listContextOf(controller)) : choices;
  const given = own ?? registration.model.choices[name];
  if (given) return given.map(choiceOf);
  const association = attributeIn(registration, name)?.association;
  return association?.kind === "belongsTo" && as === undefined
    ? (await choicesFor(controller, association.target, value, [])).choices
    : [];
}
