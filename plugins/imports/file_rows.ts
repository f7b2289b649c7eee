import type { Readable } from "node:stream";
import { isFormula } from "framewright/plugins/exports";
import type { InspectedFile, Unreadable } from "./inspected_file.ts";

/** A row of a file. */
export interface FileRow {
  /** Counted from 1, without the headers and rows that are empty. */
  readonly place: number;
  /** As a spreadsheet numbers it. */
  readonly row: number;
  /** Of CSV those that were given: a row may be shorter than the headers. */
  readonly cells: readonly string[];
  /** Cells that can't be read, by their columns. */
  readonly unreadable: Readonly<Record<number, Unreadable>>;
}

/** The rows of a file that was read, after the first `skipped`. */
export async function* readRows(
  stream: Readable,
  { format, headers }: Pick<InspectedFile, "format" | "headers">,
  skipped: number,
): AsyncGenerator<FileRow> {
  let place = 0;
  for await (const line of linesOf(stream)) {
    place++;
    if (place <= skipped) continue;
    const [row, cells, unreadable = {}] = JSON.parse(line) as [number, string[], FileRow["unreadable"]?];
    const given = format === "csv" ? cells.map(withoutApostrophe) : padded(cells, headers.length);
    yield { place, row, cells: given, unreadable };
  }
}

async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, end));
      yield Buffer.concat(parts).toString("utf8");
      parts = [];
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
}

/** In a sheet all cells are there, also those that have nothing. */
const padded = (cells: readonly string[], length: number): readonly string[] =>
  cells.length < length ? [...cells, ...Array.from({ length: length - cells.length }, () => "")] : cells;

/** Exports put an apostrophe before what a spreadsheet would run as a formula. */
const withoutApostrophe = (text: string): string => (text.startsWith("'") && isFormula(text) ? text.slice(1) : text);
