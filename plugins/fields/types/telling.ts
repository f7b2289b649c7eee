/** Kinds of fields by what they tell of a record: its name, its state, whose it is, when, how much, how it looks. */
const TELLING: Readonly<Record<string, number>> = {
  ...{ label: 0, enum: 1, select: 1, association: 2, date: 3, datetime: 3, money: 4, attachment: 5 },
};
const KINDS = 6;

/**
 * Of names as many as there is room for, in their order: one of each kind that tells something of a record, then a second one of
 * each, then the first of the others. `kindOf` returns the type of a field, or "label" for what a record is called by.
 * @example mostTelling(["kind", "weight", "state"], (name) => kinds[name], 2) // ["kind", "state"]
 */
export function mostTelling(names: readonly string[], kindOf: (name: string) => string, room: number): string[] {
  const found = new Map<number, number>();
  const ranks = new Map<string, number>();
  for (const name of names) {
    const kind = TELLING[kindOf(name)];
    if (kind === undefined) continue;
    const before = found.get(kind) ?? 0;
    found.set(kind, before + 1);
    ranks.set(name, before * KINDS + kind);
  }
  const rank = (name: string) => ranks.get(name) ?? Number.MAX_SAFE_INTEGER;
  const kept = new Set([...names].sort((a, b) => rank(a) - rank(b)).slice(0, Math.max(0, room)));
  return names.filter((name) => kept.has(name));
}
