import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "../../..");
export const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** Every TypeScript source of the layers, but templates, by its path. */
export function sources(): Map<string, string> {
  const files = ["kernel", "host", "plugins", "generators"].flatMap((layer) =>
    readdirSync(join(root, layer), { recursive: true, encoding: "utf8" }).map((path) => `${layer}/${path}`),
  );
  const code = files.filter((path) => path.endsWith(".ts") && !path.includes("/templates/")).sort();
  return new Map(code.map((path) => [path, read(path)]));
}

/** A member of an interface or class: its declaration on one line, and its comment. */
export interface Member {
  name: string;
  code: string;
  doc: string;
}

/** The text between the braces of a declaration such as `interface HostHooks` or `class Policy`; undefined where there is none. */
export function bodyOf(text: string, declaration: RegExp): string | undefined {
  const found = declaration.exec(text);
  if (!found) return undefined;
  const start = text.indexOf("{", found.index + found[0].length);
  for (let at = start, depth = 0; at < text.length; at++) {
    if (text[at] === "{") depth++;
    if (text[at] === "}" && --depth === 0) return text.slice(start + 1, at);
  }
  return undefined;
}

/** Comments of the source as one line of Markdown. */
export const docText = (comment: string | undefined): string =>
  (comment ?? "")
    .replaceAll(/^\s*\/\*\*|\*\/\s*$/g, "")
    .replaceAll(/^\s*\* ?/gm, "")
    .replaceAll(/\s+/g, " ")
    .trim();

/** A type that the formatter broke over several lines, on one. */
const oneLine = (code: string): string =>
  code
    .replaceAll(/<\n\s+/g, "<")
    .replaceAll(/\n\s*>/g, ">")
    .replaceAll(/\n\s+/g, " ");

/** The members of a body, at its own depth, that are not private. */
export function membersOf(body: string): Member[] {
  const indent = /^( +)\S/m.exec(body)?.[1] ?? "  ";
  const line = new RegExp(
    `(?:^${indent}(/\\*\\*[\\s\\S]*?\\*/)\\n)?^${indent}((?!//|/\\*|\\*|\\}|private|#)[\\w"'](?:[^\\n]*<\\n(?:${indent} .*\\n)+${indent}>.*|[^\\n]*))`,
    "gm",
  );
  return [...body.matchAll(line)].flatMap(([, comment, first]) => {
    const code = oneLine(first!)
      .replace(/ \{$|;$/g, "")
      .trim();
    const name = /^(?:(?:static|readonly|override|declare|async|get) )*([\w$]+)/.exec(code)?.[1];
    return name === undefined || name === "constructor" ? [] : [{ name, code, doc: docText(comment) }];
  });
}

/** A cell of a table. */
export const cell = (text: string): string => text.replaceAll("|", "\\|");
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");
