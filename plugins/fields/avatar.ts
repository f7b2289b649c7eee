import { html, type SafeHtml } from "framewright/host";

/** The colours that the style sheet has: `fw-p0` to `fw-p5`. */
const TONES = 6;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const startOf = (word: string, pattern: RegExp): string | undefined => {
  for (const { segment } of graphemes.segment(word)) if (pattern.test(segment)) return segment;
  return undefined;
};

/**
 * The initials of a name: of the first and the last word in scripts with capital letters, else of the first; of an address the part
 * before the @. A name without letters has its first sign.
 * @example initialsOf("Ada King Lovelace"); // "AL"
 * @example initialsOf("ada.lovelace@example.com"); // "AL"
 */
function initialsOf(name: string): string {
  const isAddress = /^[^\s@]+@[^\s@]+$/.test(name);
  const text = (isAddress ? name.replace(/(\+.*)?@.*$/, "") : name).slice(0, 200);
  const words = text.split(isAddress ? /[._-]+/ : /[\s,]+/).flatMap((word) => startOf(word, /\p{L}/u) ?? []);
  const [first] = words;
  if (first === undefined) return startOf(text, /\p{N}|\p{Extended_Pictographic}/u) ?? startOf(text, /\S/u) ?? "";
  const last = words.length > 1 && hasCase(first) ? words.at(-1)! : "";
  return capital(first) + (hasCase(last) ? capital(last) : "");
}
const hasCase = (letter: string): boolean => letter.toLowerCase() !== letter.toUpperCase();
/** Never longer than the letter: "ß" stays. */
const capital = (letter: string): string =>
  letter.toUpperCase().length === letter.length ? letter.toUpperCase() : letter;

function toneOf(key: unknown): number {
  let hash = 0x811c9dc5;
  for (const unit of String(key)) hash = Math.imul(hash ^ unit.codePointAt(0)!, 0x01000193);
  return (hash >>> 16) % TONES;
}

/** A person by the initials and the colour that are shown before their name. */
export interface Person {
  readonly initials: string;
  /** 0 to 5, the same wherever the person is shown. */
  readonly tone: number;
}
export const personOf = (key: unknown, name: string): Person => ({ initials: initialsOf(name), tone: toneOf(key) });

/** The initials of a person before their name, for eyes alone; the style sheet draws them. */
export const avatar = ({ initials, tone }: Person): SafeHtml =>
  html`<i class="fw-p${tone}" data-i="${initials}" aria-hidden="true"></i>`;
