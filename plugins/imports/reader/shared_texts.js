import { Refused } from "./refused.js";
import { RichText } from "./rich_text.js";

const FIRST_BYTES = 65_536;
const FIRST_PLACES = 1024;

/** The texts that cells refer to, once each, as bytes: as strings they would keep the XML that they are cut from. */
export class SharedTexts {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #ends = new Float64Array(FIRST_PLACES);
  #lengths = new Uint32Array(FIRST_PLACES);
  #count = 0;
  #chars = 0;

  /** @throws Refused */
  static async read(archive, name, budget, limits) {
    const texts = new SharedTexts();
    const rich = new RichText(limits.rowChars, () => {
      throw new Refused("cell_size", { count: limits.rowChars });
    });
    await budget.read(archive, name, {
      open: (tag) => rich.open(tag),
      text: (text) => rich.add(text),
      close(tag) {
        rich.close(tag);
        if (tag === "si") texts.#add(rich.take(), limits);
      },
    });
    return texts;
  }

  #add(text, { sharedTexts, sharedChars }) {
    this.#chars += text.length;
    if (this.#count >= sharedTexts || this.#chars > sharedChars)
      throw new Refused("sheet_texts", { count: sharedChars });
    const start = this.#endOf(this.#count - 1);
    const most = start + text.length * 3;
    if (most > this.#bytes.length) this.#bytes = grown(this.#bytes, Buffer.allocUnsafeSlow(Math.ceil(most * 1.5)));
    if (this.#count === this.#ends.length) {
      this.#ends = grown(this.#ends, new Float64Array(this.#count * 2));
      this.#lengths = grown(this.#lengths, new Uint32Array(this.#count * 2));
    }
    this.#ends[this.#count] = start + this.#bytes.write(text, start);
    this.#lengths[this.#count] = text.length;
    this.#count++;
  }
  #endOf(at) {
    return at < 0 ? 0 : this.#ends[at];
  }

  /** How many characters a text has; undefined where there is none. */
  lengthOf(at) {
    return at < this.#count ? this.#lengths[at] : undefined;
  }
  text(at) {
    return this.#bytes.toString("utf8", this.#endOf(at - 1), this.#ends[at]);
  }
}

function grown(from, to) {
  to.set(from);
  return to;
}
