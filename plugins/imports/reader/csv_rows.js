import { delimiterOf, hasEscapes } from "./csv_dialect.js";
import { CsvParser } from "./csv_parser.js";
import { openText } from "./encodings.js";
import { Refused } from "./refused.js";

/** What a spreadsheet may send before the rows: the sign between cells, as `sep=;`. */
const SEPARATOR_LINE = /^"?sep=([^\p{L}\p{N}"\r\n])"?(?:\r\n|\n|\r)/iu;
/** Of a file with those that are empty. */
const MAX_LINES = 500_000;

/** Reads the records of a file; they are numbered as a spreadsheet does it. Returns the encoding, where it is not UTF-8. @throws Refused */
export async function readCsv(bytes, { encoding, mayGuess, limits }, writer) {
  if (bytes.length === 0) throw new Refused("empty");
  if (linesOf(bytes) > MAX_LINES) throw new Refused("rows", { count: limits.rows });
  const { rowChars } = limits;
  const text = openText(bytes, { encoding, mayGuess });
  const head = text.head(rowChars);
  const [line = "", named] = SEPARATOR_LINE.exec(head) ?? [];
  const delimiter = named ?? delimiterOf(head, rowChars);
  const first = line === "" ? 1 : 2;
  const parser = new CsvParser({ delimiter, escapes: hasEscapes(text.parts(), delimiter), rowChars, line: first });
  let row = 0;
  const add = (records) => {
    for (const cells of records) {
      row++;
      for (const cell of cells) writer.count(cell.length);
      writer.add(row, cells);
    }
  };
  for (const part of without(text.parts(), line.length)) {
    add(parser.write(part));
    await writer.flush();
  }
  add(parser.end());
  return { format: "csv", ...text.about };
}

function linesOf(bytes) {
  let [feeds, returns] = [0, 0];
  for (const byte of bytes)
    if (byte === 10) feeds++;
    else if (byte === 13) returns++;
  return Math.max(feeds, returns);
}

function* without(texts, chars) {
  let left = chars;
  for (const text of texts) {
    if (left < text.length) yield text.slice(left);
    left = Math.max(0, left - text.length);
  }
}
