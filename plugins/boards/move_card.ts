import { HttpError, notFound, type Reply } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import { ORIGINALS } from "framewright/plugins/fields";
import type { ResourceRequest } from "framewright/plugins/resources";
import { recordEntry, refuseUnknownKeys, saveRecord, versionOf } from "framewright/plugins/resources/toolkit";
import { boardOf } from "./board_options.ts";
import { mayWrite } from "./moves.ts";

/**
 * `POST <record>/board` with `post[status]`, and `lock_version` where the record must be as it was: a card was moved to another column, which is an update of that
 * one field. @throws HttpError 404, 409, 422 for programs
 */
export async function moveCard(controller: ResourceRequest, record: BaseModel): Promise<Reply> {
  const { registration, request } = controller;
  const board = boardOf(registration);
  const isOpen = board && !board.machine && controller.listOf("Index").includes(board.by);
  if (!isOpen || !mayWrite(controller, recordEntry(controller, record), board.by)) throw notFound();
  refuseUnknownKeys(controller, [registration.key, "lock_version", ORIGINALS]);
  const saved = await saveRecord(controller, record, board.by);
  if ("record" in saved) return controller.answerUpdated(saved.record);
  const { stale, errors } = saved;
  const reasons = Object.values(errors).flat().join(" ");
  const text = stale ? controller.t("resource.board.stale") : reasons || controller.t("resource.invalid");
  if (request.format === "json") {
    const headers: Record<string, string> = stale ? { etag: `"${versionOf(stale, registration.model)}"` } : {};
    throw new HttpError(stale ? 409 : 422, stale ? "FW_STALE" : "FW_INVALID", text, { fields: errors, headers });
  }
  controller.flash.add("error", text);
  return controller.redirectTo(controller.returnTo() ?? controller.listUrl);
}
