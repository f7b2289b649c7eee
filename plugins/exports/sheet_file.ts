import { once } from "node:events";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { SheetCell } from "./sheet_cell.ts";

/** Megabytes that a thread may take before it fails, and the process does not. */
const MAX_MEGABYTES = 1500;

export interface Sheet {
  readonly name: string;
  readonly labels: readonly string[];
}
export type SheetRow = readonly SheetCell[];

/**
 * The bytes of an XLSX file. A thread makes them, since the library does so in one go: requests are answered meanwhile, and
 * an application that writes no spreadsheet loads nothing of it.
 */
export async function sheetFile({ name, labels }: Sheet, batches: AsyncIterable<readonly SheetRow[]>): Promise<Buffer> {
  const worker = new Worker(join(import.meta.dirname, "sheet_worker.js"), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES },
    workerData: { labels, sheet: sheetName(name), columns: labels.map((label) => ({ width: widthOf(label) })) },
  });
  const made = once(worker, "message"); // rejects with an error of the thread
  made.catch(() => undefined); // until it is waited for
  try {
    for await (const rows of batches) {
      worker.postMessage(rows);
      await setImmediate();
    }
    worker.postMessage(undefined);
    const [bytes] = (await made) as [Uint8Array<ArrayBuffer>];
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  } finally {
    await worker.terminate();
  }
}

const MAX_NAME_CHARS = 31;
/** A name that spreadsheets take. */
const sheetName = (name: string): string =>
  name
    .replace(/[[\]/\\:*?]+/g, " ")
    .replace(/^[\s']+/, "")
    .slice(0, MAX_NAME_CHARS)
    .replace(/[\s']+$/, "") || "1";

/** In characters. */
const widthOf = (label: string): number => Math.min(40, Math.max(14, label.length + 2));
