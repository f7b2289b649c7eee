import { raw, type SafeHtml } from "framewright/host";
import { filters } from "framewright/plugins/fields";
import { maySearch } from "../operations/list_context.ts";
import type { ListRequest } from "../registration/list_params.ts";
import { hrefOf } from "../registration/urls.ts";
import type { ResourceRequest } from "../request.ts";
import { frame, isPanelOpen, OPEN_FILTERS } from "./filter_panel.ts";
import { HOLES } from "./holes.ts";
import { hasListPanel, panelLabel } from "./list_filters.ts";
import type { ListUrls } from "./list_urls.ts";

/** Fast path: the toolbar of a list that nothing is asked of is the same for everybody, but for its address; undefined for another. */
export function bareToolbar(
  controller: ResourceRequest,
  { list, urls, names }: { list: ListRequest; urls: ListUrls; names: readonly string[] },
): SafeHtml | undefined {
  const { registration, currentUser } = controller;
  const isNarrowed = list.search !== undefined || list.filters.size > 0 || list.askedScope !== undefined;
  const isAsked = isNarrowed || list.sorted || list.columns !== undefined || list.shape !== undefined;
  if (isAsked || registration.definition.filters.size > 0 || isPanelOpen(controller)) return undefined;
  const isSearchable = maySearch(controller, names);
  const hasPanel = currentUser !== undefined && hasListPanel(controller, names);
  if (!isSearchable && !hasPanel) return raw("");
  const parts = registration.onceWithTexts(
    controller,
    `bare toolbar ${isSearchable} ${hasPanel} ${names.length > 1}`,
    () =>
      filters({
        action: HOLES.url,
        ...(isSearchable ? { search: { label: controller.t("resource.search"), value: undefined } } : {}),
        filters: [],
        ...(hasPanel
          ? { panelUrl: `${HOLES.url}?${OPEN_FILTERS}=1`, ...panelLabel(controller, names), panel: frame(undefined) }
          : {}),
        t: (key, vars) => controller.t(key, vars),
      }).html.split(HOLES.url),
  );
  return raw(parts.join(hrefOf(urls.base)));
}
