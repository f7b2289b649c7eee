import { join } from "node:path";
import { html, raw } from "framewright/host";
import { definePlugin, type Plugin } from "framewright/kernel";
import { articleMacro, articleOf, settleArticle } from "./article_options.ts";
import { readArticle } from "./article_page.ts";
import { articleShape } from "./article_shape.ts";
import { answerFeed } from "./feed.ts";
import { headOf } from "./head.ts";
import { drawSitemap } from "./sitemap.ts";

export type { ArticleOptions } from "./article_options.ts";

declare module "framewright/kernel" {
  interface Slots {
    articles: {};
  }
}

const STYLES = "articles.css";

/** Resources that are read as articles, with descriptions for search engines, a feed and a sitemap: `this.article()`. */
export function articles(): Plugin {
  return definePlugin({
    name: "articles",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "assets", "layout", "portals", "resources"],
    provides: "articles",
    apply({ services: { host, assets, layout, resources }, hooks }) {
      assets.add(STYLES, join(import.meta.dirname, "client/articles.css"));
      layout.head.add((controller) => {
        const head = headOf(controller);
        return head && html`${raw(`<link rel="stylesheet" href="${assets.url(STYLES)}">`)}${head}`;
      });
      resources.registry.definitionMacros.define("articles", "article", articleMacro);
      resources.addActions({ articleFeed: answerFeed });
      hooks.resources.define.tap("articles", (definition, { model }) => settleArticle(definition, model));
      hooks.resources.listShapes.tap("articles", (shapes, permitted, controller) => {
        const names = articleOf(controller.registration.definition);
        if (names?.body !== undefined) shapes.add("articles", articleShape(controller, names, permitted));
      });
      hooks.resources.recordPage.tapPromise("articles", readArticle);
      hooks.resources.place.tap("articles", ({ about, base, single, draw }) => {
        if (single || !articleOf(about.registration.definition)) return;
        draw("GET", `${base}/feed.xml`, { action: "articleFeed", policy: "canIndex" });
      });
      hooks.resources.portal.tap("articles", (routes) => drawSitemap(host, routes));
    },
  });
}
