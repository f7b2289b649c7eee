import type { ColumnInfo } from "../drivers/columns.ts";
import { compactDocument, documentText } from "./document_text.ts";

type Values = Readonly<Record<string, unknown>>;
/** What of a model decides whether two values of a column are one. */
interface Compared {
  readonly columns: ReadonlyMap<string, Pick<ColumnInfo, "type">>;
  readonly money: Values;
  readonly polymorphic: ReadonlyMap<string, { readonly typeColumn: string; readonly keyColumn: string }>;
  mayBeNeither(column: string): boolean;
}

/**
 * The columns whose values differ from those of a record: what nobody touched is not written. `isForm`: they come from a
 * browser, whose inputs have no line breaks but their own, and whose checkboxes have no third state.
 */
export function changedValues(
  model: Compared,
  record: object,
  columns: Values,
  { isForm = false }: { isForm?: boolean } = {},
): Record<string, unknown> {
  const stored = record as Values;
  const changed = Object.entries(columns).filter(([name, value]) => {
    if (!model.columns.has(name) && model.money[name] === undefined) return true; // a setter of the model's own
    const isOff = value === false && (stored[name] ?? null) === null && !model.mayBeNeither(name);
    if (isForm && (isOff || isShownAs(stored[name], value))) return false;
    return comparable(stored[name], name, model) !== comparable(value, name, model);
  });
  return { ...Object.fromEntries(changed), ...wholeReferences(columns, changed, model) };
}

/** Both columns of a polymorphic association of which one differs: half of a reference is none. */
function wholeReferences(
  columns: Values,
  changed: readonly (readonly [name: string, value: unknown])[],
  { polymorphic }: Compared,
): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  for (const { typeColumn, keyColumn } of polymorphic.values()) {
    const pair = [typeColumn, keyColumn].filter((name) => name in columns);
    if (changed.some(([name]) => pair.includes(name))) for (const name of pair) whole[name] = columns[name];
  }
  return whole;
}

/** A value as its column stores it, so that `12.5` is `12.50` and a document its text. */
function comparable(value: unknown, name: string, { columns, money }: Compared): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (value instanceof Date) return value.toISOString();
  if (columns.get(name)?.type === "json") return compactDocument(documentText(value));
  if (Buffer.isBuffer(value)) return value.toString("base64");
  if (typeof value === "object") return JSON.stringify(value);
  const text = String(value);
  const isExact = columns.get(name)?.type === "decimal" || money[name] !== undefined;
  return isExact && text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** Whether a text is what a browser sends of a stored one: with its own line breaks, or none in a single line. */
function isShownAs(stored: unknown, sent: unknown): boolean {
  if (typeof sent !== "string" || typeof stored !== "string" || !/[\r\n]/.test(stored)) return false;
  return stored.replace(/\r\n?/g, "\n") === sent || stored.replace(/[\r\n]/g, "") === sent;
}
