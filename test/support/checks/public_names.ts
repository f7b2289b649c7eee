// How many names the largest entry points export, types included. The limits only fall: each name is one to know, and to keep.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./imports.ts";

const maxNames: Readonly<Record<string, number>> = {
  "host/internals.ts": 196,
  "plugins/database/index.ts": 190,
  "plugins/fields/index.ts": 74,
  "plugins/fields/toolkit/index.ts": 39,
  "plugins/resources/index.ts": 100,
  "plugins/resources/toolkit/index.ts": 95,
};

export const publicNameProblems = (): string[] =>
  Object.entries(maxNames).flatMap(([path, limit]) => {
    const { size } = namesOf(join(root, path));
    if (size > limit)
      return [`${path} exports ${size} names, of which ${limit} may: leave one out for each that is added`];
    return size < limit
      ? [`${path} exports ${size} names: lower its limit from ${limit} in test/support/checks/public_names.ts`]
      : [];
  });

/** The names that a module exports, with those of modules that it exports whole. */
function namesOf(file: string): Set<string> {
  const text = readFileSync(file, "utf8").replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const names = new Set<string>();
  for (const [, list] of text.matchAll(/^export (?:type )?\{([^}]*)\}/gm))
    for (const one of list!.split(",").filter((part) => part.trim() !== "")) names.add(one.trim().split(/\s+/).at(-1)!);
  for (const [, name] of text.matchAll(
    /^export (?:declare |abstract |async )*(?:class|const|function\*?|interface|let|type) (\w+)/gm,
  ))
    names.add(name!);
  for (const [, path] of text.matchAll(/^export \* from "(\.[^"]+)"/gm))
    for (const name of namesOf(join(dirname(file), path!))) names.add(name);
  return names;
}
