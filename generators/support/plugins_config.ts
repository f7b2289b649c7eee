import { errors } from "../errors.ts";
import type { Changes } from "./changes.ts";
import { localNameOf, statementsOf } from "./import_statements.ts";
import { addNamedImports, imports } from "./imports.ts";
import { findList, indentAt, insertEntry, type ListLiteral, withoutText } from "./list_literal.ts";

const file = "plugins.config.ts";
/** The modules of the framework's plugins, in the order in which they are listed. */
const modules: Readonly<Record<string, string>> = {
  database: "framewright/plugins/database",
  postgres: "framewright/plugins/postgres",
  assets: "framewright/plugins/assets",
  resources: "framewright/plugins/resources",
  extraFields: "framewright/plugins/extra_fields",
  attachments: "framewright/plugins/attachments",
  exports: "framewright/plugins/exports",
  imports: "framewright/plugins/imports",
  backgroundRuns: "framewright/plugins/background_runs",
  search: "framewright/plugins/search",
  shortcuts: "framewright/plugins/shortcuts",
  density: "framewright/plugins/density",
  filters: "framewright/plugins/filters",
  bulkActions: "framewright/plugins/bulk_actions",
  summaries: "framewright/plugins/summaries",
  inlineEditing: "framewright/plugins/inline_editing",
  reorder: "framewright/plugins/reorder",
  states: "framewright/plugins/states",
  printing: "framewright/plugins/printing",
  navigation: "framewright/plugins/navigation",
  cards: "framewright/plugins/cards",
  boards: "framewright/plugins/boards",
  calendar: "framewright/plugins/calendar",
  articles: "framewright/plugins/articles",
  grouping: "framewright/plugins/grouping",
  tree: "framewright/plugins/tree",
  numbers: "framewright/plugins/numbers",
  nestedRecords: "framewright/plugins/nested_records",
  branding: "framewright/plugins/branding",
  presence: "framewright/plugins/presence",
  idempotency: "framewright/plugins/idempotency",
  jsonApi: "framewright/plugins/json_api",
  bulkCreate: "framewright/plugins/bulk_create",
  history: "framewright/plugins/history",
  comments: "framewright/plugins/comments",
  savedViews: "framewright/plugins/saved_views",
  listSettings: "framewright/plugins/list_settings",
  undo: "framewright/plugins/undo",
  trash: "framewright/plugins/trash",
  openapi: "framewright/plugins/openapi",
  mcp: "framewright/plugins/mcp",
  batches: "framewright/plugins/batches",
  dashboards: "framewright/plugins/dashboards",
  memberships: "framewright/plugins/memberships",
  limits: "framewright/plugins/limits",
  jobs: "framewright/plugins/jobs",
  mailer: "framewright/plugins/mailer",
  passwords: "framewright/plugins/passwords",
  authlib: "framewright/plugins/authlib",
  impersonation: "framewright/plugins/impersonation",
  personalData: "framewright/plugins/personal_data",
  jwtTokens: "framewright/plugins/jwt",
  oidc: "framewright/plugins/oidc",
  sso: "framewright/plugins/sso",
  apiKeyScopes: "framewright/plugins/api_keys",
  storage: "framewright/plugins/storage",
  wizards: "framewright/plugins/wizards",
  confirmedAddresses: "framewright/plugins/confirmed_addresses",
  notifications: "framewright/plugins/notifications",
  webhooks: "framewright/plugins/webhooks",
  live: "framewright/plugins/live",
};
/** Those that the list of the framework itself leaves out. */
const optional: ReadonlySet<string> = new Set([
  ...["postgres", "attachments", "numbers", "savedViews", "undo", "notifications", "batches", "confirmedAddresses"],
  ...["cards", "boards", "calendar", "articles", "grouping", "tree", "branding", "listSettings", "live", "presence"],
  "navigation",
  "history",
  "comments",
  "trash",
  "impersonation",
  "idempotency",
  "jsonApi",
  "bulkCreate",
  "personalData",
  "openapi",
  "mcp",
  "webhooks",
  "oidc",
  "sso",
  "apiKeyScopes",
]);
const order = Object.keys(modules);

/** The name by which a list has all plugins of the framework: `import standard from "framewright/plugins.config"`. */
const ALL = /^import\s+(\w+)\s+from\s+["']framewright\/plugins\.config["']/m;

/** The list of plugins of an application, as it is written. */
export interface PluginList {
  list: ListLiteral;
  /** The name by which it has the framework's whole list: `standard` of `...standard`; undefined where it has not. */
  all: string | undefined;
  /** Whether it calls the factory of a plugin; `isAlways` unless that is within a condition. */
  lists(name: string): boolean;
  isAlways(name: string): boolean;
}

/** Reads the list in the text of plugins.config.ts; undefined where it is no literal. */
export function readPluginList(text: string): PluginList | undefined {
  const list = findList(text, "definePlugins");
  if (!list) return undefined;
  const listed = ALL.exec(text)?.[1];
  const all = list.entries.some((entry) => entry.name === listed) ? listed : undefined;
  const code = withoutText(text).slice(list.open, list.close);
  const isStandard = (name: string) => all !== undefined && !optional.has(name);
  const localOf = (name: string) => localNameOf(text, name, moduleOf(name));
  return {
    list,
    all,
    lists: (name) => isStandard(name) || new RegExp(`\\b${localOf(name) ?? "(?!)"}\\s*\\(`).test(code),
    isAlways: (name) => isStandard(name) || list.entries.some((entry) => entry.name === localOf(name)),
  };
}

/** The module of a plugin of the framework, by the name of its factory. */
export const moduleOf = (name: string): string => modules[name] ?? `framewright/plugins/${name}`;

/** Adds missing plugins of the framework to an application's list, each with its import. @throws FW_PLACE_MISSING */
export function addPlugins(changes: Changes, names: readonly string[]): void {
  const text = changes.read(file) ?? "";
  const known = readPluginList(text);
  const missing = names.filter(
    (name) => !known?.isAlways(name) && !known?.list.entries.some((one) => one.name === name),
  );
  if (missing.length === 0) return;
  if (!known) throw errors.FW_PLACE_MISSING(file, manualSteps(missing));
  for (const name of missing) insertPlugin(changes, name);
}

export const manualSteps = (names: readonly string[]): string =>
  [
    ...names.map((name) => `import { ${name} } from "${moduleOf(name)}";`),
    `and to the list of definePlugins: ${names.map((name) => `${name}(),`).join(" ")}`,
  ].join("\n");

/** Adds an entry for a plugin, below those that are listed before it, and its import. `write` gets the indentation of its line; undefined within one. */
export function insertPlugin(
  changes: Changes,
  name: string,
  write: (indent: string | undefined) => string = () => `${name}()`,
): void {
  changes.edit(file, (text) => {
    const list = findList(text, "definePlugins")!;
    const before = order.slice(0, order.indexOf(name)).map((one) => localNameOf(text, one, moduleOf(one)) ?? one);
    const place = list.entries.findLast((entry) => before.includes(entry.name)) ?? list.entries.at(-1);
    return insertEntry(text, list, write(indentAt(text, list, place)), place);
  });
  if (!imports(changes.read(file)!, name)) importSorted(changes, name);
}

/** Imports a plugin where its module belongs among those of the framework, if they are sorted; else below the last import. */
function importSorted(changes: Changes, name: string): void {
  const text = changes.read(file)!;
  const known = [...text.matchAll(/^import \{[^}]*\} from "(framewright\/plugins\/\w+)";\n/gm)];
  const paths = known.map(([, path]) => path!);
  const isSorted = paths.every((path, index) => index === 0 || paths[index - 1]! <= path);
  const next = known.find(([, path]) => path! > moduleOf(name));
  if (!isSorted || !next || statementsOf(text, moduleOf(name)).length > 0) {
    addNamedImports(changes, file, [name], moduleOf(name));
    return;
  }
  const line = `import { ${name} } from "${moduleOf(name)}";\n`;
  changes.edit(file, (now) => now.slice(0, next.index) + line + now.slice(next.index));
}
