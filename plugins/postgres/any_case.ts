import type { Knex } from "knex";

/** `citext` folds letters; it takes a letter and the same one with its accent as a sign of its own for two. */
export function whereEqual(query: Knex.QueryBuilder, column: string, value: string | number): void {
  if (typeof value !== "string") return void query.where(column, value);
  const forms = new Set([value, value.normalize("NFC"), value.normalize("NFD")]);
  if (forms.size === 1) query.where(column, value);
  else query.whereIn(column, [...forms]);
}

/** `like` distinguishes the case of letters in `text` and `varchar`. */
export const ilike = (text: string) => ({
  sql: "?? ilike ? escape '!'",
  any: "%",
  literal: text.replace(/[!%_]/g, (sign) => `!${sign}`),
});
