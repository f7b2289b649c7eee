import { html, raw, type SafeHtml, safeUrl } from "framewright/host";
import { iconOrNothing } from "framewright/plugins/views";
import { standardTypes } from "../types/index.ts";
import { hidden } from "./attributes.ts";
import { lineInput, textFilter } from "./filter_inputs.ts";
import { FILTER_FRAME } from "./filter_panel.ts";
import type { FilterView, ScopeView, SearchView, ToolbarView, Translate } from "./types.ts";

function search({ name = "q", label, value }: SearchView): SafeHtml {
  const input = lineInput("search", { name, label, value }, "off");
  return html`<div class="fw-search" role="search">${iconOrNothing("search")}${input}</div>`;
}

const filter = (view: FilterView, t: Translate): SafeHtml => {
  const draw = (view.type ?? standardTypes.get(view.as))?.filter?.input ?? textFilter;
  return draw(view, t);
};

/** Search and filters, sent as one GET form. */
export function filters(view: ToolbarView): SafeHtml {
  const { action, search: find, filters: list, keep = [], clearUrl, panelUrl, panel, chips, t } = view;
  if (!find && list.length === 0 && panelUrl === undefined) return raw("");
  const kept = keep.map(({ name, value }) => hidden(name, value)).join("");
  const clear =
    clearUrl !== undefined &&
    html`<a class="btn btn-ghost-secondary" href="${safeUrl(clearUrl)}">${iconOrNothing("x")}${t("framework.clear")}</a>`;
  const label = list.length > 0 ? t("framework.apply") : t("framework.search");
  const send = (find || list.length > 0) && html`<button class="btn">${label}</button>`;
  const more =
    panelUrl !== undefined &&
    html`<a class="btn fw-open-filters" href="${safeUrl(panelUrl)}" data-turbo-frame="${FILTER_FRAME}">${iconOrNothing("filter")}<span>${view.panelLabel ?? t("framework.filters")}</span></a>`;
  return html`<form class="fw-toolbar" method="get" action="${safeUrl(action)}" data-autosubmit>${raw(kept)}${find && search(find)}${list.map((one) => filter(one, t))}${send}${more}${clear}</form>${panel}${chips}`;
}

/** The named scopes of a list, as tabs. */
export function scopes(list: readonly ScopeView[], label: string): SafeHtml {
  if (list.length === 0) return raw("");
  const tabs = list.map(({ label: words, url, active, count }) => {
    const current = raw(active ? ' aria-current="page"' : "");
    const number = count !== undefined && html` <span class="fw-count">${count}</span>`;
    return html`<li><a class="fw-scope"${current} href="${safeUrl(url)}">${words}${number}</a></li>`;
  });
  return html`<nav class="fw-scopes" aria-label="${label}"><ul>${tabs}</ul></nav>`;
}
