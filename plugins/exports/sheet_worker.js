// The thread that writes a spreadsheet. Plain JavaScript, so that it runs from the sources and from dist/.
import { parentPort, workerData } from "node:worker_threads";
import writeFile from "write-excel-file/node";

const MAX_TEXT_CHARS = 32_767; // of a cell
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML has none of them
const SPECIAL = /[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-F]{4}_)/i;
const SPECIAL_EACH = new RegExp(SPECIAL, "gi");
const rows = [workerData.labels.map((label) => ({ value: safe(label), type: String, fontWeight: "bold" }))];

/** The library looks texts up in an object, where these are found; it strips the character, which XML does not have. */
function safe(text) {
  const short = text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS - 1)}…` : text;
  const escaped = SPECIAL.test(short) ? short.replaceAll(SPECIAL_EACH, escapedSign) : short;
  return escaped in {} ? `${escaped}\0` : escaped;
}

/** Characters that XML does not have or changes are written as `_x000D_`, and a text that looks so with its first sign as one. */
const escapedSign = (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`;

const formats = ["0", ...Array.from({ length: 15 }, (_, at) => `0.${"0".repeat(at + 1)}`)];

/** Whether a spreadsheet shows all digits of a number without a format. */
const isShort = ({ number, decimals }) => decimals === 0 && Math.abs(number) < 1e11;

function cellOf(cell) {
  if (cell === null || cell === "") return null;
  if (typeof cell === "string") return safe(cell); // values alone take less memory than cells
  if (typeof cell === "boolean") return cell;
  if ("number" in cell)
    return isShort(cell) ? cell.number : { value: cell.number, type: Number, format: formats[cell.decimals] };
  if ("day" in cell) return { value: new Date(cell.day), type: Date, format: "yyyy-mm-dd" };
  return { value: new Date(cell.time), type: Date, format: "yyyy-mm-dd hh:mm:ss" };
}

parentPort.on("message", async (batch) => {
  if (batch !== undefined) return void rows.push(...batch.map((cells) => cells.map(cellOf)));
  const { sheet, columns } = workerData;
  const bytes = await writeFile(rows, { sheet, columns, stickyRowsCount: 1 }).toBuffer();
  const own = new Uint8Array(bytes); // not a part of a pool, which can't be handed over
  parentPort.postMessage(own, [own.buffer]);
});
