import { html, raw, type SafeHtml } from "framewright/host";
import {
  defineFieldType,
  type FieldTypeOptions,
  type FieldView,
  inputBox,
  inputs,
  ownType,
  type Translate,
} from "framewright/plugins/fields";
import { attributes } from "framewright/plugins/fields/toolkit";

/** A number with its sign, which screen readers hear as its description. */
function percentInput(view: FieldView, t: Translate): SafeHtml {
  const signed: FieldView = { ...view, sign: { before: "", after: "%" } };
  return html`<div class="fw-signed">${inputs.decimal!(signed, t)}<span class="fw-sign" id="${view.id}_sign">%</span></div>`;
}

/** "12.500", as a column of three decimals has it, without zeros that mean nothing. */
const shortened = (value: unknown): string =>
  String(value)
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");

const SHAPES = [
  /^(\d{1,6}):([0-5]?\d)(?::([0-5]\d))?$/, // 1:30, 36:00:00
  /^PT(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?$/i,
  /^(?:(\d{1,6})\s*h)?\s*(?:(\d{1,7})\s*min)?\s*(?:(\d{1,9})\s*s)?$/i,
];
const MAX_SECONDS = 2_147_483_647;

/** The seconds of a duration: "1:30", "PT1H30M", "1 h 30 min"; undefined for another text. */
function secondsOf(text: string): number | undefined {
  const written = text.trim();
  if (!/\d/.test(written) || written.length > 40) return undefined;
  for (const shape of SHAPES) {
    const found = shape.exec(written);
    if (!found) continue;
    const [hours, minutes, seconds] = [found[1], found[2], found[3]].map((part) => Number(part ?? 0));
    const all = hours! * 3600 + minutes! * 60 + seconds!;
    return all <= MAX_SECONDS ? all : undefined;
  }
  return undefined;
}

const two = (value: number): string => String(value).padStart(2, "0");
/** As clocks count: "1:30", "0:00:45". */
function clockText(value: unknown): string {
  const all = Number(value);
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  return `${hours}:${two(minutes)}${seconds > 0 ? `:${two(seconds)}` : ""}`;
}
/** "PT1H30M" */
function isoText(value: unknown): string {
  const all = Number(value);
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const parts = `${hours > 0 ? `${hours}H` : ""}${minutes > 0 ? `${minutes}M` : ""}${seconds > 0 ? `${seconds}S` : ""}`;
  return `PT${parts || "0S"}`;
}

const STARS = 5;
const starsOf = (value: unknown): number => Math.min(STARS, Math.max(0, Math.trunc(Number(value))));

/** One to five, by buttons that need no script. */
function ratingInput(view: FieldView, t: Translate): SafeHtml {
  const chosen = typeof view.value === "string" ? view.value : "";
  const values = ["", ...Array.from({ length: STARS }, (_, index) => String(index + 1))];
  const buttons = values
    .filter((value) => value !== "" || !view.required)
    .map((value, index) => {
      const id = index === 0 ? view.id : `${view.id}_${index}`;
      const state = {
        type: "radio",
        class: "form-check-input",
        id,
        name: view.inputName,
        value,
        checked: value === chosen,
      };
      const label =
        value === "" ? t("framework.not_set") : t("extra_fields.stars", { count: Number(value), of: STARS });
      const shown = value === "" ? "–" : value;
      return html`<label class="form-check form-check-inline"><input${raw(attributes(state))}><span class="form-check-label" aria-hidden="true">${shown}</span><span class="visually-hidden">${label}</span></label>`;
    });
  return html`<div class="fw-choices fw-rating-input">${buttons}</div>`;
}

const wholeRange = { from: 0, to: 100, step: 1 };
/** A slider, with its ends and its value, which scripts bring up to date. It can't be empty: where nothing has to be there, a box of a number asks first. */
function sliderInput(view: FieldView, t: Translate): SafeHtml {
  const { from, to, step = 1 } = view.range ?? wholeRange;
  const isEmpty = typeof view.value !== "string" || view.value === "";
  if (isEmpty && !view.required) return inputBox("number", { min: from, max: to, step })(view, t);
  const value = isEmpty ? String(from) : String(view.value);
  const slider = inputBox("range", { class: "form-range", min: from, max: to, step, autocomplete: "off" });
  return html`<div class="fw-slider"><span aria-hidden="true">${from}</span>${slider({ ...view, value }, t)}<span aria-hidden="true">${to}</span><output for="${view.id}">${value}</output></div>`;
}

/** Numbers with a meaning of their own. */
export const quantityTypes = {
  percentage: defineFieldType<string>({
    filter: false,
    read: ownType("decimal").read as NonNullable<FieldTypeOptions<string>["read"]>,
    column: { type: "decimal", size: [7, 3] },
    input: percentInput,
    display: (value, { words }) =>
      html`<span class="fw-number">${words.locale.numbers.grouped(shortened(value))}\u00a0%</span>`,
    numeric: true,
    sample: () => "12.5",
  }),
  duration: defineFieldType<number>({
    filter: false,
    column: { type: "integer" },
    input: inputBox("text", { placeholder: "1:30", autocomplete: "off", inputmode: "text" }),
    coerce(text) {
      const seconds = secondsOf(text);
      return seconds === undefined ? { problem: "extra_fields.not_a_duration" } : { value: seconds };
    },
    text: clockText,
    json: isoText,
    display: (value) => html`<span class="fw-number">${clockText(value)}\u00a0h</span>`,
    numeric: true,
    sample: () => 5400,
  }),
  range: defineFieldType<number>({
    filter: false,
    read(given, { column, range = wholeRange }) {
      const read = ownType(column?.type === "decimal" ? "decimal" : "integer").read(given, { column });
      if ("problem" in read || read.value === null) return read as { value: null };
      const { from, to, step = 1 } = range;
      const value = Number(read.value);
      const steps = (value - from) / step;
      const isOn = value >= from && value <= to && Math.abs(steps - Math.round(steps)) < 1e-9;
      return isOn ? (read as { value: number }) : { problem: "extra_fields.not_in_range", vars: { from, to, step } };
    },
    column: { type: "integer" },
    input: sliderInput,
    numeric: true,
    display: (value, { words }) =>
      html`<span class="fw-number">${words.locale.numbers.grouped(shortened(value))}</span>`,
    sample: () => 40,
  }),
  rating: defineFieldType<number>({
    filter: false,
    read(given, { column }) {
      const read = ownType("integer").read(given, { column });
      if ("problem" in read || read.value === null) return read as { value: null };
      const value = Number(read.value);
      return value >= 1 && value <= STARS ? { value } : { problem: "errors.inclusion" };
    },
    column: { type: "integer" },
    input: ratingInput,
    frame: "group",
    display: (value) =>
      html`<span class="fw-rating" role="img" aria-label="${starsOf(value)}/${STARS}">${"★".repeat(starsOf(value))}${"☆".repeat(STARS - starsOf(value))}</span>`,
    isCached: true,
    sample: () => 4,
  }),
};
