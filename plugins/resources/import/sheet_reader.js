// The thread that reads a spreadsheet. Plain JavaScript, so that it runs from the sources and from dist/.
import { parentPort, workerData } from "node:worker_threads";
import { crc32, inflateRawSync } from "node:zlib";
import { readSheet } from "read-excel-file/node";

const { bytes, maxInflated, maxCells, maxArea, maxRows, maxColumns } = workerData;
const MAX_ENTRIES = 1000;
const DIRECTORY_ENTRY = 0x02014b50;

class Refused extends Error {
  constructor(problem, vars = {}) {
    super(problem);
    Object.assign(this, { problem, vars });
  }
}
const invalid = () => new Refused("sheet_invalid");

/** The XML of an archive by name. What it unpacks to is counted while it does, whatever the archive says of its sizes. */
function unpack(zip) {
  const files = new Map();
  let left = maxInflated;
  let at = zip.readUInt32LE(directoryEnd(zip) + 16);
  for (let entry = 0; zip.readUInt32LE(at) === DIRECTORY_ENTRY; entry++) {
    if (entry >= MAX_ENTRIES) throw invalid();
    const [flags, method] = [zip.readUInt16LE(at + 8), zip.readUInt16LE(at + 10)];
    const [nameLength, extra, comment] = [28, 30, 32].map((place) => zip.readUInt16LE(at + place));
    const name = zip.toString("utf8", at + 46, at + 46 + nameLength);
    if (flags & 1) throw new Refused("sheet_password");
    if (/\.(?:xml|rels)$/i.test(name)) {
      const content = inflate(zip, at, method, left);
      left -= content.length;
      files.set(name, content.toString("utf8"));
    }
    at += 46 + nameLength + extra + comment;
  }
  return files;
}

function directoryEnd(zip) {
  const found = zip.lastIndexOf("PK\x05\x06", undefined, "latin1");
  if (found < 0) throw invalid();
  return found;
}

function inflate(zip, at, method, left) {
  const local = zip.readUInt32LE(at + 42);
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const packed = zip.subarray(start, start + zip.readUInt32LE(at + 20));
  if (packed.length > left || left <= 0) throw tooLarge();
  if (method === 0) return packed;
  if (method !== 8) throw invalid();
  try {
    return inflateRawSync(packed, { maxOutputLength: left });
  } catch (error) {
    throw error.code === "ERR_BUFFER_TOO_LARGE" ? tooLarge() : invalid();
  }
}
const tooLarge = () => new Refused("sheet_size", { megabytes: maxInflated / 1_000_000 });

/** The name of the first sheet's file; undefined where the archive says it in a way of its own. */
function firstSheet(files) {
  const id = /<(?:\w+:)?sheet\s[^>]*?\b\w+:id\s*=\s*["']([^"']+)/.exec(files.get("xl/workbook.xml") ?? "")?.[1];
  const links = files.get("xl/_rels/workbook.xml.rels")?.match(/<(?:\w+:)?Relationship\s[^>]*>/g) ?? [];
  const link = links.find((one) => /\bId\s*=\s*["']([^"']+)/.exec(one)?.[1] === id);
  const target = /\bTarget\s*=\s*["']([^"']+)/.exec(link ?? "")?.[1];
  const name = target && (target.startsWith("/") ? target.slice(1) : `xl/${target}`);
  return files.has(name) ? name : undefined;
}

const columnOf = (letters) => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

/** Refuses what would fill the memory as a table, and formulas whose results are not there. */
function check(xml) {
  let [cells, rows, columns] = [0, 0, 0];
  for (const [, attributes] of xml.matchAll(/<(?:\w+:)?c\b([^>]*)/g)) {
    if (++cells > maxCells) throw tooMany();
    const [, letters, row] = /\br\s*=\s*["']\s*([A-Z]{1,4})(\d{1,9})/i.exec(attributes) ?? [];
    if (letters === undefined) continue;
    columns = Math.max(columns, columnOf(letters.toUpperCase()));
    rows = Math.max(rows, Number(row));
  }
  if (columns > maxColumns) throw new Refused("columns", { count: maxColumns });
  if (rows > maxRows + 1) throw new Refused("rows", { count: maxRows });
  if (rows * columns > maxArea) throw tooMany();
  if (/<(?:\w+:)?f\b[^>]*(?:\/>|>[^<]*<\/(?:\w+:)?f>)\s*<\/(?:\w+:)?c>/.test(xml)) throw new Refused("sheet_formulas");
}
const tooMany = () => new Refused("sheet_cells", { count: maxCells });

/** An archive of these files alone, as they are: what was checked is what is read. */
function pack(files) {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const [name, text] of files) {
    const [path, content] = [Buffer.from(name), Buffer.from(text)];
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    head.writeUInt32LE(crc32(content), 14);
    head.writeUInt32LE(content.length, 18);
    head.writeUInt32LE(content.length, 22);
    head.writeUInt16LE(path.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(DIRECTORY_ENTRY, 0);
    entry.writeUInt16LE(20, 4);
    head.copy(entry, 6, 4, 30);
    entry.writeUInt32LE(at, 42);
    parts.push(head, path, content);
    directory.push(entry, path);
    at += 30 + path.length + content.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.size, 8);
  end.writeUInt16LE(files.size, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, listed, end]);
}

/** A cell as a person reads it: days and times without a zone, numbers without what binary fractions add. */
function textOf(cell) {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "number") return String(Number(cell.toPrecision(15)));
  if (!(cell instanceof Date)) return String(cell);
  if (Number.isNaN(cell.getTime())) return "";
  const [day, time] = new Date(Math.round(cell.getTime() / 1000) * 1000).toISOString().slice(0, 19).split("T");
  if (day < "1900-01-01") return time;
  return time === "00:00:00" ? day : `${day} ${time}`;
}

async function read() {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const files = unpack(zip);
  if (!files.has("xl/workbook.xml")) throw invalid();
  const first = firstSheet(files);
  for (const [name, text] of files) {
    const isSheet = /^xl\/worksheets\/[^/]+\.xml$/i.test(name);
    if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw invalid();
    if (isSheet && first !== undefined && name !== first) files.delete(name);
    else if (isSheet) {
      check(text);
      files.set(name, text.replace(/<(?:\w+:)?dimension\b[^>]*\/>/, "")); // what it says of its size is not counted on
    }
  }
  const rows = await readSheet(pack(files), 1, { trim: false });
  return rows.map((cells) => cells.map(textOf)).filter((cells) => cells.some((text) => text !== ""));
}

read().then(
  (rows) => parentPort.postMessage({ rows }),
  ({ problem = "sheet_invalid", vars = {} }) => parentPort.postMessage({ problem, vars }),
);
