import { Refused } from "./refused.js";

/** The last row that a spreadsheet has. */
const MAX_ROW = 1_048_576;
const MAX_SHOWN_CHARS = 100;

/** Takes the cells of a sheet row by row, within what an import may have, and hands its rows on. */
export class RowCells {
  #writer;
  #limits;
  #row = 0;
  #cells = [];
  #unreadable;
  #filled = 0;
  #rowChars = 0;
  #width = 0;

  constructor(writer, limits) {
    [this.#writer, this.#limits] = [writer, limits];
  }
  get row() {
    return this.#row;
  }

  /** @throws Refused */
  begin(row) {
    if (row > MAX_ROW) throw new Refused("rows", { count: this.#limits.rows });
    [this.#row, this.#cells, this.#unreadable, this.#rowChars] = [row, [], undefined, 0];
  }
  /** What a cell has: its text, or why it can't be read, with what it shows. An empty one is none. @throws Refused */
  place(column, { text = "", problem, shown = "" }) {
    const value = problem === undefined ? text : shown.slice(0, MAX_SHOWN_CHARS);
    if (value === "" && problem === undefined) return;
    if (column >= this.#limits.columns) throw new Refused("columns", { count: this.#limits.columns });
    this.#width = Math.max(this.#width, column + 1);
    this.#countRow(1);
    this.fit(value.length);
    this.#rowChars += value.length;
    this.#writer.count(value.length);
    if (this.#cells[column] !== undefined) throw new Refused("sheet_invalid");
    this.#cells[column] = value;
    if (problem === undefined) return;
    this.#unreadable ??= {};
    this.#unreadable[column] = problem;
  }
  #countRow(filled) {
    const { rows, cells, tableCells } = this.#limits;
    if (this.#row > rows + 1) throw new Refused("rows", { count: rows });
    this.#filled += filled;
    if (this.#filled > cells || this.#row * this.#width > tableCells) throw this.tooMany();
  }
  /** Hands the row on, and as many more that are the same. @throws Refused */
  end(repeated = 1) {
    const cells = this.#cells;
    if (cells.length > 0) {
      for (let at = 0; at < cells.length; at++) cells[at] ??= "";
      this.#writer.add(this.#row, cells, this.#unreadable);
      for (let more = 1; more < repeated; more++) {
        this.#row++;
        this.#countRow(cells.length);
        this.#writer.count(this.#rowChars);
        this.#writer.add(this.#row, cells, this.#unreadable);
      }
    } else this.#row += repeated - 1;
    this.#cells = [];
  }

  /** Whether the row has room for a text, which is not there yet. @throws Refused */
  fit(chars) {
    if (this.#rowChars + chars > this.#limits.rowChars)
      throw new Refused("row_size", { line: this.#row, count: this.#limits.rowChars });
  }
  tooMany() {
    return new Refused("sheet_cells", { count: this.#limits.cells });
  }
}
