// Plugins use what a plugin from outside can: hooks are typed without casts, and stages are words.
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { filesIn, root } from "./imports.ts";

const rules: readonly [pattern: RegExp, fix: string][] = [
  [/\bas (?:RouteSet|RequestContext|ControllerRef|Reply)\b/, "complete the type of the hook instead of a cast"],
  [/\bstage: ?-?\d/, "use a word that the hook's owner exports, as in stage.late"],
];

export function outsiderProblems(): string[] {
  return filesIn(join(root, "plugins")).flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .flatMap((line, index) =>
        rules
          .filter(([pattern]) => pattern.test(line))
          .map(([, fix]) => `${relative(root, file)}:${index + 1} ${line.trim().slice(0, 80)}: ${fix}`),
      ),
  );
}
