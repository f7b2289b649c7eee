import { DOCUMENT, readOpenDocument } from "./open_document.js";
import { Refused } from "./refused.js";
import { readWorkbook } from "./workbook.js";
import { XmlBudget } from "./xml_part.js";
import { ZipArchive } from "./zip_archive.js";

/** All that an OpenDocument has that is encrypted as a whole. */
const ENCRYPTED = "encrypted-package";

/** Reads a sheet of a spreadsheet, whichever kind its archive is of. @throws Refused */
export async function readSpreadsheet(bytes, options, writer) {
  try {
    const archive = new ZipArchive(bytes, options.limits);
    if (archive.has(ENCRYPTED)) throw new Refused("sheet_password");
    const budget = new XmlBudget(options.limits);
    const read = archive.has(DOCUMENT) ? readOpenDocument : readWorkbook;
    return await read(archive, budget, options, writer);
  } catch (error) {
    throw error instanceof RangeError ? new Refused("sheet_invalid") : error; // the archive is cut
  }
}
