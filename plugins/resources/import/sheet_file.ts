import { once } from "node:events";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { UploadedFile } from "framewright/host";
import { csvLine } from "../export/csv_line.ts";
import type { FileProblem } from "./csv_file.ts";
import { MAX_BYTES, MAX_CELLS, MAX_COLUMNS, MAX_INFLATED_BYTES, MAX_ROWS, MAX_TABLE_CELLS } from "./limits.ts";

/** Megabytes and milliseconds that a thread may take before it fails, and the process does not. */
const MAX_MEGABYTES = 1000;
const TIMEOUT_MS = 30_000;
const ROWS_A_TURN = 1000;

const ZIP = "PK\x03\x04";
/** Older spreadsheets, and those with a password. */
const COMPOUND = Buffer.from("d0cf11e0a1b11ae1", "hex");

/** Whether a file is a spreadsheet, by what it begins with or by its name; then it is no CSV. */
export const isSheet = ({ filename, bytes }: UploadedFile): boolean =>
  bytes.subarray(0, 4).toString("latin1") === ZIP ||
  bytes.subarray(0, 8).equals(COMPOUND) ||
  /\.(?:xlsx|xlsm|xls)$/i.test(filename);

/**
 * The first sheet of a spreadsheet as CSV: values as a person sees them, days as `2026-03-04`. A thread reads it, with bounds for
 * what it unpacks to, its cells, its memory and its time.
 */
export async function csvOfSheet({ bytes }: UploadedFile): Promise<Buffer | FileProblem> {
  if (bytes.length > MAX_BYTES) return { problem: "bytes", vars: { megabytes: MAX_BYTES / 1_000_000 } };
  if (bytes.subarray(0, 8).equals(COMPOUND)) return { problem: compoundProblem(bytes), vars: {} };
  const read = await readInThread(bytes);
  if ("problem" in read) return read;
  if (read.rows.length > MAX_ROWS + 1) return { problem: "rows", vars: { count: MAX_ROWS } };
  return toCsv(read.rows);
}

/** Excel puts the encrypted file into a compound one, under this name. */
const compoundProblem = (bytes: Buffer): string =>
  bytes.includes(Buffer.from("EncryptedPackage", "utf16le")) ? "sheet_password" : "sheet_old";

type Read = { readonly rows: readonly (readonly string[])[] } | FileProblem;

async function readInThread(bytes: Buffer): Promise<Read> {
  const limits = { maxInflated: MAX_INFLATED_BYTES, maxCells: MAX_CELLS, maxArea: MAX_TABLE_CELLS };
  const worker = new Worker(join(import.meta.dirname, "sheet_reader.js"), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES },
    workerData: { bytes: new Uint8Array(bytes), ...limits, maxRows: MAX_ROWS, maxColumns: MAX_COLUMNS },
  });
  worker.on("error", () => undefined); // one that comes after its time is nobody's
  try {
    const [read] = (await once(worker, "message", { signal: AbortSignal.timeout(TIMEOUT_MS) })) as [Read];
    return read;
  } catch {
    return { problem: "sheet_invalid", vars: {} }; // it took more memory or time than a file of this size needs
  } finally {
    await worker.terminate();
  }
}

async function toCsv(rows: readonly (readonly string[])[]): Promise<Buffer> {
  const lines: string[] = [];
  for (const [at, cells] of rows.entries()) {
    lines.push(at === 0 ? headLine(cells) : csvLine(cells));
    if (at % ROWS_A_TURN === 0) await setImmediate(); // other requests have their turn
  }
  return Buffer.from(lines.join(""));
}

/** All in quotes: by the headers the sign between cells is found. */
const headLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")}\r\n`;
