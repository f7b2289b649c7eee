import { durationText, readIsoDay, readNumber } from "./cell_number.js";
import { Refused } from "./refused.js";
import { RowCells } from "./row_cells.js";
import { booleanText, checkedText } from "./sheet_rows.js";

const DURATION = /^(-?)P(?:(\d{1,6})D)?(?:T(?:(\d{1,8})H)?(?:(\d{1,8})M)?(?:(\d{1,8})(?:[.,]\d*)?S)?)?$/;
const NUMBERS = ["float", "percentage", "currency"];
const NOT_READ = ["text:ruby-text", "text:note"];
/** What a formula shows that has no result; some programs store 0 or nothing as its value. */
const ERROR = /^(?:#(?:DIV\/0!|N\/A|NAME\?|NULL!|NUM!|REF!|VALUE!)|Err:\d{3})$/;
const SPACES = /\s+/g;

/** Takes the cells of a table of an OpenDocument; one that is repeated counts as often as it is there. */
export class OpenTable {
  #cells;
  #limits;
  #column = 0;
  #repeatedRow = 1;
  #cell;
  #text = "";
  #paragraphs = 0;
  #isText = false;
  #notRead = 0;

  constructor(writer, limits) {
    [this.#cells, this.#limits] = [new RowCells(writer, limits), limits];
  }

  open(name, attributes) {
    if (this.#cell) this.#openInCell(name, attributes);
    else if (name === "table:table-row") {
      this.#cells.begin(this.#cells.row + 1);
      [this.#column, this.#repeatedRow] = [0, countOf(attributes["table:number-rows-repeated"])];
    } else if (name === "table:table-cell" || name === "table:covered-table-cell") {
      this.#cell = { attributes, isCovered: name === "table:covered-table-cell" };
      [this.#text, this.#paragraphs, this.#isText, this.#notRead] = ["", 0, false, 0];
    }
  }
  /** Texts are those of paragraphs, and not those of remarks and pictures. */
  #openInCell(name, attributes) {
    if (this.#notRead > 0 || !name.startsWith("text:") || NOT_READ.includes(name)) this.#notRead++;
    else if (name === "text:p") {
      if (this.#paragraphs++ > 0) this.#add("\n");
      this.#isText = true;
    } else if (name === "text:line-break") this.#add("\n");
    else if (name === "text:tab") this.#add("\t");
    else if (name === "text:s") {
      const count = countOf(attributes["text:c"]);
      this.#cells.fit(this.#text.length + count);
      this.#add(" ".repeat(count));
    }
  }
  text(text) {
    if (this.#isText && this.#notRead === 0) this.#add(text.includes("\n") ? text.replace(SPACES, " ") : text);
  }
  close(name) {
    if (name === "table:table-cell" || name === "table:covered-table-cell") this.#closeCell();
    else if (this.#notRead > 0) this.#notRead--;
    else if (name === "text:p") this.#isText = false;
    else if (name === "table:table-row") this.#cells.end(this.#repeatedRow);
  }
  #add(text) {
    this.#text += text;
    this.#cells.fit(this.#text.length);
  }

  #closeCell() {
    const { attributes, isCovered } = this.#cell;
    this.#cell = undefined;
    const repeated = countOf(attributes["table:number-columns-repeated"]);
    const read = isCovered ? {} : this.#read(attributes);
    if (read.problem === undefined && !read.text) this.#column += repeated;
    else for (let left = repeated; left > 0; left--) this.#cells.place(this.#column++, { shown: this.#text, ...read });
  }
  #read(attributes) {
    const type = attributes["office:value-type"];
    const isFormula = attributes["table:formula"] !== undefined;
    if (attributes["calcext:value-type"] === "error" || (isFormula && ERROR.test(this.#text)))
      return { problem: "error" };
    if (NUMBERS.includes(type)) return readNumber(String(attributes["office:value"] ?? ""));
    if (type === "boolean") return booleanText(String(attributes["office:boolean-value"] ?? ""));
    if (type === "date") return readIsoDay(String(attributes["office:date-value"] ?? ""));
    if (type === "time") return durationOf(String(attributes["office:time-value"] ?? ""));
    if (type === undefined && isFormula && this.#text === "") throw new Refused("sheet_formulas");
    return checkedText(String(attributes["office:string-value"] ?? this.#text));
  }
}

/** How often something is there. @throws Refused */
function countOf(given = "1") {
  if (!/^[1-9]\d{0,8}$/.test(given)) throw new Refused("sheet_invalid");
  return Number(given);
}

function durationOf(stored) {
  const [, sign, ...parts] = DURATION.exec(stored) ?? [];
  if (sign === undefined || parts.every((part) => part === undefined)) return { problem: "type" };
  const [days, hours, minutes, seconds] = parts.map((part = "0") => Number(part));
  const value = days * 86_400 + hours * 3600 + minutes * 60 + seconds;
  return { text: durationText(sign === "-" ? -value : value) };
}
