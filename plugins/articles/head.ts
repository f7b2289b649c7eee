import { type BaseController, html, publicOrigin, type SafeHtml } from "framewright/host";
import type { ResourceRequest } from "framewright/plugins/resources";
import { listLabel } from "framewright/plugins/resources/toolkit";
import type { Article } from "./article.ts";

/** Module-level: found by the controller of a request, and freed with it: what its page adds to the head. */
const heads = new WeakMap<BaseController, SafeHtml>();
export const headOf = (controller: BaseController): SafeHtml | undefined => heads.get(controller);

const meta = (attribute: "name" | "property", key: string, content: string | undefined) =>
  content === undefined || content === "" ? "" : html`<meta ${attribute}="${key}" content="${content}">`;

/** Describes the page of an article to search engines, and to where its address is shared. */
export function describeArticle(controller: ResourceRequest, article: Article): void {
  const { title, summary, picture, url, date, author } = article;
  const image = picture && article.absolute(picture.url);
  const open = (key: string, content: string | undefined) => meta("property", key, content);
  heads.set(
    controller,
    html`${meta("name", "description", summary)}<link rel="canonical" href="${url}">${open("og:type", "article")}${open("og:title", title)}${open("og:description", summary)}${open("og:url", url)}${open("og:site_name", controller.t("application.name"))}${open("og:image", image)}${open("article:published_time", date?.toISOString())}${open("article:author", author)}${meta("name", "twitter:card", image && "summary_large_image")}`,
  );
}

/** Names the feed of a list, and where it is without its search. */
export function describeList(controller: ResourceRequest, base: string): void {
  const title = listLabel(controller, controller.about);
  const url = new URL(base, publicOrigin(controller.request)).href;
  const page = Number(controller.request.query.get("page") ?? 1);
  const address = Number.isInteger(page) && page > 1 ? `${url}?page=${page}` : url;
  const open = (key: string, content: string) => meta("property", key, content);
  heads.set(
    controller,
    html`<link rel="canonical" href="${address}"><link rel="alternate" type="application/atom+xml" title="${title}" href="${base}/feed.xml">${open("og:type", "website")}${open("og:title", title)}${open("og:url", address)}${open("og:site_name", controller.t("application.name"))}`,
  );
}
