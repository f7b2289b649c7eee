import { type FilterGroup, type FilterOptions, isFilterGroup } from "../definition/definition_options.ts";
import { listContextOf } from "../operations/list_context.ts";
import { filterKind } from "../registration/filter_operators.ts";
import { declaredFilters, filtersOf } from "../registration/list_params.ts";
import type { ResourceRequest } from "../request.ts";

type Offered = [name: string, options: FilterOptions | FilterGroup];

/** The filters that stand beside the search: those of the definition, but for days and numbers, which have two ends. */
export const standingFilters = (controller: ResourceRequest, names: readonly string[]): Offered[] =>
  declaredFilters(controller.registration, names, listContextOf(controller)).filter(
    (offered) => !isInPanel(controller, offered),
  );

/** The filters that are opened: all others. */
export const panelFilters = (
  controller: ResourceRequest,
  names: readonly string[] = controller.listOf("Index"),
): Offered[] =>
  [...filtersOf(controller.registration, names, listContextOf(controller))].filter((offered) =>
    isInPanel(controller, offered),
  );

/** Whether there is a panel to open: of filters, and of columns for people who are signed in. */
export const hasListPanel = (controller: ResourceRequest, names: readonly string[]): boolean =>
  hasColumnChoice(controller, names) || panelFilters(controller, names).length > 0;
/** Whether the person may choose columns. */
export const hasColumnChoice = ({ currentUser }: ResourceRequest, names: readonly string[]): boolean =>
  currentUser !== undefined && names.length > 1;
/** What the link to the panel says. */
export const panelLabel = (controller: ResourceRequest, names: readonly string[]): { panelLabel?: string } =>
  hasColumnChoice(controller, names) ? { panelLabel: controller.t("filters.open_with_columns") } : {};

function isInPanel({ registration }: ResourceRequest, [name, options]: Offered): boolean {
  if (!registration.definition.filters.has(name)) return true;
  if (isFilterGroup(options) || options.apply || options.as !== undefined) return false;
  return ["number", "date", "datetime"].includes(filterKind(registration, name) ?? "");
}
