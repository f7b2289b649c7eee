/** What has a text, by its key: what was used last, as much as a number of characters has room for. */
export class TextCache<T extends { readonly text: string }> {
  readonly #texts = new Map<string, T>();
  readonly #maxChars: number;
  #chars = 0;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  getOrMake(key: string, make: () => T): T {
    const found = this.#texts.get(key) ?? make();
    if (this.#texts.delete(key)) this.#chars -= found.text.length;
    this.#texts.set(key, found); // the last one
    this.#chars += found.text.length;
    for (const [other, one] of this.#texts) {
      if (this.#chars <= this.#maxChars || other === key) break;
      this.#texts.delete(other);
      this.#chars -= one.text.length;
    }
    return found;
  }
}
