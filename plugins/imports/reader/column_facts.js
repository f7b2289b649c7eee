const MAX_DAY_CHARS = 40;
const DAY = /^\s*(\d{1,2})[/-](\d{1,2})[/-]\d{4}(?!\d)/;

/** What the cells of a column show about it as a whole: whether there are any, and which figure of its days is the month. */
export class ColumnFacts {
  #dayFirst = false;
  #monthFirst = false;
  #hasOther = false;

  /** A cell that is not empty. */
  see(cell) {
    if (cell.length > MAX_DAY_CHARS) return;
    const [, first, second] = DAY.exec(cell) ?? [];
    if (first === undefined) return;
    if (Number(first) > 12) this.#dayFirst = true;
    else if (Number(second) > 12) this.#monthFirst = true;
    else if (Number(first) !== Number(second)) this.#hasOther = true;
  }
  /** `days`: how 3/4/2026 is read in this column, `unknown` where its cells do not show it; null where it has no such day. */
  get found() {
    if (this.#dayFirst !== this.#monthFirst) return { days: this.#dayFirst ? "dmy" : "mdy" };
    return { days: this.#dayFirst || this.#hasOther ? "unknown" : null };
  }
}
