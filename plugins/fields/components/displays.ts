import { english, escapeHtml, html, type Locale, raw, type SafeHtml, safeUrl, type TimeZone } from "framewright/host";
import { documentText, layOut } from "framewright/plugins/database";
import { sizeText } from "framewright/plugins/storage";
import { iconOrNothing } from "framewright/plugins/views";
import { avatar, personOf } from "../avatar.ts";
import { toneOfWord } from "./tones.ts";
import type { Translate } from "./types.ts";
import { humanize } from "./words.ts";

/** The texts that displays need; looked up once, not for each cell. */
export interface DisplayWords {
  yes: string;
  no: string;
  notSet: string;
  /** In place of a record that the reader may not see. */
  notVisible: string;
  /** The language that they are of, by which numbers and times are written. */
  locale: Locale;
}
/** Texts that displays use, and their language. */
export const displayWords = (t: Translate, locale: Locale = english): DisplayWords => ({
  yes: t("framework.yes"),
  no: t("framework.no"),
  notSet: t("framework.not_set"),
  notVisible: t("framework.not_visible"),
  locale,
});

/** What a display may depend on. */
export interface DisplayOptions {
  words: DisplayWords;
  /** The address of a related record, when the reader may see it. */
  url?: string | undefined;
  /** The reader's time zone; without it moments are shown in UTC, until the browser does it. */
  timeZone?: TimeZone | undefined;
  /** Cuts long text: tables do. */
  truncate?: number;
  /** "EUR": shown after an amount of money. */
  currency?: string;
  /** "kg": shown after a number. */
  unit?: string;
  /** What values are called, by value: `{ published: "Veröffentlicht" }`; the rest as they are. */
  labels?: Readonly<Record<string, string>>;
  /** Whether the records shown are people who sign in: their initials are shown before their names. */
  people?: boolean;
  /** Tones of a status: `{ published: "success" }`; the rest is neutral. Without it common words have theirs, as "sent" and "failed". */
  tones?: Readonly<Record<string, Tone>>;
}
/** The colour of a status. */
export type Tone = "neutral" | "success" | "warning" | "danger" | "info";
/** Shows a value as HTML. */
export type Display = (value: unknown, options: DisplayOptions) => SafeHtml;

const NOTHING = '<span class="fw-none" aria-hidden="true">&ndash;</span><span class="visually-hidden">';
const nothing = (words: DisplayWords): SafeHtml => raw(`${NOTHING}${escapeHtml(words.notSet)}</span>`);
/** Whether what is shown represents an empty value. */
export const isNothing = ({ html }: SafeHtml): boolean => html.startsWith(NOTHING);
const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === "";

/** A display that never sees an empty value. */
export const filled =
  (show: (value: unknown, options: DisplayOptions) => SafeHtml): Display =>
  (value, options) =>
    isEmpty(value) ? nothing(options.words) : show(value, options);

/** A value as its text. */
export function showText(value: unknown, { truncate }: DisplayOptions): SafeHtml {
  const whole = typeof value === "object" ? labelOf(value) : String(value);
  if (truncate === undefined || whole.length <= truncate) return raw(escapeHtml(whole));
  const short = `${[...whole.slice(0, truncate)].slice(0, -1).join("").trimEnd()}…`;
  return html`<span title="${whole.slice(0, 500)}">${short}</span>`;
}

export function showLongText(value: unknown, options: DisplayOptions): SafeHtml {
  return options.truncate === undefined ? html`<div class="fw-prose">${String(value)}</div>` : showText(value, options);
}

/** 1234567.5 -> "1,234,567.5", as the language writes it. */
export const grouped = (value: unknown, locale: Locale = english): string => locale.numbers.grouped(value);

export function showJson(value: unknown, { truncate }: DisplayOptions): SafeHtml {
  const whole = typeof value === "string" ? value : documentText(value);
  const written = typeof value === "string" || truncate !== undefined ? whole : layOut(whole);
  if (truncate === undefined) return html`<pre class="fw-json">${written}</pre>`;
  return html`<code>${written.length > truncate ? `${written.slice(0, truncate - 1)}…` : written}</code>`;
}

function labelOf(value: unknown): string {
  const record = value as { toLabel?(): string };
  return record.toLabel?.() ?? JSON.stringify(value);
}

function showRecord(value: unknown, options: DisplayOptions): SafeHtml {
  const label = showText(value, options);
  if (options.people !== true || value === null || typeof value !== "object") return label;
  return html`${avatar(personOf((value as { id?: unknown }).id, labelOf(value)))}${label}`;
}

/** Records by their labels. */
export function showRecords(value: unknown, options: DisplayOptions): SafeHtml {
  if (Array.isArray(value)) {
    if (value.length === 0) return nothing(options.words);
    return html`<ul class="fw-list">${value.map((record) => html`<li>${showRecord(record, options)}</li>`)}</ul>`;
  }
  const label = showRecord(value, options);
  return options.url === undefined ? label : html`<a href="${safeUrl(options.url)}">${label}</a>`;
}

export const showBoolean: Display = (value, { words }) => {
  const on = value === true || value === 1 || value === "1" || value === "true";
  const sign = iconOrNothing(on ? "check" : "x");
  return html`<span class="fw-boolean${raw(on ? " fw-boolean-yes" : "")}">${sign}${on ? words.yes : words.no}</span>`;
};

export const showStatus: Display = (value, { tones, labels = {} }) => {
  const word = String(value);
  const declared = tones && (Object.hasOwn(tones, word) ? tones[word] : "neutral");
  const tone = declared ?? toneOfWord(word);
  return html`<span class="fw-status${tone !== "neutral" && ` fw-status-${tone}`}">${Object.hasOwn(labels, word) ? labels[word] : humanize(word)}</span>`;
};

/** A number as it is written, with its unit. */
export const numberSpan = (text: string, unit?: string): SafeHtml =>
  raw(`<span class="fw-number">${escapeHtml(unit === undefined ? text : `${text}\u00a0${unit}`)}</span>`);
export const showNumber: Display = (value, { words, unit }) => numberSpan(words.locale.numbers.grouped(value), unit);
export const showMoney: Display = (value, { words, currency }) =>
  html`<span class="fw-number">${words.locale.numbers.money(value, currency)}</span>`;
export const showTime: Display = (value) =>
  html`<time>${String(value).replace(/(\d\d:\d\d):00(?:\.0+)?$/, "$1")}</time>`;
/** A link to what a value names: `mailto:`, or an address itself. */
export const showLink =
  (prefix: string): Display =>
  (value, options) =>
    html`<a href="${safeUrl(prefix + String(value))}">${showText(value, options)}</a>`;

/** A stored file by its name and size. */
export function showFile(value: unknown, options: DisplayOptions): SafeHtml {
  const { filename, size } = value as { filename?: unknown; size?: unknown };
  if (typeof filename !== "string" || typeof size !== "number") return showText(value, options);
  return html`${showText(filename, options)} <small>(${sizeText(size, options.words.locale)})</small>`;
}
