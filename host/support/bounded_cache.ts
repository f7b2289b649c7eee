/** A cache of at most N keys, first in first out: a hit does not refresh its key. */
export class BoundedCache<T> {
  readonly #values = new Map<string, T>();
  readonly #maxKeys: number;

  constructor(maxKeys: number) {
    this.#maxKeys = maxKeys;
  }

  /** The value of a key, else what `make` returns, which is cached unless it is undefined. */
  getOrMake(key: string, make: () => T): T {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (made === undefined) return made;
    if (this.#values.size >= this.#maxKeys) this.#values.delete(this.#values.keys().next().value!);
    this.#values.set(key, made);
    return made;
  }
}
