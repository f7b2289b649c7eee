// The documents as a site. Sidebars follow the indexes that the documents have anyway.
import { posix } from "node:path";
import { type DefaultTheme, defineConfig } from "vitepress";
import { copyPages, pageOf, read } from "./pages.ts";

copyPages(process.argv.includes("dev"));

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#3451b2" d="M3 3h18v5H8v4h9v5H8v4H3z"/></svg>';

type Item = DefaultTheme.SidebarItem;

/** The lines of a list whose links are relative to a folder of the repository. */
function links(text: string, folder: string): Item[] {
  return [...text.matchAll(/^- \[([^\]]+)\]\(([^)#]+)(#[^)]*)?\)/gm)].map(([, label, target, hash]) => ({
    text: label!.replaceAll("`", ""),
    link: pageOf(posix.join(folder, target!)) + (hash ?? ""),
  }));
}
/** The sections of docs/llms.txt, which has every document in a line. */
const sections = new Map(
  read("docs/llms.txt")
    .split(/^## /m)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf("\n")), links(text, "docs")]),
);
/** The how-to pages under the bold lines of their index. */
function tasks(): Item[] {
  const [, ...groups] = read("docs/how-to/README.md").split(/^\*\*(.+)\*\*$/m);
  return groups.flatMap((title, at) =>
    at % 2 === 1 ? [] : [{ text: title, collapsed: true, items: links(groups[at + 1]!, "docs/how-to") }],
  );
}
sections.set("How to …", tasks());
const section = (text: string): Item => {
  const items = sections.get(text);
  if (items === undefined) throw new Error(`docs/llms.txt has no section ${text}: npm run reference writes it`);
  return { text, items };
};
/** Each area has a sidebar of its own: one of all pages would be most of each page. */
const sidebar: DefaultTheme.SidebarMulti = {
  "/how-to/": [section("How to …")],
  "/reference/": [section("Reference")],
  "/plugins/": [section("Plugins")],
  "/": ["Start", "Tutorial", "Coming from other frameworks", "Concepts"].map(section),
};

/** Documents show templates and their braces: these are text, not expressions of Vue. */
function bracesAreText(markdown: { renderer: { rules: object } }): void {
  const rules = markdown.renderer.rules as Record<string, (...given: unknown[]) => string>;
  for (const name of ["text", "code_inline"]) {
    const rule = rules[name]!;
    rules[name] = (...given) => rule(...given).replaceAll("{{", "&#123;&#123;");
  }
}

/** Who searches wants to do something: tasks come before the pages that list everything. It runs in the browser. */
const guidesFirst = (page: string): number =>
  /^\/(?:how-to|tutorial|concepts|getting-started)/.test(page)
    ? 2
    : /^\/(?:CHANGELOG|ARCHITECTURE|reference\/errors)/.test(page)
      ? 0.3
      : 1;

export default defineConfig({
  title: "Framewright",
  description: "An application framework for Node in TypeScript: resources, portals, accounts and wizards",
  srcDir: "pages",
  outDir: "dist",
  cacheDir: ".cache",
  cleanUrls: true,
  head: [["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(ICON)}` }]],
  lang: "en",
  markdown: { html: false, config: bracesAreText },
  vite: { build: { chunkSizeWarningLimit: 3000 } }, // the index of the search is one file
  themeConfig: {
    nav: [
      { text: "Getting started", link: "/getting-started" },
      { text: "How to …", link: "/how-to/" },
      { text: "Reference", link: "/reference/" },
      { text: "Plugins", link: "/plugins/" },
      { text: "Changes", link: "/CHANGELOG" },
    ],
    sidebar,
    outline: [2, 3],
    search: {
      provider: "local",
      options: { detailedView: true, miniSearch: { searchOptions: { boostDocument: guidesFirst } } },
    },
  },
});
