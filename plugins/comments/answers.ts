import { HttpError, type Reply } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import type { ResourceRequest } from "framewright/plugins/resources";
import { isOwn } from "./access.ts";
import type { StoredComment } from "./contract.ts";
import type { Reader } from "./draw.ts";

/** A comment, for programs. */
export const commentJson = (comment: StoredComment, { person }: Reader) => ({
  id: comment.id,
  text: comment.text,
  internal: comment.internal,
  person: comment.author_label,
  own: isOwn(comment, person),
  mentions: comment.mentions.map(({ label }) => label),
  at: comment.created_at,
  edited_at: comment.edited_at,
});

/** 422, for programs. */
export const invalid = (controller: ResourceRequest, problem: string): HttpError =>
  new HttpError(422, "FW_INVALID", controller.t("resource.invalid"), { fields: { text: [problem] } });

/** Back to the page of the record, at a comment where one is given, with a message: a text below `comments`. */
export function backToRecord(controller: ResourceRequest, record: BaseModel, message: string, comment?: number): Reply {
  controller.flash.add("success", controller.t(`comments.${message}`));
  return controller.redirectTo(controller.urlFor(record) + (comment === undefined ? "" : `#comment-${comment}`));
}
