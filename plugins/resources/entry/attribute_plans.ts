const MOST = 32;

interface Kept {
  names: readonly string[];
  plan: unknown;
}

/**
 * What is compiled from a policy's list: made when the list is first seen, and found again by comparing element by
 * element, since a policy may make a new list for each person.
 */
export class Plans {
  readonly #kinds = new Map<string, Kept[]>();

  for<T>(kind: string, names: readonly string[], make: (names: readonly string[]) => T): T {
    let plans = this.#kinds.get(kind);
    if (!plans) {
      plans = [];
      this.#kinds.set(kind, plans);
    }
    for (const kept of plans) if (same(kept.names, names)) return kept.plan as T;
    const plan = make(names);
    if (plans.length === MOST) plans.shift();
    plans.push({ names: [...names], plan });
    return plan;
  }
}

function same(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}
