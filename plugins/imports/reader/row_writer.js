import { ColumnFacts } from "./column_facts.js";
import { Refused } from "./refused.js";

const CHUNK_CHARS = 65_536;
const SAMPLES = 3;
const MAX_SAMPLE_CHARS = 60;
/** Rows from which the headers are chosen. */
const FIRST_ROWS = 10;
const FIRST_CELLS = 6;

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
  #headerRow;
  #givenRow;
  #waitingRows = [];
  #first = [];
  #beginsEmpty = false;
  #facts = [];
  #samples = [];
  #total = 0;
  #hasShortRows = false;

  /** `headerRow`: the number of the row of headers; undefined where it is to be found. */
  constructor(limits, send, headerRow) {
    [this.#limits, this.#send, this.#headerRow, this.#givenRow] = [limits, send, headerRow, headerRow];
  }
  /** Whether there is a row below another: what has less is no table. */
  get isTable() {
    return this.#first.length > 1;
  }
  /** Forgets a sheet that was no table. */
  restart() {
    [this.#first, this.#waitingRows, this.#headers, this.#headerRow] = [[], [], undefined, this.#givenRow];
  }

  /** Counts the characters of a cell before it is there. @throws Refused */
  count(chars) {
    this.#chars += chars;
    if (this.#chars > this.#limits.textChars) throw new Refused("text", { count: this.#limits.textChars });
  }

  /** A row whose cells are all empty is none. @throws Refused */
  add(row, given, unreadable) {
    const filled = filledLength(given, unreadable);
    if (filled === 0) {
      if (this.#first.length === 0 && given.length > 1) this.#beginsEmpty = true;
      return;
    }
    if (filled > this.#limits.columns) throw new Refused("columns", { count: this.#limits.columns });
    const cells = given.slice(0, filled);
    if (this.#first.length < FIRST_ROWS) this.#first.push({ row, cells: cells.slice(0, FIRST_CELLS).map(cut) });
    if (this.#headers) this.#push(row, given, filled, unreadable);
    else if (this.#headerRow === undefined) {
      if (this.#waitingRows.push({ row, given, filled, unreadable }) === FIRST_ROWS) this.#findHeaders();
    } else if (row >= this.#headerRow) this.#setHeaders(row, cells);
  }
  #setHeaders(row, cells) {
    [this.#headerRow, this.#headers] = [row, cells.map((cell) => cell.trim())];
  }
  /** What stands above the headers is narrower: they are the first row with more than half as many texts as the widest one. */
  #findHeaders() {
    const rows = this.#waitingRows.splice(0);
    const counts = rows.map(
      ({ given, unreadable }) => given.filter((cell, at) => !isBlank(cell) || unreadable?.[at] !== undefined).length,
    );
    const at = counts.findIndex((count) => count * 2 > Math.max(...counts));
    this.#setHeaders(rows[at].row, rows[at].given.slice(0, rows[at].filled));
    for (const { row, given, filled, unreadable } of rows.slice(at + 1)) this.#push(row, given, filled, unreadable);
  }

  /** A row has cells up to its last text, and those below the headers that were given as empty. */
  #push(row, given, filled, unreadable) {
    const cells = given.slice(0, Math.max(filled, Math.min(given.length, this.#headers.length)));
    if (cells.length < this.#headers.length) this.#hasShortRows = true;
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
    if (this.#waitingRows.length > 0) this.#findHeaders();
    if (this.#total === 0) throw new Refused(this.#beginsEmpty ? "no_headers" : "empty");
    await this.flush(0);
    const [headers, samples, total] = [this.#headers, this.#samples, this.#total];
    const columns = headers.map((_, at) => this.#factsOf(at).found);
    const rows = { first: this.#first, samples, total, hasShortRows: this.#hasShortRows };
    return { headers, headerRow: this.#headerRow, ...rows, columns };
  }
}

/** How many cells a row has without the empty ones at its end. */
function filledLength(cells, unreadable) {
  let length = cells.length;
  while (length > 0 && unreadable?.[length - 1] === undefined && isBlank(cells[length - 1])) length--;
  return length;
}
const isBlank = (cell) => cell === "" || cell.trim() === "";

function cut(text) {
  const letters = [...text.slice(0, MAX_SAMPLE_CHARS * 2)];
  return letters.length > MAX_SAMPLE_CHARS ? `${letters.slice(0, MAX_SAMPLE_CHARS - 1).join("")}…` : text;
}
