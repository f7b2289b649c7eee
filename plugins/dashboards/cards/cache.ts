/** The most answers that are cached; the oldest goes first. */
const MAX_ENTRIES = 1000;

interface Entry {
  readonly data: Promise<unknown>;
  /** Infinity while it is loaded: requests that come in the meantime wait for the same answer. */
  expires: number;
}

/** Data of cards, for seconds, in this process. Failures are not cached. */
export class CardCacheStore {
  readonly #entries = new Map<string, Entry>();

  getOrLoad(key: string, seconds: number, load: () => Promise<unknown>): Promise<unknown> {
    const known = this.#entries.get(key);
    if (known && known.expires > Date.now()) return known.data;
    this.#entries.delete(key);
    if (this.#entries.size >= MAX_ENTRIES) this.#entries.delete(this.#entries.keys().next().value!);
    const entry: Entry = { data: load(), expires: Number.POSITIVE_INFINITY };
    this.#entries.set(key, entry);
    entry.data.then(
      () => {
        entry.expires = Date.now() + seconds * 1000;
      },
      () => this.#entries.get(key) === entry && this.#entries.delete(key),
    );
    return entry.data;
  }
}
