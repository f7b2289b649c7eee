/** What the compiler may know about a filter. */
export interface FilterHints {
  /** Same result for the same arguments: evaluated at compile time when they are literals. */
  pure?: true;
  /** Calls the page's path helper of this name. */
  helper?: string;
  /** The path of the one variable that it reads; `given` takes that variable's value before the arguments. */
  reads?: readonly string[];
  /** Same result for the same variable and arguments: cached for each value of the variable where the arguments are literals. */
  steady?: true;
  given?: (read: unknown, value: unknown, ...args: unknown[]) => unknown;
}

/** Module-level: found by a filter, which is a function of a module itself. */
const hintsByFilter = new WeakMap<object, FilterHints>();

/** Marks a filter with what a compiled template may know of it. */
export function withFilterHints<F extends object>(filter: F, hints: FilterHints): F {
  hintsByFilter.set(filter, hints);
  return filter;
}
export const filterHintsOf = (filter: object): FilterHints => hintsByFilter.get(filter) ?? {};
