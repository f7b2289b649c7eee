import { html, safeUrl } from "framewright/host";
import type { RecordPage } from "framewright/plugins/resources";
import { Article } from "./article.ts";
import { articleOf } from "./article_options.ts";
import { describeArticle } from "./head.ts";

/** Draws the text of a record before its other attributes, and describes the page. */
export async function readArticle({ controller, entry, names, lead }: RecordPage): Promise<void> {
  const parts = articleOf(controller.registration.definition);
  if (!parts) return;
  const article = new Article(controller, entry, parts, names);
  const { body, picture, author, dateText } = article;
  const line = [dateText, author].filter((text) => text !== undefined).join(" · ");
  const image = picture && html`<img src="${safeUrl(picture.url)}" alt="${picture.alternative}">`;
  lead.push(
    html`<article class="fw-article"><p class="fw-article-line">${line}</p>${image}<div class="fw-article-body">${body}</div></article>`,
  );
  const drawn = Object.values(article.names);
  names.splice(0, names.length, ...names.filter((name) => !drawn.includes(name)));
  describeArticle(controller, article);
}
