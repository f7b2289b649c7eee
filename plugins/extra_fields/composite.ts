import { html, isParamObject, type ParamObject, type ParamValue, raw, type SafeHtml } from "framewright/host";
import { minorDigits } from "framewright/plugins/database";
import {
  type DisplayOptions,
  defineFieldType,
  displays,
  type FieldType,
  type FieldView,
  ownType,
  type Read,
  type Translate,
} from "framewright/plugins/fields";
import { inMinorDigits } from "./currencies.ts";
import { placeTypes } from "./places.ts";

/** A part of a value, which is entered by an input of its own. */
export interface Part {
  readonly key: string;
  readonly type: FieldType;
  readonly autocomplete?: string;
}
type Values = Readonly<Record<string, string | null>>;
/** What is wrong with the parts of a value, by their keys. */
export type PartErrors = Readonly<Record<string, readonly string[]>>;

/** A type whose values have parts: an object of them, in a column of JSON or, by `combined`, in a column each. */
export interface CompositeType extends FieldType<Values> {
  readonly parts: readonly Part[];
  /** The values in one form, of columns that have them in another. */
  settle(values: Values): Values;
  /** The inputs of the parts, each with what is wrong with it. */
  draw(view: FieldView, t: Translate, wrong: PartErrors): SafeHtml;
}

type Problem = Extract<Read<Values>, { problem: string }>;
interface CompositeOptions {
  readonly name: string;
  readonly parts: readonly Part[];
  /** What is wrong with parts that can be read, as a key of texts. */
  check?(values: Values): Problem | undefined;
  /** The values in one form, as they are stored and shown. */
  settle?(values: Values): Values;
  display(values: Values, options: DisplayOptions): SafeHtml;
  sample(): Values;
}

const MAX_CHARS = 255;

function compositeType({
  name,
  parts,
  check,
  settle = (values) => values,
  display,
  sample,
}: CompositeOptions): CompositeType {
  const draw = (view: FieldView, t: Translate, wrong: PartErrors): SafeHtml => {
    const given = objectOf(view.value) ?? {};
    const inputs = parts.map(({ key, type, autocomplete }, index) => {
      const id = index === 0 ? view.id : `${view.id}_${key}`;
      const { value, sign: _, hint: __, ...rest } = view;
      const part: FieldView = {
        ...rest,
        ...{ id, inputName: `${view.inputName}[${key}]`, value: textOf(given[key]), errors: wrong[key] ?? [] },
        ...{ label: t(`extra_fields.${name}.${key}`), required: false },
        ...(autocomplete === undefined ? {} : { autocomplete }),
      };
      const errors =
        part.errors.length > 0 &&
        html`<p class="invalid-feedback fw-field-errors" id="${id}_errors">${part.errors.join(", ")}</p>`;
      return html`<div class="fw-field"><label class="form-label" for="${id}">${part.label}</label>${type.input!(part, t)}${errors}</div>`;
    });
    return html`<div class="fw-fields">${inputs}</div>`;
  };
  const type = defineFieldType<Values>({
    column: { type: "json" },
    isList: true,
    frame: "group",
    wide: "form",
    filter: false,
    read: (given) => readParts({ parts, check, settle }, given),
    input: (view, t) => draw(view, t, {}),
    text: (value) => JSON.stringify(value),
    display: (value, options) => display((objectOf(value) ?? {}) as Values, options),
    sample,
  });
  return Object.freeze({ ...type, parts, settle, draw });
}

function readParts(
  {
    parts,
    check,
    settle,
  }: Required<Pick<CompositeOptions, "parts" | "settle">> & { check: CompositeOptions["check"] | undefined },
  given: ParamValue,
): Read<Values> {
  if (given === null || given === "") return { value: null };
  const sent = objectOf(given);
  if (!sent) return { problem: "errors.wrong_shape" };
  const values: Record<string, string | null> = {};
  for (const { key, type } of parts) {
    const read = type.read(Object.hasOwn(sent, key) ? (sent[key] as ParamValue) : null, {});
    if ("problem" in read) return { problem: read.problem, ...(read.vars ? { vars: read.vars } : {}) };
    const text = read.value === null || read.value === undefined ? null : String(read.value).trim() || null;
    if (text !== null && text.length > MAX_CHARS) return { problem: "errors.too_long", vars: { count: MAX_CHARS } };
    values[key] = text;
  }
  if (Object.values(values).every((value) => value === null)) return { value: null };
  return check?.(values) ?? { value: settle(values) };
}

/** The object that a value is, or that its text has as JSON. */
function objectOf(given: unknown): Record<string, unknown> | undefined {
  if (typeof given === "string" && given.trimStart().startsWith("{")) {
    try {
      return objectOf(JSON.parse(given) as ParamObject);
    } catch {
      return undefined;
    }
  }
  return isParamObject(given) ? given : undefined;
}
const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

const line = (...texts: (string | null | undefined)[]): SafeHtml | undefined => {
  const text = texts.filter(Boolean).join(" ");
  return text === "" ? undefined : html`${text}`;
};

/** Values of several parts. */
export const compositeTypes = {
  /** Days from one to another, either of which may be open. */
  period: compositeType({
    name: "period",
    parts: ["from", "to"].map((key) => ({ key, type: ownType("date") })),
    check: ({ from, to }) => (from && to && from > to ? { problem: "extra_fields.period.ends_before" } : undefined),
    display({ from, to }, options) {
      const day = (value: string | null | undefined) => (value ? displays.date!(value, options) : raw("…"));
      return html`${day(from)} – ${day(to)}`;
    },
    sample: () => ({ from: "2026-01-31", to: "2026-02-28" }),
  }),
  address: compositeType({
    name: "address",
    parts: [
      { key: "street", type: ownType("string"), autocomplete: "street-address" },
      { key: "postcode", type: ownType("string"), autocomplete: "postal-code" },
      { key: "city", type: ownType("string"), autocomplete: "address-level2" },
      { key: "country", type: placeTypes.country as FieldType, autocomplete: "country" },
    ],
    display({ street, postcode, city, country }, options) {
      const lines = [
        line(street),
        line(postcode, city),
        country ? placeTypes.country.display(country, options) : undefined,
      ];
      const shown = lines.filter((one) => one !== undefined);
      return html`${shown.map((one, index) => html`${one}${index < shown.length - 1 && raw(options.truncate ? ", " : "<br>")}`)}`;
    },
    sample: () => ({ street: "High Street 1", postcode: "12345", city: "Springfield", country: "US" }),
  }),
  /** An exact amount with its currency, in the decimals that ISO 4217 gives it. */
  amount: compositeType({
    name: "amount",
    parts: [
      { key: "amount", type: ownType("decimal") },
      { key: "currency", type: placeTypes.currency as FieldType },
    ],
    check({ amount, currency }) {
      if (!amount) return undefined;
      if (!currency) return { problem: "extra_fields.amount.without_currency" };
      const digits = minorDigits(currency);
      const [, decimals = ""] = inMinorDigits(amount, currency).split(".");
      return decimals.length > digits
        ? { problem: "extra_fields.amount.too_exact", vars: { digits, currency } }
        : undefined;
    },
    settle: ({ amount = null, currency = null }) => ({
      amount: amount && currency ? inMinorDigits(amount, currency) : amount,
      currency,
    }),
    display: ({ amount, currency }, { words }) =>
      html`<span class="fw-number">${amount ? words.locale.numbers.money(amount, currency ?? undefined) : "–"}</span>`,
    sample: () => ({ amount: "12.50", currency: "EUR" }),
  }),
};
