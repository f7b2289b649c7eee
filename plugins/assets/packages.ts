import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const { resolve } = createRequire(import.meta.url);
const clientFolder = join(import.meta.dirname, "client");

/** The folder of an installed package, also when its `exports` hide package.json. */
function packageFolder(name: string): string {
  const entry = resolve(name).replaceAll("\\", "/");
  return join(entry.slice(0, entry.lastIndexOf(`/node_modules/${name}/`)), "node_modules", name);
}

const tabler = () => join(dirname(resolve("@tabler/core/package.json")), "dist");
/** The style sheet of Tabler, whole. */
export const wholeStyles = (): string => join(tabler(), "css/tabler.min.css");
/** What the pages of the package use of it, which its build writes; undefined in a clone that was not built. */
export const usedStyles = (): string | undefined => built("tabler.css");

/** A file that the build makes of one of a package, with what pages need of it; undefined in a clone that was not built. */
function built(name: string): string | undefined {
  const file = join(clientFolder, name);
  return existsSync(file) ? file : undefined;
}

/** The files of the standard pages: single files, never a whole package. */
export function standardAssets(styles: string): Record<string, string> {
  const select = join(packageFolder("tom-select"), "dist");
  const inter = join(dirname(resolve("@fontsource-variable/inter/package.json")), "files");
  return {
    "tabler.css": styles,
    "tabler-rtl.css": styles.replace(/(\.min)?\.css$/, ".rtl$&"),
    "tabler.js": join(tabler(), "js/tabler.min.js"),
    "turbo.js": built("turbo.js") ?? join(packageFolder("@hotwired/turbo"), "dist/turbo.es2017-umd.js"),
    "tom-select.css": built("tom-select.css") ?? join(select, "css/tom-select.bootstrap5.min.css"),
    "tom-select.js": join(select, "js/tom-select.base.min.js"),
    "inter.woff2": join(inter, "inter-latin-wght-normal.woff2"),
    "inter-ext.woff2": join(inter, "inter-latin-ext-wght-normal.woff2"),
    "framewright.css": join(clientFolder, "framewright.css"),
    "framewright.js": join(clientFolder, "framewright.js"),
    "markdown.js": join(clientFolder, "markdown.js"),
    "theme.js": join(clientFolder, "theme.js"),
  };
}
