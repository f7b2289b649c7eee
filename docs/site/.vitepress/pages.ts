// The pages of the site are the Markdown files of the repository. They are copied to .site/pages, beside the site's
// packages, each to its place in the site, and lead where they lead in the repository.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

const root = join(import.meta.dirname, "../..");
const pages = join(root, ".site/pages");

/** What is shown of the repository, beside docs/. */
const FOLDERS = ["host", "kernel", "generators", "plugins", "test/examples"];
const FILES = ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "test/README.md"];

export const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** Where a document of the repository is in the site: `docs/how-to/x.md` is `/how-to/x`, a README its folder's index. */
export const pageOf = (path: string): string =>
  `/${path
    .replace(/^docs\/(?:site\/)?/, "")
    .replace(/\.md$/, "")
    .replace(/(^|\/)(?:README|index)$/, "$1")}`;

/** Copies all documents; while `isFollowed`, each one again when it is saved. */
export function copyPages(isFollowed: boolean): void {
  rmSync(pages, { recursive: true, force: true });
  const named = [...FILES, "docs/site/index.md"];
  const found = FOLDERS.flatMap((folder) => markdownBelow(folder));
  const documents = markdownBelow("docs").filter((path) => !path.startsWith("docs/site/"));
  for (const path of [...named, ...found, ...documents]) copy(path);
  cpSync(join(root, "docs/pictures"), join(pages, "public/pictures"), { recursive: true });
  if (!isFollowed) return;
  watch(join(root, "docs"), { recursive: true }, (_, name) => {
    const path = `docs/${name?.split(sep).join("/")}`;
    if (path.endsWith(".md") && !/^docs\/site\/(?!index)/.test(path) && existsSync(join(root, path))) copy(path);
  });
}

function markdownBelow(folder: string): string[] {
  const isLeftOut = (name: string) => /(?:^|\/)(?:node_modules|dist|fixtures|templates)(?:\/|$)/.test(name);
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name.split(sep).join("/")}`)
    .filter((path) => path.endsWith(".md") && !isLeftOut(path));
}

function copy(path: string): void {
  const page = pageOf(path);
  const place = join(pages, page.endsWith("/") ? `${page}index.md` : `${page}.md`);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, withSiteLinks(read(path), path));
}

/** A document with links to pages of the site; what leads to a source, which is no page, is text. */
function withSiteLinks(text: string, path: string): string {
  const parts = text.split(/^(```[\s\S]*?^```.*$)/m);
  const linked = (part: string) =>
    part.replace(/(?<!!)\[((?:`[^`]*`|[^\]])*)\]\((?![a-z]+:|#)([^)\s#]+)(#[^)\s]*)?\)/g, (_, label, target, hash) => {
      const page = linkedPage(resolve(root, dirname(path), target));
      return page === undefined ? label : `[${label}](${page}${hash ?? ""})`;
    });
  return parts.map((part, index) => (index % 2 === 0 ? linked(part) : part)).join("");
}
function linkedPage(place: string): string | undefined {
  const document = existsSync(join(place, "README.md")) ? join(place, "README.md") : place;
  const path = relative(root, document).split(sep).join("/");
  if (path === "README.md") return "/";
  return path.endsWith(".md") ? pageOf(path) : undefined;
}
