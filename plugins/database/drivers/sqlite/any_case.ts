import type { Knex } from "knex";
import type { TextPattern } from "../driver.ts";

/** How many letters of a value are looked for in either case by the index; the others by reading what it finds. */
const LETTERS_BY_INDEX = 3;

/** Narrows to the rows whose column has this value in any case: SQLite itself knows no letters beyond a to z. */
export function whereEqualInAnyCase(query: Knex.QueryBuilder, column: string, value: string | number): void {
  const letters = typeof value === "string" ? [...value.normalize("NFC")] : [];
  if (!letters.some((letter) => letter > "\x7f")) return void query.where(column, value);
  const text = value as string;
  query.where((either) => {
    either.whereIn(column, [...new Set([text, text.normalize("NFC"), text.normalize("NFD")])]);
    if (!letters.some((letter) => letter > "\x7f" && cases(letter).length > 1)) return;
    either.orWhere((folded) => {
      folded.whereRaw("?? glob ?", [column, letters.map(globOf).join("")]);
      folded.where((ranges) => {
        for (const start of startsOf(letters)) ranges.orWhereBetween(column, [start, `${start}\u{10ffff}`]);
      });
    });
  });
}

/** SQLite takes patterns of 50,000 bytes, and a letter in both cases takes six. */
const MAX_FOLDED = 1000;
/** How a text with letters beyond a to z, which `like` does not fold, is looked for in any case; undefined for others. */
export function likeInAnyCase(text: string): TextPattern | undefined {
  const letters = text.length > MAX_FOLDED ? [] : [...text.normalize("NFC")];
  if (!letters.some((letter) => letter > "\x7f" && cases(letter).length > 1)) return undefined;
  return { sql: "?? glob ?", any: "*", literal: letters.map(globOf).join("") };
}

/** A letter in lower and in upper case, where each is one letter; a sigma at the end of words too, and the other kana of a syllable. */
const cases = (letter: string): string[] => {
  const forms = [
    letter,
    letter.toLowerCase(),
    letter.toUpperCase(),
    ...(SIGMA.includes(letter) ? SIGMA : otherKana(letter)),
  ];
  return [...new Set(forms)].filter((one) => [...one].length === 1);
};
const SIGMA = ["σ", "ς", "Σ"];
const KANA = 0x60;
function otherKana(letter: string): string[] {
  if (/[ぁ-ゖ]/.test(letter)) return [String.fromCharCode(letter.charCodeAt(0) + KANA)];
  return /[ァ-ヶ]/.test(letter) ? [String.fromCharCode(letter.charCodeAt(0) - KANA)] : [];
}

function globOf(letter: string): string {
  const all = cases(letter);
  return all.length > 1 || "*?[".includes(letter) ? `[${all.join("")}]` : letter;
}

/** How a text may begin: a few of its letters in either case. */
function startsOf(letters: readonly string[]): string[] {
  let starts = [""];
  for (const [index, letter] of letters.entries()) {
    if (letters.slice(0, index + 1).filter((one) => one > "\x7f").length > LETTERS_BY_INDEX) break;
    const written = letter > "\x7f" ? cases(letter) : [letter];
    starts = starts.flatMap((start) => written.map((one) => start + one));
  }
  return starts;
}
