// The icons of the shell of pages and of resources that declare none, in one file that browsers load once: inline, they were a
// third of a page.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const folder = dirname(createRequire(import.meta.url).resolve("@tabler/icons/outline/point.svg"));
const shell = "plugins/layout/views/framewright";
/** Those that templates get as values: of navigation, of the menu of an account, and of messages. */
const OTHERS =
  "list point plus home layout-dashboard bell user settings logout alert-circle alert-triangle circle-check info-circle".split(
    " ",
  );

/** Writes `icons.svg`, with a symbol for each icon. `root` is the folder of the sources. */
export function writeIcons(root, staging) {
  const templates = readdirSync(join(root, shell)).map((name) => readFileSync(join(root, shell, name), "utf8"));
  const drawn = templates.flatMap((text) => matches(text, /"([a-z0-9-]+)" \| icon_use/g));
  const conventional = matches(
    readFileSync(join(root, "plugins/views/conventional_icons.ts"), "utf8"),
    /^ {2}"?([a-z0-9-]+)"?: "/gm,
  );
  const names = [...new Set([...drawn, ...conventional, ...OTHERS])].sort();
  const symbols = names.map((name) => symbol(name, readFileSync(join(folder, `${name}.svg`), "utf8")));
  writeFileSync(
    join(staging, "plugins/layout/icons.svg"),
    `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join("")}</svg>\n`,
  );
}

const matches = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name);

function symbol(name, svg) {
  const inner = svg.slice(svg.indexOf(">", svg.indexOf("<svg")) + 1, svg.lastIndexOf("</svg>"));
  const paths = inner.replace(/\s*<path stroke="none"[^>]*>/, "").replace(/\s*\n\s*/g, "");
  return `<symbol id="${name}" viewBox="0 0 24 24">${paths}</symbol>`;
}
