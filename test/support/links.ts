import { dirname, join, normalize } from "node:path";

/** Documents by their paths: those with links, and the files and folders that links may lead to. */
export interface Documents {
  /** Paths of all files, with "/" between their parts. */
  readonly files: readonly string[];
  read(path: string): string;
}

/** What is between the backticks of a document and its fences of code is no link. */
const FENCE = /^ *(```|~~~)/;
const CODE = /`[^`]*`/g;
const LINK = /\]\(([^()\s]+(?:\([^()\s]*\))?)\)/g;

/** The relative links of Markdown documents that lead nowhere, as `file:line link`: to no file, or to no heading of it. */
export function deadLinks(documents: Documents, paths: readonly string[]): string[] {
  const there = new Set(documents.files.flatMap((path) => [path, ...foldersOf(path)]));
  const anchors = new Map<string, ReadonlySet<string>>();
  const anchorsIn = (path: string) => {
    if (!anchors.has(path)) anchors.set(path, anchorsOf(documents.read(path)));
    return anchors.get(path)!;
  };
  const isDead = (document: string, link: string): boolean => {
    const [target, anchor] = link.split("#", 2) as [string, string?];
    const path = target === "" ? document : normalize(join(dirname(document), decodeURI(target))).replace(/\/$/, "");
    if (!there.has(path)) return true;
    return anchor !== undefined && path.endsWith(".md") && !anchorsIn(path).has(anchor);
  };
  return paths.flatMap((path) =>
    linksOf(documents.read(path))
      .filter(({ link }) => isDead(path, link))
      .map(({ line, link }) => `${path}:${line} ${link}`),
  );
}

const foldersOf = (path: string): string[] =>
  [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index)).concat(".");

interface Link {
  line: number;
  link: string;
}
/** The relative links of a document, with the numbers of their lines. */
function linksOf(text: string): Link[] {
  const links = proseOf(text).flatMap((prose, index) =>
    [...prose.replaceAll(CODE, "").matchAll(LINK)].map(([, link]) => ({ line: index + 1, link: link! })),
  );
  return links.filter(({ link }) => !/^[a-z][a-z+.-]*:/i.test(link));
}
/** The lines of a document; those of fences are empty. */
function proseOf(text: string): string[] {
  let isCode = false;
  return text.split("\n").map((line) => {
    const isFence = FENCE.test(line);
    if (isFence) isCode = !isCode;
    return isCode || isFence ? "" : line;
  });
}

/** What the headings of a document are called in links, as GitHub has it. */
function anchorsOf(text: string): Set<string> {
  const found = new Set<string>();
  for (const line of proseOf(text)) {
    const heading = /^#{1,6} (.*)$/.exec(line)?.[1];
    if (heading === undefined) continue;
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const name = plain
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(" ", "-");
    let own = name;
    for (let count = 1; found.has(own); count++) own = `${name}-${count}`;
    found.add(own);
  }
  return found;
}
