import { html, humanize, type SafeHtml } from "framewright/host";
import { type DisplayOptions, displays, fromStored } from "framewright/plugins/fields";
import {
  type FieldSpec,
  fieldLabel,
  fromDocument,
  isValues,
  kindOf,
  own,
  type TextOf,
  targetOf,
} from "framewright/plugins/fields/rows";
import { listedTexts, type RowsValue } from "../rows_type.ts";
import { labelKey } from "./references.ts";

const MAX_LISTED = 3;

/** What the fields of a json column are called, and the records that they refer to. */
export interface DocumentWords {
  readonly textOf: TextOf;
  readonly labels: ReadonlyMap<string, string>;
}

/** What a json column has, as it is shown. */
export class DocumentValue implements RowsValue {
  readonly json: unknown;
  readonly #spec: FieldSpec;
  readonly #textOf: TextOf;
  readonly #labels: ReadonlyMap<string, string>;

  constructor(spec: FieldSpec, stored: unknown, { textOf, labels }: DocumentWords) {
    this.json = stored ?? null;
    this.#spec = spec;
    this.#textOf = textOf;
    this.#labels = labels;
  }

  get #rows(): Record<string, unknown>[] {
    const form = fromDocument(this.#spec, this.json);
    return (Array.isArray(form) ? form : [form]).filter(isValues);
  }
  get isEmpty(): boolean {
    return this.#rows.every((row) =>
      Object.values(row).every((value) => value === null || value === undefined || value === ""),
    );
  }
  page(options: DisplayOptions): SafeHtml {
    return this.#drawn(this.#spec, fromDocument(this.#spec, this.json), options);
  }
  cell(options: DisplayOptions): SafeHtml {
    const first = this.#spec.fields.find((field) => kindOf(field).frame !== "none");
    if (!first) return html`${this.#rows.length}`;
    const texts = this.#rows.slice(0, MAX_LISTED).map((row) => this.#value(first, own(row, first.name), options));
    return listedTexts(texts, this.#rows.length - texts.length);
  }

  #drawn(spec: FieldSpec, value: unknown, options: DisplayOptions): SafeHtml {
    if (spec.type === "group") return this.#pairs(spec, isValues(value) ? value : {}, options);
    const rows = Array.isArray(value) ? value.filter(isValues) : [];
    const head = spec.fields.map((field) => html`<th scope="col">${fieldLabel(field, this.#textOf)}</th>`);
    const body = rows.map(
      (row) =>
        html`<tr>${spec.fields.map((field) => html`<td>${this.#value(field, own(row, field.name), options)}</td>`)}</tr>`,
    );
    return html`<div class="table-responsive"><table class="table fw-rows-table"><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
  }
  #pairs({ fields }: FieldSpec, values: Record<string, unknown>, options: DisplayOptions): SafeHtml {
    const pairs = fields.map(
      (field) =>
        html`<div><dt>${fieldLabel(field, this.#textOf)}</dt><dd>${this.#value(field, own(values, field.name), options)}</dd></div>`,
    );
    return html`<dl class="fw-details">${pairs}</dl>`;
  }
  #value(field: FieldSpec, value: unknown, options: DisplayOptions): SafeHtml {
    if (field.type === "group" || field.type === "repeated") return this.#drawn(field, value, options);
    const kind = kindOf(field);
    const target = targetOf(field);
    if (target && value !== null && value !== undefined)
      return html`${this.#labels.get(labelKey(target, value)) ?? options.words.notVisible}`;
    const { choices, currency, unit } = field.options;
    const chosen = Array.isArray(choices)
      ? choices.find((one) => typeof one === "object" && "value" in one && one.value === String(value))
      : undefined;
    const own = {
      ...options,
      ...(currency === undefined ? {} : { currency }),
      ...(unit === undefined ? {} : { unit }),
    };
    if (typeof chosen === "object" && "label" in chosen)
      return displays.text!(this.#textOf(`values.${field.name}.${String(value)}`, String(chosen.label)), own);
    if (choices && typeof value === "string")
      return displays.text!(this.#textOf(`values.${field.name}.${value}`, humanize(value)), own);
    return kind.display(fromStored(kind, value ?? null), own);
  }
}
