import { raw, type SafeHtml } from "framewright/host";
import { type FilterView, filters } from "../components/index.ts";
import type { ResourceController } from "../controller.ts";
import type { FilterOptions } from "../definition/definition.ts";
import { choicesFor } from "../operations/choices.ts";
import type { ListRequest } from "../registration/list_params.ts";

/** The search box and the filters above a list, of the names that the policy permits. */
export async function toolbar(controller: ResourceController, list: ListRequest): Promise<SafeHtml> {
  const { definition } = controller.registration;
  const permitted = controller.listOf("Index");
  const offered = [...definition.filters].filter(([name]) => permitted.includes(name));
  if (!definition.searcher && offered.length === 0) return raw("");
  const narrowed = list.search !== undefined || list.filters.size > 0;
  const sort = controller.params.string("sort");
  const keep = Object.entries({ scope: list.scope, sort }).flatMap(([name, value]) => (value ? [{ name, value }] : []));
  const views: FilterView[] = [];
  for (const [name, options] of offered)
    views.push(await filterView(controller, name, options, list.filters.get(name)));
  return filters({
    action: controller.listUrl,
    ...(definition.searcher ? { search: { label: controller.t("resource.search"), value: list.search } } : {}),
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
  const { label, column } = controller.registration.attribute(name);
  const choices = await choicesOf(controller, name, options, value);
  const as = options.as ?? (choices.length > 0 ? "select" : column?.type === "boolean" ? "boolean" : "text");
  return { name: `filter[${name}]`, label: options.label ?? label, as, value, choices };
}

async function choicesOf(
  controller: ResourceController,
  name: string,
  options: FilterOptions,
  value: string | undefined,
) {
  const { association } = controller.registration.attribute(name);
  const given = options.choices ?? controller.registration.model.enums[name];
  if (given) return given.map((choice) => (typeof choice === "string" ? { value: choice, label: choice } : choice));
  return association?.kind === "belongsTo" && options.as === undefined
    ? choicesFor(controller, association, value)
    : [];
}
