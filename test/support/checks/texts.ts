// Each text is in the catalogues of a plugin that uses it: of the one that all its other users import, else of i18n.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { importsOf, root } from "./imports.ts";

type Catalogue = { readonly [key: string]: string | Catalogue };

const pluginsFolder = join(root, "plugins");
const plugins = readdirSync(pluginsFolder, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);
/** The words that templates of applications may use, whoever else does. */
const isForApplications = (key: string) => key.startsWith("framework.");
const SHARED = "i18n";

const keysOf = (catalogue: Catalogue, prefix = ""): string[] =>
  Object.entries(catalogue).flatMap(([key, value]) =>
    typeof value === "object" ? keysOf(value, `${prefix}${key}.`) : [prefix + key],
  );

/** The keys of a plugin's English catalogues, by all that it has: `locales/en.json`, those of its features. */
function keysIn(plugin: string): string[] {
  const names = readdirSync(join(pluginsFolder, plugin), { recursive: true, encoding: "utf8" });
  const catalogues = names.filter((name) => /(?:^|[\\/])en\.json$/.test(name));
  return catalogues.flatMap((name) =>
    keysOf(JSON.parse(readFileSync(join(pluginsFolder, plugin, name), "utf8")) as Catalogue),
  );
}

/** The text of a folder's sources and templates. */
function sourcesIn(folder: string): string {
  if (!existsSync(folder)) return "";
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => /\.(ts|js|liquid)$/.test(name))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");
}

/** A literal of a source as the keys that it may become: `errors.${code}.title`, and "errors." which more is appended to. */
function keyPatternsIn(source: string): { exact: Set<string>; open: RegExp[] } {
  const [exact, open] = [new Set<string>(), new Map<string, RegExp>()];
  for (const [, , literal] of source.matchAll(/(["'`])([a-z_]+\.(?:[\w.]|\$\{(?:[^{}`]|\{[^{}`]*\})*\})*)\1/g)) {
    if (/^[\w.]+$/.test(literal!) && !literal!.endsWith(".")) exact.add(literal!);
    else {
      const parts = literal!.split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/).map((part) => part.replaceAll(".", "\\."));
      if (parts[0] !== "") open.set(literal!, new RegExp(`^${parts.join(".+")}${literal!.endsWith(".") ? ".+" : ""}$`));
    }
  }
  return { exact, open: [...open.values()] };
}

interface Users {
  /** Who has the key itself in a literal. */
  exact: string[];
  /** Who puts it together, as `errors.${code}.title`. */
  open: string[];
}

/** Looks up which plugins use a key; host and kernel, too. */
function usersOf(): (key: string) => Users {
  const folders = [...plugins.map((name) => [name, `plugins/${name}`]), ["host", "host"], ["kernel", "kernel"]];
  const patterns = folders.map(([name, folder]) => [name!, keyPatternsIn(sourcesIn(join(root, folder!)))] as const);
  return (key) => {
    const names = [key, key.replace(/_(?:zero|one|other)$/, "")];
    const exact = patterns.filter(([, its]) => names.some((one) => its.exact.has(one)));
    const open = patterns.filter(([, its]) => its.open.some((pattern) => pattern.test(key)));
    return { exact: exact.map(([name]) => name), open: open.map(([name]) => name) };
  };
}

/** What each plugin imports of others. */
function importedByPlugins(): ReadonlyMap<string, ReadonlySet<string>> {
  const imported = new Map(plugins.map((name) => [name, new Set<string>()]));
  const pluginOf = (module = "") => /^plugins\/([^/]+)\//.exec(module)?.[1];
  for (const { from, to } of importsOf("plugins")) {
    const [user, used] = [pluginOf(from), pluginOf(to)];
    if (user && used && user !== used) imported.get(user)!.add(used);
  }
  return imported;
}

/** What is wrong with the place of a text in i18n: it is for what several plugins use, or layers that have no catalogues. */
function problemOfShared(key: string, { exact, open }: Users): string | undefined {
  const users = new Set([...exact, ...open]);
  if (users.size === 0) return isForApplications(key) ? undefined : "is used by nothing: delete it";
  const [first] = users;
  if (users.size > 1 || first === SHARED || !plugins.includes(first!)) return undefined;
  return `is used by ${first} alone: put it into plugins/${first}/locales`;
}

export function textProblems(): string[] {
  const [usersIn, imported] = [usersOf(), importedByPlugins()];
  /** One who looks up texts of others' data by a key that is put together, as of errors and actions, is no user of them. */
  const problemOf = (key: string, plugin: string): string | undefined => {
    const { exact, open } = usersIn(key);
    if (exact.length + open.length === 0) return "is used by nothing: delete it";
    const others = exact.filter((name) => name !== plugin && !imported.get(name)?.has(plugin));
    if (![...exact, ...open].includes(plugin) && open.length === 0)
      return `is used by ${others.join(", ")} alone: put it there`;
    return others.length > 0 ? `is used by ${others.join(", ")}, too: put it into plugins/${SHARED}` : undefined;
  };
  return plugins.flatMap((plugin) =>
    keysIn(plugin).flatMap((key) => {
      const problem = plugin === SHARED ? problemOfShared(key, usersIn(key)) : problemOf(key, plugin);
      return problem === undefined ? [] : [`the text "${key}" of plugins/${plugin} ${problem}`];
    }),
  );
}
