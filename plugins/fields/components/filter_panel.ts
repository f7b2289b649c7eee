import { html, type Locale, numberField, raw, type SafeHtml, safeUrl } from "framewright/host";
import { iconOrNothing } from "framewright/plugins/views";
import { attributes, defaultButton, hidden } from "./attributes.ts";
import { associationInput } from "./inputs.ts";
import type { Choice, Translate } from "./types.ts";
import { choiceLabel } from "./words.ts";

type Option = Pick<Choice, "value" | "label"> & Partial<Choice>;

/** One attribute in the panel of filters. */
export interface PanelFilter {
  /** The name that is sent: `filter[status]`. */
  name: string;
  label: string;
  kind: "choice" | "record" | "boolean" | "number" | "day";
  /** What is filled in: "" for the plain value, else by operator. */
  values: Readonly<Record<string, string | readonly string[]>>;
  choices?: readonly Option[];
  /** Where more records are found, and what is said of those that are left out. */
  searchUrl?: string;
  moreChoices?: string | undefined;
  /** Whether rows without a value are offered. */
  mayBeEmpty: boolean;
  /** Of numbers with decimals: the language in whose form they are entered. */
  locale?: Locale;
  /** The days that move with the calendar, as choices. */
  days?: readonly Option[];
}
/** Filters of a list that are opened, in a form of their own. */
export interface FilterPanelView {
  action: string;
  /** What the form carries along: search, scope, order, and filters that stand elsewhere. */
  keep: readonly { name: string; value: string }[];
  filters: readonly PanelFilter[];
  /** The columns that may be shown. */
  columns?: readonly Choice[];
  /** What the list is ordered by, first and then: the choices of each. */
  orders?: readonly (readonly Choice[])[];
  /** Stands below the form. */
  after?: SafeHtml | undefined;
  /** The list as it is. */
  closeUrl: string;
  t: Translate;
}

/** The id of the frame that the panel is loaded into. */
export const FILTER_FRAME = "fw-filters";

export function filterPanel({
  action,
  keep,
  filters,
  columns = [],
  orders = [],
  after,
  closeUrl,
  t,
}: FilterPanelView): SafeHtml {
  const kept = raw(keep.map(({ name, value }) => hidden(name, value)).join(""));
  const parts = filters.map((one) => part(one, t));
  return html`<form class="fw-filter-panel" method="get" action="${safeUrl(action)}" data-turbo-frame="_top">${columns.length > 0 && defaultButton}${kept}<div class="fw-filter-parts">${parts}${orders.length > 0 && orderPart(orders, t)}</div>${columns.length > 0 && columnBoxes(columns, t)}<div class="fw-filter-end"><button class="btn btn-primary">${t("framework.apply")}</button><a class="btn btn-ghost-secondary" href="${safeUrl(closeUrl)}" data-turbo-frame="_top">${t("framework.close")}</a></div></form>${after}`;
}

const columnBoxes = (columns: readonly Choice[], t: Translate): SafeHtml =>
  html`<fieldset class="fw-filter-part fw-filter-columns"><legend>${t("filters.columns")}</legend><ul>${columns.map((one) => columnLine(one, t))}</ul></fieldset>`;

/** A column with its box; one that is shown can be moved. */
const columnLine = ({ value, label, selected }: Choice, t: Translate): SafeHtml => {
  const move = (to: string, sign: string, text: string) =>
    html`<button class="fw-row-action" name="_move" value="${to}" data-move aria-label="${text}" title="${text}">${iconOrNothing(sign)}</button>`;
  const earlier = move(`-${value}`, "chevron-up", t("filters.move_up", { column: label }));
  const later = move(value, "chevron-down", t("filters.move_down", { column: label }));
  return html`<li>${box("columns[]", value, label, selected)}${selected && html`<span>${earlier}${later}</span>`}</li>`;
};

/** What the list is ordered by, one select each. */
const orderPart = (orders: readonly (readonly Choice[])[], t: Translate): SafeHtml =>
  html`<fieldset class="fw-filter-part fw-filter-order"><legend>${t("filters.order.label")}</legend>${orders.map((choices, at) => orderSelect(choices, t(at === 0 ? "filters.order.first" : "filters.order.then")))}</fieldset>`;

const orderSelect = (choices: readonly Choice[], label: string): SafeHtml =>
  html`<select class="form-select" name="sort[]" aria-label="${label}"><option value="">${label}</option>${choices.map(({ value, label: words, selected }) => html`<option value="${value}"${raw(selected ? " selected" : "")}>${words}</option>`)}</select>`;

function part(filter: PanelFilter, t: Translate): SafeHtml {
  const inputs = { choice: choices, record, boolean: yesOrNo, number: range, day: days }[filter.kind](filter, t);
  const empty = filter.mayBeEmpty && box(`${filter.name}[empty]`, "1", t("filters.empty"), filter.values.empty === "1");
  return html`<fieldset class="fw-filter-part"><legend>${filter.label}</legend>${inputs}${empty}</fieldset>`;
}

function box(name: string, value: string, label: string, checked: boolean): SafeHtml {
  const own = attributes({ type: "checkbox", class: "form-check-input", name, value, checked });
  return html`<label class="form-check"><input${raw(own)}><span class="form-check-label">${label}</span></label>`;
}

function choices({ name, values, choices = [] }: PanelFilter): SafeHtml {
  const chosen = [values.any ?? [], values[""] ?? []].flat();
  return html`${choices.map((one) => box(`${name}[any][]`, one.value, choiceLabel(one), chosen.includes(one.value)))}`;
}

function record({ name, label, values, choices = [], searchUrl, moreChoices }: PanelFilter, t: Translate): SafeHtml {
  const view = { name, as: "association", id: idOf(name), inputName: name, label, errors: [], required: false };
  const more = { ...(searchUrl === undefined ? {} : { searchUrl }), moreChoices };
  const named = { attributes: { "aria-label": label } };
  return associationInput(
    {
      ...view,
      ...more,
      ...named,
      value: values[""] as string | undefined,
      choices: choices.map((one) => ({ selected: false, ...one })),
    },
    t,
  );
}

function yesOrNo({ name, label, values }: PanelFilter, t: Translate): SafeHtml {
  return list(
    name,
    label,
    values[""],
    [
      { value: "1", label: t("framework.yes") },
      { value: "0", label: t("framework.no") },
    ],
    t,
  );
}

function list(name: string, label: string, chosen: unknown, offered: readonly Option[], t: Translate): SafeHtml {
  const options = offered.map(({ value, label: words }) => {
    const selected = raw(value === chosen ? " selected" : "");
    return html`<option value="${value}"${selected}>${words}</option>`;
  });
  return html`<select class="form-select" name="${name}" aria-label="${label}"><option value="">${t("framework.any")}</option>${options}</select>`;
}

function range(filter: PanelFilter, t: Translate): SafeHtml {
  const inputs = ends(filter, { type: "text", inputmode: "decimal" }, t);
  const { locale, name } = filter;
  return locale?.numbers.isOwn ? html`${inputs}${raw(hidden(numberField(name), locale.name))}` : inputs;
}

function days(filter: PanelFilter, t: Translate): SafeHtml {
  const { name, label, values, days: named = [] } = filter;
  return html`${list(`${name}[in]`, label, values.in, named, t)}${ends(filter, { type: "date" }, t)}`;
}

/** From and to, both taken in. */
function ends({ name, label, values, locale }: PanelFilter, own: Record<string, string>, t: Translate): SafeHtml {
  const single = values[""];
  const shown = (value: string) => locale?.numbers.input(value) ?? value;
  const end = (key: "from" | "to") => {
    const given = {
      ...own,
      name: `${name}[${key}]`,
      value: shown(String(values[key] ?? single ?? "")),
      class: "form-control",
    };
    const words = t(`filters.${key}`);
    return html`<label><span>${words}</span><input${raw(attributes({ ...given, "aria-label": `${label}: ${words}` }))}></label>`;
  };
  return html`<div class="fw-filter-range">${end("from")}${end("to")}</div>`;
}

const idOf = (name: string): string => name.replaceAll(/\W+/g, "_");
