import { type Reply, streamReply } from "framewright/host";
import { csvLine } from "framewright/plugins/exports";
import type { ResourceController } from "framewright/plugins/resources";
import type { FailedRow, ImportContent } from "./content.ts";
import { importsOf } from "./imports_of.ts";
import type { ImportRow } from "./store.ts";

const BATCH = 20; // of rows that may be long
const BYTE_ORDER_MARK = "\uFEFF"; // by which Excel knows UTF-8

/**
 * The rows that were not written, as they were, and a column with the reason: corrected, they can be imported again. It is the
 * first one where rows are shorter than the headers, and the last one otherwise.
 */
export function answerFailures(controller: ResourceController, stored: ImportRow, content: ImportContent): Reply {
  const filename = `${content.file.filename.replace(/\.(?:csv|txt|xls[xm]|ods)$/i, "")}-${controller.t("resource.import.failures_name")}.csv`;
  const chunks = written(controller, stored, content);
  return controller.answer(streamReply({ filename, type: "text/csv; charset=utf-8", chunks }));
}

async function* written(
  controller: ResourceController,
  stored: ImportRow,
  { headers, format, hasShortRows }: ImportContent,
): AsyncGenerator<string> {
  const imports = importsOf(controller);
  const isFirst = format === "csv" && hasShortRows === true;
  const line = (cells: readonly string[], reasons: string) =>
    csvLine(isFirst ? [reasons, ...cells] : [...headers.map((_, at) => cells[at] ?? ""), reasons]);
  yield BYTE_ORDER_MARK + line(headers, controller.t("resource.import.reasons"));
  let after = 0;
  for (;;) {
    const rows = await imports.store.failures(stored.id, after, BATCH);
    if (rows.length === 0) return;
    after = rows.at(-1)!.row_number;
    const failed = rows.flatMap(({ content }) => imports.sealer.failedRow(content, stored) ?? []);
    for (const one of failed) yield line(one.cells.slice(0, headers.length), reasonsOf(headers, one));
  }
}

const reasonsOf = (headers: readonly string[], { problems }: FailedRow): string =>
  problems.map(({ column, text }) => (column === null ? text : `${headers[column] || column + 1}: ${text}`)).join("; ");
