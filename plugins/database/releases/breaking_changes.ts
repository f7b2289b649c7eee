import type { ColumnInfo, ColumnType } from "../drivers/columns.ts";
import type { TableReads } from "./reads.ts";

/** The columns of all tables. */
export type SchemaState = ReadonlyMap<string, readonly ColumnInfo[]>;
/** What a change does to a release that does not know of it. */
export type BreakingKind = "gone" | "required" | "not_null" | "without_default" | "narrowed";
/** A change of a table that breaks a release which reads it as it was. */
export interface BreakingChange {
  readonly kind: BreakingKind;
  readonly table: string;
  /** undefined for the table as a whole. */
  readonly column?: string;
  /** As in "posts.price, from decimal(10, 2) to decimal(8, 2)". */
  readonly what: string;
  /** Whether the database fills the column where a record is inserted without it. */
  readonly hasDefault?: boolean;
}

const widened: Readonly<Partial<Record<ColumnType, readonly ColumnType[]>>> = {
  integer: ["bigint"],
  string: ["text"],
  uuid: ["string", "text"],
};

/** What changed between two states that a release can't read or write as before. */
export function breakingChanges(before: SchemaState, after: SchemaState): BreakingChange[] {
  return [...before].flatMap(([table, columns]) => {
    const now = after.get(table);
    return now ? changesOfTable(table, columns, now) : [{ kind: "gone" as const, table, what: table }];
  });
}

function changesOfTable(table: string, before: readonly ColumnInfo[], after: readonly ColumnInfo[]): BreakingChange[] {
  const known = new Set(before.map(({ name }) => name));
  const now = new Map(after.map((column) => [column.name, column]));
  const changed = before.flatMap((column) => changeOfColumn(table, column, now.get(column.name)) ?? []);
  const added = after.filter((one) => !known.has(one.name) && !one.nullable && !one.hasDefault && !one.primary);
  const required = added.map(({ name }) => ({
    kind: "required" as const,
    table,
    column: name,
    what: `${table}.${name}`,
  }));
  return [...changed, ...required];
}

function changeOfColumn(table: string, old: ColumnInfo, now: ColumnInfo | undefined): BreakingChange | undefined {
  const at = { table, column: old.name };
  const what = `${table}.${old.name}`;
  if (!now) return { kind: "gone", ...at, what };
  if (isNarrowed(old, now)) return { kind: "narrowed", ...at, what: `${what}, from ${typeOf(old)} to ${typeOf(now)}` };
  if (now.nullable || now.primary) return undefined;
  if (old.nullable) return { kind: "not_null", ...at, what, hasDefault: now.hasDefault };
  return old.hasDefault && !now.hasDefault ? { kind: "without_default", ...at, what } : undefined;
}

/** Whether a value that fitted, fits no longer, or is read as another kind of value. */
function isNarrowed(old: ColumnInfo, now: ColumnInfo): boolean {
  if (old.type !== now.type) return !widened[old.type]?.includes(now.type);
  if (now.maxLength !== undefined && (old.maxLength ?? Number.POSITIVE_INFINITY) > now.maxLength) return true;
  if (now.values && !old.values?.every((value) => now.values?.includes(value))) return true;
  if (now.unsigned && !old.unsigned) return true;
  const [scale, digits] = [(now.scale ?? 0) - (old.scale ?? 0), (now.precision ?? 0) - (old.precision ?? 0)];
  return scale < 0 || digits < scale;
}

function typeOf({ type, maxLength, precision, scale, unsigned, values }: ColumnInfo): string {
  if (values) return `one of ${values.join(", ")}`;
  const size = type === "decimal" ? `(${precision}, ${scale})` : type === "string" && maxLength ? `(${maxLength})` : "";
  return `${type}${size}${unsigned ? " unsigned" : ""}`;
}

/** Whether a change breaks a release that reads a table so: a column that it does not read is left out where it inserts. */
export function breaks({ kind, column, hasDefault }: BreakingChange, reads: TableReads | undefined): boolean {
  if (!reads) return false;
  if (column === undefined || kind === "required" || kind === "without_default") return true;
  const isRead = reads.columns.includes(column);
  if (kind === "not_null") return isRead ? !reads.required.includes(column) : !hasDefault;
  return isRead;
}
