// Every name that the package publishes has a comment that says what it is.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { root } from "./imports.ts";

const plugins = readdirSync(join(root, "plugins"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
const entries = [
  "kernel/index.ts",
  "host/internals.ts",
  "generators/index.ts",
  "test/testing/index.ts",
  ...plugins.map(({ name }) => `plugins/${name}/index.ts`),
];
const declaration = (name: string) =>
  new RegExp(
    `^(?:export )?(?:declare )?(?:abstract )?(?:async )?(?:const|function\\*?|class|interface|type|let) ${name}\\b`,
    "m",
  );

/** `[file, name]` of everything that a file exports, its own and what it passes on. */
function exportsOf(path: string): [string, string][] {
  const text = readFileSync(join(root, path), "utf8");
  const found: [string, string][] = [];
  for (const [, list, target] of text.matchAll(/export (?:type )?\{([^}]*)\} from "(\.[^"]+)"/g)) {
    const file = normalize(join(dirname(path), target!));
    for (const part of list!.replaceAll(/\/\*[\s\S]*?\*\//g, "").split(",")) {
      const name = part.trim().replace("type ", "").split(" as ")[0]!.trim();
      if (name) found.push([file, name]);
    }
  }
  for (const [, target] of text.matchAll(/export \* from "(\.[^"]+)"/g))
    found.push(...exportsOf(normalize(join(dirname(path), target!))));
  for (const [, name] of text.matchAll(
    /^export (?:declare )?(?:abstract )?(?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm,
  ))
    found.push([path, name!]);
  return found;
}

function isDocumented([file, name]: readonly [string, string]): boolean {
  if (!existsSync(join(root, file))) return true;
  const text = readFileSync(join(root, file), "utf8");
  const places = [...text.matchAll(new RegExp(declaration(name).source, "gm"))];
  if (places.length === 0) return true; // passed on from yet another file, where it is looked at
  return places.some(({ index }) => /\*\/\n(?:\s*\/\/[^\n]*\n)*$/.test(text.slice(0, index)));
}

export function documentationProblems(): string[] {
  const missing = entries.flatMap(exportsOf).filter((one) => !isDocumented(one));
  return [...new Set(missing.map(([file, name]) => `${file} exports ${name} without a comment that says what it is`))];
}
