import { forbidden, notFound, uploadContent } from "framewright/host";
import { isOpen, type RunRow } from "framewright/plugins/background_runs";
import { rowOwner } from "framewright/plugins/portals";
import { allows, type ResourceController } from "framewright/plugins/resources";
import type { StoredFile } from "framewright/plugins/storage";
import type { ImportContent } from "./content.ts";
import { allowedModes } from "./fields.ts";
import { mayHaveTitle } from "./header_row.ts";
import { importsOf } from "./imports_of.ts";
import type { InspectedFile } from "./inspected_file.ts";
import { KEPT_MS, MAX_SHOWN } from "./limits.ts";
import type { ImportRow } from "./store.ts";
import type { ReadUpload } from "./upload.ts";
import type { BegunImport } from "./upload_page.ts";

/** Checks in the policy whether the person may import here at all. @throws HttpError 403 */
export async function authorizeImport(controller: ResourceController): Promise<void> {
  if (controller.currentUser === undefined || !allows(controller.policyFor(), "index")) throw forbidden();
  await controller.authorizeAction("import");
  if (allowedModes(controller).length === 0) throw forbidden();
}

/** An import of the person's, at this list, in this portal and tenant. */
export interface OwnImport {
  readonly row: ImportRow;
  readonly content: ImportContent;
  readonly run: RunRow | undefined;
}

/** @throws HttpError 403, 404 for another's, and for one that has expired */
export async function findOwnImport(controller: ResourceController): Promise<OwnImport> {
  await authorizeImport(controller);
  const { import_id = "" } = controller.request.routeParams;
  if (!/^[1-9]\d{0,14}$/.test(import_id)) throw notFound();
  const imports = importsOf(controller);
  const row = await imports.store.find(Number(import_id));
  const owner = Object.entries(rowOwner(controller, controller.registration.constant)) as [
    keyof ImportRow,
    string | null,
  ][];
  if (!row || owner.some(([name, value]) => row[name] !== value)) throw notFound();
  const content = imports.content(row);
  const run = row.run_id === null ? undefined : await imports.runs.store.find(row.run_id);
  const isExpired = row.expires_at.getTime() < Date.now() && !(run && isOpen(run));
  if (!content || isExpired || (row.run_id !== null && !run)) throw notFound();
  return { row, content, run };
}

/** What the person has begun or ended in the last 24 hours. */
export async function begunImports(controller: ResourceController): Promise<BegunImport[]> {
  const imports = importsOf(controller);
  const rows = await imports.store.findOf(rowOwner(controller, controller.registration.constant), MAX_SHOWN);
  return rows.flatMap((row) => {
    const content = imports.content(row);
    return content ? { row, content } : [];
  });
}

/** Stores the rows of a file. */
export function storeRows(controller: ResourceController, { sent, rows }: ReadUpload): Promise<StoredFile> {
  const about = { filename: sent.filename, type: "application/jsonl", stream: rows.read(), size: rows.size };
  return importsOf(controller).storage.put(about);
}

/** Stores an import: its rows, what is known of the file, and the file itself as long as something of it is to be chosen. */
export async function keepImport(
  controller: ResourceController,
  upload: ReadUpload,
  chosen: Pick<ImportContent, "mapping" | "ignored"> = {},
): Promise<Omit<OwnImport, "run">> {
  const { sent, inspected } = upload;
  const imports = importsOf(controller);
  const file = await storeRows(controller, upload);
  const stored: { file: StoredFile; source?: StoredFile } = { file };
  const owner = rowOwner(controller, controller.registration.constant);
  const now = Date.now();
  const times = { created_at: new Date(now), expires_at: new Date(now + KEPT_MS) };
  try {
    if (!chosen.mapping && isToBeChosen(controller, inspected))
      stored.source = await imports.storage.put({
        filename: sent.filename,
        type: sent.mimeType,
        ...uploadContent(sent),
      });
    const content: ImportContent = { ...inspected, ...stored, ...chosen };
    const sealed = { ...owner, ...times, content: imports.sealer.seal(content, owner) };
    const id = await imports.store.insert(sealed);
    return { row: { ...sealed, id, version: 0, run_id: null }, content };
  } catch (error) {
    await imports.deleteFiles(stored);
    throw error;
  }
}

const isToBeChosen = (controller: ResourceController, file: InspectedFile): boolean =>
  file.lines !== undefined ||
  [...(file.sheets ?? []), ...(file.otherSheets ?? [])].length > 1 ||
  mayHaveTitle(controller, file);
