import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { wholeStyles } from "./packages.ts";

const MAX_NAMED = 5;

/** The classes of Tabler that an application's own templates use and a style sheet does not have, by the templates' paths. */
export function missingClasses(root: string, styles: string): Map<string, string[]> {
  const used = classesOf(readFileSync(styles, "utf8"));
  const whole = classesOf(readFileSync(wholeStyles(), "utf8"));
  const found = new Map<string, string[]>();
  for (const file of templatesBelow(root)) {
    const names = new Set(
      [...readFileSync(join(root, file), "utf8").matchAll(/\bclass="([^"]*)"/g)].flatMap(([, list]) =>
        list!.split(/\s+/).filter((name) => whole.has(name) && !used.has(name)),
      ),
    );
    if (names.size > 0) found.set(file, [...names].slice(0, MAX_NAMED));
  }
  return found;
}

const classesOf = (css: string): ReadonlySet<string> =>
  new Set([...css.matchAll(/\.(-?[a-z_][\w-]*)/gi)].map(([, name]) => name!));

function templatesBelow(root: string): string[] {
  const entries = ["app", "packages"].flatMap((folder) => {
    try {
      return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
    } catch {
      return []; // an application without the folder
    }
  });
  return entries.filter((path) => path.endsWith(".liquid")).map((path) => path.replaceAll("\\", "/"));
}
