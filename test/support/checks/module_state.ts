// State belongs to the application: what a module itself keeps is shared by all applications of a process, and outlives them.
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { filesIn, layers, root } from "./imports.ts";

/** A variable, or a collection at the top of a module; one that is created with its content is a constant table. */
const state =
  /^(?:export )?(?:let (\w+)|const (\w+)(?:: (?!Readonly(?:Map|Set)\b)[^=\n]*)? =\s+new (?:Weak(?:Map|Set)|BoundedCache|AsyncLocalStorage|(?:Map|Set)(?=(?:<.*>)?\(\)))\b)/gm;
/** What gives the reason, right above it. */
const reason = /^(?:\/\/|\/\*\*?(?:\n \*)?) Module-level: \S/;

export const moduleStateProblems = (): string[] =>
  Object.keys(layers)
    .flatMap((layer) => filesIn(join(root, layer)))
    .flatMap((file) => {
      const text = readFileSync(file, "utf8");
      return [...text.matchAll(state)].flatMap(({ index, 1: variable, 2: constant }) => {
        if (reason.test(commentAbove(text.slice(0, index)))) return [];
        return [
          `${relative(root, file)} keeps "${variable ?? constant}" for the whole process: hang it on the application, the kernel or a service, or begin the comment right above it with "Module-level:" and the reason`,
        ];
      });
    });

/** The comment that ends a text, of one line or a block. */
function commentAbove(text: string): string {
  const lines = text.split("\n").slice(0, -1);
  let from = lines.length - 1;
  if (lines[from]?.endsWith("*/")) while (from > 0 && !lines[from]!.startsWith("/*")) from--;
  else while (lines[from - 1]?.startsWith("//")) from--;
  return lines.slice(from).join("\n");
}
