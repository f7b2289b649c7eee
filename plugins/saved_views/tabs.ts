import { csrfInput, html, type SafeHtml } from "framewright/host";
import { allows, type ResourceController } from "framewright/plugins/resources";
import type { ListHead, ListUrls } from "framewright/plugins/resources/toolkit";
import { iconOrNothing } from "framewright/plugins/views";
import { savedViewsOf } from "./answers.ts";
import { defaultForm, defaultOf, type KnownViews, knownViews } from "./default_view.ts";
import type { SavedView } from "./store.ts";

/** Adds the saved views of a list as tabs, and what keeps the list as it is, or deletes the view that it is. */
export async function addViewTabs(head: ListHead): Promise<void> {
  const { controller, urls } = head;
  const found = await knownViews(controller);
  if (!found) return;
  const { views } = found;
  const chosen = defaultOf(controller, found);
  urls.hasDefault = chosen !== undefined;
  const query = urls.query();
  const current = views.find((view) => view.query === query);
  for (const view of views) {
    const url = urls.base + view.query;
    head.addTab({ key: `view-${view.id}`, label: view.name, url, active: view === current });
  }
  const form = await formOf(controller, urls, { query, current, found });
  if (form) head.besideTabs.push(form);
  if (chosen && current === chosen) head.allUrl = urls.plain(); // nothing else leads to the list as it is
}

async function formOf(
  controller: ResourceController,
  urls: ListUrls,
  { query, current, found }: { query: string; current: SavedView | undefined; found: KnownViews },
): Promise<SafeHtml | undefined> {
  if (current) {
    const isKept = await savedViewsOf(controller)?.keepsDefaults();
    const defaults = isKept && defaultForm(controller, urls, current, found.defaults);
    return html`${current.isOwn && deletion(controller, urls, current)}${defaults}`;
  }
  return query === "" ? undefined : saving(controller, urls, query);
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
