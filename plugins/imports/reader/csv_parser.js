import { Refused } from "./refused.js";

const [START, PLAIN, QUOTED, ESCAPED, CLOSED] = [0, 1, 2, 3, 4];

/**
 * Takes a text in parts and yields records of RFC 4180, and of what programs write besides: spaces before a quotation mark, marks
 * inside of a cell that has none around it, and, where `escapes`, `\"` for a mark. No record grows beyond `rowChars`.
 */
export class CsvParser {
  #delimiter;
  #escapes;
  #rowChars;
  #plainEnd;
  #quotedStop;
  #state = START;
  #cell = "";
  #cells = [];
  #chars = 0;
  #line = 1;
  #openLine = 1;
  #afterReturn = false;

  constructor({ delimiter, escapes, rowChars, line = 1 }) {
    [this.#delimiter, this.#escapes, this.#rowChars, this.#line] = [delimiter, escapes, rowChars, line];
    this.#plainEnd = new RegExp(`[\\r\\n\\${delimiter}]`, "g");
    this.#quotedStop = escapes ? /["\\\r\n]/g : /["\r\n]/g;
  }

  /** @throws Refused */
  *write(text) {
    for (let at = 0; at < text.length; ) {
      const sign = text[at];
      const isFeed = this.#afterReturn && sign === "\n";
      this.#afterReturn = false;
      if (isFeed && this.#state === QUOTED) this.#add("\n");
      if (isFeed) at++;
      else if (this.#state === PLAIN || this.#state === QUOTED) at = this.#copy(text, at);
      else at += this.#step(sign);
      if (this.#cells.isWhole) yield this.#take();
    }
  }
  /** The last record, which no line break may end. @throws Refused */
  *end() {
    if (this.#state === QUOTED || this.#state === ESCAPED) throw new Refused("quote_open", { line: this.#openLine });
    if (this.#state === START && this.#cell === "" && this.#cells.length === 0) return;
    this.#endCell();
    yield this.#take();
  }

  /** Copies what needs no look at each sign; returns where it ends. */
  #copy(text, at) {
    const stops = this.#state === PLAIN ? this.#plainEnd : this.#quotedStop;
    stops.lastIndex = at;
    const end = stops.exec(text)?.index ?? text.length;
    if (end > at) this.#add(text.slice(at, end));
    if (end === text.length) return end;
    if (this.#state === PLAIN) return end + this.#endAt(text[end]);
    const sign = text[end];
    if (sign === '"') this.#state = CLOSED;
    else if (sign === "\\") this.#state = ESCAPED;
    else this.#add(sign, this.#countLine(sign));
    return end + 1;
  }
  /** Takes a sign where it matters which one it is; returns how many were taken. */
  #step(sign) {
    if (this.#state === ESCAPED) {
      this.#add(sign === '"' || sign === "\\" ? sign : `\\${sign}`);
      if (sign === "\r" || sign === "\n") this.#countLine(sign);
      this.#state = QUOTED;
      return 1;
    }
    if (this.#state === CLOSED) {
      if (sign === '"') {
        this.#add(sign);
        this.#state = QUOTED;
        return 1;
      }
      if (sign !== " " || this.#delimiter === " ") {
        if (this.#endAt(sign) === 0) throw new Refused("quotes", { line: this.#line });
      }
      return 1;
    }
    if (sign === " " && this.#delimiter !== " ") this.#add(sign);
    else if (sign === '"') [this.#state, this.#cell, this.#openLine] = [QUOTED, "", this.#line];
    else if (this.#endAt(sign) === 0) {
      this.#state = PLAIN;
      return 0;
    }
    return 1;
  }

  /** Ends a cell, and with a line break its record: 1; 0 where a sign does neither. */
  #endAt(sign) {
    const isBreak = sign === "\n" || sign === "\r";
    if (sign !== this.#delimiter && !isBreak) return 0;
    this.#endCell();
    if (isBreak) {
      this.#countLine(sign);
      this.#cells.isWhole = true;
    }
    return 1;
  }
  #endCell() {
    this.#cells.push(this.#cell);
    this.#chars++;
    [this.#cell, this.#state] = ["", START];
    this.#check();
  }
  #countLine(sign) {
    this.#line++;
    this.#afterReturn = sign === "\r";
  }
  #add(text) {
    this.#cell += text;
    this.#chars += text.length;
    this.#check();
  }
  #check() {
    if (this.#chars > this.#rowChars) throw new Refused("row_size", { line: this.#line, count: this.#rowChars });
  }
  #take() {
    const cells = this.#cells;
    [this.#cells, this.#chars] = [[], 0];
    return cells;
  }
}
