import { type Reply, streamReply } from "framewright/host";
import { csvLine } from "framewright/plugins/exports";
import type { ResourceController } from "framewright/plugins/resources";
import type { FailedRow, ImportContent } from "./content.ts";
import { importsOf } from "./imports_of.ts";
import type { ImportRow } from "./store.ts";

const BATCH = 20; // of rows that may be long
const BYTE_ORDER_MARK = "\uFEFF"; // by which Excel knows UTF-8

/** The rows that were not written, as they were, and a column that says why: corrected, they can be imported again. */
export function answerFailures(controller: ResourceController, stored: ImportRow, content: ImportContent): Reply {
  const filename = `${content.file.filename.replace(/\.(?:csv|txt|xls[xm]|ods)$/i, "")}-${controller.t("resource.import.failures_name")}.csv`;
  const chunks = written(controller, stored, content);
  return controller.answer(streamReply({ filename, type: "text/csv; charset=utf-8", chunks }));
}

async function* written(
  controller: ResourceController,
  stored: ImportRow,
  { headers }: ImportContent,
): AsyncGenerator<string> {
  const imports = importsOf(controller);
  yield BYTE_ORDER_MARK + csvLine([...headers, controller.t("resource.import.reasons")]);
  let after = 0;
  for (;;) {
    const rows = await imports.store.failures(stored.id, after, BATCH);
    if (rows.length === 0) return;
    after = rows.at(-1)!.row_number;
    const failed = rows.flatMap(({ content }) => imports.sealer.failedRow(content, stored) ?? []);
    for (const one of failed) yield csvLine([...headers.map((_, at) => one.cells[at] ?? ""), reasonsOf(headers, one)]);
  }
}

const reasonsOf = (headers: readonly string[], { problems }: FailedRow): string =>
  problems.map(({ column, text }) => (column === null ? text : `${headers[column] || column + 1}: ${text}`)).join("; ");
