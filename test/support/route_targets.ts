import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import type { RouteInfo } from "framewright/host";

const clone = join(import.meta.dirname, "../..");
const layers = ["host", "plugins", "generators"].map((layer) => join(clone, layer));

function sources(root: string): string[] {
  const skipped = new Set(["node_modules", "dist", "client", "generators", "storage"]);
  return readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : sources(join(root, entry.name));
    return entry.isFile() && entry.name.endsWith(".ts") ? [join(root, entry.name)] : [];
  });
}

const definitions = [/\bclass (\w+)/g, /\bname: "([\w-]+)",/g];
const actions = [/\b(?:function|const|async(?! function)) (\w+)/g, /\n +(?:override )?(\w+)\(/g];
const namesOf = (text: string, patterns: readonly RegExp[]): ReadonlySet<string> =>
  new Set(patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name!)));

/** What `fw routes` prints as the target of routes of this application and no file defines, each once. */
export function undefinedTargets(root: string, routes: readonly RouteInfo[]): string[] {
  const files = [root, ...layers].flatMap(sources);
  const text = files.map((file) => readFileSync(file, "utf8")).join("\n");
  const owned = namesOf(text, definitions);
  const acting = namesOf(text, actions);
  const isDefined = (to: string) => {
    const [owner = "", action] = to.split("#");
    if (action === undefined) return files.includes(join(root, to.replaceAll("/", sep)));
    return owned.has(owner.split("::").at(-1)!) && acting.has(action);
  };
  return [...new Set(routes.map(({ to }) => to))].filter((to) => !isDefined(to));
}
