import { readIsoDay, readNumber } from "./cell_number.js";
import { Refused } from "./refused.js";
import { RichText, unescaped } from "./rich_text.js";

const PLACE = /^\s*\$?([A-Z]{1,3})\$?(\d{1,7})\s*$/i;
/** The last row that a spreadsheet has. */
const MAX_ROW = 1_048_576;
const MAX_SHOWN_CHARS = 100;
/** A text of so many characters that ends so was cut when it was exported: a cell has no more. */
const CUT_CHARS = 32_767;

/** Takes the cells of a sheet as its XML has them, and hands its rows on. */
export class SheetRows {
  #book;
  #writer;
  #limits;
  #row = 0;
  #column = -1;
  #cells = [];
  #unreadable;
  #cell;
  #value = "";
  #isValue = false;
  #count = 0;
  #others = 0;
  #rowChars = 0;
  #width = 0;
  #rich;

  /** `book`: its shared texts, the kinds of its formats, and whether its days begin in 1904. */
  constructor(book, writer, limits) {
    [this.#book, this.#writer, this.#limits] = [book, writer, limits];
    this.#rich = new RichText(limits.rowChars, () => this.#failLong());
  }

  open(name, attributes) {
    if (name === "c") this.#openCell(attributes);
    else if (name === "row") this.#openRow(attributes);
    else if (!this.#cell) this.#countOther();
    else if (name === "v") this.#isValue = this.#cell.hasValue = true;
    else if (name === "f") this.#cell.hasFormula = true;
    else if (name === "is") this.#cell.isInline = true;
    else if (this.#cell.isInline) this.#rich.open(name);
  }
  /** What stands beside the cells, as merged ones. */
  #countOther() {
    if (++this.#others > this.#limits.otherElements) throw new Refused("sheet_complex");
  }
  text(text) {
    if (this.#isValue) {
      this.#value += text;
      if (this.#value.length > this.#limits.rowChars) this.#failLong();
    } else if (this.#cell?.isInline) this.#rich.add(text);
  }
  close(name) {
    if (name === "v") this.#isValue = false;
    else if (name === "c") this.#closeCell();
    else if (name === "row") this.#closeRow();
    else if (this.#cell?.isInline) this.#rich.close(name);
  }

  #openRow(attributes) {
    const given = attributes.r;
    const row = given === undefined ? this.#row + 1 : Number(given);
    if (!Number.isInteger(row) || row <= this.#row) throw new Refused("sheet_invalid");
    if (row > MAX_ROW) throw new Refused("rows", { count: this.#limits.rows });
    [this.#row, this.#column, this.#cells, this.#unreadable, this.#rowChars] = [row, -1, [], undefined, 0];
  }
  #closeRow() {
    const cells = this.#cells;
    if (cells.length === 0) return;
    for (let at = 0; at < cells.length; at++) cells[at] ??= "";
    this.#writer.add(this.#row, cells, this.#unreadable);
    this.#cells = [];
  }

  #openCell(attributes) {
    if (++this.#count > this.#limits.cells) throw this.#tooMany();
    const [, letters] = PLACE.exec(attributes.r ?? "") ?? [];
    this.#column = letters === undefined ? this.#column + 1 : columnOf(letters.toUpperCase());
    const style = Number(attributes.s ?? 0);
    this.#cell = { type: attributes.t ?? "n", kind: this.#book.kinds[style] };
    this.#value = "";
  }
  #closeCell() {
    const cell = this.#cell;
    this.#cell = undefined;
    if (!cell) return;
    const { text = "", problem, shown } = this.#read(cell);
    const value = problem === undefined ? text : (shown ?? this.#value).slice(0, MAX_SHOWN_CHARS);
    if (value === "" && problem === undefined) return;
    this.#place(value);
    if (problem === undefined) return;
    this.#unreadable ??= {};
    this.#unreadable[this.#column] = problem;
  }

  /** What a cell has: a text, or why it can't be read; nothing for an empty one. */
  #read({ type, kind, hasValue, hasFormula, isInline }) {
    if (isInline || type === "inlineStr") return checkedText(this.#rich.take());
    if (type === "str") return checkedText(unescaped(this.#value));
    if (type === "e") return { problem: "error" };
    if (!hasValue && hasFormula) throw new Refused("sheet_formulas");
    if (!hasValue || this.#value.trim() === "") return {};
    if (type === "s") return this.#shared();
    if (type === "b") return booleanText(this.#value.trim());
    if (type === "d") return readIsoDay(this.#value);
    return type === "n" ? readNumber(this.#value, kind, this.#book.is1904) : { problem: "type" };
  }
  #shared() {
    const { texts } = this.#book;
    const at = /^\s*\d{1,9}\s*$/.test(this.#value) ? Number(this.#value) : -1;
    const length = at < 0 ? undefined : texts?.lengthOf(at);
    if (length === undefined) return { problem: "type" };
    if (this.#rowChars + length > this.#limits.rowChars) this.#failLong();
    return checkedText(texts.text(at));
  }

  #place(value) {
    const { columns, rows, rowChars, tableCells } = this.#limits;
    if (this.#column >= columns) throw new Refused("columns", { count: columns });
    if (this.#row > rows + 1) throw new Refused("rows", { count: rows });
    this.#width = Math.max(this.#width, this.#column + 1);
    if (this.#row * this.#width > tableCells) throw this.#tooMany();
    this.#rowChars += value.length;
    if (this.#rowChars > rowChars) this.#failLong();
    this.#writer.count(value.length);
    if (this.#cells[this.#column] !== undefined) throw new Refused("sheet_invalid");
    this.#cells[this.#column] = value;
  }
  #failLong() {
    throw new Refused("row_size", { line: this.#row, count: this.#limits.rowChars });
  }
  #tooMany() {
    return new Refused("sheet_cells", { count: this.#limits.cells });
  }
}

const columnOf = (letters) => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

const booleanText = (value) =>
  ["1", "true"].includes(value)
    ? { text: "true" }
    : ["0", "false"].includes(value)
      ? { text: "false" }
      : { problem: "type" };

const checkedText = (text) =>
  text.length === CUT_CHARS && text.endsWith("…") ? { problem: "cut", shown: text } : { text };
