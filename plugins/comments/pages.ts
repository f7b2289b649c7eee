import { csrfInput, forbidden, HttpError, html, notFound, type Reply, type SafeHtml } from "framewright/host";
import type { Assets } from "framewright/plugins/assets";
import type { BaseModel } from "framewright/plugins/database";
import { rowOwner } from "framewright/plugins/portals";
import { labelOf, type PanelList, type PanelPage, type ResourceRequest } from "framewright/plugins/resources";
import { chrome } from "framewright/plugins/resources/toolkit";
import { isOwn, type Rights, rightsOf, subjectOf, visibleTo } from "./access.ts";
import type { StoredComment } from "./contract.ts";
import {
  commentsUrl,
  drawAssets,
  drawComments,
  drawFollow,
  drawForm,
  drawInput,
  MAX_TEXT,
  type Reader,
  type Typed,
} from "./draw.ts";
import { calledBy, type People, storedPlace } from "./people.ts";
import type { CommentStore, Person } from "./store.ts";

const PANEL_COMMENTS = 10;
const PAGE_COMMENTS = 50;

export interface CommentPagesParts {
  readonly store: CommentStore;
  readonly assets: Assets;
  readonly people: People;
  /** The tenant that a comment on a record belongs to. */
  home(controller: ResourceRequest, record: BaseModel): Promise<string | null>;
  /** Tells those who follow, once the transaction commits. */
  announce(comment: number, transaction: Parameters<CommentStore["insert"]>[1]): Promise<unknown>;
}
/** A record whose comments the person of a request may see. */
interface Opened extends Reader {
  readonly record: BaseModel;
}

/** The comments of a record: a panel of its page, and pages and JSON of their own. */
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
        const opened = await this.#reader(controller, record, rights);
        const { comments, more } = await this.#read(controller, opened, PANEL_COMMENTS);
        await this.#see(controller, opened, comments);
        const url = commentsUrl(controller, record);
        const older = more && controller.t("comments.all");
        const content = this.#draw(controller, opened, comments, older ? { url, label: older } : undefined);
        return html`<div class="fw-panel-padded">${content}</div>`;
      },
    });
  }

  /** `GET <record>/_comments`, of those before one by `before`. @throws HttpError 404 */
  async list(controller: ResourceRequest, typed?: Typed): Promise<Reply> {
    const opened = await this.#open(controller);
    const before = controller.request.method === "GET" ? numberOf(controller.request.query.get("before")) : undefined;
    const from = before === undefined ? undefined : await this.#find(controller, opened, before);
    const { comments, more } = await this.#read(controller, opened, PAGE_COMMENTS, from);
    if (controller.request.format === "json") {
      const meta = { next: more ? comments.at(0)!.id : null };
      return controller.json({ data: comments.map((one) => jsonOf(one, opened)).reverse(), meta });
    }
    await this.#see(controller, opened, comments);
    const { record } = opened;
    const url = commentsUrl(controller, record);
    const older = more ? { url: `${url}?before=${comments[0]!.id}`, label: controller.t("comments.older") } : undefined;
    const name = labelOf(controller, record);
    const title = controller.t("comments.of", { name });
    const trail = [{ label: name, url: controller.urlFor(record) }, { label: controller.t("comments.title") }];
    return controller.render("comments/index", {
      ...(typed?.problem === undefined ? {} : { status: 422 }),
      locals: {
        ...chrome(controller, { title, trail }),
        comments: this.#draw(controller, opened, comments, older, typed),
      },
    });
  }

  /** `POST <record>/_comments` with `text`, `internal` and the ids of `mentions`. @throws HttpError 403, 404, 422 for programs */
  async create(controller: ResourceRequest): Promise<Reply> {
    const opened = await this.#open(controller);
    if (!opened.rights.write) throw forbidden();
    const typed = typedIn(controller, opened.rights);
    if (typed.problem !== undefined) return this.#refuse(controller, typed);
    const { store, people, announce, home } = this.#parts;
    const { record, person } = opened;
    const { text, internal } = typed;
    const mentions = await people.mentioned(controller, text, idsOf(controller), internal);
    const tenant = await home(controller, record);
    const subject = subjectOf(record);
    const place = JSON.stringify(storedPlace(controller));
    const comment = {
      ...subject,
      tenant,
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
      if (!controller.request.actorFor(controller.currentUser))
        await store.follow(subject, person, place, undefined, transaction);
      for (const { id: owner_id } of mentions)
        await store.follow(subject, { ...person, owner_id }, place, undefined, transaction);
      await announce(stored, transaction);
      return stored;
    });
    if (controller.request.format === "json") {
      const data = jsonOf({ ...comment, id, edited_at: null }, opened);
      return controller.json({ data }, { status: 201 });
    }
    return this.#back(controller, record, id, "sent");
  }

  /** `GET <record>/_comments/:comment_key/edit`. @throws HttpError 403, 404 */
  async edit(controller: ResourceRequest, typed?: Typed): Promise<Reply> {
    const opened = await this.#open(controller);
    const { record, person, rights } = opened;
    const comment = await this.#named(controller, opened);
    const own = isOwn(comment, person) && rights.write;
    if (!own && !rights.moderate) throw forbidden();
    const url = `${commentsUrl(controller, record)}/${comment.id}`;
    const { request } = controller;
    const name = labelOf(controller, record);
    const title = controller.t(own ? "comments.change_title" : "comments.delete_title");
    const trail = [{ label: name, url: controller.urlFor(record) }, { label: title }];
    return controller.render("comments/edit", {
      ...(typed?.problem === undefined ? {} : { status: 422 }),
      locals: {
        ...chrome(controller, { title, trail }),
        url,
        back: `${controller.urlFor(record)}#comment-${comment.id}`,
        input: own && drawInput(controller, commentsUrl(controller, record), typed ?? comment),
        mentions: comment.mentions,
        comment: own ? undefined : drawComments(controller, record, [comment], { ...opened, rights: none }),
        save: own && csrfInput(request, url, "patch"),
        remove: csrfInput(request, url, "delete"),
        assets: drawAssets(this.#parts.assets),
      },
    });
  }

  /** `PATCH <record>/_comments/:comment_key` by its author. @throws HttpError 403, 404, 422 for programs */
  async update(controller: ResourceRequest): Promise<Reply> {
    const opened = await this.#open(controller);
    const comment = await this.#named(controller, opened);
    if (!isOwn(comment, opened.person) || !opened.rights.write) throw forbidden();
    const typed = { ...typedIn(controller, opened.rights), internal: comment.internal };
    if (typed.problem !== undefined) {
      if (controller.request.format === "json") return this.#refuse(controller, typed);
      return this.edit(controller, typed);
    }
    const { store, people } = this.#parts;
    const ids = [...idsOf(controller), ...comment.mentions.map(({ id }) => id)];
    const mentions = await people.mentioned(controller, typed.text, ids, comment.internal);
    await store.database.transaction((transaction) => store.change(comment, { ...typed, mentions }, transaction));
    if (controller.request.format === "json")
      return controller.json({
        data: jsonOf({ ...comment, text: typed.text, mentions, edited_at: new Date() }, opened),
      });
    return this.#back(controller, opened.record, comment.id, "changed");
  }

  /** `DELETE <record>/_comments/:comment_key` by its author or a moderator. @throws HttpError 403, 404 */
  async remove(controller: ResourceRequest): Promise<Reply> {
    const opened = await this.#open(controller);
    const comment = await this.#named(controller, opened);
    const own = isOwn(comment, opened.person) && opened.rights.write;
    if (!own && !opened.rights.moderate) throw forbidden();
    await this.#parts.store.remove(comment);
    if (controller.request.format === "json") return controller.head(204);
    return this.#back(controller, opened.record, undefined, "deleted");
  }

  /** `POST <record>/_comments/follow` with `follow` 1 or 0. @throws HttpError 404 */
  async follow(controller: ResourceRequest): Promise<Reply> {
    const { record, person } = await this.#open(controller);
    const active = ["1", "true"].includes(controller.request.body.string("follow") ?? "");
    const place = JSON.stringify(storedPlace(controller));
    await this.#parts.store.follow(subjectOf(record), person, place, active);
    if (controller.request.format === "json") return controller.json({ data: { following: active } });
    return this.#back(controller, record, undefined, active ? "followed" : "unfollowed");
  }

  /** `GET <record>/_comments/people?q=`: who may be named, of those whose names have the text. @throws HttpError 403, 404 */
  async findPeople(controller: ResourceRequest): Promise<Reply> {
    const { rights } = await this.#open(controller);
    if (!rights.write) throw forbidden();
    const text = (controller.request.query.string("q") ?? "").trim().slice(0, 60);
    const internal = rights.internal && controller.request.query.get("internal") === "1";
    return controller.json({ data: text === "" ? [] : await this.#parts.people.search(controller, text, internal) });
  }

  /** The record that the path names, if the person may see its comments. @throws HttpError 404 */
  async #open(controller: ResourceRequest): Promise<Opened> {
    const record = await controller.findRecord();
    controller.record = record;
    await controller.authorizeAction("show", record);
    const rights = rightsOf(controller, controller.registration, record);
    if (!rights) throw notFound();
    return this.#reader(controller, record, rights);
  }
  async #reader(controller: ResourceRequest, record: BaseModel, rights: Rights): Promise<Opened> {
    const { resource: _, ...person } = rowOwner(controller, controller.registration.constant);
    const follower = await this.#parts.store.follower(subjectOf(record), person as Person);
    return { record, person, rights, seen: follower?.active ? follower.seen_at : undefined };
  }
  async #read(controller: ResourceRequest, { record, rights }: Opened, limit: number, from?: StoredComment) {
    const before = from && { at: from.created_at, id: from.id };
    const found = await this.#parts.store.newest(visibleTo(controller, record, rights), limit + 1, before);
    return { comments: found.slice(0, limit).reverse(), more: found.length > limit };
  }
  async #see({ request }: ResourceRequest, { record, person, seen }: Opened, comments: readonly StoredComment[]) {
    const last = comments.at(-1)?.created_at;
    if (seen === undefined || last === undefined || last <= seen || request.isSpeculative) return;
    const { store } = this.#parts;
    const follower = await store.follower(subjectOf(record), person);
    if (follower) await store.see(follower, last);
  }
  async #find(controller: ResourceRequest, { record, rights }: Opened, id: number): Promise<StoredComment> {
    const found = await this.#parts.store.find(visibleTo(controller, record, rights), id);
    if (!found) throw notFound();
    return found;
  }
  #named(controller: ResourceRequest, opened: Opened): Promise<StoredComment> {
    return this.#find(controller, opened, numberOf(controller.request.routeParams.comment_key) ?? 0);
  }

  #draw(
    controller: ResourceRequest,
    opened: Opened,
    comments: readonly StoredComment[],
    older: { url: string; label: string } | undefined,
    typed?: Typed,
  ): SafeHtml {
    const { record, rights, seen } = opened;
    const link = older && html`<p><a href="${older.url}" data-turbo-frame="_top">${older.label}</a></p>`;
    const list = comments.length > 0 && drawComments(controller, record, comments, opened);
    const form = rights.write && drawForm(controller, record, opened, typed);
    const follow = drawFollow(controller, record, seen !== undefined);
    return html`${drawAssets(this.#parts.assets)}${link}${list}${form}${follow}`;
  }
  #refuse(controller: ResourceRequest, typed: Typed): Promise<Reply> {
    if (controller.request.format === "json")
      throw new HttpError(422, "FW_INVALID", controller.t("resource.invalid"), { fields: { text: [typed.problem!] } });
    return this.list(controller, typed);
  }
  #back(controller: ResourceRequest, record: BaseModel, id: number | undefined, text: string): Reply {
    controller.flash.add("success", controller.t(`comments.was_${text}`));
    return controller.redirectTo(controller.urlFor(record) + (id === undefined ? "" : `#comment-${id}`));
  }
}

/** What the author is called, with the name of who acts for them. */
function authorOf(controller: ResourceRequest): string {
  const { currentUser, request } = controller;
  const actor = request.actorFor(currentUser);
  const person = calledBy(currentUser!);
  return actor ? controller.t("comments.acting", { actor: calledBy(actor), person }) : person;
}

const none: Rights = { write: false, internal: false, moderate: false };

const numberOf = (given: unknown): number | undefined => {
  const found = typeof given === "string" ? /^[1-9]\d{0,14}$/.exec(given)?.[0] : undefined;
  return found === undefined ? undefined : Number(found);
};

/** What a form or a program has sent. */
function typedIn(controller: ResourceRequest, rights: Rights): Typed {
  const { body } = controller.request;
  const given = body.get("text");
  const text = typeof given === "string" ? given.replaceAll("\r\n", "\n").replaceAll("\0", "").trim() : "";
  const sent = body.get("internal");
  const last = Array.isArray(sent) ? sent.at(-1) : sent;
  const isForAll = last === false || last === 0 || last === "0" || last === "false"; // whatever else is sent stays between them
  const internal = rights.internal && !isForAll;
  const problem =
    text === ""
      ? controller.t("comments.empty")
      : text.length > MAX_TEXT
        ? controller.t("comments.too_long", { count: MAX_TEXT })
        : undefined;
  return { text, internal, problem };
}

/** The ids of people that a form or a program names. */
function idsOf({ request }: ResourceRequest): string[] {
  const given = request.body.get("mentions");
  const list = Array.isArray(given) ? given : [given];
  return list.flatMap((one) => (typeof one === "string" || typeof one === "number" ? [String(one)] : [])).slice(0, 20);
}

const jsonOf = (comment: StoredComment, { person }: Reader) => ({
  id: comment.id,
  text: comment.text,
  internal: comment.internal,
  person: comment.author_label,
  own: isOwn(comment, person),
  mentions: comment.mentions.map(({ label }) => label),
  at: comment.created_at,
  edited_at: comment.edited_at,
});
