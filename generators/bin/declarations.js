// The declarations that the published entries lead to: those of inner modules that no public type mentions are left out.
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** `from "./x.ts"`, `import("./x.ts")`, `import "./x.ts"` and `declare module "./x.ts"`. */
const RELATIVE = /(?:\bfrom\s+|\bimport\s*\(?\s*|\bmodule\s+)"(\.{1,2}\/[^"]+)"/g;

/** The declaration of a module that another names, as in `./jobs.ts`. */
const declarationOf = (path) => path.replace(/\.(?:ts|js)$/, ".d.ts");

/** Copies from `compiled` to `target` the declarations of these entries, and of all that they mention, with their maps. Paths are below `compiled`. */
export function copyDeclarations(compiled, target, entries) {
  const known = new Set();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const path = declarationOf(file);
    if (known.has(path) || !existsSync(join(compiled, path))) continue;
    known.add(path);
    mkdirSync(join(target, dirname(path)), { recursive: true });
    for (const file of [path, `${path}.map`]) copyFileSync(join(compiled, file), join(target, file));
    for (const [, mentioned] of readFileSync(join(compiled, path), "utf8").matchAll(RELATIVE))
      waiting.push(join(dirname(path), mentioned));
  }
}
