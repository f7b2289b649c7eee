import type { Installation } from "framewright/generators";

/** What `fw generate fw:install articles` adds. */
export const installation: Installation = {
  name: "articles",
  summary: "Lists and pages to be read, with a feed and a sitemap",
  plugins: ["articles"],
  next: ["this.article() in the configure() of a definition of a public portal"],
};
