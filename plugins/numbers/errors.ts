import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_NUMBERS_TABLE: () =>
    `the table "framewright_numbers" does not exist, and a model has numbered(…). Run: fw generate fw:install numbers, then fw db:migrate`,
  FW_NUMBERS_FORMAT: (column: string, format: string) =>
    `numbered("${column}", …) has the format "${format}". It needs one counter, as in "{year}-{0000}"; {year} and {month} begin it anew.`,
  FW_NUMBERS_GAPS: (column: string, given: string) =>
    `numbered("${column}", { gaps: ${JSON.stringify(given)} }) has no such gaps: it takes "never" or "allowed".`,
  FW_NUMBERS_ONE_CONNECTION: (constant: string, column: string, driver: string) =>
    `${constant} has numbered("${column}", { gaps: "allowed" }), and ${driver} has one connection that writes: a number can't be taken beside a transaction. Use a server (DATABASE_URL=mysql://… or postgres://…), or leave gaps out.`,
  FW_NUMBERS_COLUMN: (constant: string, column: string) =>
    `${constant} has numbered("${column}", …), which is no column of texts of its table. Add it by a migration: t.string("${column}").`,
  FW_NUMBERS_SCOPE: (constant: string, column: string, scope: string, suggestion: string | undefined) =>
    `${constant} has numbered("${column}", { scope: "${scope}" }), which is neither a column nor a belongsTo of the model${suggestion ? `. Did you mean "${suggestion}"?` : "."}`,
  FW_NUMBERS_TAKEN: (table: string, column: string, text: string) =>
    `${table}.${column}: the numbers up to "${text}" are taken by rows that were numbered otherwise. Call numberExisting(…) in a migration, which begins behind them.`,
});
