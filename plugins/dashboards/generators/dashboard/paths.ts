import { resourceOf } from "../../../../generators/toolkit/index.ts";

/** A path of a portal, and what its routes file draws there. */
export interface TakenPath {
  path: string;
  what: string;
  /** It is what `root` leads to. */
  isRoot?: true;
  /** It is a dashboard. */
  isDashboard?: true;
}

/** The paths that a portal's routes file draws, by its source text; `resources` are the names that it registers, by constant. */
export function pathsOf(text: string, resources: ReadonlyMap<string, string>): TakenPath[] {
  const code = text.replaceAll(/^\s*\/\/.*$/gm, "");
  const at = (path: string) => `/${path.replace(/^\//, "")}`;
  const mounted = [...code.matchAll(/\bregister(Dashboard|Wizard)\(\s*(\w+)\s*,\s*\{[^}]*\bat:\s*["']([^"']*)["']/g)];
  const drawn = [...code.matchAll(/\.get\(\s*["']([^"']+)["']/g)];
  return [
    ...(/\.root\(/.test(code) ? [{ path: "/", what: "root", isRoot: true as const }] : []),
    ...mounted.map(([, kind, what, path]) => ({
      path: at(path!),
      what: what!,
      ...(kind === "Dashboard" && { isDashboard: true as const }),
    })),
    ...drawn.map(([, path]) => ({ path: at(path!), what: `get("${path}")` })),
    ...[...resources].map(([constant, name]) => ({
      path: at(resourceOf(constant).route),
      what: `registerResource(${name})`,
    })),
  ];
}
