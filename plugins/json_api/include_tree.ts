import { type HttpError, type Params, unprocessable } from "framewright/host";

export interface IncludeLimits {
  readonly includes: number;
  readonly rows: number;
}
/** Associations by name, each with those that are included within it. */
export interface IncludeTree extends ReadonlyMap<string, IncludeTree> {}
interface GrowingTree extends Map<string, GrowingTree> {}

/** How far a path may go: `comments.author`. */
export const MAX_DEPTH = 2;

/** 422 that names the parameter. What does not exist and what the person may not read are refused alike. */
export const refuseInclude = (text: string): HttpError => unprocessable(`include ${text}.`, { include: [text] });
export const quoted = (path: string): string => JSON.stringify(path.slice(0, 60));

/** Reads `include=author,comments.author`, or a list; undefined where nothing is to be included. @throws HttpError 422 */
export function readIncludes(params: Params, most: number): IncludeTree | undefined {
  const given = params.get("include");
  if (given === undefined || given === "") return undefined;
  const paths = Array.isArray(given) ? given : [given];
  const tree: GrowingTree = new Map();
  let count = 0;
  for (const path of paths.flatMap((one): unknown[] => (typeof one === "string" ? one.split(",") : [one]))) {
    if (typeof path !== "string") throw refuseInclude("takes names of associations, as in author,comments");
    const names = path.split(".");
    if (names.length > MAX_DEPTH) throw refuseInclude(`goes too far with ${quoted(path)}: two names at most`);
    let at = tree;
    for (const name of names) {
      const known = at.get(name);
      const within: GrowingTree = known ?? new Map();
      if (!known) count += 1;
      at.set(name, within);
      at = within;
    }
    if (count > most) throw refuseInclude(`names more than ${most} associations`);
  }
  return tree;
}
