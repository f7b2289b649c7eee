import { forbidden, notFound, type UploadedFile } from "framewright/host";
import { ownerOf } from "../background/owner.ts";
import { isOpen, type RunRow } from "../background/run.ts";
import type { ResourceController } from "../controller.ts";
import { allows } from "../definition/policy.ts";
import type { ImportContent } from "./content.ts";
import { allowedModes } from "./fields.ts";
import type { Imports } from "./imports.ts";
import { KEPT_MS, MAX_SHOWN } from "./limits.ts";
import type { ImportRow } from "./store.ts";
import type { BegunImport } from "./upload_page.ts";

export const importsOf = ({ resources }: ResourceController): Imports => resources.imports;

/** Asks the policy whether the person may import here at all. @throws HttpError 403 */
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
  const owner = Object.entries(ownerOf(controller)) as [keyof ImportRow, string | null][];
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
  const rows = await imports.store.findOf(ownerOf(controller), MAX_SHOWN);
  return rows.flatMap((row) => {
    const content = imports.content(row);
    return content ? { row, content } : [];
  });
}

/** Stores a file with what is known of it. */
export async function keepFile(
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
