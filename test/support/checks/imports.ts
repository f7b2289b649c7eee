// What every file of the layers imports, by its import lines.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

export const root = join(import.meta.dirname, "../../..");
export const layers: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  host: ["kernel"],
  plugins: ["kernel", "host"],
  generators: ["kernel", "host", "plugins"],
};

const entries: Readonly<Record<string, string>> = {
  undefined: "host/index",
  host: "host/internals",
  kernel: "kernel/index",
  generators: "generators/index",
};

/** Every TypeScript file below a directory, but templates of generators. */
export function filesIn(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return entry.name === "templates" ? [] : filesIn(path);
    return entry.name.endsWith(".ts") ? [path] : [];
  });
}

/** The module of an import, as in `plugins/database/index`; undefined for a package. */
function moduleOf(file: string, target: string): string | undefined {
  const own = /^framewright(?:\/(.+))?$/.exec(target);
  if (own) return entries[String(own[1])] ?? (own[1]!.startsWith("plugins/") ? `${own[1]}/index` : own[1]);
  if (!target.startsWith(".")) return undefined;
  const path = relative(root, resolve(dirname(file), target)).replaceAll(sep, "/");
  return path.replace(/\.(ts|js)$/, "");
}

export interface Import {
  from: string;
  /** Undefined for a package. */
  to: string | undefined;
  target: string;
  typeOnly: boolean;
}

/** Every import and re-export of a layer. */
export function importsOf(layer: string): Import[] {
  return filesIn(join(root, layer)).flatMap((file) => {
    const from = relative(root, file).replaceAll(sep, "/").replace(/\.ts$/, "");
    const text = readFileSync(file, "utf8").replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
    const found = [...text.matchAll(/^\s*(import|export)\s+(type\s)?([^"';]*?)from\s+["']([^"']+)["']/gm)];
    return found.map(([, , type, names, target]) => ({
      from,
      to: moduleOf(file, target!),
      target: target!,
      typeOnly: type !== undefined || /^\{\s*(type\s+\w+(\s+as\s+\w+)?\s*,?\s*)+\}\s*$/.test(names!.trim()),
    }));
  });
}

/** Groups of nodes that reach each other, as lists; a node alone is no group. */
export function circlesIn(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const [order, low] = [new Map<string, number>(), new Map<string, number>()];
  const [stack, circles]: [string[], string[][]] = [[], []];
  const visit = (node: string): void => {
    order.set(node, order.size);
    low.set(node, order.get(node)!);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node)!, low.get(next)!));
    }
    if (low.get(node) !== order.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    if (group.length > 1) circles.push(group);
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return circles;
}
