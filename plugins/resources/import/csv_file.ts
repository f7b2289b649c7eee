import { isUtf8 } from "node:buffer";
import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { CsvError, parse } from "csv-parse";
import { MAX_BYTES, MAX_COLUMNS, MAX_ROW_CHARS, MAX_ROWS } from "./limits.ts";

export const delimiters = [",", ";", "\t"] as const;
export type Delimiter = (typeof delimiters)[number];

/** Why a file is refused: the key of a text below `resource.import.file`, and what it says. */
export interface FileProblem {
  readonly problem: string;
  readonly vars: Readonly<Record<string, number | string>>;
}
/** A file that can be imported. */
export interface InspectedFile {
  readonly delimiter: Delimiter;
  readonly headers: readonly string[];
  readonly samples: readonly (readonly string[])[];
  /** How many rows it has, without the headers. */
  readonly total: number;
}

const CHUNK_BYTES = 65_536;
const SAMPLES = 3;
const MAX_SAMPLE_CHARS = 60;

/** Reads a whole file once, so that what is wrong with it is said before anything else is asked. */
export async function inspectFile(bytes: Buffer): Promise<InspectedFile | FileProblem> {
  const wrong = problemOfBytes(bytes);
  if (wrong) return wrong;
  const delimiter = delimiterOf(bytes);
  const samples: string[][] = [];
  let headers: string[] | undefined;
  let total = 0;
  try {
    for await (const cells of recordsOf(Readable.from(chunksOf(bytes)), delimiter)) {
      if (!headers) {
        headers = cells.map((cell) => cell.trim());
        if (headers.length > MAX_COLUMNS) return { problem: "columns", vars: { count: MAX_COLUMNS } };
        if (headers.every((one) => one === "")) return { problem: "no_headers", vars: {} };
        continue;
      }
      total++;
      if (total > MAX_ROWS) return { problem: "rows", vars: { count: MAX_ROWS } };
      if (samples.length < SAMPLES) samples.push(cells.map((cell) => cut(cell)));
      if (total % 1000 === 0) await setImmediate(); // other requests have their turn
    }
  } catch (error) {
    return problemOfCsv(error);
  }
  return headers && total > 0 ? { delimiter, headers, samples, total } : { problem: "empty", vars: {} };
}

/** The rows of a file after the first `skipped`, each with its number; without its headers. */
export async function* readRows(
  stream: Readable,
  delimiter: Delimiter,
  skipped: number,
): AsyncGenerator<{ row: number; cells: readonly string[] }> {
  let row = -1;
  for await (const cells of recordsOf(stream, delimiter)) {
    row++;
    if (row > skipped) yield { row, cells };
  }
}

/** The records of RFC 4180, with headers. Empty lines are none. */
function recordsOf(stream: Readable, delimiter: Delimiter): AsyncIterable<string[]> {
  const parser = parse({
    bom: true,
    delimiter,
    max_record_size: MAX_ROW_CHARS,
    record_delimiter: ["\r\n", "\n", "\r"],
    skip_empty_lines: true,
  });
  stream.on("error", (error) => parser.destroy(error));
  parser.on("close", () => stream.destroy());
  return stream.pipe(parser) as AsyncIterable<string[]>;
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

const cut = (text: string): string => {
  const letters = [...text.slice(0, MAX_SAMPLE_CHARS * 2)];
  return letters.length > MAX_SAMPLE_CHARS ? `${letters.slice(0, MAX_SAMPLE_CHARS - 1).join("")}…` : text;
};

function problemOfBytes(bytes: Buffer): FileProblem | undefined {
  if (bytes.length === 0) return { problem: "empty", vars: {} };
  if (bytes.length > MAX_BYTES) return { problem: "bytes", vars: { megabytes: MAX_BYTES / 1_000_000 } };
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return { problem: "encoding", vars: { line: 1 } };
  const zero = bytes.indexOf(0);
  if (zero >= 0) return { problem: "binary", vars: { line: lineAt(bytes, zero) } };
  return isUtf8(bytes) ? undefined : { problem: "encoding", vars: { line: firstUnreadable(bytes) } };
}

function lineAt(bytes: Buffer, end: number): number {
  let line = 1;
  for (let at = bytes.indexOf(10); at >= 0 && at < end; at = bytes.indexOf(10, at + 1)) line++;
  return line;
}

/** The first line that is no UTF-8: no character of it has a line feed inside. */
function firstUnreadable(bytes: Buffer): number {
  let [line, start] = [1, 0];
  for (;;) {
    const end = bytes.indexOf(10, start);
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
    line++;
  }
}

/** The sign that divides the first line most often, outside of quotes. */
function delimiterOf(bytes: Buffer): Delimiter {
  const head = bytes
    .subarray(0, MAX_ROW_CHARS)
    .toString("utf8")
    .replace(/"(?:[^"]|"")*"/g, "");
  const line = /^\uFEFF?[\r\n]*([^\r\n]*)/.exec(head)?.[1] ?? "";
  const counts = delimiters.map((sign) => line.split(sign).length);
  return delimiters[counts.indexOf(Math.max(...counts))]!;
}

/** What is wrong in a file, without a word of what it says. */
function problemOfCsv(error: unknown): FileProblem {
  if (!(error instanceof CsvError)) throw error;
  const { code } = error;
  const { lines = 0 } = error as { lines?: number };
  const line = Math.max(1, Number(lines));
  if (code === "CSV_QUOTE_NOT_CLOSED") return { problem: "quote_open", vars: { line } };
  if (code === "CSV_MAX_RECORD_SIZE") return { problem: "row_size", vars: { line, count: MAX_ROW_CHARS } };
  if (code === "CSV_RECORD_INCONSISTENT_FIELDS_LENGTH") return { problem: "cells", vars: { line } };
  return { problem: "quotes", vars: { line } };
}
