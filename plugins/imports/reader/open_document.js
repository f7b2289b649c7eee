import { OpenTable } from "./open_table.js";
import { Refused } from "./refused.js";
import { candidates, MAX_NAME_CHARS } from "./sheet_choice.js";

/** The part of an OpenDocument that has its sheets. */
export const DOCUMENT = "content.xml";
const MANIFEST = "META-INF/manifest.xml";

/** Reads one sheet of an OpenDocument spreadsheet, as `readWorkbook` does. @throws Refused */
export async function readOpenDocument(archive, budget, { sheet, limits }, writer) {
  if (archive.has(MANIFEST))
    await budget.read(archive, MANIFEST, {
      open(tag) {
        if (tag === "encryption-data") throw new Refused("sheet_password");
      },
    });
  const read = async (isRead) => {
    const tables = new OpenTables(isRead, writer, limits);
    await budget.read(archive, DOCUMENT, {
      open: (_, attributes, whole) => tables.open(whole, attributes),
      text: (text) => tables.text(text),
      close: (_, whole) => tables.close(whole),
      after: () => writer.flush(),
    });
    return tables;
  };
  const isChosen = ({ name, isHidden }) => (sheet === undefined ? !isHidden && !writer.isTable : name === sheet);
  const tables = await read(isChosen);
  if (tables.sheets.length === 0) throw new Refused("sheet_none");
  candidates(tables.sheets, sheet); // refuses a name that there is not
  const last = tables.last ?? (sheet === undefined ? (await read(() => !writer.isTable)).last : undefined);
  if (!last) throw new Refused("empty");
  return { format: "ods", sheet: last, sheets: tables.sheets, otherSheets: [] };
}

/** The tables of a document, of which one after the other is read until one is a table. */
class OpenTables {
  sheets = [];
  /** The name of the sheet whose rows were read. */
  last;
  #isRead;
  #writer;
  #limits;
  #hiddenStyles = new Set();
  #style;
  #isSpreadsheet = false;
  #depth = 0;
  #table;

  constructor(isRead, writer, limits) {
    [this.#isRead, this.#writer, this.#limits] = [isRead, writer, limits];
  }

  open(name, attributes) {
    if (name === "table:table") this.#openTable(attributes);
    else if (this.#depth > 0) {
      if (this.#depth === 1) this.#table?.open(name, attributes);
    } else if (name === "style:style") this.#style = attributes["style:name"];
    else if (name === "style:table-properties" && attributes["table:display"] === "false")
      this.#hiddenStyles.add(this.#style);
    else if (name === "office:spreadsheet") this.#isSpreadsheet = true;
  }
  text(text) {
    if (this.#depth === 1) this.#table?.text(text);
  }
  close(name) {
    if (name === "table:table") {
      if (--this.#depth > 0) return;
      if (this.#table && this.#writer.isTable) this.last = this.sheets.at(-1).name;
      else if (this.#table) this.#writer.restart();
      this.#table = undefined;
    } else if (this.#depth === 1) this.#table?.close(name);
  }

  /** One in a table is part of a cell, and none of its own. */
  #openTable(attributes) {
    if (++this.#depth > 1 || !this.#isSpreadsheet) return;
    const name = String(attributes["table:name"] ?? "");
    if (name.length > MAX_NAME_CHARS) throw new Refused("sheet_invalid");
    if (this.sheets.length >= this.#limits.parts) throw new Refused("sheet_parts", { count: this.#limits.parts });
    const sheet = { name, isHidden: this.#hiddenStyles.has(attributes["table:style-name"]) };
    this.sheets.push(sheet);
    this.#table = this.#isRead(sheet) ? new OpenTable(this.#writer, this.#limits) : undefined;
  }
}
