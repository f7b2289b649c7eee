import type { ColumnInfo } from "../drivers/columns.ts";
import { parseId } from "../queries/parse_id.ts";

/** The key of a record as one value: of one column its value, of several a text of all of them, as in "10248~11". */
export type KeyValue = number | string;

/** What a key narrows: a query of knex or of a model. */
interface Narrowed {
  where(column: string, value: KeyValue | null): unknown;
  where(column: string, sign: string, value: KeyValue): unknown;
  where(group: (query: Narrowed) => void): unknown;
  orWhere(group: (query: Narrowed) => void): unknown;
  whereIn(column: string | string[], values: never): unknown;
  orderBy(column: string, direction: "asc" | "desc"): unknown;
}

const numbers: readonly string[] = ["integer", "bigint"];
const BETWEEN = "~";
const GROUP = 100;
const utf8 = new TextEncoder();

/**
 * How the records of a table are identified: by one column or several. Of several columns, `where`, forms, JSON and addresses
 * have one text of all values.
 */
export class RecordKey {
  readonly table: string;
  readonly columns: readonly string[];
  /** The names of the columns with their table. */
  readonly names: readonly string[];
  #infos: readonly Pick<ColumnInfo, "type" | "maxLength">[];
  readonly #reserved: ReadonlySet<string>;

  /** `reserved`: the segments of addresses that routes have for themselves. */
  constructor(table: string, columns: readonly string[], reserved: ReadonlySet<string> = new Set()) {
    this.#reserved = reserved;
    this.table = table;
    this.columns = columns;
    this.names = columns.map((column) => `${table}.${column}`);
    this.#infos = columns.map(() => ({ type: "integer" }));
  }

  /** The column, where it is one alone. */
  get column(): string | undefined {
    return this.columns.length === 1 ? this.columns[0] : undefined;
  }
  get isComposite(): boolean {
    return this.columns.length > 1;
  }
  /** Whether nothing identifies a record, as in a view: it is listed, and has no page of its own. */
  get isMissing(): boolean {
    return this.columns.length === 0;
  }
  /** The columns were read. */
  describe(columns: ReadonlyMap<string, ColumnInfo>): void {
    this.#infos = this.columns.map((name) => columns.get(name) ?? { type: "integer" });
  }

  /** The key of a row or a record; null or undefined where it has none yet. */
  of(row: object): KeyValue | null | undefined {
    const values = row as Record<string, KeyValue | null | undefined>;
    if (this.isMissing) return undefined;
    if (!this.isComposite) return values[this.columns[0]!];
    const parts = this.columns.map((column) => values[column]);
    if (parts.some((part) => part === null || part === undefined)) return undefined;
    return parts.map((part) => encodePart(String(part))).join(BETWEEN);
  }
  /** The key that a text of a form, JSON or an address names; undefined for one that is none. */
  parse(text: string): KeyValue | undefined {
    if (this.isMissing) return undefined;
    if (!this.isComposite) return isNumber(this.#infos[0]!) ? parseNumber(text) : parseId(text, this.#infos[0]!);
    return this.values(text) ? text : undefined;
  }
  /** The values of the columns; undefined for a text that is no key of this table. */
  values(key: KeyValue): readonly KeyValue[] | undefined {
    if (!this.isComposite) return [key];
    const parts = String(key).split(BETWEEN);
    if (parts.length !== this.columns.length) return undefined;
    const values = parts.map((part, at) => parsePart(part, this.#infos[at]!));
    return values.every((value) => value !== undefined) ? values : undefined;
  }

  /** The columns with their values of a key; null for a text that is none. */
  row(key: KeyValue): Record<string, KeyValue | null> {
    const values = this.values(key);
    return Object.fromEntries(this.columns.map((column, at) => [column, values?.[at] ?? null]));
  }

  /** Whether a row that was found by a key has it as it is written: a database may take other texts for equal. */
  isExact(row: object, key: KeyValue): boolean {
    const found = row as Record<string, unknown>;
    return (this.values(key) ?? []).every((value, at) => {
      const stored = found[this.columns[at]!];
      return typeof stored !== "string" || stored === String(value);
    });
  }

  /** What represents a key in addresses. */
  param(key: KeyValue): KeyValue {
    return typeof key === "number" || this.isComposite ? key : encodeSegment(key, this.#reserved);
  }
  /** The key that a segment of an address names; undefined for one that is none, or that is not written as `param` does. */
  parseParam(segment: string): KeyValue | undefined {
    if (this.isComposite || !segment.startsWith("!")) {
      return this.#reserved.has(segment.toLowerCase()) ? undefined : this.parse(segment);
    }
    const key = segment.length > 2 && segment.endsWith("!") ? segment.slice(1, -1) : undefined;
    return key !== undefined && encodeSegment(key, this.#reserved) === segment ? this.parse(key) : undefined;
  }

  /** Narrows a query to the record with a key. */
  where<Q extends object>(query: Q, key: KeyValue): Q {
    const values = this.values(key);
    this.names.forEach((name, at) => void (query as Narrowed).where(name, values?.[at] ?? null));
    return query;
  }
  /** Narrows a query to the records with these keys. */
  whereIn<Q extends object>(query: Q, keys: readonly KeyValue[]): Q {
    if (!this.isComposite) (query as Narrowed).whereIn(this.names[0]!, keys as never);
    else (query as Narrowed).where((group) => this.#either(group, keys));
    return query;
  }
  /** Alternatives, in groups: SQLite bounds the depth of a condition, and PGlite 0.5 finds nothing by `(a, b) in (…)` of some 300 rows. */
  #either(query: Narrowed, keys: readonly KeyValue[]): void {
    if (keys.length === 0) query.whereIn(this.names[0]!, [] as never);
    else if (keys.length > GROUP)
      for (let at = 0; at < keys.length; at += GROUP)
        query.orWhere((group) => this.#either(group, keys.slice(at, at + GROUP)));
    else for (const key of keys) query.orWhere((one) => this.where(one, key));
  }
  /** Narrows a query to the records that another query finds, which selects nothing yet; `by`: the columns of the other that have their keys. */
  whereAmong<Q extends object>(query: Q, others: object, by: RecordKey = this): Q {
    const own = (others as { clone(): { select(names: string[]): unknown } }).clone(); // a group is compiled anew for each statement
    const found = own.select([...by.names]);
    (query as Narrowed).whereIn(this.isComposite ? [...this.names] : this.names[0]!, found as never);
    return query;
  }
  /** Narrows a query to the records after the one with a key, in the order of keys. */
  after<Q extends object>(query: Q, key: KeyValue): Q {
    const values = this.values(key) ?? [];
    (query as Narrowed).where((group) => {
      this.names.forEach((name, at) => {
        group.orWhere((part) => {
          for (let before = 0; before < at; before++) part.where(this.names[before]!, "=", values[before]!);
          part.where(name, ">", values[at]!);
        });
      });
    });
    return query;
  }
  /** Orders a query by the key. */
  order<Q extends object>(query: Q, direction: "asc" | "desc" = "asc"): Q {
    for (const name of this.names) (query as Narrowed).orderBy(name, direction);
    return query;
  }
}

const isNumber = ({ type }: Pick<ColumnInfo, "type">): boolean => numbers.includes(type);

/** A number as it is written once: rows of a database that was there before may have 0 and less. */
function parseNumber(text: string): number | undefined {
  const number = /^(?:0|-?[1-9]\d{0,15})$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(number) ? number : undefined;
}

function parsePart(part: string, column: Pick<ColumnInfo, "type" | "maxLength">): KeyValue | undefined {
  if (isNumber(column)) return parseNumber(part);
  const text = decodePart(part);
  if (text === undefined || (text === "" && column.type === "string")) return text;
  return column.type === "date" ? parseDay(text) : parseId(text, column);
}

function parseDay(text: string): string | undefined {
  const day = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : Number.NaN);
  return Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text) ? undefined : text;
}

/** What has a meaning in a path, in an address or in a key of several columns is written as "!" and two digits a byte. */
const encodePart = (text: string): string =>
  text.replace(/[!~/\\%?#\p{C}]|\.(?=[a-z0-9]{1,5}$)|^$/gu, (found) =>
    found === "" ? "!" : [...utf8.encode(found)].map((byte) => `!${byte.toString(16).padStart(2, "0")}`).join(""),
  );

/** undefined for a text that `encodePart` does not write. */
function decodePart(part: string): string | undefined {
  try {
    const text = part === "!" ? "" : decodeURIComponent(part.replace(/%/g, "%25").replace(/!(?=[0-9a-f]{2})/g, "%"));
    return encodePart(text) === part ? text : undefined;
  } catch {
    return undefined;
  }
}

/** A text key as one segment of an address: what routes or formats would take for theirs is written between exclamation marks. */
const encodeSegment = (key: string, reserved: ReadonlySet<string>): string =>
  reserved.has(key.toLowerCase()) || /^!|^\.{0,2}$|\.json$/.test(key) ? `!${key}!` : key;
