import { html, raw, type SafeHtml, safeUrl } from "framewright/host";
import { iconOrNothing } from "framewright/plugins/views";
import { attributes, hidden } from "./attributes.ts";
import type { FilterView, ScopeView, SearchView, ToolbarView, Translate } from "./types.ts";
import { choiceLabel } from "./words.ts";

function search({ name = "q", label, value }: SearchView): SafeHtml {
  const own = attributes({
    type: "search",
    name,
    value: value ?? "",
    placeholder: label,
    "aria-label": label,
    class: "form-control",
    autocomplete: "off",
  });
  return html`<div class="fw-search" role="search">${iconOrNothing("search")}<input${raw(own)}></div>`;
}

function choicesOf({ as, choices = [] }: FilterView, t: Translate) {
  return as === "boolean" && choices.length === 0
    ? [
        { value: "1", label: t("framework.yes") },
        { value: "0", label: t("framework.no") },
      ]
    : choices;
}

function filter(view: FilterView, t: Translate): SafeHtml {
  const { name, label, as, value } = view;
  const on = value !== undefined && value !== "";
  if (as === "text" || as === "date") {
    const own = attributes({
      type: as,
      name,
      value: value ?? "",
      placeholder: label,
      "aria-label": label,
      class: "form-control",
    });
    return html`<div class="fw-filter"><input${raw(own)}></div>`;
  }
  const options = choicesOf(view, t).map((choice) => {
    const chosen = raw(choice.value === value ? " selected" : "");
    return html`<option value="${choice.value}"${chosen}>${label}: ${choiceLabel(choice)}</option>`;
  });
  return html`<div class="fw-filter"><select class="form-select${raw(on ? " fw-filter-on" : "")}" name="${name}" aria-label="${label}"><option value="">${label}: ${t("framework.any")}</option>${options}</select></div>`;
}

/** Search and filters, sent as one GET form. */
export function filters({ action, search: find, filters: list, keep = [], clearUrl, t }: ToolbarView): SafeHtml {
  if (!find && list.length === 0) return raw("");
  const kept = keep.map(({ name, value }) => hidden(name, value)).join("");
  const clear =
    clearUrl !== undefined &&
    html`<a class="btn btn-ghost-secondary" href="${safeUrl(clearUrl)}">${iconOrNothing("x")}${t("framework.clear")}</a>`;
  const label = list.length > 0 ? t("framework.apply") : t("framework.search");
  return html`<form class="fw-toolbar" method="get" action="${safeUrl(action)}" data-autosubmit>${raw(kept)}${find && search(find)}${list.map((one) => filter(one, t))}<button class="btn">${label}</button>${clear}</form>`;
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
