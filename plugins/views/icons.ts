import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { raw, type SafeHtml } from "framewright/host";
import { errors } from "./errors.ts";

const folder = dirname(createRequire(import.meta.url).resolve("@tabler/icons/outline/point.svg"));
// The files of an installed package never change while a process lives, so one memo serves every kernel in it.
const paths = new Map<string, string>();
const icons = new Map<string, SafeHtml>();
const uses = new Map<string, SafeHtml>();
/** Its width and ends are the style sheet's: a page has dozens of icons. */
const OPEN =
  '<svg class="icon" width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" aria-hidden="true">';
const NOTHING = raw("");

function read(name: string): string | undefined {
  if (!/^[a-z0-9-]+$/.test(name)) return undefined;
  try {
    const svg = readFileSync(join(folder, `${name}.svg`), "utf8");
    const inner = svg.slice(svg.indexOf(">", svg.indexOf("<svg")) + 1, svg.lastIndexOf("</svg>"));
    return inner.replace(/\s*<path stroke="none"[^>]*>/, "").replace(/\s*\n\s*/g, "");
  } catch {
    return undefined;
  }
}

function drawing(name: string): string | undefined {
  const known = paths.get(name);
  if (known !== undefined) return known;
  const found = read(name);
  if (found !== undefined) paths.set(name, found); // only what exists is kept: names without end can't fill the memory
  return found;
}

/** Whether the icon exists: for a check at boot. */
export const hasIcon = (name: string): boolean => drawing(name) !== undefined;

/**
 * An icon of @tabler/icons (outline) as inline SVG, hidden from screen readers: what it says stands beside it in words.
 * @throws FW_ICON_UNKNOWN
 */
export function icon(name: string): SafeHtml {
  let drawn = icons.get(name);
  if (!drawn) {
    const inner = drawing(name);
    if (inner === undefined) throw errors.FW_ICON_UNKNOWN(name);
    drawn = raw(`${OPEN}${inner}</svg>`);
    icons.set(name, drawn);
  }
  return drawn;
}

/** As `icon`, and nothing for a name that is unknown: an icon is no reason to fail a page in production. */
export const iconOrNothing = (name: string): SafeHtml => (hasIcon(name) ? icon(name) : NOTHING);

/** One sheet of icons to be drawn many times on a page by `iconUse`: a long table would repeat each drawing a row. */
export function iconSheet(names: Iterable<string>): SafeHtml {
  let symbols = "";
  for (const name of new Set(names)) {
    const inner = drawing(name);
    if (inner !== undefined) symbols += `<symbol id="fw-icon-${name}" viewBox="0 0 24 24">${inner}</symbol>`;
  }
  return symbols === ""
    ? NOTHING
    : raw(`<svg class="fw-icons" width="0" height="0" aria-hidden="true">${symbols}</svg>`);
}

/** Draws an icon of the page's `iconSheet`. */
export function iconUse(name: string): SafeHtml {
  if (!hasIcon(name)) return NOTHING;
  let drawn = uses.get(name);
  if (!drawn) {
    drawn = raw(`<svg class="icon" aria-hidden="true"><use href="#fw-icon-${name}"/></svg>`);
    uses.set(name, drawn);
  }
  return drawn;
}
