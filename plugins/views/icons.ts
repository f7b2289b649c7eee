import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { raw, type SafeHtml } from "framewright/host";
import { errors } from "./errors.ts";

const folder = dirname(createRequire(import.meta.url).resolve("@tabler/icons/outline/point.svg"));
/** Module-level: the files of an installed package don't change while a process runs. */
const pathsByName = new Map<string, string>();
/** Module-level: the files of an installed package don't change while a process runs. */
const icons = new Map<string, SafeHtml>();
/** Module-level: the files of an installed package don't change while a process runs. */
const uses = new Map<string, SafeHtml>();
/** Size and stroke are in the style sheet, as a page has dozens of icons. */
const SVG_OPEN = '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">';
const EMPTY = raw("");

function readIcon(name: string): string | undefined {
  if (!/^[a-z0-9-]+$/.test(name)) return undefined;
  try {
    const svg = readFileSync(join(folder, `${name}.svg`), "utf8");
    const inner = svg.slice(svg.indexOf(">", svg.indexOf("<svg")) + 1, svg.lastIndexOf("</svg>"));
    return inner.replace(/\s*<path stroke="none"[^>]*>/, "").replace(/\s*\n\s*/g, "");
  } catch {
    return undefined;
  }
}

function iconPaths(name: string): string | undefined {
  const known = pathsByName.get(name);
  if (known !== undefined) return known;
  const found = readIcon(name);
  if (found !== undefined) pathsByName.set(name, found); // only existing icons are cached: the number of unknown names is unbounded
  return found;
}

/** Whether an icon exists, for checks at boot. */
export const hasIcon = (name: string): boolean => iconPaths(name) !== undefined;

/**
 * An icon of @tabler/icons (outline) as inline SVG, hidden from screen readers: always put text beside it.
 * @throws FW_ICON_UNKNOWN
 */
export function icon(name: string): SafeHtml {
  let drawn = icons.get(name);
  if (!drawn) {
    const inner = iconPaths(name);
    if (inner === undefined) throw errors.FW_ICON_UNKNOWN(name);
    drawn = raw(`${SVG_OPEN}${inner}</svg>`);
    icons.set(name, drawn);
  }
  return drawn;
}

const list = join(import.meta.dirname, "styled_icons.json");
/**
 * Those that the style sheet of the framework draws, which the build lists; none in a clone that was not built.
 * Module-level: the files of a package don't change while a process runs.
 */
const styled = new Map<string, SafeHtml>(
  (existsSync(list) ? (JSON.parse(readFileSync(list, "utf8")) as string[]) : []).map((name) => [
    name,
    raw(`<i class="icon i-${name}"></i>`),
  ]),
);

/**
 * An icon of a page that has the style sheet of the framework: by a class where the sheet draws it, 30 bytes in place of 200,
 * else inline. Empty for an unknown name, so that a page doesn't fail in production.
 */
export const iconOrNothing = (name: string): SafeHtml => styled.get(name) ?? (hasIcon(name) ? icon(name) : EMPTY);

/** A sheet of icons that `iconUse` refers to, for icons that repeat on a page, as in the rows of a table. */
export function iconSheet(names: Iterable<string>): SafeHtml {
  let symbols = "";
  for (const name of new Set(names)) {
    const inner = styled.has(name) ? undefined : iconPaths(name);
    if (inner !== undefined) symbols += `<symbol id="fw-icon-${name}" viewBox="0 0 24 24">${inner}</symbol>`;
  }
  return symbols === "" ? EMPTY : raw(`<svg class="fw-icons" width="0" height="0" aria-hidden="true">${symbols}</svg>`);
}

/** Refers to an icon of the page's `iconSheet`, or of the style sheet. */
export function iconUse(name: string): SafeHtml {
  let drawn = styled.get(name) ?? uses.get(name);
  if (!drawn) {
    if (!hasIcon(name)) return EMPTY;
    drawn = raw(`<svg class="icon" aria-hidden="true"><use href="#fw-icon-${name}"/></svg>`);
    uses.set(name, drawn);
  }
  return drawn;
}
