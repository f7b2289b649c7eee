import { readIsoDay, readNumber } from "./cell_number.js";
import { Refused } from "./refused.js";
import { RichText, unescaped } from "./rich_text.js";
import { RowCells } from "./row_cells.js";

const PLACE = /^\s*\$?([A-Z]{1,3})\$?(\d{1,7})\s*$/i;
/** A text of so many characters that ends so was cut when it was exported: a cell has no more. */
const CUT_CHARS = 32_767;

/** Takes the cells of a sheet as its XML has them, and hands its rows on. */
export class SheetRows {
  #book;
  #cells;
  #limits;
  #column = -1;
  #cell;
  #value = "";
  #isValue = false;
  #count = 0;
  #others = 0;
  #rich;

  /** `book`: its shared texts, the kinds of its formats, and whether its days begin in 1904. */
  constructor(book, writer, limits) {
    [this.#book, this.#limits] = [book, limits];
    this.#cells = new RowCells(writer, limits);
    this.#rich = new RichText(limits.rowChars, () => this.#cells.fit(Infinity));
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
      this.#cells.fit(this.#value.length);
    } else if (this.#cell?.isInline) this.#rich.add(text);
  }
  close(name) {
    if (name === "v") this.#isValue = false;
    else if (name === "c") this.#closeCell();
    else if (name === "row") this.#cells.end();
    else if (this.#cell?.isInline) this.#rich.close(name);
  }

  #openRow(attributes) {
    const given = attributes.r;
    const row = given === undefined ? this.#cells.row + 1 : Number(given);
    if (!Number.isInteger(row) || row <= this.#cells.row) throw new Refused("sheet_invalid");
    this.#cells.begin(row);
    this.#column = -1;
  }

  #openCell(attributes) {
    if (++this.#count > this.#limits.tableCells) throw this.#cells.tooMany(); // also those that have a format alone
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
    this.#cells.place(this.#column, { shown: this.#value, ...this.#read(cell) });
  }

  /** What a cell has: a text, or why it can't be read; nothing for an empty one. */
  #read({ type, kind, hasValue, hasFormula, isInline }) {
    if (isInline || type === "inlineStr") return checkedText(this.#rich.take());
    if (type === "str") return checkedText(unescaped(this.#value));
    if (type === "e") return { problem: "error" };
    if (hasFormula && this.#value.trim() === "") throw new Refused("sheet_formulas");
    if (!hasValue || this.#value.trim() === "") return {};
    if (type === "s") return this.#shared();
    if (type === "b") return booleanText(this.#value.trim());
    if (type === "d") return readIsoDay(this.#value, kind);
    return type === "n" ? readNumber(this.#value, kind, this.#book.is1904) : { problem: "type" };
  }
  #shared() {
    const { texts } = this.#book;
    const at = /^\s*\d{1,9}\s*$/.test(this.#value) ? Number(this.#value) : -1;
    const length = at < 0 ? undefined : texts?.lengthOf(at);
    if (length === undefined) return { problem: "type" };
    this.#cells.fit(length);
    return checkedText(texts.text(at));
  }
}

const columnOf = (letters) => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

export const booleanText = (value) =>
  ["1", "true"].includes(value)
    ? { text: "true" }
    : ["0", "false"].includes(value)
      ? { text: "false" }
      : { problem: "type" };

export const checkedText = (text) =>
  text.length === CUT_CHARS && text.endsWith("…") ? { problem: "cut", shown: text } : { text };
