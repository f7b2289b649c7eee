const ESCAPED = /_x([0-9A-F]{4})_/gi;

/** Collects the texts of an element: of its runs, without what says how they are pronounced. */
export class RichText {
  #text = "";
  #isText = false;
  #pronunciations = 0;
  #maxChars;
  #onTooLong;

  constructor(maxChars, onTooLong) {
    this.#maxChars = maxChars;
    this.#onTooLong = onTooLong;
  }
  open(name) {
    if (name === "rPh") this.#pronunciations++;
    else if (name === "t") this.#isText = this.#pronunciations === 0;
  }
  close(name) {
    if (name === "rPh") this.#pronunciations--;
    else if (name === "t") this.#isText = false;
  }
  add(text) {
    if (!this.#isText) return;
    this.#text += text;
    if (this.#text.length > this.#maxChars) this.#onTooLong();
  }
  /** The whole text; the next one begins. */
  take() {
    const text = this.#text;
    this.#text = "";
    return unescaped(text);
  }
}

/** Characters that XML does not have are written as `_x000D_`. */
export const unescaped = (text) =>
  text.includes("_x") ? text.replace(ESCAPED, (_, code) => String.fromCharCode(Number.parseInt(code, 16))) : text;
