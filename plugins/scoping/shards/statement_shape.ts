/** What of a statement decides which shards it needs. */
export interface StatementShape {
  verb: "select" | "insert" | "update" | "delete" | "begin" | "end" | "other";
  /** The statement without its values. */
  text: string;
  /** The tables by the names that they have in it. */
  tables: ReadonlyMap<string, string>;
  /** Columns that must have one value, with it where the statement has it: `["posts.organization_id", "7"]`. */
  values: readonly (readonly [column: string, value: string | undefined])[];
  /** Columns that must be equal. */
  equal: readonly (readonly [one: string, other: string])[];
}

const NAME = "`?([\\w$]+)`?";
const COLUMN = `(?:${NAME}\\.)?${NAME}`;
const TABLE = new RegExp(`\\b(?:from|join|into|update)\\s+(?:${NAME}\\.)?${NAME}(?:\\s+as\\s+${NAME})?`, "gi");
const EQUAL = new RegExp(`${COLUMN}\\s*=\\s*(?:(@\\d+|\\?)|${COLUMN})`, "gi");
const INSERTED = /\(([^()]*)\)\s*values\s*\(([^()]*)\)/i;

/** Reads a statement as knex and objection write them; what it does not understand has no values, so that it counts as one for every shard. */
export function shapeOf(sql: string): StatementShape {
  const literals: string[] = [];
  const bare = sql
    .replace(/'(?:[^'\\]|\\.|'')*'|\b\d+(?:\.\d+)?\b/g, (literal) => `@${literals.push(literal) - 1}`)
    .replace(/\s+/g, " ")
    .trim();
  const literalOf = (mark: string) => (mark.startsWith("@") ? literals[Number(mark.slice(1))] : undefined);
  const verb = verbOf(bare);
  const tables = tablesOf(bare);
  const [first] = tables.keys(); // a column without a table is taken for its own
  const values: [string, string | undefined][] = [];
  const equal: [string, string][] = [];
  const named = (table: string | undefined, column: string) => `${table ?? first ?? ""}.${column}`;
  for (const [, table, column, mark, otherTable, otherColumn] of required(bare, verb).matchAll(EQUAL)) {
    if (mark !== undefined) values.push([named(table, column!), literalOf(mark)]);
    else equal.push([named(table, column!), named(otherTable, otherColumn!)]);
  }
  if (verb === "insert") values.push(...insertedValues(bare, first, literalOf));
  return { verb, text: bare.replace(/@\d+/g, "?"), tables, values, equal };
}

function verbOf(sql: string): StatementShape["verb"] {
  const word = /^\w+/.exec(sql)?.[0].toLowerCase() ?? "";
  if (word === "begin" || /^start transaction/i.test(sql)) return "begin";
  if (word === "commit" || word === "rollback") return "end";
  if (word === "replace") return "insert";
  return word === "select" || word === "insert" || word === "update" || word === "delete" ? word : "other";
}

function tablesOf(sql: string): Map<string, string> {
  const tables = new Map<string, string>();
  for (const [, , table, alias] of sql.matchAll(TABLE)) tables.set(alias ?? table!, table!);
  return tables;
}

/** The text without what need not be so: alternatives, negations, lists of values. Empty where the whole is an alternative. */
function required(sql: string, verb: StatementShape["verb"]): string {
  let text = verb === "update" ? sql.replace(/\bset\b.*?(?=\bwhere\b|$)/i, "") : sql;
  for (let before = ""; before !== text; ) {
    before = text;
    text = text.replace(/(\bnot (?:exists |in )?|\bin )?\(([^()]*)\)/gi, (_, prefix, inner) => replaced(prefix, inner));
  }
  return /\bor\b/i.test(text) ? "" : text;
}
function replaced(prefix: string | undefined, inner: string): string {
  if (/^not/i.test(prefix ?? "") || /\bor\b/i.test(inner)) return " something ";
  if (prefix === undefined || /^\s*select\b/i.test(inner)) return ` ${inner} `;
  return inner.includes(",") ? " something " : ` = ${inner} `;
}

function insertedValues(
  sql: string,
  table: string | undefined,
  literalOf: (mark: string) => string | undefined,
): [string, string | undefined][] {
  const [, columns = "", marks = ""] = INSERTED.exec(sql) ?? [];
  const given = marks.split(",").map((mark) => mark.trim());
  return columns
    .split(",")
    .map((column, index) => [`${table ?? ""}.${column.replaceAll("`", "").trim()}`, literalOf(given[index] ?? "?")]);
}
