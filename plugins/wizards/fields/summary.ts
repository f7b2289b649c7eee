import { html, humanize, raw, type SafeHtml } from "framewright/host";
import { type DisplayWords, displays, displayWords, type Translate } from "framewright/plugins/resources";
import { sizeText } from "framewright/plugins/storage";
import type { FieldSpec, StepSpec, StepValues } from "../contract/index.ts";
import { choicesOf, isStagedFile, isValues, own } from "../flow/values.ts";

export interface SummaryItem {
  readonly label: string;
  readonly value: SafeHtml;
}

/** The answers of a step, for review: passwords as dots, choices by their labels, files by name. */
export const stepSummary = (step: Pick<StepSpec, "fields">, values: StepValues, t: Translate): SummaryItem[] =>
  items(step.fields, values, displayWords(t));

const items = (fields: readonly FieldSpec[], values: StepValues, words: DisplayWords): SummaryItem[] =>
  fields
    .filter(({ type }) => type !== "hidden")
    .map((field) => ({
      label: field.options.label ?? humanize(field.name),
      value: answerHtml(field, own(values, field.name), words),
    }));

/** Types that are displayed as plain text here, so that the review has no links away from it. */
const linkTypes = new Set(["email", "url", "tel"]);

function answerHtml(field: FieldSpec, value: unknown, words: DisplayWords): SafeHtml {
  if (field.type === "group") return nested(field, isValues(value) ? value : {}, words);
  if (field.type === "repeated") return list(field, value, words);
  if (value === null || value === undefined || value === "") return emptyValue(words);
  if (field.type === "password") return raw("••••••••");
  if (isStagedFile(value)) return html`${value.filename} <small>(${sizeText(value.size)})</small>`;
  const choice = choicesOf(field)?.find((one) => one.value === value);
  if (choice) return html`${choice.label === choice.value ? humanize(choice.value) : choice.label}`;
  const show = linkTypes.has(field.type) ? displays.text! : (displays[field.type] ?? displays.text!);
  return show(value, { words, ...currency(field) });
}

const emptyValue = (words: DisplayWords): SafeHtml => displays.text!(null, { words });
const currency = ({ options }: FieldSpec) => (options.currency === undefined ? {} : { currency: options.currency });

function list(field: FieldSpec, value: unknown, words: DisplayWords): SafeHtml {
  const entries = Array.isArray(value) ? value.filter(isValues) : [];
  if (entries.length === 0) return emptyValue(words);
  return html`<ol class="fw-entries">${entries.map((entry) => html`<li>${nested(field, entry, words)}</li>`)}</ol>`;
}

function nested({ fields }: FieldSpec, values: StepValues, words: DisplayWords): SafeHtml {
  const pairs = items(fields, values, words).map(
    ({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`,
  );
  return html`<dl class="fw-details">${pairs}</dl>`;
}
