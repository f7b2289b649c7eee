import { isSecretName, shownText } from "./secrets.ts";

const TOKEN = /`[^`]*`|"[^"]*"|'(?:[^']|'')*'|\?|\$\d+|[A-Za-z_]\w*|[(),]|[^\s\w]/g;
/** `?`, or `$1` of PostgreSQL, whose numbers are in their order. */
const isPlace = (token: string): boolean => token === "?" || /^\$\d/.test(token);
const INSERT = /^\s*insert\s[^(]*\(([^()]*)\)\s*values\s*/i;
const COMPARES = new Set(["like", "glob", "is", "not", "regexp", "ilike"]);
const KEYWORDS = new Set(
  "select from where and or on set values insert into update delete having order group by limit offset then when else case end as join left inner outer union all exists distinct with returning null default escape".split(
    " ",
  ),
);

/** Reads a statement from left to right, and knows the column that a value belongs to only where nothing else is possible. */
class Reading {
  column: string | undefined;
  #isList = false;
  #expectsList = false;
  #isBetween = false;

  word(name: string, isCall: boolean): void {
    const word = name.toLowerCase();
    if (COMPARES.has(word)) return;
    if (word === "in") this.#expectsList = true;
    else if (word === "between") this.#isBetween = true;
    else if (word === "and" && this.#isBetween) this.#isBetween = false;
    else this.column = isCall || KEYWORDS.has(word) ? undefined : name;
  }
  sign(sign: string): void {
    if (sign === "(") {
      if (!this.#expectsList) this.column = undefined;
      this.#isList = this.#expectsList;
      this.#expectsList = false;
    } else if (sign === ")" || (sign === "," && !this.#isList)) {
      this.column = undefined;
      this.#isList = false;
    }
  }
}

/**
 * The column that each place of a value in a statement is compared with or written to; undefined where that is not sure, as between
 * functions, or in SQL with names that are not quoted in unusual places.
 */
export function columnsOfBindings(sql: string): (string | undefined)[] {
  const insert = INSERT.exec(sql);
  const { columns, length } = insert ? valuesOf(sql.slice(insert[0].length), insert[1]!) : { columns: [], length: 0 };
  const rest = sql.slice((insert?.[0].length ?? 0) + length);
  const tokens = [...rest.matchAll(TOKEN)].map(([token]) => token);
  const reading = new Reading();
  tokens.forEach((token, index) => {
    if (isPlace(token)) columns.push(reading.column);
    else if (/^[`"]/.test(token)) reading.column = token.slice(1, -1);
    else if (/^[A-Za-z_]/.test(token)) reading.word(token, tokens[index + 1] === "(");
    else reading.sign(token);
  });
  return columns;
}

/** The columns of the places in the rows of an insert, and how many characters those rows take. */
function valuesOf(text: string, list: string): { columns: (string | undefined)[]; length: number } {
  const names = list.split(",").map((name) => name.trim().replace(/^[`"]|[`"]$/g, ""));
  const columns: (string | undefined)[] = [];
  let [depth, place, length] = [0, 0, 0];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (depth === 0 && token !== "(" && token !== ",") break;
    if (token === "(") place = depth++ === 0 ? 0 : place;
    else if (token === ")") depth--;
    else if (token === "," && depth === 1) place++;
    else if (isPlace(token)) columns.push(depth === 1 ? names[place] : undefined);
    length = index + token.length;
  }
  return { columns, length };
}

/**
 * The values of a statement as they are shown. Texts are shown where their column is known and is no secret; `secrets`
 * has the names of columns that are, besides those whose names show it.
 */
export function shownValues(sql: string, bindings: readonly unknown[], secrets: ReadonlySet<string>): string[] {
  const columns = columnsOfBindings(sql);
  const isSure = columns.length === bindings.length;
  return bindings.map((value, index) => {
    const column = isSure ? columns[index] : undefined;
    if (column !== undefined && (secrets.has(column) || isSecretName(column))) return "[secret]";
    return shownValue(column, value);
  });
}

function shownValue(column: string | undefined, value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "string")
    return column === undefined ? `[text of ${value.length}]` : `"${shownText(column, value)}"`;
  return Buffer.isBuffer(value) ? `[${value.length} bytes]` : "[object]";
}

/** A text in a statement that is longer may be a value that somebody put into it. */
const LONG_LITERAL = /'(?:[^']|''){17,}'/g;
/** How SQLite's rows are read at once: a select around the one that was requested. */
const PACKED = /^select json_group_array\(json_array\([^()]*\)\) as packed from \((.*)\) as `rows`$/s;

/** A statement as it is shown: without long texts in it, and without what is around it to read it faster. */
export const shownSql = (sql: string): string => (PACKED.exec(sql)?.[1] ?? sql).replace(LONG_LITERAL, "'…'");
