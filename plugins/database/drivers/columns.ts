/** The types of columns that models know. */
export type ColumnType =
  | "string"
  | "text"
  | "integer"
  | "bigint"
  | "decimal"
  | "float"
  | "boolean"
  | "date"
  | "datetime"
  | "time"
  | "json"
  | "binary"
  | "uuid";

/** A column as the database has it. */
export interface ColumnInfo {
  name: string;
  type: ColumnType;
  nullable: boolean;
  /** The default as a value; undefined when there is none, or when the database computes it. */
  default: unknown;
  hasDefault: boolean;
  primary: boolean;
  /** Unique by itself. */
  unique: boolean;
  maxLength?: number;
  precision?: number;
  scale?: number;
  /** Significant digits that the database keeps of a decimal with a fraction; all of its precision without. */
  exactDigits?: number;
  /** Whether its whole numbers are numbers up to 2^53: keys by associations of models, and cents of money. Set when models are linked. */
  asNumber?: boolean;
  /** `onDelete`: what the database does to rows that refer to a deleted one, where the driver reports it. */
  references?: { table: string; column: string; onDelete?: OnDelete };
  unsigned?: boolean;
  /** The values that the database lets in, of an enum column. */
  values?: readonly string[];
  /** Of a type that the database alone knows, read and written as its text: nothing is searched or ordered by it. */
  isOpaque?: boolean;
  /** Where records don't write it: the database, which computes it or sets it at each change, or SQL alone. */
  writer?: "database" | "sql";
  /** The foreign keys that begin with it: of it alone, and of it and other columns. */
  foreignKeys?: readonly Reference[];
}

/** A foreign key: the table that it refers to, its columns, and those that they refer to. */
export interface Reference {
  readonly table: string;
  readonly columns: readonly string[];
  readonly to: readonly string[];
  readonly onDelete?: OnDelete;
}

/** A foreign key, in the order of its columns. */
export interface ForeignKey {
  table: string;
  columns: readonly string[];
  /** The columns that it refers to. */
  to: readonly string[];
  /** What deleting a row that it refers to does, as databases call it. */
  rule: string;
}

/** What foreign keys are for a column: a reference where it is one by itself, and those that begin with it. */
export function referencesOf(
  column: string,
  keys: readonly ForeignKey[],
): Pick<ColumnInfo, "references" | "foreignKeys"> {
  const own = keys.filter(({ columns }) => columns[0] === column);
  const single = own.find(({ columns }) => columns.length === 1);
  if (own.length === 0) return {};
  return {
    ...(single ? { references: withRule({ table: single.table, column: single.to[0]! }, single.rule) } : {}),
    foreignKeys: own.map(({ table, columns, to, rule }) => withRule({ table, columns, to }, rule)),
  };
}

/** The foreign keys that begin with a column; of a driver that gives references alone that of the column. */
export function foreignKeysOf({ name, references, foreignKeys }: ColumnInfo): readonly Reference[] {
  if (foreignKeys || !references) return foreignKeys ?? [];
  return [{ ...references, columns: [name], to: [references.column] }];
}

/** A reference with the rule of its foreign key. */
export function withRule<R extends object>(reference: R, rule: string): R & { onDelete?: OnDelete } {
  const onDelete = onDeleteOf(rule);
  return onDelete === undefined ? reference : { ...reference, onDelete };
}

export type OnDelete = "restrict" | "cascade" | "set null";

/** The rule of a foreign key as databases call it; undefined for one that is not distinguished. */
const onDeleteOf = (rule: string): OnDelete | undefined =>
  (({ restrict: "restrict", "no action": "restrict", cascade: "cascade", "set null": "set null" }) as const)[
    rule.toLowerCase() as OnDelete
  ];

/** A unique index or primary key: its name, where the database has one, and its columns. */
export interface UniqueIndex {
  name: string;
  columns: readonly string[];
}

const names: readonly [pattern: RegExp, type: ColumnType][] = [
  [/^(tinyint\(1\)|bool)/, "boolean"],
  [/^(enum|set)\b/, "string"],
  [/^(multi)?(point|linestring|polygon)|^geom/, "binary"],
  [/^(bigint|unsigned big int)/, "bigint"],
  [/^year|int/, "integer"],
  [/^(decimal|numeric|dec)/, "decimal"],
  [/^(float|double|real)/, "float"],
  [/^(datetime|timestamp)/, "datetime"],
  [/^date/, "date"],
  [/^time/, "time"],
  [/^json/, "json"],
  [/^(char\(36\)|uuid)/, "uuid"],
  [/char/, "string"],
  [/text|clob/, "text"],
  [/blob|binary/, "binary"],
];

/** What the declaration of a column states about its values. */
export interface DeclaredType {
  type: ColumnType;
  isOpaque?: boolean;
  maxLength?: number;
  precision?: number;
  scale?: number;
  unsigned?: boolean;
}

/** Parses a declared type of either database: `varchar(255)`, `decimal(10,2)`, `bigint(20) unsigned`. */
export function declaredType(declaration: string): DeclaredType {
  const text = declaration.toLowerCase().trim();
  const type = names.find(([pattern]) => pattern.test(text))?.[1] ?? "text";
  const [first, second] = (/\(([\d\s,]+)\)/.exec(text)?.[1] ?? "").split(",").map((part) => Number(part.trim()));
  return {
    type,
    ...((type === "string" || type === "uuid") && first ? { maxLength: first } : {}),
    ...(type === "decimal" ? { precision: first || 10, scale: second ?? 0 } : {}),
    ...(text.includes("unsigned") ? { unsigned: true } : {}),
  };
}

/** Parses a default as the database writes it, into the value that a model has. */
export function defaultValue(text: string, type: ColumnType): unknown {
  if (/^null$/i.test(text)) return undefined;
  if (type === "json") return jsonDefault(text);
  const bare = /^'(.*)'$/s.exec(text)?.[1]?.replaceAll("''", "'") ?? text;
  if (type === "boolean") return bare === "1" || bare === "true";
  if (type === "bigint" && /^-?\d{16,}$/.test(bare) && !Number.isSafeInteger(Number(bare))) return bare;
  if (type === "integer" || type === "bigint" || type === "float") return Number(bare);
  if (/^[a-z_]+\(.*\)$/i.test(text) || /^current_/i.test(text)) return undefined;
  return bare;
}

/** The document of a default: `'{"a":1}'`, as MariaDB and SQLite each quote it; undefined for what can't be read. */
function jsonDefault(text: string): unknown {
  const quoted = /^'(.*)'$/s.exec(text)?.[1] ?? text;
  for (const bare of [quoted.replaceAll("''", "'"), quoted.replace(/\\(.)/gs, "$1")]) {
    try {
      return JSON.parse(bare);
    } catch {
      // written with another escape
    }
  }
  return undefined;
}

/** The rows of index parts, gathered into indexes in the order in which they came. */
export function gatherIndexes(rows: readonly { name: string; column: string }[]): UniqueIndex[] {
  const indexes = new Map<string, string[]>();
  for (const { name, column } of rows) {
    const columns = indexes.get(name);
    if (columns) columns.push(column);
    else indexes.set(name, [column]);
  }
  return [...indexes].map(([name, columns]) => ({ name, columns }));
}
