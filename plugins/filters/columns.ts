import { html, humanize, notFound, raw, type SafeHtml, safeUrl } from "framewright/host";
import type { Choice } from "framewright/plugins/fields";
import { attributes, defaultButton } from "framewright/plugins/fields/toolkit";
import { fieldLabel } from "framewright/plugins/resources";
import { ListUrls, shownNames } from "framewright/plugins/resources/toolkit";
import { iconOrNothing } from "framewright/plugins/views";
import { carried, OPTIONS, type Option, type OptionView, optionUrl } from "./option.ts";

/** The columns of a list: which are shown, and in which order. @throws HttpError 404 unless they may be chosen */
export function columnsOption(option: Option): OptionView {
  const { controller, urls, choices, t } = option;
  if (!choices.hasColumns) throw notFound();
  const columns = columnsOf(option);
  const moved = controller.params.get("move");
  if (typeof moved === "string") return controller.redirectTo(movedUrl(option, columns, moved));
  const move = urls.base + OPTIONS;
  const form = html`<form method="get" action="${safeUrl(urls.base)}" data-turbo-frame="_top">${defaultButton}${raw(carried(urls, ["columns"]))}<ul class="fw-pick-columns">${columns.map((one) => columnLine(one, move, t))}</ul>${apply(t)}</form>`;
  return { title: t("filters.columns"), content: form };
}

/** The columns that may be shown: those that are first, in their order. */
function columnsOf({ controller, list, choices }: Option): Choice[] {
  const { registration } = controller;
  const shown = choices.shown(list);
  return shownNames(controller, [...new Set([...shown, ...choices.names])], "columns").map((name) => {
    const label = fieldLabel(controller, registration, registration.attribute(name), "listed");
    return { value: name, label, selected: shown.includes(name) };
  });
}

const apply = (t: Option["t"]): SafeHtml =>
  html`<div class="fw-option-end"><button class="btn btn-primary">${t("framework.apply")}</button></div>`;

/** A column with its box; one that is shown can be moved. */
function columnLine({ value, label, selected }: Choice, url: string, t: Option["t"]): SafeHtml {
  const move = (to: string, sign: string, text: string) =>
    html`<button class="fw-row-action" formaction="${safeUrl(url)}" name="move" value="${to}" data-move aria-label="${text}" title="${text}">${iconOrNothing(sign)}</button>`;
  const earlier = move(`-${value}`, "chevron-up", t("filters.move_up", { column: label }));
  const later = move(value, "chevron-down", t("filters.move_down", { column: label }));
  const own = attributes({ type: "checkbox", class: "form-check-input", name: "columns[]", value, checked: selected });
  return html`<li><label class="form-check"><input${raw(own)}><span class="form-check-label">${label}</span></label>${selected && html`<span>${earlier}${later}</span>`}</li>`;
}

/** The same with a column moved by one place: to the left after a minus. */
function movedUrl({ controller, list }: Option, columns: readonly Choice[], moved: string): string {
  const names = columns.filter(({ selected }) => selected).map(({ value }) => value);
  const at = names.indexOf(moved.replace(/^-/, ""));
  const to = at + (moved.startsWith("-") ? -1 : 1);
  if (names[at] !== undefined && names[to] !== undefined) [names[at], names[to]] = [names[to], names[at]];
  return optionUrl(new ListUrls(controller, { ...list, columns: names }), "columns");
}

/** How a list is displayed: its order, and what plugins add. @throws HttpError 404 where neither is offered */
export async function displayOption(option: Option): Promise<OptionView> {
  const { controller, urls, choices, t } = option;
  const orders = choices.hasColumns ? ordersOf(option) : [];
  const selects = orders.map((one, at) => orderSelect(one, t(at === 0 ? "filters.order.first" : "filters.order.then")));
  const parts: SafeHtml[] = [];
  await controller.resources.hooks.filterPanel.promise(parts, urls.same(), controller);
  if (orders.length === 0 && parts.length === 0) throw notFound();
  const form =
    orders.length > 0 &&
    html`<form method="get" action="${safeUrl(urls.base)}" data-turbo-frame="_top">${raw(carried(urls, ["sort"]))}<fieldset class="fw-order-parts"><legend>${t("filters.order.label")}</legend>${selects}</fieldset>${apply(t)}</form>`;
  return { title: t("filters.display"), content: html`${form}${parts}` };
}

const USUAL_ORDERS = 3;
const MAX_ORDERS = 5; // that are read

/** What the list may be ordered by, first and then. */
function ordersOf({ controller, list, choices, t }: Option): Choice[][] {
  const { registration } = controller;
  const sorts = list.sorted ? list.sorts : [];
  const names = shownNames(controller, choices.sortable(), "columns");
  const labels = [...new Set([...names, ...sorts.map(({ name }) => name)])].map((name) => {
    const isOwn = !choices.names.includes(name) && !registration.model.columns.has(name); // an order of the definition's
    return [
      name,
      isOwn ? humanize(name) : fieldLabel(controller, registration, registration.attribute(name), "listed"),
    ];
  }) as [string, string][];
  const levels = Math.min(MAX_ORDERS, Math.max(USUAL_ORDERS, sorts.length + 1));
  return Array.from({ length: levels }, (_, at) =>
    labels.flatMap(([name, column]) =>
      (["asc", "desc"] as const).map((direction) => ({
        value: direction === "desc" ? `-${name}` : name,
        label: t(`filters.order.${direction}`, { column }),
        selected: sorts[at]?.name === name && sorts[at]?.direction === direction,
      })),
    ),
  );
}

const orderSelect = (choices: readonly Choice[], label: string): SafeHtml =>
  html`<select class="form-select" name="sort[]" aria-label="${label}"><option value="">${label}</option>${choices.map(({ value, label: text, selected }) => html`<option value="${value}"${raw(selected ? " selected" : "")}>${text}</option>`)}</select>`;
