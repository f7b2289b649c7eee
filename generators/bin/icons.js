// The icons of the framework's pages as rules of its style sheet, which browsers load once: in each page they were a third of it.
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const folder = dirname(createRequire(import.meta.url).resolve("@tabler/icons/outline/point.svg"));
/** How code and templates of pages name an icon. */
const NAMED = /(?:\bicon: |icon\w*\(|\b(?:sign|icon)\w* = )"([a-z0-9-]+)"|"([a-z0-9-]+)" \| icon/gi;
/** Those that code names by tables: of actions, kinds of files, marks of text, and ways. */
const OTHERS =
  "pencil eye columns-3 adjustments-horizontal chevron-left grip-vertical plus bell user settings list".split(" ");

/** Adds a class for each icon to the style sheet, and writes their names for who draws them. `root` is the folder of the sources. */
export function writeIcons(root, staging) {
  const plugins = join(root, "plugins");
  const sources = readdirSync(plugins, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|liquid)$/.test(name) && !/[\\/]generators[\\/]/.test(name))
    .map((name) => readFileSync(join(plugins, name), "utf8"));
  const conventional = readFileSync(join(plugins, "views/conventional_icons.ts"), "utf8");
  const names = new Set([
    ...sources.flatMap((text) => named(text, NAMED)),
    ...named(conventional, /^ {2}"?([a-z0-9-]+)"?: "/gm),
    ...OTHERS,
  ]);
  const drawn = [...names].sort().filter((name) => existsSync(fileOf(name)));
  const rules = drawn.map((name) => `.i-${name}{--i:${address(readFileSync(fileOf(name), "utf8"))}}\n`);
  appendFileSync(join(staging, "plugins/assets/client/framewright.css"), rules.join(""));
  writeFileSync(join(staging, "plugins/views/styled_icons.json"), `${JSON.stringify(drawn)}\n`);
}

const fileOf = (name) => join(folder, `${name}.svg`);
const named = (text, pattern) => [...text.matchAll(pattern)].map(([, one, other]) => one ?? other);

/** A drawing for `mask-image`, with the stroke that `.icon` has. */
function address(svg) {
  const inner = svg.slice(svg.indexOf(">", svg.indexOf("<svg")) + 1, svg.lastIndexOf("</svg>"));
  const paths = inner
    .replace(/\s*<path stroke="none"[^>]*>/, "")
    .replace(/\s*\n\s*/g, "")
    .replace(/ \/>/g, "/>");
  const open =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#000" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round">';
  const text = `${open}${paths}</svg>`
    .replaceAll('"', "'")
    .replaceAll("#", "%23")
    .replaceAll("<", "%3C")
    .replaceAll(">", "%3E");
  return `url("data:image/svg+xml,${text}")`;
}
