import { html, raw, type SafeHtml, safeUrl } from "framewright/host";
import { iconOrNothing } from "framewright/plugins/views";
import { standardTypes } from "../types/index.ts";
import { hidden } from "./attributes.ts";
import { lineInput, textFilter } from "./filter_inputs.ts";
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
export function filters({ action, search: find, filters: list, keep = [], t }: ToolbarView): SafeHtml {
  if (!find && list.length === 0) return raw("");
  const kept = keep.map(({ name, value }) => hidden(name, value)).join("");
  const label = list.length > 0 ? t("framework.apply") : t("framework.search");
  return html`<form class="fw-find" method="get" action="${safeUrl(action)}" data-autosubmit>${raw(kept)}${find && search(find)}${list.map((one) => filter(one, t))}<button class="btn">${label}</button></form>`;
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
