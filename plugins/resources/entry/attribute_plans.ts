const MAX_PLANS_A_KIND = 32;

interface CachedPlan {
  names: readonly string[];
  plan: unknown;
}

/**
 * What is compiled from lists of names: on first sight of a list, and found again by comparing element by element,
 * since a policy may make a new list for each person.
 */
export class AttributePlans {
  readonly #kinds = new Map<string, CachedPlan[]>();

  for<T>(kind: string, names: readonly string[], compile: (names: readonly string[]) => T): T {
    let plans = this.#kinds.get(kind);
    if (!plans) {
      plans = [];
      this.#kinds.set(kind, plans);
    }
    for (const cached of plans) if (isSameList(cached.names, names)) return cached.plan as T;
    const copy = [...names];
    const plan = compile(copy);
    if (plans.length === MAX_PLANS_A_KIND) plans.shift();
    plans.push({ names: copy, plan });
    return plan;
  }
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}
