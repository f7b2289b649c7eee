// The thread that reads a file. Plain JavaScript, as all files beside it, so that it runs from the sources and from dist/.
import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import { readCsv } from "./csv_rows.js";
import { RowWriter } from "./row_writer.js";
import { readSpreadsheet } from "./spreadsheet.js";

const { bytes, isSheet, encoding, mayGuess, sheet, headerRow, limits } = workerData;
const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Sends a part of the rows, and waits until it is written: no more than one is between the threads. */
async function send(rows) {
  parentPort.postMessage({ rows }, [rows.buffer]);
  await once(parentPort, "message");
}

async function read() {
  const writer = new RowWriter(limits, send, headerRow);
  const about = isSheet
    ? await readSpreadsheet(file, { sheet, limits }, writer)
    : await readCsv(file, { encoding, mayGuess, limits }, writer);
  return { ...(await writer.end()), ...about };
}

read().then(
  (inspected) => parentPort.postMessage({ inspected }),
  (error) => {
    if (error.problem === undefined) throw error;
    parentPort.postMessage({ refused: { problem: error.problem, vars: error.vars } });
  },
);
