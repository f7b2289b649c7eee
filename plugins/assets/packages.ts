import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const { resolve } = createRequire(import.meta.url);
const client = join(import.meta.dirname, "client");

/** The folder of an installed package, also when its `exports` hide package.json. */
function folder(name: string): string {
  const entry = resolve(name).replaceAll("\\", "/");
  return join(entry.slice(0, entry.lastIndexOf(`/node_modules/${name}/`)), "node_modules", name);
}

/** The files that the standard pages use: each chosen by name, never a whole package. */
export function standardAssets(): Record<string, string> {
  const tabler = join(dirname(resolve("@tabler/core/package.json")), "dist");
  const select = join(folder("tom-select"), "dist");
  return {
    "tabler.css": join(tabler, "css/tabler.min.css"),
    "tabler.js": join(tabler, "js/tabler.min.js"),
    "turbo.js": join(folder("@hotwired/turbo"), "dist/turbo.es2017-umd.js"),
    "tom-select.css": join(select, "css/tom-select.bootstrap5.min.css"),
    "tom-select.js": join(select, "js/tom-select.base.min.js"),
    "framewright.css": join(client, "framewright.css"),
    "framewright.js": join(client, "framewright.js"),
    "theme.js": join(client, "theme.js"),
  };
}
