// The rooms' import rules: kernel <- host <- plugins <- generators, and no circles. Read off the import lines.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

const root = join(import.meta.dirname, "../..");
const rooms = { kernel: [], host: ["kernel"], plugins: ["kernel", "host"], generators: ["kernel", "host", "plugins"] };
const problems = [];

function filesIn(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return entry.name === "templates" ? [] : filesIn(path);
    return entry.name.endsWith(".ts") ? [path] : [];
  });
}

/** The imports of a file: what each names, and whether only types come through it. */
function importsOf(file) {
  const text = readFileSync(file, "utf8").replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const found = [...text.matchAll(/^\s*(import|export)\s+(type\s)?([^"';]*?)from\s+["']([^"']+)["']/gm)];
  return found.map(([, , type, names, target]) => ({
    target,
    typeOnly: type !== undefined || /^\{\s*(type\s+\w+(\s+as\s+\w+)?\s*,?\s*)+\}\s*$/.test(names.trim()),
  }));
}

/** `plugins/database/index` for whatever way a file is named, or undefined for a package. */
function placeOf(file, target) {
  const own = /^framewright(?:\/(.+))?$/.exec(target);
  if (own)
    return (
      { undefined: "host/index", host: "host/internals", kernel: "kernel/index" }[own[1]] ??
      (own[1].startsWith("plugins/") ? `${own[1]}/index` : own[1])
    );
  if (!target.startsWith(".")) return undefined;
  return relative(root, resolve(dirname(file), target))
    .replaceAll(sep, "/")
    .replace(/\.(ts|js)$/, "");
}

const pluginOf = (place) => /^plugins\/([^/]+)\//.exec(place)?.[1];
const graph = new Map();

for (const room of Object.keys(rooms)) {
  for (const file of filesIn(join(root, room))) {
    const from = relative(root, file).replaceAll(sep, "/").replace(/\.ts$/, "");
    for (const { target, typeOnly } of importsOf(file)) {
      const place = placeOf(file, target);
      if (place === undefined) {
        if (room === "kernel" && target !== "tapable" && !target.startsWith("node:"))
          problems.push(`${from} imports ${target}: the kernel imports tapable, nothing else`);
        continue;
      }
      const to = place.split("/")[0];
      if (to in rooms && to !== room && !rooms[room].includes(to))
        problems.push(`${from} imports ${place}: ${room} may import ${rooms[room].join(", ") || "no room"}`);
      const [own, other] = [pluginOf(from), pluginOf(place)];
      if (room === "plugins" && other && other !== own && !place.endsWith(`plugins/${other}/index`))
        problems.push(`${from} reaches into plugins/${other}: import framewright/plugins/${other}`);
      if (own && other && own !== other && !typeOnly) graph.set(own, (graph.get(own) ?? new Set()).add(other));
    }
  }
}

const visiting = [];
function visit(plugin) {
  if (visiting.includes(plugin)) {
    problems.push(
      `plugins import each other's values in a circle: ${[...visiting.slice(visiting.indexOf(plugin)), plugin].join(" -> ")}`,
    );
    return;
  }
  visiting.push(plugin);
  for (const next of graph.get(plugin) ?? []) visit(next);
  visiting.pop();
}
for (const plugin of graph.keys()) visit(plugin);

for (const problem of [...new Set(problems)]) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
