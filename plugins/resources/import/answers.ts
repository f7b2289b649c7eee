import { forbidden, notFound, type Reply, type UploadedFile, unprocessable } from "framewright/host";
import { ownerOf } from "../background/owner.ts";
import { isOpen, type RunRow } from "../background/run.ts";
import type { ResourceController } from "../controller.ts";
import { allows } from "../definition/policy.ts";
import { isFile } from "../operations/file_fields.ts";
import { apart, requestActor } from "./actors.ts";
import { renderCheck } from "./check_page.ts";
import { renderColumns } from "./columns_page.ts";
import type { ImportContent } from "./content.ts";
import { inspectFile, readRows } from "./csv_file.ts";
import { answerFailures } from "./failures_file.ts";
import { allowedModes } from "./fields.ts";
import type { Imports } from "./imports.ts";
import { CHECKED_ROWS, KEPT_MS, MAX_OPEN } from "./limits.ts";
import { planOf } from "./plan.ts";
import { readMapping, readProgramMapping } from "./read_mapping.ts";
import { renderResult } from "./result_page.ts";
import { startImportRun } from "./start.ts";
import type { ImportRow } from "./store.ts";
import { type BegunImport, renderUpload } from "./upload_page.ts";
import { importUrl } from "./urls.ts";
import { answerImport } from "./import_json.ts";
import { checkRows, type FileRow } from "./write_rows.ts";

const importsOf = ({ resources }: ResourceController): Imports => resources.imports;

/** Asks the policy whether the person may import here at all. @throws HttpError 403 */
async function authorizeImport(controller: ResourceController): Promise<void> {
  if (controller.currentUser === undefined || !allows(controller.policyFor(), "index")) throw forbidden();
  await controller.authorizeAction("import");
  if (allowedModes(controller).length === 0) throw forbidden();
}

/** An import of the person's, at this list, in this portal and tenant. */
interface OwnImport {
  readonly row: ImportRow;
  readonly content: ImportContent;
  readonly run: RunRow | undefined;
}

/** @throws HttpError 403, 404 for another's, and for one that has expired */
async function findOwnImport(controller: ResourceController): Promise<OwnImport> {
  await authorizeImport(controller);
  const { import_id = "" } = controller.request.routeParams;
  if (!/^[1-9]\d{0,14}$/.test(import_id)) throw notFound();
  const imports = importsOf(controller);
  const row = await imports.store.find(Number(import_id));
  const owner = Object.entries(ownerOf(controller)) as [keyof ImportRow, string | null][];
  if (!row || owner.some(([name, value]) => row[name] !== value)) throw notFound();
  const content = imports.content(row);
  const run = row.run_id === null ? undefined : await imports.runs.store.find(row.run_id);
  const isExpired = row.expires_at.getTime() < Date.now() && !(run && isOpen(run));
  if (!content || isExpired || (row.run_id !== null && !run)) throw notFound();
  return { row, content, run };
}

/** `GET <list>/import`: asks for a file, and names what was begun. */
export async function newImport(controller: ResourceController): Promise<Reply> {
  await authorizeImport(controller);
  return renderUpload(controller, await begunImports(controller));
}

async function begunImports(controller: ResourceController): Promise<BegunImport[]> {
  const imports = importsOf(controller);
  const rows = await imports.store.findOf(ownerOf(controller), MAX_OPEN);
  return rows.flatMap((row) => {
    const content = imports.content(row);
    return content ? { row, content } : [];
  });
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
  const given = controller.params.get("file");
  if (!isFile(given)) return refuse("none");
  if ((await begunImports(controller)).length >= MAX_OPEN) return refuse("too_many", { count: MAX_OPEN });
  const inspected = await inspectFile(given.bytes);
  if ("problem" in inspected) return refuse(inspected.problem, inspected.vars);
  if (!isProgram) return controller.redirectTo(importUrl(controller, (await keep(controller, given, inspected)).row.id));
  const { mapping, errors } = readProgramMapping(controller, inspected);
  if (errors.length > 0) throw unprocessable(errors.join(" "), { columns: errors });
  const { row, content } = await keep(controller, given, { ...inspected, mapping });
  await startImportRun(controller, row, content);
  const reply = await answerImport(controller, (await importsOf(controller).store.find(row.id))!, content, 202);
  reply.headers.location = importUrl(controller, row.id);
  return reply;
}

/** Stores a file with what is known of it. */
async function keep(
  controller: ResourceController,
  { filename, bytes }: UploadedFile,
  known: Omit<ImportContent, "file">,
): Promise<Omit<OwnImport, "run">> {
  const imports = importsOf(controller);
  const file = await imports.storage.put({ filename, type: "text/csv", bytes });
  const owner = ownerOf(controller);
  const now = Date.now();
  const times = { created_at: new Date(now), expires_at: new Date(now + KEPT_MS) };
  const content: ImportContent = { file, ...known };
  const sealed = { ...owner, ...times, content: imports.sealer.seal(content, owner) };
  try {
    const id = await imports.store.insert(sealed);
    return { row: { ...sealed, id, version: 0, run_id: null }, content };
  } catch (error) {
    await imports.storage.delete(file.key).catch(() => undefined);
    throw error;
  }
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
  const { mapping, errors } = readMapping(controller, content);
  if (errors.length > 0) return renderColumns(controller, row, content, mapping, errors);
  const imports = importsOf(controller);
  const actor = requestActor(controller);
  const plan = planOf(controller, content, mapping);
  const rows = firstRows(readRows(await imports.storage.stream(content.file.key), content.delimiter, 0));
  const { deadline } = controller.request;
  const tried = await apart(() => checkRows({ runs: imports.runs, plan, actor }, rows, deadline));
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
  return renderCheck(controller, row, content, content.checked);
}

/** `POST <list>/import/:import_id/start`: leaves the rows to a job, once. */
export async function startImport(controller: ResourceController): Promise<Reply> {
  const { row, content, run } = await findOwnImport(controller);
  if (!run && content.mapping && content.checked) await startImportRun(controller, row, content);
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
