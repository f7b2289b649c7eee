/** An entry of a list in source code. */
export interface ListEntry {
  /** The name that it begins with: `login` of `login({ phases: 2 })`. */
  name: string;
  start: number;
  end: number;
}
/** The array argument of a call: `definePlugins([…])`, `features(Base, […])`. */
export interface ListLiteral {
  /** The positions of the brackets. */
  open: number;
  close: number;
  entries: readonly ListEntry[];
}

const textAndComments = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;

/** The code with comments and strings blanked, at the same length. */
export const withoutText = (text: string): string =>
  text.replaceAll(textAndComments, (match) => match.replaceAll(/[^\n]/g, " "));

/** The code with comments blanked, and strings masked by another letter, at the same length. */
export const withoutComments = (text: string): string =>
  text.replaceAll(textAndComments, (match) => match.replaceAll(/[^\n]/g, match.startsWith("/") ? " " : "_"));

/** The code with comments blanked, and strings as they are. */
export const withBlankComments = (text: string): string =>
  text.replaceAll(textAndComments, (match) => (match.startsWith("/") ? match.replaceAll(/[^\n]/g, " ") : match));

/** Finds the array literal in a call; undefined when the argument is not a literal. */
export function findList(text: string, call: string): ListLiteral | undefined {
  const code = withoutText(text);
  const found = new RegExp(`\\b${call}\\s*\\(`).exec(code);
  if (!found) return undefined;
  let depth = 1;
  let open = -1;
  const commas: number[] = [];
  for (let at = found.index + found[0].length; at < code.length && depth > 0; at++) {
    const letter = code[at]!;
    if (letter === "[" && depth === 1 && open === -1) open = at;
    if (letter === "," && depth === 2 && open !== -1) commas.push(at);
    if ("([{".includes(letter)) depth++;
    if (!")]}".includes(letter) || --depth !== 1 || open === -1) continue;
    return { open, close: at, entries: entriesOf(code, [open, ...commas, at]) };
  }
  return undefined;
}

function entriesOf(code: string, edges: readonly number[]): ListEntry[] {
  return edges.slice(1).flatMap((end, index) => {
    const from = edges[index]! + 1;
    const written = code.slice(from, end);
    const name = /^\s*(?:\.\.\.|new\s+)?(\w+)/.exec(written)?.[1];
    if (name === undefined) return [];
    const start = from + written.search(/\S/);
    return [{ name, start, end: start + written.trim().length }];
  });
}

/** Inserts an entry into a list, after another one or first; keeps lines, comments and indents. */
export function insertEntry(text: string, list: ListLiteral, entry: string, after?: ListEntry): string {
  const indent = indentAt(text, list, after);
  if (indent === undefined) return inline(text, list, entry, after);
  const { comma, lineEnd } = edgeAfter(text, list, after);
  const upTo = after
    ? `${text.slice(0, after.end)}${comma === 0 ? "," : ""}${text.slice(after.end, lineEnd)}`
    : text.slice(0, lineEnd);
  return `${upTo}\n${indent}${entry},${text.slice(lineEnd)}`;
}

/** The indentation of an entry that is inserted there; undefined where it gets no line of its own. */
export function indentAt(text: string, list: ListLiteral, after?: ListEntry): string | undefined {
  const { from, lineEnd } = edgeAfter(text, list, after);
  const isLineEnd = lineEnd !== -1 && lineEnd < list.close && withoutText(text).slice(from, lineEnd).trim() === "";
  return isLineEnd ? indentOf(text, list) : undefined;
}

/** Where an entry ends with its comma, and its line. */
function edgeAfter(text: string, { open, close }: ListLiteral, after: ListEntry | undefined) {
  const comma = after ? (/^\s*,/.exec(withoutText(text).slice(after.end, close))?.[0].length ?? 0) : 0;
  const from = after ? after.end + comma : open + 1;
  return { comma, from, lineEnd: text.indexOf("\n", from) };
}

function inline(text: string, { open, entries }: ListLiteral, entry: string, after?: ListEntry): string {
  if (after) return `${text.slice(0, after.end)}, ${entry}${text.slice(after.end)}`;
  return `${text.slice(0, open + 1)}${entry}${entries.length > 0 ? ", " : ""}${text.slice(open + 1)}`;
}

function indentOf(text: string, { close, entries: [first] }: ListLiteral): string {
  const lineOf = (at: number) => /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1))![0];
  return first ? lineOf(first.start) : `${lineOf(close)}  `;
}
