import { errors } from "../errors.ts";
import type { Changes } from "./changes.ts";
import { addNamedImports, imports } from "./imports.ts";
import { findList, insertEntry } from "./list_literal.ts";

const file = "plugins.config.ts";
/** The modules of the framework's plugins, in the order in which they are listed. */
const modules: Readonly<Record<string, string>> = {
  assets: "framewright/plugins/assets",
  backgroundRuns: "framewright/plugins/background_runs",
  exports: "framewright/plugins/exports",
  imports: "framewright/plugins/imports",
  search: "framewright/plugins/search",
  shortcuts: "framewright/plugins/shortcuts",
  density: "framewright/plugins/density",
  summaries: "framewright/plugins/summaries",
  inlineEditing: "framewright/plugins/inline_editing",
  reorder: "framewright/plugins/reorder",
  savedViews: "framewright/plugins/saved_views",
  undo: "framewright/plugins/undo",
  dashboards: "framewright/plugins/dashboards",
  memberships: "framewright/plugins/memberships",
  limits: "framewright/plugins/limits",
  jobs: "framewright/plugins/jobs",
  mailer: "framewright/plugins/mailer",
  passwords: "framewright/plugins/passwords",
  authlib: "framewright/plugins/authlib",
  jwtTokens: "framewright/plugins/jwt",
  storage: "framewright/plugins/storage",
  wizards: "framewright/plugins/wizards",
  notifications: "framewright/plugins/notifications",
};
/** Those that the list of the framework itself leaves out. */
const optional: ReadonlySet<string> = new Set(["savedViews", "undo", "notifications"]);
const pluginOrder = Object.keys(modules);

/** The name by which a list has all plugins of the framework: `import standard from "framewright/plugins.config"`. */
const ALL = /^import\s+(\w+)\s+from\s+["']framewright\/plugins\.config["']/m;

/** Adds missing plugins of the framework to an application's list, each with its import. @throws FW_PLACE_MISSING */
export function addPlugins(changes: Changes, names: readonly string[]): void {
  const text = changes.read(file) ?? "";
  const list = findList(text, "definePlugins");
  const all = ALL.exec(text)?.[1];
  const hasAll = all !== undefined && list?.entries.some((entry) => entry.name === all);
  const missing = names.filter(
    (name) => !(hasAll && !optional.has(name)) && !list?.entries.some((entry) => entry.name === name),
  );
  if (missing.length === 0) return;
  if (!list) throw errors.FW_PLACE_MISSING(file, manualSteps(missing));
  for (const name of missing) {
    changes.edit(file, (text) => add(text, name));
    if (!imports(changes.read(file)!, name)) addNamedImports(changes, file, [name], modules[name]!);
  }
}

const manualSteps = (names: readonly string[]): string =>
  [
    ...names.map((name) => `import { ${name} } from "${modules[name]}";`),
    `and to the list of definePlugins: ${names.map((name) => `${name}(),`).join(" ")}`,
  ].join("\n");

function add(text: string, name: string): string {
  const list = findList(text, "definePlugins")!;
  const before = pluginOrder.slice(0, pluginOrder.indexOf(name));
  const place = list.entries.findLast((entry) => before.includes(entry.name)) ?? list.entries.at(-1);
  return insertEntry(text, list, `${name}()`, place);
}
