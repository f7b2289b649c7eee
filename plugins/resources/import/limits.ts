/** What one file may have. A row is a record of CSV, whatever lines it takes. */
export const MAX_BYTES = 10_000_000;
export const MAX_ROWS = 100_000;
export const MAX_COLUMNS = 200;
/** Characters of one row. */
export const MAX_ROW_CHARS = 250_000;
/** What a spreadsheet may unpack to, the cells of its first sheet, and those of the table that they span. */
export const MAX_INFLATED_BYTES = 100_000_000;
export const MAX_CELLS = 500_000;
export const MAX_TABLE_CELLS = 2_000_000;
/** How many rows are checked before the import starts. */
export const CHECKED_ROWS = 100;
/** How many rows can be written all or nothing: one transaction, whose locks others wait for. */
export const MAX_ROWS_AT_ONCE = 1000;
/** Files of one person for one list that wait to be started. */
export const MAX_WAITING = 10;
/** Imports of the last hours that a person is shown. */
export const MAX_SHOWN = 10;
/** Milliseconds that a file, and what is known of its import, are kept. */
export const KEPT_MS = 86_400_000;
/** Milliseconds after its end that an import can be undone. */
export const UNDO_MS = 3_600_000;
