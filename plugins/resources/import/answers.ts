import { type Reply, unprocessable } from "framewright/host";
import { Refusal } from "../background/enter.ts";
import { ownerOf } from "../background/owner.ts";
import type { ResourceController } from "../controller.ts";
import { errors } from "../errors.ts";
import { confirmActions } from "../operations/confirm_identity.ts";
import { isFile } from "../operations/file_fields.ts";
import { refuseUnknownKeys } from "../operations/known_keys.ts";
import { apart, requestActor } from "./actors.ts";
import { renderCheck } from "./check_page.ts";
import { renderColumns } from "./columns_page.ts";
import { inspectFile, readRows } from "./csv_file.ts";
import { answerFailures } from "./failures_file.ts";
import { answerImport } from "./import_json.ts";
import { CHECKED_ROWS, MAX_WAITING } from "./limits.ts";
import { authorizeImport, begunImports, findOwnImport, importsOf, keepFile } from "./own_import.ts";
import { planOf } from "./plan.ts";
import { readMapping, readProgramMapping } from "./read_mapping.ts";
import { renderResult } from "./result_page.ts";
import { csvOfSheet, isSheet } from "./sheet_file.ts";
import { startImportRun } from "./start.ts";
import { renderUpload } from "./upload_page.ts";
import { importUrl } from "./urls.ts";
import { checkRows, type FileRow } from "./write_rows.ts";

/** What rows do: a controller that has that confirmed has an import confirmed. */
const WRITES = ["create", "update"];

/** `GET <list>/import`: asks for a file, and names what was begun. */
export async function newImport(controller: ResourceController): Promise<Reply> {
  await authorizeImport(controller);
  return renderUpload(controller, await begunImports(controller));
}

/** `POST <list>/import`: reads the file, and keeps it for the next step. */
export async function createImport(controller: ResourceController): Promise<Reply> {
  await authorizeImport(controller);
  const isProgram = controller.request.format === "json";
  const refuse = async (key: string, vars?: Readonly<Record<string, unknown>>) => {
    const text = controller.t(`resource.import.file.${key}`, vars);
    if (isProgram) throw unprocessable(text, { file: [text] });
    return renderUpload(controller, await begunImports(controller), [text]);
  };
  if (isProgram) refuseUnknownKeys(controller, ["file", "columns", "rows", "failing"]);
  const given = controller.params.get("file");
  if (!isFile(given)) return refuse("none");
  const waiting = await importsOf(controller).store.countWaiting(ownerOf(controller));
  if (waiting >= MAX_WAITING) return refuse("too_many", { count: MAX_WAITING });
  const bytes = isSheet(given) ? await importsOf(controller).sheetTurns.run(() => csvOfSheet(given)) : given.bytes;
  if ("problem" in bytes) return refuse(bytes.problem, bytes.vars);
  const file = { ...given, bytes };
  const inspected = await inspectFile(bytes);
  if ("problem" in inspected) return refuse(inspected.problem, inspected.vars);
  if (!isProgram)
    return controller.redirectTo(importUrl(controller, (await keepFile(controller, file, inspected)).row.id));
  const { mapping, errors: wrong } = readProgramMapping(controller, inspected);
  if (wrong.length > 0) throw unprocessable(wrong.join(" "), { columns: [...wrong] });
  const asked = await confirmActions(controller, WRITES);
  if (asked) return asked;
  const { row, content } = await keepFile(controller, file, { ...inspected, mapping });
  await startImportRun(controller, row, content);
  const reply = await answerImport(controller, (await importsOf(controller).store.find(row.id))!, content, 202);
  reply.headers.location = importUrl(controller, row.id);
  return reply;
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
  const { mapping, errors: wrong } = readMapping(controller, content);
  if (wrong.length > 0) return renderColumns(controller, row, content, mapping, wrong);
  const imports = importsOf(controller);
  const actor = requestActor(controller);
  const plan = planOf(controller, content, mapping);
  const rows = async () => firstRows(readRows(await imports.storage.stream(content.file.key), content.delimiter, 0));
  const { deadline } = controller.request;
  const work = { runs: imports.runs, plan, actor };
  const tried = await apart(controller, () => checkRows(work, rows, deadline)).catch((error: unknown) => {
    throw error instanceof Refusal ? errors.FW_IMPORT_ENTRY(controller.constructor.name) : error;
  });
  const checked = { ...tried.counts, checked: tried.last, failed: tried.failed };
  const sealed = imports.sealer.seal({ ...content, mapping, checked }, row);
  await imports.store.write(row, { content: sealed }); // another tab that was faster is shown by the next page
  return controller.redirectTo(importUrl(controller, row.id, "check"));
}

async function* firstRows(rows: AsyncIterable<FileRow>): AsyncGenerator<FileRow> {
  for await (const one of rows) {
    yield one;
    if (one.row >= CHECKED_ROWS) return;
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
