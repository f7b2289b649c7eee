type Values = Readonly<Record<string, unknown>>;
/** Module-level: found by a transaction, and freed with it: what rows had, by their tables and keys. */
const asideIn = new WeakMap<object, Map<string, Values>>();

/**
 * Remembers what a row had in columns that its transaction writes past the models for a while, as where two rows exchange a
 * unique value: listeners to its next change get these values as those before.
 * @param key - the key of its record
 * @param values - by column, as its record has them
 * @example setAside(transaction, "gates", 3, { code: "B" });
 */
export function setAside(transaction: object, table: string, key: unknown, values: Values): void {
  const known = asideIn.get(transaction) ?? new Map<string, Values>();
  asideIn.set(transaction, known);
  const name = `${table} ${String(key)}`;
  known.set(name, { ...known.get(name), ...values });
}

/** What a row had before values of it were set aside, once: later changes come after that. Undefined where none were. */
export function takeSetAside(transaction: object, table: string, key: unknown): Values | undefined {
  const known = asideIn.get(transaction);
  const name = `${table} ${String(key)}`;
  const values = known?.get(name);
  known?.delete(name);
  return values;
}
