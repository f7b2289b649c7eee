import type { Database } from "framewright/plugins/database";

/**
 * What the file of an import may have, and what it may unfold to while it is read. The thread that reads files refuses what has
 * more, before it is there whole.
 */
export const fileLimits = {
  /** Of the file itself. */
  bytes: 10_000_000,
  /** A row is a record of CSV, whatever lines it takes. */
  rows: 100_000,
  columns: 200,
  /** Characters of one row, and so of one cell. */
  rowChars: 250_000,
  /** Characters of all cells together; a text that cells share counts as often as they refer to it. */
  textChars: 20_000_000,
  /** Of a spreadsheet: the cells of its sheet, and those of the table that they span. */
  cells: 500_000,
  tableCells: 2_000_000,
  /** Texts that the cells of all its sheets share, and characters of those. */
  sharedTexts: 500_000,
  sharedChars: 20_000_000,
  /** Of its archive: files in it, and bytes that those unpack to which are read. */
  parts: 1000,
  inflatedBytes: 100_000_000,
  /** Of its XML: elements, those of a sheet that are no part of a row, and their depth. */
  elements: 2_600_000,
  otherElements: 500_000,
  depth: 32,
  /** Attributes of an element, characters of one, and of all in the file. */
  attributes: 64,
  attributeChars: 32_767,
  allAttributeChars: 20_000_000,
  /** Bytes from one element to the next. */
  tokenBytes: 1_000_000,
} as const;
export type FileLimits = typeof fileLimits;

/** Milliseconds that the reading of a file may take, less than a request has. */
export const readingMs = (bytes: number): number => Math.min(25_000, 5000 + Math.ceil(bytes / 200));
/** Megabytes of the heap of the thread that reads: far more than the limits let it take, since V8 may end the process there. */
export const MAX_THREAD_MEGABYTES = 400;
/** Files that are read at the same time, each of another person, and those of one person that wait for it. */
export const MAX_READING = 2;
export const MAX_READING_OF_ONE = 3;
/** How many rows are checked before the import starts. */
export const CHECKED_ROWS = 100;
/** How many lines may be about one record. */
export const MAX_LINES = 1000;
/** How many rows can be written all or nothing: one transaction, whose locks others wait for. */
const MAX_ROWS_AT_ONCE = 1000;

/** How many rows can be written all or none: none where nothing is read beside a transaction, which such rows share. */
export const rowsAtOnce = ({ driver, knex }: Database): number =>
  driver.isSingleConnection?.(knex) ? 0 : MAX_ROWS_AT_ONCE;
/** Files of one person for one list that wait to be started. */
export const MAX_WAITING = 10;
/** Imports of the last hours that a person is shown. */
export const MAX_SHOWN = 10;
/** Milliseconds that a file, and what is known of its import, are retained. */
export const KEPT_MS = 86_400_000;
/** Milliseconds after its end that an import can be undone. */
export const UNDO_MS = 3_600_000;
