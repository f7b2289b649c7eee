import { html, raw, type SafeHtml } from "framewright/host";
import { attributes } from "./attributes.ts";
import type { FilterView, Translate } from "./types.ts";
import { choiceLabel } from "./words.ts";

/** An input whose label is within it. */
export function lineInput(
  type: string,
  view: Pick<FilterView, "name" | "label" | "value">,
  autocomplete?: string,
): SafeHtml {
  const { name, label, value = "" } = view;
  const own = { type, name, value, placeholder: label, "aria-label": label, class: "form-control", autocomplete };
  return html`<input${raw(attributes(own))}>`;
}
const box = (type: string) => (view: FilterView) => html`<div class="fw-filter">${lineInput(type, view)}</div>`;
export const textFilter = box("text");
export const dateFilter = box("date");

/** A filter that chooses from a list. */
export function choiceFilter(
  { name, label, value }: FilterView,
  t: Translate,
  choices: readonly { value: string; label: string }[],
): SafeHtml {
  const on = value !== undefined && value !== "";
  const options = choices.map((choice) => {
    const chosen = raw(choice.value === value ? " selected" : "");
    return html`<option value="${choice.value}"${chosen}>${label}: ${choiceLabel(choice)}</option>`;
  });
  return html`<div class="fw-filter"><select class="form-select${raw(on ? " fw-filter-on" : "")}" name="${name}" aria-label="${label}"><option value="">${label}: ${t("framework.any")}</option>${options}</select></div>`;
}
export const selectFilter = (view: FilterView, t: Translate): SafeHtml => choiceFilter(view, t, view.choices ?? []);
/** Yes and no, unless they are called otherwise. */
export function booleanFilter(view: FilterView, t: Translate): SafeHtml {
  const { choices = [] } = view;
  const standard = [
    { value: "1", label: t("framework.yes") },
    { value: "0", label: t("framework.no") },
  ];
  return choiceFilter(view, t, choices.length > 0 ? choices : standard);
}
