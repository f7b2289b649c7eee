import { csrfInput, forbidden, type Reply } from "framewright/host";
import type { Assets } from "framewright/plugins/assets";
import type { Transaction } from "framewright/plugins/database";
import { labelOf, type ResourceRequest } from "framewright/plugins/resources";
import { chrome } from "framewright/plugins/resources/toolkit";
import { isOwn, type Rights, subjectOf } from "./access.ts";
import { backToRecord, commentJson, invalid } from "./answers.ts";
import type { StoredComment } from "./contract.ts";
import { type Conversation, openConversation } from "./conversation.ts";
import { commentsUrl, drawAssets, drawComments, drawInput } from "./draw.ts";
import type { Notifier } from "./notify.ts";
import { type People, storedPlace } from "./people.ts";
import { commentNumber, type SentComment, sentComment, sentMentions } from "./sent_comment.ts";
import type { CommentStore } from "./store.ts";

const NO_RIGHTS: Rights = { write: false, internal: false, moderate: false };

interface ChangePagesParts {
  readonly store: CommentStore;
  readonly assets: Assets;
  readonly people: People;
  readonly notifier: Notifier;
}
/** A comment that the path names, and whether it is the person's own to change. */
interface NamedComment {
  readonly conversation: Conversation;
  readonly comment: StoredComment;
  readonly own: boolean;
}

/** The page on which a comment is changed or deleted, and what it sends. */
export class CommentChangePages {
  readonly #parts: ChangePagesParts;

  constructor(parts: ChangePagesParts) {
    this.#parts = parts;
  }

  /** `GET <record>/_comments/:comment_key/edit`. @throws HttpError 403, 404 */
  async edit(controller: ResourceRequest, sent?: SentComment): Promise<Reply> {
    const { conversation, comment, own } = await this.#find(controller);
    if (!own && !conversation.rights.moderate) throw forbidden();
    const { record } = conversation;
    const { request } = controller;
    const url = `${commentsUrl(controller, record)}/${comment.id}`;
    const title = controller.t(own ? "comments.change_title" : "comments.delete_title");
    const trail = [{ label: labelOf(controller, record), url: controller.urlFor(record) }, { label: title }];
    return controller.render("comments/edit", {
      ...(sent?.problem === undefined ? {} : { status: 422 }),
      locals: {
        ...chrome(controller, { title, trail }),
        url,
        back: `${controller.urlFor(record)}#comment-${comment.id}`,
        input: own && drawInput(controller, commentsUrl(controller, record), sent ?? comment),
        mentions: comment.mentions,
        comment: own ? undefined : drawComments(controller, record, [comment], readerOf(conversation)),
        save: own && csrfInput(request, url, "patch"),
        remove: csrfInput(request, url, "delete"),
        assets: drawAssets(this.#parts.assets),
      },
    });
  }

  /** `PATCH <record>/_comments/:comment_key` by its author. @throws HttpError 403, 404, 422 for programs */
  async update(controller: ResourceRequest): Promise<Reply> {
    const { conversation, comment, own } = await this.#find(controller);
    if (!own) throw forbidden();
    const isJson = controller.request.format === "json";
    const sent = { ...sentComment(controller, conversation.rights), internal: comment.internal };
    if (sent.problem !== undefined && isJson) throw invalid(controller, sent.problem);
    if (sent.problem !== undefined) return this.edit(controller, sent);
    const { store, people } = this.#parts;
    const ids = [...sentMentions(controller), ...comment.mentions.map(({ id }) => id)];
    const mentions = await people.mentioned(controller, sent.text, ids, comment.internal);
    const changed = { ...comment, text: sent.text, mentions, edited_at: new Date() };
    const added = mentions.filter(({ id }) => !comment.mentions.some((one) => one.id === id));
    await store.database.transaction(async (transaction) => {
      await store.change(changed, transaction);
      for (const { id } of added) await this.#notify(controller, conversation, comment, id, transaction);
    });
    if (isJson) return controller.json({ data: commentJson(changed, conversation) });
    return backToRecord(controller, conversation.record, "was_changed", comment.id);
  }

  /** `DELETE <record>/_comments/:comment_key` by its author or a moderator. @throws HttpError 403, 404 */
  async remove(controller: ResourceRequest): Promise<Reply> {
    const { conversation, comment, own } = await this.#find(controller);
    if (!own && !conversation.rights.moderate) throw forbidden();
    await this.#parts.store.remove(comment);
    if (controller.request.format === "json") return controller.head(204);
    return backToRecord(controller, conversation.record, "was_deleted");
  }

  /** Somebody who is named by a change follows from now on, and hears of the comment. */
  async #notify(
    controller: ResourceRequest,
    { record, person }: Conversation,
    { id }: StoredComment,
    named: string,
    transaction: Transaction,
  ): Promise<void> {
    const { store, notifier } = this.#parts;
    const [subject, who] = [subjectOf(record), { ...person, owner_id: named }];
    await store.follow(subject, who, JSON.stringify(storedPlace(controller)), undefined, transaction);
    const follower = await store.follower(subject, who, transaction);
    if (follower) await notifier.notify(id, follower, transaction);
  }

  async #find(controller: ResourceRequest): Promise<NamedComment> {
    const conversation = await openConversation(this.#parts.store, controller);
    const comment = await conversation.find(commentNumber(controller.request.routeParams.comment_key));
    return { conversation, comment, own: isOwn(comment, conversation.person) && conversation.rights.write };
  }
}

/** A comment is drawn without the links that lead to this page. */
const readerOf = ({ person, seen }: Conversation) => ({ person, seen, rights: NO_RIGHTS });
