/** What was worked out for the last keys, so that it is not worked out again; the oldest make room. */
export class Recent<T> {
  readonly #kept = new Map<string, T>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** What is kept under a key, else what `make` gives; undefined is not kept. */
  of(key: string, make: () => T): T {
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (made === undefined) return made;
    if (this.#kept.size >= this.#most) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(key, made);
    return made;
  }
}
