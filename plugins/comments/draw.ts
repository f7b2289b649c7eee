import { type BaseController, csrfInput, html, localeOf, raw, type SafeHtml } from "framewright/host";
import type { Assets } from "framewright/plugins/assets";
import type { BaseModel } from "framewright/plugins/database";
import { attributes, standardTypes } from "framewright/plugins/fields/toolkit";
import type { ResourceRequest } from "framewright/plugins/resources";
import { timeTag } from "framewright/plugins/views";
import { isOwn, type Rights } from "./access.ts";
import type { StoredComment } from "./contract.ts";
import { MAX_TEXT, type SentComment } from "./sent_comment.ts";
import type { Person } from "./store.ts";

/** The reader of comments, and what they may do. */
export interface Reader {
  readonly person: Person;
  readonly rights: Rights;
  /** Until when they have seen the comments; undefined for people who do not follow them. */
  readonly seen: Date | undefined;
}

export const commentsUrl = (controller: ResourceRequest, record: BaseModel): string =>
  `${controller.urlFor(record)}/_comments`;

/** A list of comments, the oldest first. */
export function drawComments(
  controller: ResourceRequest,
  record: BaseModel,
  comments: readonly StoredComment[],
  reader: Reader,
): SafeHtml {
  return html`<ol class="fw-comments">${comments.map((one) => drawComment(controller, record, one, reader))}</ol>`;
}

function drawComment(
  controller: ResourceRequest,
  record: BaseModel,
  comment: StoredComment,
  { person, rights, seen }: Reader,
): SafeHtml {
  const t = (key: string) => controller.t(`comments.${key}`);
  const own = isOwn(comment, person);
  const marks = [
    comment.edited_at !== null && html` <small>${t("edited")}</small>`,
    comment.internal && html` <span class="badge">${t("internal")}</span>`,
    !own && seen !== undefined && comment.created_at > seen && html` <mark>${t("new")}</mark>`,
  ];
  const change = (own && rights.write) || rights.moderate;
  const link =
    change &&
    html` <a href="${commentsUrl(controller, record)}/${comment.id}/edit" data-turbo-frame="_top">${t(own ? "change" : "delete")}<span class="visually-hidden"> ${timeText(controller, comment)}</span></a>`;
  return html`<li id="comment-${comment.id}"><p class="fw-comment-who"><strong>${comment.author_label}</strong> ${time(controller, comment.created_at)}${marks}${link}</p>${textOf(comment)}</li>`;
}

const time = ({ request }: BaseController, at: Date) => timeTag(at, request.timeZone, localeOf(request.locale));
const timeText = (controller: BaseController, { created_at, author_label }: StoredComment) =>
  html`(${author_label}, ${time(controller, created_at)})`;

/** The text of a comment as HTML, in which the people that it names stand out. */
export function textOf({ text, mentions }: Pick<StoredComment, "text" | "mentions">): SafeHtml {
  const shown = standardTypes.get("markdown")!.display(text, {} as never) as SafeHtml;
  const names = mentions.map(({ label }) => html`@${label}`.html).sort((a, b) => b.length - a.length);
  if (names.length === 0) return shown;
  const wanted = new RegExp(names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "g");
  const parts = shown.html.split(/(<[^>]*>)/);
  const marked = parts.map((part, at) => (at % 2 === 1 ? part : part.replace(wanted, '<b class="fw-mention">$&</b>')));
  return raw(marked.join(""));
}

/** The form of a new comment. */
export function drawForm(
  controller: ResourceRequest,
  record: BaseModel,
  { rights }: Reader,
  typed?: SentComment,
): SafeHtml {
  const t = (key: string) => controller.t(`comments.${key}`);
  const url = commentsUrl(controller, record);
  const isInternal = typed?.internal ?? true; // a comment for everybody is a choice
  const inside =
    rights.internal &&
    html`<label class="form-check"><input type="hidden" name="internal" value="0"><input class="form-check-input" type="checkbox" name="internal" value="1"${isInternal && raw(" checked")}><span class="form-check-label">${t("is_internal")}</span></label>`;
  return html`<form class="fw-comment-form" method="post" action="${url}" data-turbo-frame="_top">${csrfInput(controller.request, url)}${drawInput(controller, url, typed)}<div class="fw-comment-foot">${inside}<button class="btn btn-primary">${t("send")}</button></div></form>`;
}

/** The input of a comment's text, whose script offers people after an @. */
export function drawInput(
  controller: BaseController,
  url: string,
  typed?: Pick<SentComment, "text" | "problem">,
): SafeHtml {
  const problem = typed?.problem;
  const state = attributes({
    maxlength: MAX_TEXT,
    "data-people": `${url}/people`,
    "aria-invalid": problem === undefined ? undefined : "true",
    "aria-describedby": problem === undefined ? "comment-hint" : "comment-problem",
  });
  const note =
    problem === undefined
      ? html`<small class="form-hint" id="comment-hint">${controller.t("comments.hint")}</small>`
      : html`<p class="invalid-feedback" id="comment-problem">${problem}</p>`;
  return html`<label class="form-label" for="comment-text">${controller.t("comments.yours")}</label><textarea class="form-control${problem !== undefined && " is-invalid"}" id="comment-text" name="text" rows="3" required${raw(state)}>${raw("\n")}${typed?.text ?? ""}</textarea>${note}`;
}

/** The button by which somebody follows the comments, or does so no longer. */
export function drawFollow(controller: ResourceRequest, record: BaseModel, isFollowing: boolean): SafeHtml {
  const url = `${commentsUrl(controller, record)}/follow`;
  return html`<form class="fw-comment-follow" method="post" action="${url}" data-turbo-frame="_top">${csrfInput(controller.request, url)}<input type="hidden" name="follow" value="${isFollowing ? "0" : "1"}"><button class="btn btn-sm">${controller.t(isFollowing ? "comments.unfollow" : "comments.follow")}</button></form>`;
}

/** The script and the style sheet. */
export const drawAssets = (assets: Assets): SafeHtml =>
  html`<link rel="stylesheet" href="${assets.url("comments.css")}"><script src="${assets.url("comments.js")}" defer></script>`;
