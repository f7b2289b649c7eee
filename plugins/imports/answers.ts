import type { Reply } from "framewright/host";
import { apart } from "framewright/plugins/background_runs";
import type { ResourceController } from "framewright/plugins/resources";
import { confirmActions, Refusal } from "framewright/plugins/resources/toolkit";
import { requestActor } from "./actors.ts";
import { noteAdded } from "./added_rows.ts";
import { renderCheck, shownCells } from "./check_page.ts";
import { renderColumns } from "./columns_page.ts";
import { errors } from "./errors.ts";
import { answerFailures } from "./failures_file.ts";
import { readRows } from "./file_rows.ts";
import { answerImport } from "./import_json.ts";
import { importsOf } from "./imports_of.ts";
import { CHECKED_ROWS } from "./limits.ts";
import { groupLines, type Lines } from "./lines.ts";
import { authorizeImport, begunImports, findOwnImport } from "./own_import.ts";
import { planOf } from "./plan.ts";
import { otherReading, readMapping } from "./read_mapping.ts";
import { renderResult } from "./result_page.ts";
import { startImportRun } from "./start.ts";
import { readAgain, WRITES } from "./upload.ts";
import { renderUpload } from "./upload_page.ts";
import { importUrl } from "./urls.ts";
import { checkRows } from "./write_rows.ts";

export { createImport } from "./upload.ts";

/** `GET <list>/import`: asks for a file, and names what was started. */
export async function newImport(controller: ResourceController): Promise<Reply> {
  await authorizeImport(controller);
  return renderUpload(controller, await begunImports(controller));
}

/** `GET <list>/import/:import_id`: what the columns are for; once it was started, how far it is. */
export async function showImport(controller: ResourceController): Promise<Reply> {
  const { row, content, run } = await findOwnImport(controller);
  if (controller.request.format === "json") return answerImport(controller, row, content);
  return run ? renderResult(controller, row, content, run) : renderColumns(controller, row, content);
}

/** `POST <list>/import/:import_id`: keeps what the columns are for, and tries the first rows. */
export async function mapImport(controller: ResourceController): Promise<Reply> {
  const { row, content, run } = await findOwnImport(controller);
  const own = importUrl(controller, row.id);
  if (run) return controller.redirectTo(own);
  const other = otherReading(controller, content);
  if (other) {
    const problem = await readAgain(controller, { row, content, run }, other);
    if (!problem) return controller.redirectTo(own);
    const text = controller.t(`resource.import.file.${problem.problem}`, problem.vars);
    return renderColumns(controller, row, content, content.mapping, [text]);
  }
  const { mapping, errors: wrong } = readMapping(controller, content);
  if (wrong.length > 0) return renderColumns(controller, row, content, mapping, wrong);
  const imports = importsOf(controller);
  const actor = requestActor(controller);
  const plan = planOf(controller, content, mapping);
  const rows = async () =>
    firstRows(groupLines(readRows(await imports.storage.stream(content.file.key), content, 0), plan));
  const { deadline } = controller.request;
  const { keep, added } = noteAdded(controller);
  const work = { runs: imports.runs, plan, actor, keeper: { keep } };
  const tried = await apart(controller, () => checkRows(work, rows, deadline)).catch((error: unknown) => {
    throw error instanceof Refusal ? errors.FW_IMPORT_ENTRY(controller.constructor.name) : error;
  });
  const checked = { ...tried.counts, checked: tried.last, failed: tried.failed.map(shownCells), added };
  const sealed = imports.sealer.seal({ ...content, mapping, checked }, row);
  await imports.store.write(row, { content: sealed }); // another tab that was faster is shown by the next page
  return controller.redirectTo(importUrl(controller, row.id, "check"));
}

async function* firstRows(rows: AsyncIterable<Lines>): AsyncGenerator<Lines> {
  for await (const lines of rows) {
    yield lines;
    if (lines.at(-1)!.place >= CHECKED_ROWS) return;
  }
}

/** `GET <list>/import/:import_id/check`: what the first rows would do. */
export async function checkImport(controller: ResourceController): Promise<Reply> {
  const { row, content, run } = await findOwnImport(controller);
  if (run || !content.checked) return controller.redirectTo(importUrl(controller, row.id));
  const asked = await confirmActions(controller, WRITES);
  return asked ?? renderCheck(controller, row, content, content.checked);
}

/** `POST <list>/import/:import_id/start`: leaves the rows to a job, once. */
export async function startImport(controller: ResourceController): Promise<Reply> {
  const { row, content, run } = await findOwnImport(controller);
  if (run || !content.mapping || !content.checked) return controller.redirectTo(importUrl(controller, row.id));
  if (controller.params.string("version") !== String(row.version)) {
    controller.flash.add("warning", controller.t("resource.import.changed")); // in another tab, since it was looked at
    return controller.redirectTo(importUrl(controller, row.id, "check"));
  }
  const asked = await confirmActions(controller, WRITES);
  if (asked) return asked;
  await startImportRun(controller, row, content);
  return controller.redirectTo(importUrl(controller, row.id));
}

/** `POST <list>/import/:import_id/cancel`: ends the run, or takes back what was not started. Rows that are written stay. */
export async function cancelImport(controller: ResourceController): Promise<Reply> {
  const { row, run } = await findOwnImport(controller);
  const imports = importsOf(controller);
  if (run) {
    await imports.runs.cancel(run);
    await imports.finish(row.id);
    return controller.redirectTo(importUrl(controller, row.id));
  }
  await imports.remove(row);
  controller.flash.add("success", controller.t("resource.import.discarded"));
  return controller.redirectTo(controller.listUrl);
}

/** `GET <list>/import/:import_id/failures.csv`: the rows that were not written, with the reasons. */
export async function importFailures(controller: ResourceController): Promise<Reply> {
  const { row, content } = await findOwnImport(controller);
  return answerFailures(controller, row, content);
}
