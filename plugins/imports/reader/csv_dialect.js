import { CsvParser } from "./csv_parser.js";

/** In the order in which they are preferred: commas are in texts and figures too. */
const DELIMITERS = ["\t", ";", "|", ","];
const MAX_RECORDS = 20;
const HEAD_CHARS = 65_536;
/** `\"` before what can't follow the mark that ends a cell. */
const escapePattern = (delimiter) => new RegExp(`\\\\" *[^\\s"\\${delimiter}]`);

/** The sign between the cells: the one by which most of the first records have several, as many as the others have. */
export function delimiterOf(head, rowChars) {
  const tried = DELIMITERS.map((delimiter) => ({
    delimiter,
    score: scoreOf(head.slice(0, HEAD_CHARS), delimiter, rowChars),
  }));
  const best = tried.reduce((first, next) => (isHigher(next.score, first.score) ? next : first));
  return best.score[0] === 0 ? "," : best.delimiter;
}

/** How many records have several cells, how many of those are equally wide, and how wide. */
function scoreOf(head, delimiter, rowChars) {
  const widths = new Map();
  let several = 0;
  for (const cells of firstRecords(head, delimiter, rowChars))
    if (cells.length > 1) {
      several++;
      widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1);
    }
  const [width, count] = [...widths].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [0, 0];
  return [several, count, width];
}
const isHigher = (a, b) => {
  const at = a.findIndex((value, place) => value !== b[place]);
  return at >= 0 && a[at] > b[at];
};

function firstRecords(head, delimiter, rowChars) {
  const parser = new CsvParser({ delimiter, escapes: escapePattern(delimiter).test(head), rowChars });
  const records = [];
  try {
    for (const parts of [parser.write(head), parser.end()])
      for (const cells of parts) {
        if (cells.some((cell) => cell.trim() !== "")) records.push(cells);
        if (records.length === MAX_RECORDS) return records;
      }
  } catch {
    return records; // cut, or divided by another sign
  }
  return records;
}

/** Whether a backslash stands before quotation marks that are part of a text, instead of a second mark. */
export function hasEscapes(texts, delimiter) {
  const pattern = escapePattern(delimiter);
  let last = "";
  for (const text of texts) {
    if (pattern.test(last + text)) return true;
    last = text.slice(-3);
  }
  return false;
}
