import { csrfInput, HttpError, type Reply } from "framewright/host";
import { isOpen, runsOf } from "framewright/plugins/background_runs";
import { confirmation } from "framewright/plugins/fields";
import type { ResourceController } from "framewright/plugins/resources";
import { chrome, confirmActions } from "framewright/plugins/resources/toolkit";
import { noCounts } from "./content.ts";
import { answerImport } from "./import_json.ts";
import { importsOf } from "./imports_of.ts";
import { UNDO_MS } from "./limits.ts";
import { findOwnImport, type OwnImport } from "./own_import.ts";
import { startUndoRun } from "./start.ts";
import { importUrl } from "./urls.ts";

/** What records go through: a controller that has that confirmed has the undoing of an import confirmed. */
const WRITES = ["update", "destroy"];

/** Whether an import can be undone: once, within an hour of its end, where it has written something. */
export async function mayUndo(controller: ResourceController, { row, content, run }: OwnImport): Promise<boolean> {
  if (!run?.finished_at || isOpen(run) || content.undo !== undefined) return false;
  if (run.finished_at.getTime() + UNDO_MS <= Date.now()) return false;
  const { counts = noCounts } = runsOf(controller).sealer.problems(run);
  if (counts.created + counts.updated === 0) return false;
  const { store } = importsOf(controller);
  return (await store.keepsWrites()) && (await store.countWrites(row.id)) > 0;
}

/** `GET <list>/import/:import_id/undo`: asks for a confirmation. */
export async function askUndoImport(controller: ResourceController): Promise<Reply> {
  const found = await findOwnImport(controller);
  const { row, run } = found;
  const back = importUrl(controller, row.id);
  if (!(await mayUndo(controller, found))) return controller.redirectTo(back);
  const asked = await confirmActions(controller, WRITES);
  if (asked) return asked;
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(key, vars);
  const { counts = noCounts } = runsOf(controller).sealer.problems(run!);
  const action = importUrl(controller, row.id, "undo");
  const title = t("resource.import.undo.question");
  const view = confirmation({
    title,
    action,
    method: "post",
    isDanger: true,
    cancelUrl: back,
    t,
    text: t("resource.import.undo.text", { created: counts.created, updated: counts.updated }),
    csrf: csrfInput(controller.request, action, "post"),
    submitLabel: t("resource.import.undo.title"),
  });
  return controller.render("destroy_confirm", { locals: { ...chrome(controller, { title }), confirmation: view } });
}

/** `POST <list>/import/:import_id/undo`: leaves it to a job, once. @throws HttpError 409 for a program, where it can't be undone */
export async function undoImport(controller: ResourceController): Promise<Reply> {
  const found = await findOwnImport(controller);
  const { row, content } = found;
  const isProgram = controller.request.format === "json";
  if (await mayUndo(controller, found)) {
    const asked = await confirmActions(controller, WRITES);
    if (asked) return asked;
    await startUndoRun(controller, row, content, await importsOf(controller).store.countWrites(row.id));
  } else if (content.undo === undefined) {
    const text = controller.t("resource.import.undo.late");
    if (isProgram) throw new HttpError(409, "FW_IMPORT_UNDO", text);
    controller.flash.add("warning", text);
  }
  if (!isProgram) return controller.redirectTo(importUrl(controller, row.id));
  const now = await findOwnImport(controller);
  return answerImport(controller, now.row, now.content, 202);
}
