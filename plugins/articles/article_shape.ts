import { html, safeUrl } from "framewright/host";
import { isAllowed, type ResourceRequest } from "framewright/plugins/resources";
import type { Entry, ListShape } from "framewright/plugins/resources/toolkit";
import { Article } from "./article.ts";
import type { ArticleNames } from "./article_options.ts";
import { describeList } from "./head.ts";

/** A list as articles: what each is called, when it was published, by whom, and how it begins. */
export function articleShape(
  controller: ResourceRequest,
  parts: ArticleNames,
  permitted: readonly string[],
): ListShape {
  const draw = (entry: Entry) => {
    const article = new Article(controller, entry, parts, permitted);
    const { title, summary, picture, author, dateText } = article;
    const line = [dateText, author].filter((text) => text !== undefined).join(" · ");
    const isOpen = isAllowed(entry.policy(), "canShow");
    const heading = isOpen ? html`<a href="${safeUrl(entry.url())}">${title}</a>` : title;
    const image =
      picture && html`<img src="${safeUrl(picture.url)}" alt="${picture.alternative}" loading="lazy" width="240">`;
    return html`<li><article class="fw-teaser">${image}<div><h2>${heading}</h2><p class="fw-article-line">${line}</p><p>${summary}</p></div></article></li>`;
  };
  return {
    label: controller.t("articles.shape"),
    icon: "article",
    isOnly: controller.currentUser === undefined,
    names: () => Object.values(parts).filter((name) => name !== undefined),
    draw({ page, urls }) {
      describeList(controller, urls.base);
      return html`<ul class="fw-teasers">${page.entries.map(draw)}</ul>`;
    },
  };
}
