import { html, humanize, type Locale, type SafeHtml, type TimeZone } from "framewright/host";
import { sizeText } from "framewright/plugins/storage";
import { type DisplayWords, displayWords } from "../components/displays.ts";
import type { Translate } from "../components/types.ts";
import type { FieldContext } from "../options.ts";
import { fromStored } from "../read_field.ts";
import { FieldSource } from "../source.ts";
import { displays } from "../types/index.ts";
import { kindOf } from "./kind.ts";
import { ownWords, type TextOf } from "./node_types.ts";
import { fieldLabel } from "./nodes.ts";
import { declaredOf, targetOf } from "./read_value.ts";
import { type FieldScope, type FieldSpec, type FieldValues, noScope } from "./spec.ts";
import { isStagedFile, isValues, own, walkFields } from "./values.ts";

export interface SummaryItem {
  readonly label: string;
  readonly value: SafeHtml;
}

interface Summing {
  readonly words: DisplayWords;
  readonly scope: FieldScope;
  readonly source: FieldSource;
  readonly timeZone: TimeZone | undefined;
  readonly textOf: TextOf;
}
type SummaryOptions = Partial<Pick<Summing, "scope" | "source" | "timeZone" | "textOf">> & { locale?: Locale };

/** The values of the visible fields, to be read: passwords as dots, choices and records by their labels, files by name. */
export const fieldsSummary = (
  fields: readonly FieldSpec[],
  values: FieldValues,
  t: Translate,
  { scope = noScope, source = new FieldSource(undefined), timeZone, locale, textOf = ownWords }: SummaryOptions = {},
): Promise<SummaryItem[]> => items(fields, values, { words: displayWords(t, locale), scope, source, timeZone, textOf });

async function items(fields: readonly FieldSpec[], values: FieldValues, by: Summing): Promise<SummaryItem[]> {
  const shown: Promise<SummaryItem>[] = [];
  walkFields(fields, by.scope, (field, context, isShown) => {
    const value = own(values, field.name);
    const label = fieldLabel(field, by.textOf);
    if (isShown && kindOf(field).frame !== "none")
      shown.push(answerHtml(field, value, context, by).then((html) => ({ label, value: html })));
    return value;
  });
  return Promise.all(shown);
}

async function answerHtml(field: FieldSpec, value: unknown, context: FieldContext, by: Summing): Promise<SafeHtml> {
  const { words, timeZone } = by;
  if (field.type === "group") return nested(field, isValues(value) ? value : {}, by);
  if (field.type === "repeated") return list(field, value, by);
  if (value === null || value === undefined || value === "") return emptyValue(words);
  if (isStagedFile(value)) return html`${value.filename} <small>(${sizeText(value.size, words.locale)})</small>`;
  const label = await chosenLabel(field, value, context, by);
  if (label !== undefined) return html`${label}`;
  const kind = kindOf(field);
  const show = kind.isLink ? displays.text! : kind.display; // the review has no links away from it
  return show(fromStored(kind, value), { words, timeZone, ...signOf(field) });
}

/** What the chosen one of a field's choices is called. */
async function chosenLabel(
  field: FieldSpec,
  value: unknown,
  context: FieldContext,
  { source, textOf }: Summing,
): Promise<string | undefined> {
  if (Array.isArray(value)) {
    const labels = await Promise.all(
      value.map((one) => chosenLabel(field, one, context, { source, textOf } as Summing)),
    );
    return labels.every((label) => label === undefined)
      ? undefined
      : labels.map((label, at) => label ?? value[at]).join(", ");
  }
  const chosen = String(value);
  const drawn = await source.draw(declaredOf(field), targetOf(field), { ...context, query: source.query }, chosen);
  const choice = drawn?.choices.find((one) => one.value === chosen);
  const usual = choice && choice.label === choice.value ? humanize(choice.value) : choice?.label;
  return usual === undefined ? undefined : textOf(`values.${field.name}.${chosen}`, usual);
}

const emptyValue = (words: DisplayWords): SafeHtml => displays.text!(null, { words });
const signOf = ({ options: { currency, unit } }: FieldSpec) => ({
  ...(currency === undefined ? {} : { currency }),
  ...(unit === undefined ? {} : { unit }),
});

async function list(field: FieldSpec, value: unknown, by: Summing): Promise<SafeHtml> {
  const entries = Array.isArray(value) ? value.filter(isValues) : [];
  if (entries.length === 0) return emptyValue(by.words);
  if (field.rows) return keyed(field, field.rows.key, entries, by);
  const shown = await Promise.all(entries.map((entry) => nested(field, entry, by)));
  return html`<ol class="fw-entries">${shown.map((entry) => html`<li>${entry}</li>`)}</ol>`;
}

/** Rows that differ by a field: its values with what is shown beside them. */
async function keyed({ fields }: FieldSpec, key: string, rows: readonly FieldValues[], by: Summing): Promise<SafeHtml> {
  const others = fields.filter(({ name }) => name !== key);
  const pairs = rows.map(async (row) => {
    const shown = await items(others, row, by);
    return html`<div><dt>${String(own(row, key) ?? "")}</dt>${shown.map(({ value }) => html`<dd>${value}</dd>`)}</div>`;
  });
  return html`<dl class="fw-details">${await Promise.all(pairs)}</dl>`;
}

async function nested({ fields }: FieldSpec, values: FieldValues, by: Summing): Promise<SafeHtml> {
  const pairs = (await items(fields, values, by)).map(
    ({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`,
  );
  return html`<dl class="fw-details">${pairs}</dl>`;
}
