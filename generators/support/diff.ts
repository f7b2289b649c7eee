import { diffComm } from "node-diff3";

type Line = { mark: " " | "-" | "+"; text: string };
const CONTEXT = 3;

/** A unified diff that `git apply` takes; `before` is undefined for a new file. */
export function unifiedDiff(path: string, before: string | undefined, after: string): string {
  if (before === after) return "";
  const header = before === undefined ? ["new file mode 100644", "--- /dev/null"] : [`--- a/${path}`];
  const body = hunks(compare(linesOf(before ?? ""), linesOf(after)));
  return [`diff --git a/${path} b/${path}`, ...header, `+++ b/${path}`, ...body, ""].join("\n");
}

/** Lines with their line end; the last may have none. */
export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function compare(before: string[], after: string[]): Line[] {
  const marked = (mark: Line["mark"], lines: string[] = []): Line[] => lines.map((text) => ({ mark, text }));
  return diffComm(before, after).flatMap(({ common, buffer1, buffer2 }) => [
    ...marked(" ", common),
    ...marked("-", buffer1),
    ...marked("+", buffer2),
  ]);
}

function hunks(lines: Line[]): string[] {
  const output: string[] = [];
  const near = (index: number) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ mark }) => mark !== " ");
  let [old, fresh] = [1, 1];
  for (let index = 0; index < lines.length; ) {
    if (!near(index)) {
      old++;
      fresh++;
      index++;
      continue;
    }
    const hunk: Line[] = [];
    while (index < lines.length && near(index)) hunk.push(lines[index++]!);
    const removed = hunk.filter(({ mark }) => mark !== "+").length;
    const added = hunk.filter(({ mark }) => mark !== "-").length;
    output.push(
      `@@ -${removed ? old : old - 1},${removed} +${added ? fresh : fresh - 1},${added} @@`,
      ...hunk.flatMap(printed),
    );
    old += removed;
    fresh += added;
  }
  return output;
}

function printed({ mark, text }: Line): string[] {
  return text.endsWith("\n") ? [mark + text.slice(0, -1)] : [mark + text, "\\ No newline at end of file"];
}
