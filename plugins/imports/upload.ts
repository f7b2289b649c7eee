import { type ParamValue, type Reply, type UploadedFile, unprocessable } from "framewright/host";
import { SpoolFile } from "framewright/plugins/exports";
import { isFile } from "framewright/plugins/fields/toolkit";
import { rowOwner } from "framewright/plugins/portals";
import type { ResourceController } from "framewright/plugins/resources";
import { confirmActions } from "framewright/plugins/resources/toolkit";
import { encodingOf } from "./encoding_name.ts";
import { answerImport } from "./import_json.ts";
import { importsOf } from "./imports_of.ts";
import { encodings, type FileProblem, type InspectedFile, type ReadingOptions } from "./inspected_file.ts";
import { MAX_READING_OF_ONE, MAX_WAITING } from "./limits.ts";
import { authorizeImport, begunImports, keepImport, type OwnImport, storeRows } from "./own_import.ts";
import { checkProgramParams } from "./program_params.ts";
import { readFile } from "./read_file.ts";
import { readProgramMapping } from "./read_mapping.ts";
import { startImportRun } from "./start.ts";
import { renderUpload } from "./upload_page.ts";
import { importUrl } from "./urls.ts";

/** What rows do: a controller that has that confirmed has an import confirmed. */
export const WRITES = ["create", "update"];

/** `POST <list>/import`: reads the file, and keeps it for the next step. */
export async function createImport(controller: ResourceController): Promise<Reply> {
  await authorizeImport(controller);
  const isProgram = controller.request.format === "json";
  const refuse = async ({ problem, vars }: FileProblem) => {
    const text = controller.t(`resource.import.file.${problem}`, vars);
    if (isProgram) throw unprocessable(text, { file: [text] });
    return renderUpload(controller, await begunImports(controller), [text]);
  };
  if (isProgram) checkProgramParams(controller);
  const given = controller.params.get("file");
  const options = isProgram ? programOptions(controller) : { mayGuess: true };
  const problem = "problem" in options ? options : await problemOfUpload(controller, given);
  if (problem) return refuse(problem);
  const rows = await SpoolFile.open();
  try {
    const inspected = await readInTurn(controller, given as UploadedFile, options as ReadingOptions, rows);
    if ("problem" in inspected) return await refuse(inspected);
    const upload = { sent: given as UploadedFile, inspected, rows };
    if (isProgram) return await startOfProgram(controller, upload);
    return controller.redirectTo(importUrl(controller, (await keepImport(controller, upload)).row.id));
  } finally {
    await rows.close();
  }
}

async function problemOfUpload(
  controller: ResourceController,
  given: ParamValue | undefined,
): Promise<FileProblem | undefined> {
  if (!isFile(given)) return { problem: "none", vars: {} };
  const waiting = await importsOf(controller).store.countWaiting(
    rowOwner(controller, controller.registration.constant),
  );
  return waiting >= MAX_WAITING ? { problem: "too_many", vars: { count: MAX_WAITING } } : undefined;
}

/** What a program states about its file in the query. */
function programOptions({ params }: ResourceController): ReadingOptions | FileProblem {
  const [name, sheet] = [params.string("encoding"), params.string("sheet")];
  const encoding = name === undefined ? undefined : encodingOf(name);
  const headerRow = Number(params.string("headers")) || undefined;
  if (name === undefined || encoding) return { encoding, mayGuess: false, sheet, headerRow };
  return { problem: "encoding_unknown", vars: { encoding: name.slice(0, 50), encodings: encodings.join(", ") } };
}

/** Reads a file when its person has a turn: files of others are read between those of one. */
async function readInTurn(
  controller: ResourceController,
  file: UploadedFile,
  options: ReadingOptions,
  rows: SpoolFile,
): Promise<InspectedFile | FileProblem> {
  const { readingTurns } = importsOf(controller);
  const { owner_type, owner_id } = rowOwner(controller, controller.registration.constant);
  const person = `${owner_type} ${owner_id}`;
  if (readingTurns.isFull(person)) return { problem: "busy", vars: { count: MAX_READING_OF_ONE } };
  return readingTurns.run(person, () => readFile(file, options, rows));
}

/** A file that was sent, with its rows. */
export interface ReadUpload {
  readonly sent: UploadedFile;
  readonly inspected: InspectedFile;
  readonly rows: SpoolFile;
}

async function startOfProgram(controller: ResourceController, upload: ReadUpload): Promise<Reply> {
  const { mapping, errors, ignored } = readProgramMapping(controller, upload.inspected);
  if (errors.length > 0) throw unprocessable(errors.join(" "), { columns: [...errors] });
  const asked = await confirmActions(controller, WRITES);
  if (asked) return asked;
  const { row, content } = await keepImport(controller, upload, { mapping, ignored });
  await startImportRun(controller, row, content);
  const reply = await answerImport(controller, (await importsOf(controller).store.find(row.id))!, content, 202);
  reply.headers.location = importUrl(controller, row.id);
  return reply;
}

/** Reads another sheet, or in another encoding, the file of an import that waits: what its columns are for is asked anew. */
export async function readAgain(
  controller: ResourceController,
  { row, content }: OwnImport,
  options: Omit<ReadingOptions, "mayGuess">,
): Promise<FileProblem | undefined> {
  const imports = importsOf(controller);
  const source = content.source!;
  const sent = { filename: source.filename, mimeType: source.type, bytes: await imports.storage.bytes(source.key) };
  const rows = await SpoolFile.open();
  try {
    const inspected = await readInTurn(controller, sent, { ...options, mayGuess: false }, rows);
    if ("problem" in inspected) return inspected;
    const file = await storeRows(controller, { sent, inspected, rows });
    const sealed = imports.sealer.seal({ ...inspected, file, source }, row);
    const isWritten = await imports.store.write(row, { content: sealed });
    await imports.deleteFiles({ file: isWritten ? content.file : file }); // another tab that was faster is shown
    return undefined;
  } finally {
    await rows.close();
  }
}
