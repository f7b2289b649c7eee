// The import rules: kernel <- host <- plugins <- generators; a plugin is entered by its index alone; no circles of values.
// The commands and generators of a plugin are of the layer of generators, which they import by its indexes; the layer
// itself imports the types of plugins alone, and their lists in one file.
import { circlesIn, type Import, importsOf, layers } from "./imports.ts";

const pluginOf = (module: string): string | undefined => /^plugins\/([^/]+)\//.exec(module)?.[1];
const layerOf = (module: string): string =>
  /^plugins\/[^/]+\/(commands|generators)\//.test(module) ? "generators" : module.split("/")[0]!;
/** Files that may import each other: those of one layer, and of one plugin. */
const unitOf = (module: string): string =>
  module.startsWith("plugins/") ? `plugins/${pluginOf(module)}` : module.split("/")[0]!;
/** A plugin in the graph of plugins, and its generators, which nothing but generators imports. */
const pluginNode = (module: string): string =>
  layerOf(module) === "generators" ? `${pluginOf(module)} (generators)` : pluginOf(module)!;
/** An entry that a plugin publishes: its own index, or that of a folder below it. */
const isEntry = (module: string) => module.endsWith("/index");

/** The file that lists what plugins bring to `fw generate`. */
const LISTS = "generators/of_plugins";
/** What is wrong with an import between the folder generators/ and plugins. */
function generatorsProblem({ from, to = "", typeOnly }: Import): string | undefined {
  if (from.startsWith("generators/") && pluginOf(to)) {
    const isList = from === LISTS && /^plugins\/[^/]+\/generators\/index$/.test(to);
    return isList || typeOnly ? undefined : "generators/ imports no plugin: put the code into the plugin's own folder";
  }
  const isWithin = !pluginOf(from) || !to.startsWith("generators/") || isEntry(to);
  return isWithin ? undefined : "import framewright/generators, or generators/toolkit/index.ts";
}

/** Plugins that add to resources, which imports none of them, not even a type. */
const addedToResources = new Set([
  ...[
    "attachments",
    "background_runs",
    "batches",
    "boards",
    "bulk_actions",
    "articles",
    "calendar",
    "grouping",
    "tree",
    "cards",
    "density",
    "exports",
    "extra_fields",
    "filters",
    "history",
    "comments",
    "imports",
    "inline_editing",
    "json_api",
    "bulk_create",
    "list_settings",
    "mcp",
    "navigation",
    "live",
    "nested_records",
    "numbers",
    "openapi",
    "api_keys",
    "sso",
    "printing",
    "reorder",
  ],
  ...["presence", "saved_views", "search", "shortcuts", "states", "summaries", "trash", "undo", "webhooks"],
]);
/** What types of fields and components are built on; above all resources, which is built on them, is none of it. */
const belowFields = new Set(["fields", "database", "storage", "views"]);
/** How many files of a plugin may import each other in a circle, types included. The limits only fall. */
const maxCircle: Readonly<Record<string, number>> = { resources: 30, authlib: 26, database: 25 };
const MAX_CIRCLE = 15;

type Graph = Map<string, Set<string>>;
const add = (graph: Graph, from: string, to: string) => graph.set(from, (graph.get(from) ?? new Set()).add(to));

export function layerProblems(): string[] {
  const problems: string[] = [];
  const [plugins, files, types]: [Graph, Graph, Graph] = [new Map(), new Map(), new Map()];
  for (const folder of Object.keys(layers)) {
    for (const one of importsOf(folder)) {
      const { from, to, target, typeOnly } = one;
      const layer = layerOf(from);
      if (to === undefined) {
        if (layer === "kernel" && target !== "tapable" && !target.startsWith("node:"))
          problems.push(`${from} imports ${target}: the kernel imports tapable, nothing else`);
        if (layer !== "kernel" && target === "tapable")
          problems.push(`${from} imports tapable: import its hooks from framewright/kernel`);
        continue;
      }
      const other = layerOf(to);
      const isOwn = unitOf(from) === unitOf(to); // a plugin lists its commands, whose code is loaded when they run
      if (other in layers && other !== layer && !isOwn && !layers[layer]!.includes(other))
        problems.push(`${from} imports ${to}: ${layer} may import ${layers[layer]!.join(", ") || "no other layer"}`);
      const problem = generatorsProblem(one);
      if (problem !== undefined) problems.push(`${from} imports ${to}: ${problem}`);
      if (unitOf(from) !== unitOf(to) && pluginOf(to) && !isEntry(to))
        problems.push(`${from} imports ${to}: import framewright/plugins/${pluginOf(to)}`);
      if (pluginOf(from) === "resources" && addedToResources.has(pluginOf(to) ?? ""))
        problems.push(`${from} imports ${to}: resources knows none of the plugins that add to it; open a hook`);
      if (pluginOf(from) === "fields" && pluginOf(to) && !belowFields.has(pluginOf(to)!))
        problems.push(
          `${from} imports ${to}: fields imports ${[...belowFields].slice(1).join(", ")}; ask a lookup for more`,
        );
      if (unitOf(from) === unitOf(to) && from.startsWith("plugins/")) add(types, from, to);
      if (typeOnly) continue;
      if (unitOf(from) === unitOf(to)) add(files, from, to);
      else if (pluginOf(from) && pluginOf(to)) add(plugins, pluginNode(from), pluginNode(to));
    }
  }
  for (const circle of circlesIn(plugins)) problems.push(`plugins import each other's values: ${circle.join(", ")}`);
  for (const circle of circlesIn(files))
    problems.push(`files import each other's values in a circle: ${circle.join(", ")}`);
  for (const circle of circlesIn(types)) {
    const limit = maxCircle[pluginOf(circle[0]!)!] ?? MAX_CIRCLE;
    if (circle.length > limit)
      problems.push(
        `${circle.length} files import each other's types in a circle, of which ${limit} may: ${circle.join(", ")}`,
      );
  }
  return problems;
}
