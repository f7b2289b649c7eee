import { diff3Merge } from "node-diff3";
import { linesOf } from "../diff.ts";

/** Three texts with LF line ends: the common one, and the two that were derived from it. */
export interface Versions {
  base: string;
  yours: string;
  theirs: string;
}
export interface Merged {
  text: string;
  /** How many conflicts are marked in the text. */
  conflicts: number;
}

/** Applies to `yours` what differs between `base` and `theirs`. Conflicts are marked; `label` names their lower half. */
export function merge({ base, yours, theirs }: Versions, label: string): Merged {
  let conflicts = 0;
  const lines = regions(yours, base, theirs).flatMap(({ ok, conflict }) => {
    if (!conflict) return ok ?? [];
    conflicts++;
    return ["<<<<<<< yours\n", ...ended(conflict.a), "=======\n", ...ended(conflict.b), `>>>>>>> ${label}\n`];
  });
  return { text: lines.join(""), conflicts };
}

/** Like `merge`, with the lines of `theirs` where both changed. */
export const mergeForTheirs = ({ base, yours, theirs }: Versions): string =>
  regions(yours, base, theirs)
    .flatMap(({ ok, conflict }) => conflict?.b ?? ok ?? [])
    .join("");

/** Whether a text has conflicts of a merge by `merge` that nobody resolved. */
export const hasConflicts = (text: string): boolean => /^<<<<<<< yours$[\s\S]*^=======$[\s\S]*^>>>>>>> /m.test(text);

const regions = (yours: string, base: string, theirs: string) =>
  diff3Merge(linesOf(yours), linesOf(base), linesOf(theirs));

/** A marker needs a line of its own. */
const ended = (lines: readonly string[]): string[] => lines.map((line) => (line.endsWith("\n") ? line : `${line}\n`));

export const withLf = (text: string): string => text.replaceAll("\r\n", "\n");

/** Whether every line of a text ends in CRLF: it is then compared as with LF, and written with CRLF. A text with both is compared as it is. */
export const isCrlf = (text: string): boolean => text.includes("\r\n") && !/(^|[^\r])\n/.test(text);
