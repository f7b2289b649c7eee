/** What a compiled template may know of a filter beyond its function. */
export interface Hints {
  /** The same for the same arguments, always: worked out once where they are literals. */
  pure?: true;
  /** Calls the page's path helper of this name. */
  helper?: string;
  /** The one variable, with its properties, that it reads; `given` takes the value in front of the arguments. */
  reads?: readonly string[];
  given?: (read: unknown, value: unknown, ...args: unknown[]) => unknown;
}

const known = new WeakMap<object, Hints>();

export function hinted<F extends object>(filter: F, hints: Hints): F {
  known.set(filter, hints);
  return filter;
}
export const hintsOf = (filter: object): Hints => known.get(filter) ?? {};
