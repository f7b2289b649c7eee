// What every file of the layers imports, by its import lines.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

export const root = join(import.meta.dirname, "../../..");
export const layers = {
  kernel: [],
  host: ["kernel"],
  plugins: ["kernel", "host"],
  generators: ["kernel", "host", "plugins"],
};

const entries = { undefined: "host/index", host: "host/internals", kernel: "kernel/index" };

/** Every TypeScript file below a directory, but templates of generators. */
export function filesIn(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return entry.name === "templates" ? [] : filesIn(path);
    return entry.name.endsWith(".ts") ? [path] : [];
  });
}

/** The module of an import, as in `plugins/database/index`; undefined for a package. */
function moduleOf(file, target) {
  const [, own] = /^framewright(?:\/(.+))?$/.exec(target) ?? [undefined, null];
  if (own === undefined || own in entries) return entries[own];
  if (own !== null) return own.startsWith("plugins/") ? `${own}/index` : own;
  if (!target.startsWith(".")) return undefined;
  const path = relative(root, resolve(dirname(file), target)).replaceAll(sep, "/");
  return path.replace(/\.(ts|js)$/, "");
}

/** `{ from, to, target, typeOnly }` for every import and re-export of a layer; `to` is undefined for a package. */
export function importsOf(layer) {
  return filesIn(join(root, layer)).flatMap((file) => {
    const from = relative(root, file).replaceAll(sep, "/").replace(/\.ts$/, "");
    const text = readFileSync(file, "utf8").replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
    const found = [...text.matchAll(/^\s*(import|export)\s+(type\s)?([^"';]*?)from\s+["']([^"']+)["']/gm)];
    return found.map(([, , type, names, target]) => ({
      from,
      to: moduleOf(file, target),
      target,
      typeOnly: type !== undefined || /^\{\s*(type\s+\w+(\s+as\s+\w+)?\s*,?\s*)+\}\s*$/.test(names.trim()),
    }));
  });
}

/** Groups of nodes that reach each other, as lists; a node alone is no group. */
export function circlesIn(graph) {
  const [order, low, stack, circles] = [new Map(), new Map(), [], []];
  const visit = (node) => {
    order.set(node, order.size);
    low.set(node, order.get(node));
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)));
    }
    if (low.get(node) !== order.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    if (group.length > 1) circles.push(group);
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return circles;
}
