/** Ends a number that could be read in two ways: nothing takes it for one, and inputs show it without. */
export const AMBIGUOUS = "\u2063";

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/;
const CURRENCY = /^[A-Z]{3}$/;
/** Longer ones are no numbers of a column: they are shown as they are, since grouping takes longer and longer. */
const MAX_DIGITS = 60;
/** A record may name its currency: texts that are none are not kept without end. */
const MAX_CURRENCIES = 200;

/** The signs before and after an amount, and before one below zero. */
interface Around {
  before: string;
  after: string;
  below: string;
}

/** How a language writes numbers: its signs, learned from `Intl` once. Digits are kept as they are, so that no precision is lost. */
export class NumberForms {
  readonly #locale: string;
  readonly #isEnglish: boolean;
  #whole: Intl.NumberFormat | undefined;
  #signs: { group: string; decimal: string } | undefined;
  readonly #currencies = new Map<string, Around>();

  constructor(locale: string, isEnglish: boolean) {
    this.#locale = locale;
    this.#isEnglish = isEnglish;
  }

  get #own() {
    if (this.#signs) return this.#signs;
    const parts = this.#format({ useGrouping: "always" }).formatToParts(1234567.5);
    const sign = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
    this.#signs = { group: sign("group"), decimal: sign("decimal") };
    return this.#signs;
  }
  #format(options: Intl.NumberFormatOptions): Intl.NumberFormat {
    return new Intl.NumberFormat(this.#locale, { numberingSystem: "latn", ...options });
  }

  /** 1234567.5 → "1,234,567.5", in German "1.234.567,5"; what is no plain number stays as it is. */
  grouped(value: unknown): string {
    const text = String(value);
    if (this.#isEnglish) return groupedInEnglish(text);
    const [, sign = "", whole, decimals] = PLAIN.exec(text) ?? [];
    if (whole === undefined || whole.length > MAX_DIGITS) return text;
    this.#whole ??= this.#format({});
    const shown = whole.length < 4 ? whole : this.#whole.format(BigInt(whole));
    return sign + shown + (decimals === undefined ? "" : this.#own.decimal + decimals);
  }

  /** At most two decimals: 1234.567 → "1,234.57". */
  rounded(value: number): string {
    return this.#format({ maximumFractionDigits: 2 }).format(value);
  }

  /** As `Intl` writes a currency in the language: "€1,234.50", in German "1.234,50 €"; of what is none "1,234.50 points". */
  money(value: unknown, currency: string | undefined): string {
    const text = this.grouped(value);
    if (currency === undefined) return text;
    const { before, after, below } = this.#around(currency);
    return text.startsWith("-") ? below + text.slice(1) + after : before + text + after;
  }
  /** What the language writes before and after an amount: `["€", ""]`, in German `["", " €"]`. */
  around(currency: string): readonly [string, string] {
    const { before, after } = this.#around(currency);
    return [before, after];
  }
  #around(currency: string): Around {
    let around = this.#currencies.get(currency);
    if (!around) {
      around = CURRENCY.test(currency) ? this.#aroundOf(currency) : { before: "", after: ` ${currency}`, below: "-" };
      if (this.#currencies.size < MAX_CURRENCIES) this.#currencies.set(currency, around);
    }
    return around;
  }
  #aroundOf(currency: string): Around {
    const format = this.#format({ style: "currency", currency, maximumFractionDigits: 0 });
    const [before = "", after = ""] = format.format(1).split("1");
    return { before, after, below: format.format(-1).split("1")[0]! };
  }

  /** Whether inputs have numbers in a form of the language, which `read` takes back. */
  get isOwn(): boolean {
    return !this.#isEnglish && this.#own.decimal !== ".";
  }
  /** A number as an input has it, without groups: "1234.5" → "1234,5"; what is none stays as it was typed. */
  input(text: string): string {
    const plain = text.endsWith(AMBIGUOUS) ? text.slice(0, -1) : text;
    return this.isOwn && plain === text && PLAIN.test(plain) ? plain.replace(".", this.#own.decimal) : plain;
  }

  /**
   * What was typed, with a point before its decimals: "1.234,5" → "1234.5". The language's own decimal sign is one always.
   * A point is one too ("12.5"), unless three digits follow it that could be a group as well ("1.234"): such a number is
   * marked, and nothing takes it for one. Another text is returned as it is.
   */
  read(text: string): string {
    if (!this.isOwn) return text;
    const typed = text.trim().replaceAll("\u00a0", " ").replaceAll("\u202f", " ");
    const [, sign = "", digits] = /^([+-]?)(\d[\d.,' ’]*)$/.exec(typed) ?? [];
    if (digits === undefined) return text;
    const { decimal } = this.#own;
    const [whole = "", decimals, more] = digits.split(decimal);
    if (more !== undefined || (decimals !== undefined && !/^\d+$/.test(decimals))) return text;
    const plain = ungrouped(whole);
    if (plain === undefined) return decimals === undefined ? pointed(text, sign, whole) : text;
    if (decimals !== undefined) return `${sign}${plain}.${decimals}`;
    return /^\d+\.\d{3}$/.test(whole) ? text.trim() + AMBIGUOUS : sign + plain;
  }
}

/** Digits without the signs of their groups, which are all the same and have three digits each; undefined for others. */
function ungrouped(whole: string): string | undefined {
  if (/^\d+$/.test(whole)) return whole;
  return /^[1-9]\d{0,2}(?:([.' ’])\d{3})(?:\1\d{3})*$/.test(whole) ? whole.replaceAll(/\D/g, "") : undefined;
}
/** A number with a point before its decimals, as all machines have it. */
const pointed = (text: string, sign: string, whole: string): string => (/^\d+\.\d+$/.test(whole) ? sign + whole : text);

/** Groups the digits that a text begins with, and leaves the rest of it. */
function groupedInEnglish(text: string): string {
  const from = text.startsWith("-") ? 1 : 0;
  let to = from;
  while (text.charCodeAt(to) >= 48 && text.charCodeAt(to) <= 57) to++;
  if (to - from < 4 || to - from > MAX_DIGITS) return text;
  let grouped = text.slice(0, from + ((to - from) % 3 || 3));
  for (let at = grouped.length; at < to; at += 3) grouped += `,${text.slice(at, at + 3)}`;
  return grouped + text.slice(to);
}
