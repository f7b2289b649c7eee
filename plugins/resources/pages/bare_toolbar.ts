import { raw, type SafeHtml } from "framewright/host";
import { filters } from "../components/index.ts";
import type { ResourceController } from "../controller.ts";
import { maySearch } from "../operations/list_context.ts";
import { conventionalFilters } from "../registration/list_conventions.ts";
import type { ListRequest } from "../registration/list_params.ts";
import { hrefOf } from "../registration/urls.ts";
import { frame, isPanelOpen, OPEN_FILTERS } from "./filter_panel.ts";
import { HOLES } from "./holes.ts";
import type { ListUrls } from "./list_urls.ts";

/** Fast path: the toolbar of a list that nothing is asked of is the same for everybody, but for its address; undefined for another. */
export function bareToolbar(
  controller: ResourceController,
  { list, urls, names }: { list: ListRequest; urls: ListUrls; names: readonly string[] },
): SafeHtml | undefined {
  const { registration, currentUser } = controller;
  const isAsked = list.search !== undefined || list.filters.size > 0 || list.sorted || list.askedScope !== undefined;
  if (isAsked || registration.definition.filters.size > 0 || isPanelOpen(controller)) return undefined;
  const isSearchable = maySearch(controller, names);
  const hasPanel = currentUser !== undefined && conventionalFilters(registration, names).size > 0;
  if (!isSearchable && !hasPanel) return raw("");
  const parts = registration.onceWithTexts(controller, `bare toolbar ${isSearchable} ${hasPanel}`, () =>
    filters({
      action: HOLES.url,
      ...(isSearchable ? { search: { label: controller.t("resource.search"), value: undefined } } : {}),
      filters: [],
      ...(hasPanel ? { panelUrl: `${HOLES.url}?${OPEN_FILTERS}=1`, panel: frame(undefined) } : {}),
      t: (key, vars) => controller.t(key, vars),
    }).html.split(HOLES.url),
  );
  return raw(parts.join(hrefOf(urls.base)));
}
