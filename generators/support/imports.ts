import type { Changes } from "./changes.ts";

/** Whether a name is imported, in any form. */
export const imports = (text: string, name: string): boolean =>
  new RegExp(`^import\\b[^;"']*\\b${name}\\b[^;"']*\\bfrom\\b`, "m").test(text);

/** Whether a name of a file is taken: imported from elsewhere, or that of its class. */
const isTaken = (text: string, name: string): boolean =>
  imports(text, name) || new RegExp(`\\bclass ${name}\\b`).test(text);

/** Imports the default export of a file, unless it is; returns its name there, which ends in `suffix` where that of the class is taken. */
export function importDefault(
  changes: Changes,
  path: string,
  { name, from, suffix, isType = false }: { name: string; from: string; suffix: string; isType?: boolean },
): string {
  const text = changes.read(path) ?? "";
  const known = new RegExp(`^import (type )?(\\w+) from ["']${from.replaceAll(".", "\\.")}["']`, "m").exec(text);
  if (known && !isType && known[1])
    changes.edit(path, (before) => before.replace(known[0], known[0].replace("import type ", "import ")));
  if (known) return known[2]!;
  const local = isTaken(text, name) ? `${name}${suffix}` : name;
  changes.addImport(path, `import ${isType ? "type " : ""}${local} from "${from}";`);
  return local;
}

/** `import { a, b } from "x";` on one line, or one name per line when that gets long. */
export function namedImport(names: readonly string[], from: string): string {
  const line = `import { ${names.join(", ")} } from "${from}";`;
  return line.length <= 120 ? line : `import {\n${names.map((name) => `  ${name},\n`).join("")}} from "${from}";`;
}

/** Imports names of a module, in an existing import of it where there is one. */
export function addNamedImports(changes: Changes, path: string, names: readonly string[], from: string): void {
  const missing = names.filter((name) => !imports(changes.read(path) ?? "", name));
  if (missing.length === 0) return;
  const there = new RegExp(`^(import \\{([^}]*?)),?\\s*\\} from ["']${from}["']`, "m");
  if (there.test(changes.read(path) ?? "")) changes.edit(path, (text) => addTo(there.exec(text)!, missing, text));
  else changes.addImport(path, namedImport(missing, from));
}

function addTo([, upTo, listed]: RegExpExecArray, names: readonly string[], text: string): string {
  const gap = listed!.includes("\n") ? "\n  " : " ";
  const end = text.indexOf(upTo!) + upTo!.length;
  return text.slice(0, end) + names.map((name) => `,${gap}${name}`).join("") + text.slice(end);
}
