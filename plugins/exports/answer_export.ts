import { type Reply, streamReply } from "framewright/host";
import { runsOf } from "framewright/plugins/background_runs";
import type { ResourceController } from "framewright/plugins/resources";
import { type Entry, requestedList, shownNames } from "framewright/plugins/resources/toolkit";
import { answerSheet, refuseLongSheet } from "./answer_sheet.ts";
import { type ExportFormat, type ExportWriter, writers } from "./formats.ts";
import { answerOffer } from "./offer.ts";
import { readBatches } from "./read_batches.ts";
import { startExport } from "./start_export.ts";
import { type RowsWritten, rowsWrittenOf } from "./written_rows.ts";

/**
 * All rows of a list, as a file: what its columns show, in the order and with the narrowing that were requested. A POST leaves
 * that to a job, which a person is offered where they are very many; without the table of runs it is answered as a GET.
 */
export async function answerExport(controller: ResourceController, format: ExportFormat): Promise<Reply> {
  await controller.authorizeAction("index");
  await controller.authorizeAction("export");
  const names = controller.listOf("Index");
  const list = requestedList(controller, names);
  const shown = shownNames(controller, list.columns ?? names, "columns");
  const refusal = format === "xlsx" ? await refuseLongSheet(controller, list, shown.length) : undefined;
  if (refusal) return refusal;
  const isForJob = controller.request.route?.verb === "POST" && (await runsOf(controller).store.isInstalled());
  if (isForJob) return startExport(controller, format);
  const offer = await answerOffer(controller, format, list);
  if (offer) return offer;
  const batches = readBatches(controller, list, shown);
  const filename = exportFilename(controller, format);
  if (format === "xlsx") return answerSheet(controller, { list, names: shown, filename }, batches);
  const writer = writers[format](controller, shown);
  const chunks = written(batches, writer, rowsWrittenOf(controller));
  const isHead = controller.request.method === "HEAD";
  return controller.answer(streamReply({ filename, type: writer.type, chunks: isHead ? chunks : await begun(chunks) }));
}

/** `posts-2026-11-26.csv` */
export const exportFilename = (controller: ResourceController, format: ExportFormat): string =>
  `${listName(controller)}-${new Date().toISOString().slice(0, 10)}.${format}`;

/** How the addresses of a list end: `posts`, also of `blogging/posts`. */
const listName = ({ about: { registration, parent } }: ResourceController): string =>
  parent?.association.name ?? registration.path.split("/").at(-1)!;

async function* written(
  batches: AsyncIterable<readonly Entry[]>,
  writer: ExportWriter,
  rowsWritten: RowsWritten | undefined,
): AsyncGenerator<string> {
  let head = writer.head;
  for await (const entries of batches) {
    yield head + writer.write(entries);
    head = "";
    await rowsWritten?.(entries.length);
  }
}

/** The chunks, once the first one is there: what fails until then is answered as any error. */
async function begun(chunks: AsyncGenerator<string>): Promise<AsyncIterable<string>> {
  const first = await chunks.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* chunks;
  })();
}
