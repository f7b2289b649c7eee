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
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function compare(before: string[], after: string[]): Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const same = (lines: string[]): Line[] => lines.map((text) => ({ mark: " ", text }));
  const middle = longestCommon(before.slice(start, before.length - end), after.slice(start, after.length - end));
  return [...same(before.slice(0, start)), ...middle, ...same(before.slice(before.length - end))];
}

function longestCommon(before: string[], after: string[]): Line[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const [here, below] = [lengths[i]!, lengths[i + 1]!];
      here[j] = before[i] === after[j] ? below[j + 1]! + 1 : Math.max(below[j]!, here[j + 1]!);
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push({ mark: " ", text: before[i++]! });
      j++;
    } else if (i < before.length && (j >= after.length || lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) {
      lines.push({ mark: "-", text: before[i++]! });
    } else lines.push({ mark: "+", text: after[j++]! });
  }
  return lines;
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
