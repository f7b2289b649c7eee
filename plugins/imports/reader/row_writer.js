import { ColumnFacts } from "./column_facts.js";
import { Refused } from "./refused.js";

const CHUNK_CHARS = 65_536;
const SAMPLES = 3;
const MAX_SAMPLE_CHARS = 60;

/**
 * Takes the rows of a file, the headers first, and writes them as lines of JSON: `[5,["A-1",""]]`, the number of the row and its
 * cells; and where some can't be read, `{"1":"error"}` by their places. Counts what the file unfolds to.
 */
export class RowWriter {
  #limits;
  #send;
  #encoder = new TextEncoder();
  #lines = [];
  #waitingChars = 0;
  #chars = 0;
  #headers;
  #beginsEmpty = false;
  #facts = [];
  #samples = [];
  #total = 0;

  constructor(limits, send) {
    this.#limits = limits;
    this.#send = send;
  }
  get hasHeaders() {
    return this.#headers !== undefined;
  }

  /** Counts the characters of a cell before it is there. @throws Refused */
  count(chars) {
    this.#chars += chars;
    if (this.#chars > this.#limits.textChars) throw new Refused("text", { count: this.#limits.textChars });
  }

  /** A row whose cells are all empty is none. @throws Refused */
  add(row, given, unreadable) {
    const cells = withoutEmptyEnd(given, unreadable);
    if (cells.length === 0) {
      if (!this.#headers && given.length > 1) this.#beginsEmpty = true;
      return;
    }
    if (cells.length > this.#limits.columns) throw new Refused("columns", { count: this.#limits.columns });
    if (!this.#headers) {
      this.#headers = cells.map((cell) => cell.trim());
      return;
    }
    this.#total++;
    if (this.#total > this.#limits.rows) throw new Refused("rows", { count: this.#limits.rows });
    if (this.#samples.length < SAMPLES) this.#samples.push(cells.map(cut));
    for (let at = 0; at < cells.length; at++) if (cells[at] !== "") this.#factsOf(at).see(cells[at]);
    const line = JSON.stringify(unreadable ? [row, cells, unreadable] : [row, cells]);
    this.#lines.push(line);
    this.#waitingChars += line.length;
  }
  #factsOf(at) {
    while (this.#facts.length <= at) this.#facts.push(new ColumnFacts());
    return this.#facts[at];
  }

  /** Sends what waits, where it is enough for a part. */
  async flush(least = CHUNK_CHARS) {
    if (this.#waitingChars < least || this.#lines.length === 0) return;
    const text = `${this.#lines.join("\n")}\n`;
    [this.#lines, this.#waitingChars] = [[], 0];
    await this.#send(this.#encoder.encode(text));
  }
  /** Sends the rest. @throws Refused where there are no rows */
  async end() {
    if (this.#total === 0) throw new Refused(this.#beginsEmpty ? "no_headers" : "empty");
    await this.flush(0);
    const [headers, samples, total] = [this.#headers, this.#samples, this.#total];
    return { headers, samples, total, columns: headers.map((_, at) => this.#factsOf(at).found) };
  }
}

function withoutEmptyEnd(cells, unreadable) {
  let length = cells.length;
  while (length > 0 && unreadable?.[length - 1] === undefined && isBlank(cells[length - 1])) length--;
  return length === cells.length ? cells : cells.slice(0, length);
}
const isBlank = (cell) => cell === "" || cell.trim() === "";

function cut(text) {
  const letters = [...text.slice(0, MAX_SAMPLE_CHARS * 2)];
  return letters.length > MAX_SAMPLE_CHARS ? `${letters.slice(0, MAX_SAMPLE_CHARS - 1).join("")}…` : text;
}
