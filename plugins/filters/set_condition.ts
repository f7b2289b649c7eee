import { html, localeOf, notFound, numberField, raw, type SafeHtml, safeUrl } from "framewright/host";
import { inputs } from "framewright/plugins/fields";
import { attributes, choiceLabel, hidden, relativeDayNames } from "framewright/plugins/fields/toolkit";
import {
  changeAt,
  type FilterField,
  type FilterValue,
  groupAt,
  keyOf,
  mayNest,
  placeOf,
  withCondition,
  without,
} from "./condition_tree.ts";
import { carried, OPTIONS, type Option, type OptionView, optionUrl } from "./option.ts";

type Operations = Exclude<FilterValue, string>;
type Kind = FilterField["kind"];
const ranges = ["is", "from", "to", "between"];
/** The operators of a field as people choose them; `filled` is "not empty", `between` is from and to. */
const operators: Record<Kind, readonly string[]> = {
  text: ["contains", "begins", "ends", "is", "not"],
  number: [...ranges, "not"],
  time: [...ranges, "not"],
  date: ["in", ...ranges],
  datetime: ["in", ...ranges],
  boolean: ["is"],
  choice: ["any", "not"],
  record: ["any", "not"],
};
const isList = (kind: Kind): boolean => kind === "choice" || kind === "record";

/** What the form is filled with. */
interface Filled {
  operator: string;
  values: readonly string[];
  until: string;
  days: string;
  /** By the operator of the field's own. */
  chosen: string;
  isEmptyToo: boolean;
}

/** The form of one condition; sent, it leads to the list with it. @throws HttpError 404 for a field that can't be filtered by */
export async function setOption(option: Option): Promise<OptionView> {
  const { controller, list, urls, choices, t } = option;
  const { params } = controller;
  const place = placeOf(params.get("place"));
  const field = choices.fields().find(({ name }) => name === params.get("field"));
  if (!field) throw notFound();
  const was = params.string("was") ?? "";
  const operator = params.string("operator");
  if (operator === undefined) {
    const filled = filledFrom(field, partAt(option, field.name, was));
    return { title: field.label, content: await conditionForm(option, field, filled) };
  }
  const filled = sentIn(option, operator);
  const part = partOf(field, filled);
  if (part) {
    const conditions = changeAt(list, place, (group) =>
      withCondition(was === "" ? group : without(group, field.name, was), field, part, mayNest(place)),
    );
    if (!choices.refuses({ ...list, ...conditions })) return controller.redirectTo(urls.conditions(conditions));
  }
  const problem = t(part ? "filters.wrong_value" : "filters.no_value");
  return { title: field.label, content: await conditionForm(option, field, filled, problem), status: 422 };
}

/** The condition that is opened again; undefined for a new one. */
function partAt({ controller, list, choices }: Option, name: string, was: string): FilterValue | undefined {
  const value = groupAt(list, placeOf(controller.params.get("place")))?.filters.get(name);
  return value === undefined ? undefined : choices.parts(name, value).find((part) => keyOf(part) === was);
}

function filledFrom({ kind, choice }: FilterField, part: FilterValue | undefined): Filled {
  const none = { operator: operators[kind][0]!, values: [], until: "", days: "", chosen: "", isEmptyToo: false };
  if (part === undefined) return none;
  const given: Operations = typeof part === "string" ? { [isList(kind) ? "any" : "is"]: part } : part;
  const { from, to, empty, in: days } = given as Record<string, string>;
  const own = choice && given[choice.operator];
  if (own !== undefined) return { ...none, operator: choice!.operator, chosen: [own].flat()[0]! };
  if (given.any !== undefined)
    return { ...none, operator: "any", values: [given.any].flat(), isEmptyToo: empty === "1" };
  if (empty !== undefined) return { ...none, operator: empty === "1" ? "empty" : "filled" };
  if (days !== undefined) return { ...none, operator: "in", days };
  if (from !== undefined && to !== undefined) return { ...none, operator: "between", values: [from], until: to };
  const [[operator, value]] = Object.entries(given) as [[string, string | readonly string[]]];
  return { ...none, operator, values: [value].flat() };
}

function sentIn({ controller: { params } }: Option, operator: string): Filled {
  const sent = params.get("value");
  const values = [sent ?? []].flat().filter((one): one is string => typeof one === "string" && one !== "");
  const until = params.string("until") ?? "";
  const [days, chosen] = ["days", "chosen"].map((name) => params.string(name) ?? "") as [string, string];
  return { operator, values, until, days, chosen, isEmptyToo: params.get("empty") === "1" };
}

/** What was filled in as an address has it; undefined where a value is missing. */
function partOf({ kind, mayBeEmpty, choice }: FilterField, filled: Filled): Operations | undefined {
  const { operator, values, until, days, chosen, isEmptyToo } = filled;
  const [value] = values;
  if (operator === choice?.operator) return chosen === "" ? undefined : { [operator]: chosen };
  if (mayBeEmpty && (operator === "empty" || operator === "filled")) return { empty: operator === "empty" ? "1" : "0" };
  if (!operators[kind].includes(operator)) return undefined;
  if (operator === "in") return days === "" ? undefined : { in: days };
  if (isList(kind) && operator === "any" && isEmptyToo && mayBeEmpty)
    return value === undefined ? { empty: "1" } : { any: values, empty: "1" };
  if (value === undefined) return undefined;
  if (isList(kind)) return { [operator]: values };
  if (operator === "between") return until === "" ? undefined : { from: value, to: until };
  return { [operator]: value };
}

async function conditionForm(option: Option, field: FilterField, filled: Filled, problem?: string): Promise<SafeHtml> {
  const { controller, urls, t } = option;
  const { kind, label, mayBeEmpty, choice } = field;
  const offered = [...operators[kind], ...(mayBeEmpty ? ["empty", "filled"] : [])];
  const choices = offered.map((one) => {
    const selected = raw(one === filled.operator ? " selected" : "");
    return html`<option value="${one}"${selected}>${t(`filters.operators.${isList(kind) && one === "not" ? "none" : one}`)}</option>`;
  });
  if (choice) {
    const selected = raw(choice.operator === filled.operator ? " selected" : "");
    choices.push(html`<option value="${choice.operator}" data-chosen${selected}>${choice.label}</option>`);
  }
  const { params } = controller;
  const kept = ["place", "field", "was"].map((one) => hidden(one, params.string(one) || undefined)).join("");
  const wrong = problem !== undefined && html`<p class="fw-field-errors" role="alert">${problem}</p>`;
  const back = html`<a class="btn btn-ghost-secondary" href="${safeUrl(optionUrl(urls, "add", { place: placeOf(params.get("place")) }))}">${t("filters.other_field")}</a>`;
  const heading = controller.request.frame !== undefined && html`<h2>${label}</h2>`; // a page has its title
  const operator = html`<select class="form-select" name="operator" aria-label="${t("filters.operator")}" autofocus>${choices}</select>`;
  return html`<form class="fw-condition" method="get" action="${safeUrl(urls.base + OPTIONS)}" data-turbo-frame="_top" aria-label="${label}">${raw(carried(urls) + hidden("show", "set") + kept)}${heading}${operator}${await valueInputs(option, field, filled)}${choice && chosenInput(choice, filled)}${wrong}<div class="fw-option-end"><button class="btn btn-primary">${t("framework.apply")}</button>${back}</div></form>`;
}

const chosenInput = ({ label, choices }: NonNullable<FilterField["choice"]>, { chosen }: Filled): SafeHtml => {
  const known = choices().map((one) => ({ value: one.value, label: choiceLabel(one) }));
  return html`<div class="fw-condition-chosen">${select("chosen", label, [{ value: "", label: "" }, ...known], chosen)}</div>`;
};

async function valueInputs(option: Option, field: FilterField, filled: Filled): Promise<SafeHtml> {
  const { t, choices } = option;
  const { kind, mayBeEmpty } = field;
  const label = t("filters.value");
  if (kind === "boolean") {
    const known = [
      { value: "1", label: t("framework.yes") },
      { value: "0", label: t("framework.no") },
    ];
    return html`<div class="fw-condition-value">${select("value", label, known, filled.values[0] ?? "1")}</div>`;
  }
  if (!isList(kind)) return plainInputs(option, field, filled);
  const empty =
    mayBeEmpty &&
    html`<div class="fw-condition-empty">${box("empty", "1", t("filters.empty"), filled.isEmptyToo)}</div>`;
  const found = await choices.values(field, filled.values);
  if (kind === "choice") {
    const boxes = found.choices.map((one) =>
      box("value[]", one.value, choiceLabel(one), filled.values.includes(one.value)),
    );
    return html`<fieldset class="fw-condition-value fw-boxes"><legend class="visually-hidden">${label}</legend>${boxes}${empty}</fieldset>`;
  }
  const view = {
    name: "value",
    as: "association",
    id: "fw-condition-value",
    inputName: "value[]",
    label,
    errors: [],
    required: false,
  };
  const own = { multiple: true, value: filled.values, attributes: { "aria-label": label } };
  return html`<div class="fw-condition-value">${inputs.association!({ ...view, ...found, ...own }, t)}${empty}</div>`;
}

/** One line, a second one for "between", and days that move with the calendar. */
function plainInputs({ controller, t }: Option, { kind, isDecimal }: FilterField, filled: Filled): SafeHtml {
  const locale = localeOf(controller.request.locale);
  const isLocal = isDecimal && locale.numbers.isOwn;
  const type = kind.startsWith("date") ? "date" : kind === "time" ? "time" : "text";
  const line = (name: string, value: string, label: string) => {
    const shown = isLocal ? locale.numbers.input(value) : value;
    const mode = kind === "number" ? "decimal" : undefined;
    const step = kind === "time" ? "any" : undefined;
    const own = {
      type,
      name,
      value: shown,
      class: "form-control",
      inputmode: mode,
      step,
      autocomplete: "off",
      "aria-label": label,
    };
    return html`<input${raw(attributes(own))}>${isLocal && raw(hidden(numberField(name), locale.name))}`;
  };
  const days = relativeDayNames.map((value) => ({ value, label: t(`filters.days.${value}`) }));
  const named =
    type === "date" &&
    html`<div class="fw-condition-days">${select("days", t("filters.value"), days, filled.days)}</div>`;
  const until =
    kind !== "text" && html`<div class="fw-condition-until">${line("until", filled.until, t("filters.to"))}</div>`;
  return html`<div class="fw-condition-value">${line("value", filled.values[0] ?? "", t("filters.value"))}</div>${until}${named}`;
}

function select(
  name: string,
  label: string,
  known: readonly { value: string; label: string }[],
  chosen: string,
): SafeHtml {
  const options = known.map(
    (one) => html`<option value="${one.value}"${raw(one.value === chosen ? " selected" : "")}>${one.label}</option>`,
  );
  return html`<select class="form-select" name="${name}" aria-label="${label}">${options}</select>`;
}

function box(name: string, value: string, label: string, checked: boolean): SafeHtml {
  const own = attributes({ type: "checkbox", class: "form-check-input", name, value, checked });
  return html`<label class="form-check"><input${raw(own)}><span class="form-check-label">${label}</span></label>`;
}
