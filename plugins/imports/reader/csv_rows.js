import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { decode } from "./encodings.js";
import { Refused } from "./refused.js";

const DELIMITERS = [",", ";", "\t", "|"];
/** What a spreadsheet may send before the rows: the sign between cells, as `sep=;`. */
const SEPARATOR_LINE = /^"?sep=([^\p{L}\p{N}"\r\n])"?(?:\r\n|\n|\r)/iu;
/** Of a file with those that are empty. */
const MAX_LINES = 500_000;

/** Reads the records of RFC 4180; rows are numbered as a spreadsheet does it. Returns the encoding, where it is not UTF-8. @throws Refused */
export async function readCsv(bytes, { encoding, mayGuess, limits }, writer) {
  if (bytes.length === 0) throw new Refused("empty");
  if (linesOf(bytes) > MAX_LINES) throw new Refused("rows", { count: limits.rows });
  const { texts, head, used } = decode(bytes, { encoding, mayGuess, headChars: limits.rowChars });
  const [line = "", named] = SEPARATOR_LINE.exec(head) ?? [];
  const delimiter = named ?? delimiterOf(head);
  const parser = parse({
    ...{ delimiter, max_record_size: limits.rowChars, relax_column_count: true },
    record_delimiter: ["\r\n", "\n", "\r"],
  });
  const source = Readable.from(withoutLongLines(without(texts, line.length), limits));
  source.on("error", (error) => parser.destroy(error));
  let row = 0;
  try {
    for await (const cells of source.pipe(parser)) {
      row++;
      for (const cell of cells) writer.count(cell.length);
      writer.add(row, cells);
      await writer.flush();
    }
  } catch (error) {
    throw error instanceof CsvError ? problemOfCsv(error, limits, line === "" ? 0 : 1) : error;
  }
  return { format: "csv", ...(used === "utf-8" ? {} : { encoding: used }) };
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

/** A line that is longer than any row may be would be as many cells before the parser counts them. @throws Refused */
function* withoutLongLines(texts, { rowChars }) {
  let [line, chars] = [1, 0];
  for (const text of texts) {
    let start = 0;
    for (const { index } of text.matchAll(/[\r\n]/g)) {
      if (chars + index - start > rowChars * 2) throw new Refused("row_size", { line, count: rowChars }); // quotes are written twice
      [chars, start] = [0, index + 1];
      line++;
    }
    chars += text.length - start;
    if (chars > rowChars * 2) throw new Refused("row_size", { line, count: rowChars });
    yield text;
  }
}

/** The sign that divides the first line most often, outside of quotes. */
function delimiterOf(head) {
  const counts = DELIMITERS.map(() => 1);
  let isQuoted = false;
  let hasText = false;
  for (const sign of head) {
    if (sign === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (sign === "\n" || sign === "\r") {
      if (hasText) break;
    } else {
      hasText = true;
      const at = DELIMITERS.indexOf(sign);
      if (at >= 0) counts[at]++;
    }
  }
  return DELIMITERS[counts.indexOf(Math.max(...counts))];
}

/** What is wrong in a file, without a word of what it says. */
function problemOfCsv({ code, lines }, limits, skipped) {
  const line = Math.max(1, Number(lines ?? 0)) + skipped;
  if (code === "CSV_QUOTE_NOT_CLOSED") return new Refused("quote_open", { line });
  if (code === "CSV_MAX_RECORD_SIZE") return new Refused("row_size", { line, count: limits.rowChars });
  return new Refused("quotes", { line });
}
