import { forbidden, html, type Reply, type SafeHtml } from "framewright/host";
import type { Assets } from "framewright/plugins/assets";
import type { BaseModel } from "framewright/plugins/database";
import { labelOf, type PanelList, type PanelPage, type ResourceRequest } from "framewright/plugins/resources";
import { chrome } from "framewright/plugins/resources/toolkit";
import { rightsOf, subjectOf } from "./access.ts";
import { backToRecord, commentJson, invalid } from "./answers.ts";
import type { StoredComment } from "./contract.ts";
import { type Conversation, conversationOn, openConversation } from "./conversation.ts";
import { commentsUrl, drawAssets, drawComments, drawFollow, drawForm } from "./draw.ts";
import type { Notifier } from "./notify.ts";
import { calledBy, type People, storedPlace } from "./people.ts";
import { commentNumber, type SentComment, sentComment, sentMentions } from "./sent_comment.ts";
import type { CommentStore } from "./store.ts";

const PANEL_COMMENTS = 10;
const PAGE_COMMENTS = 50;

export interface CommentPagesParts {
  readonly store: CommentStore;
  readonly assets: Assets;
  readonly people: People;
  /** The tenant that a comment on a record belongs to. */
  tenantOf(controller: ResourceRequest, record: BaseModel): Promise<string | null>;
  readonly notifier: Notifier;
}

/** The comments of a record: a panel of its page, a page of their own, and the same for programs. */
export class CommentPages {
  readonly #parts: CommentPagesParts;

  constructor(parts: CommentPagesParts) {
    this.#parts = parts;
  }

  /** The panel with the newest comments and a form. */
  addPanel(panels: PanelList, { controller, record, registration }: PanelPage): void {
    const rights = rightsOf(controller, registration, record);
    if (!rights) return;
    panels.add("discussion", {
      title: controller.t("comments.title"),
      content: async () => {
        const conversation = await conversationOn(this.#parts.store, controller, record, rights);
        const { comments, more } = await conversation.read(PANEL_COMMENTS);
        await conversation.markSeen(comments);
        const all = { url: commentsUrl(controller, record), label: controller.t("comments.all") };
        const content = this.#draw(controller, conversation, comments, more ? all : undefined);
        return html`<div class="fw-panel-padded">${content}</div>`;
      },
    });
  }

  /** `GET <record>/_comments`, of those before one by `before`. @throws HttpError 404 */
  async list(controller: ResourceRequest, sent?: SentComment): Promise<Reply> {
    const { request } = controller;
    const conversation = await openConversation(this.#parts.store, controller);
    const before = request.method === "GET" ? commentNumber(request.query.get("before")) : undefined;
    const from = before === undefined ? undefined : await conversation.find(before);
    const { comments, more } = await conversation.read(PAGE_COMMENTS, from);
    if (request.format === "json") {
      const data = comments.map((one) => commentJson(one, conversation)).reverse();
      return controller.json({ data, meta: { next: more ? comments[0]!.id : null } });
    }
    await conversation.markSeen(comments);
    const { record } = conversation;
    const url = commentsUrl(controller, record);
    const older = more ? { url: `${url}?before=${comments[0]!.id}`, label: controller.t("comments.older") } : undefined;
    const name = labelOf(controller, record);
    const title = controller.t("comments.of", { name });
    const trail = [{ label: name, url: controller.urlFor(record) }, { label: controller.t("comments.title") }];
    const shown = this.#draw(controller, conversation, comments, older, sent);
    const locals = { ...chrome(controller, { title, trail }), comments: shown };
    return controller.render("comments/index", { ...(sent?.problem === undefined ? {} : { status: 422 }), locals });
  }

  /** `POST <record>/_comments` with `text`, `internal` and the ids of `mentions`. @throws HttpError 403, 404, 422 for programs */
  async create(controller: ResourceRequest): Promise<Reply> {
    const conversation = await openConversation(this.#parts.store, controller);
    if (!conversation.rights.write) throw forbidden();
    const sent = sentComment(controller, conversation.rights);
    const isJson = controller.request.format === "json";
    if (sent.problem !== undefined && isJson) throw invalid(controller, sent.problem);
    if (sent.problem !== undefined) return this.list(controller, sent);
    const comment = await this.#store(controller, conversation, sent);
    if (isJson) return controller.json({ data: commentJson(comment, conversation) }, { status: 201 });
    return backToRecord(controller, conversation.record, "was_sent", comment.id);
  }

  /** `POST <record>/_comments/follow` with `follow` 1 or 0. @throws HttpError 404 */
  async follow(controller: ResourceRequest): Promise<Reply> {
    const { store } = this.#parts;
    const { record, person } = await openConversation(store, controller);
    const active = ["1", "true"].includes(controller.request.body.string("follow") ?? "");
    await store.follow(subjectOf(record), person, JSON.stringify(storedPlace(controller)), active);
    if (controller.request.format === "json") return controller.json({ data: { following: active } });
    return backToRecord(controller, record, active ? "was_followed" : "was_unfollowed");
  }

  /** `GET <record>/_comments/people?q=`: who may be named, of those whose names have the text. @throws HttpError 403, 404 */
  async findPeople(controller: ResourceRequest): Promise<Reply> {
    const { store, people } = this.#parts;
    const { rights } = await openConversation(store, controller);
    if (!rights.write) throw forbidden();
    const text = (controller.request.query.string("q") ?? "").trim().slice(0, 60);
    const internal = rights.internal && controller.request.query.get("internal") === "1";
    return controller.json({ data: text === "" ? [] : await people.search(controller, text, internal) });
  }

  /** Stores a comment with those who follow the record by it. */
  async #store(
    controller: ResourceRequest,
    { record, person }: Conversation,
    { text, internal }: SentComment,
  ): Promise<StoredComment> {
    const { store, people, notifier, tenantOf } = this.#parts;
    const { currentUser, request } = controller;
    const subject = subjectOf(record);
    const place = JSON.stringify(storedPlace(controller));
    const mentions = await people.mentioned(controller, text, sentMentions(controller), internal);
    const followers = mentions.map(({ id }) => ({ ...person, owner_id: id }));
    if (!request.actorFor(currentUser)) followers.push(person);
    const comment = {
      ...subject,
      tenant: await tenantOf(controller, record),
      portal: person.portal,
      author_type: person.owner_type,
      author_id: person.owner_id,
      author_label: authorOf(controller) || person.owner_id,
      internal,
      text,
      mentions,
      created_at: new Date(),
    };
    const id = await store.database.transaction(async (transaction) => {
      const stored = await store.insert(comment, transaction);
      for (const follower of followers) await store.follow(subject, follower, place, undefined, transaction);
      await notifier.announce(stored, transaction);
      return stored;
    });
    return { ...comment, id, edited_at: null };
  }

  #draw(
    controller: ResourceRequest,
    conversation: Conversation,
    comments: readonly StoredComment[],
    older: { url: string; label: string } | undefined,
    sent?: SentComment,
  ): SafeHtml {
    const { record, rights, seen } = conversation;
    const link = older && html`<p><a href="${older.url}" data-turbo-frame="_top">${older.label}</a></p>`;
    const list = comments.length > 0 && drawComments(controller, record, comments, conversation);
    const form = rights.write && drawForm(controller, record, conversation, sent);
    const follow = drawFollow(controller, record, seen !== undefined);
    return html`${drawAssets(this.#parts.assets)}${link}${list}${form}${follow}`;
  }
}

/** The author's name, with the name of the person who acts for them. */
function authorOf(controller: ResourceRequest): string {
  const { currentUser, request } = controller;
  const actor = request.actorFor(currentUser);
  const person = calledBy(currentUser!);
  return actor ? controller.t("comments.acting", { actor: calledBy(actor), person }) : person;
}
