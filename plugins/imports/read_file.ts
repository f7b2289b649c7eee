import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { UploadedFile } from "framewright/host";
import type { SpoolFile } from "framewright/plugins/exports";
import { isSheet, problemOfKind } from "./file_kind.ts";
import type { FileProblem, InspectedFile, ReadingOptions } from "./inspected_file.ts";
import { fileLimits, MAX_THREAD_MEGABYTES, readingMs } from "./limits.ts";

/** What the thread sends: a part of the rows, which it waits for; at the end what is known of the file, or why it is refused. */
interface FromThread {
  readonly rows?: Uint8Array;
  readonly inspected?: InspectedFile;
  readonly refused?: FileProblem;
}

/**
 * Reads a CSV file or a sheet of a spreadsheet: its rows are written into `rows`, a line of JSON each. A thread does it, within
 * `fileLimits` and a time by its size; a part of the rows is in this thread at a time.
 */
export async function readFile(
  file: UploadedFile,
  options: ReadingOptions,
  rows: SpoolFile,
): Promise<InspectedFile | FileProblem> {
  const problem = problemOfKind(file);
  if (problem) return problem;
  const bytes = new Uint8Array(file.bytes);
  const worker = new Worker(join(import.meta.dirname, "reader/thread.js"), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_THREAD_MEGABYTES, maxYoungGenerationSizeMb: 16 },
    transferList: [bytes.buffer],
    workerData: { bytes, isSheet: isSheet(file), ...options, limits: fileLimits },
  });
  try {
    return await received(worker, rows, readingMs(file.bytes.length));
  } finally {
    await worker.terminate();
  }
}

function received(worker: Worker, rows: SpoolFile, milliseconds: number): Promise<InspectedFile | FileProblem> {
  return new Promise((resolve, reject) => {
    const tooMuch = () => resolve({ problem: "cost", vars: { seconds: Math.ceil(milliseconds / 1000) } });
    const timer = setTimeout(tooMuch, milliseconds);
    worker.on("message", ({ rows: part, inspected, refused }: FromThread) => {
      if (inspected) resolve(inspected);
      else if (refused) resolve(refused);
      else rows.write([Buffer.from(part!)]).then(() => worker.postMessage("written"), reject);
    });
    worker.on("error", (error: Error & { code?: unknown }) =>
      error.code === "ERR_WORKER_OUT_OF_MEMORY" ? tooMuch() : reject(error),
    );
    worker.on("exit", () => {
      clearTimeout(timer);
      reject(new Error("the thread that reads a file has ended before it was read"));
    });
  });
}
