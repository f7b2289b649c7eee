import { notFound, type Reply } from "framewright/host";
import { moveField } from "framewright/plugins/cards";
import type { BaseModel } from "framewright/plugins/database";
import type { ResourceRequest } from "framewright/plugins/resources";
import { boardOf } from "./board_options.ts";

/**
 * `POST <record>/board` with `post[status]`, and `lock_version` where the record must be as it was: a card was moved to another
 * column, which is an update of that one field. @throws HttpError 404, 409, 422 for programs
 */
export async function moveCard(controller: ResourceRequest, record: BaseModel): Promise<Reply> {
  const board = boardOf(controller.registration);
  if (!board || board.machine) throw notFound();
  return moveField(controller, record, { by: board.by, stale: controller.t("resource.board.stale") });
}
