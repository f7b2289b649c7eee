import { csrfInput, html, raw, type SafeHtml } from "framewright/host";
import { iconOrNothing } from "framewright/plugins/views";
import type { ScopeView } from "../components/types.ts";
import type { ResourceController } from "../controller.ts";
import { allows } from "../definition/policy.ts";
import type { ListUrls } from "../pages/list_urls.ts";
import { savedViewsOf } from "./answers.ts";
import { defaultForm, defaultOf, type KnownViews, knownViews } from "./default_view.ts";
import type { SavedView } from "./store.ts";

/** The kept views of a list as tabs, and what keeps the list as it is, or deletes the view that it is. */
export interface ViewTabs {
  readonly tabs: readonly ScopeView[];
  readonly form: SafeHtml;
  /** Where the tab of all leads from the default view: to the list as it is, which nothing else leads to. */
  readonly plain: string | undefined;
}

export async function viewTabs(controller: ResourceController, urls: ListUrls): Promise<ViewTabs | undefined> {
  const found = await knownViews(controller);
  if (!found) return undefined;
  const { views } = found;
  const chosen = defaultOf(controller, found);
  urls.hasDefault = chosen !== undefined;
  const query = urls.query();
  const current = views.find((view) => view.query === query);
  const tabs = views.map((view) => ({
    ...{ key: `view-${view.id}`, label: view.name, url: urls.base + view.query },
    active: view === current,
  }));
  return {
    tabs,
    form: await formOf(controller, urls, { query, current, found }),
    plain: chosen && current === chosen ? urls.plain() : undefined,
  };
}

async function formOf(
  controller: ResourceController,
  urls: ListUrls,
  { query, current, found }: { query: string; current: SavedView | undefined; found: KnownViews },
): Promise<SafeHtml> {
  if (current) {
    const isKept = await savedViewsOf(controller)?.keepsDefaults();
    const defaults = isKept && defaultForm(controller, urls, current, found.defaults);
    return html`${current.isOwn && deletion(controller, urls, current)}${defaults}`;
  }
  return query === "" ? raw("") : saving(controller, urls, query);
}

function saving(controller: ResourceController, urls: ListUrls, query: string): SafeHtml {
  const t = (key: string) => controller.t(`resource.views.${key}`);
  const path = `${urls.base}/views`;
  const share =
    allows(controller.policyFor(), "shareViews") &&
    html`<label class="form-check"><input type="checkbox" class="form-check-input" name="shared" value="1"><span class="form-check-label">${t("share")}</span></label>`;
  const name = html`<label class="form-label" for="fw-view-name">${t("name")}</label><input class="form-control" id="fw-view-name" name="name" required maxlength="100" autocomplete="off">`;
  const form = html`<form method="post" action="${path + query}">${csrfInput(controller.request, path)}${name}${share}<button class="btn btn-primary">${t("save")}</button></form>`;
  return html`<details class="fw-dropdown fw-save-view"><summary class="btn">${iconOrNothing("bookmark")}${t("keep")}</summary><div class="fw-dropdown-panel">${form}</div></details>`;
}

function deletion(controller: ResourceController, urls: ListUrls, { id }: SavedView): SafeHtml {
  const path = `${urls.base}/views/${id}/delete`;
  const label = controller.t("resource.views.delete");
  return html`<form class="fw-save-view" method="post" action="${path}">${csrfInput(controller.request, path)}<button class="btn">${iconOrNothing("trash")}${label}</button></form>`;
}
