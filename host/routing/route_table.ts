import { errors } from "../errors.ts";

/** A node of the tree: one path segment. A static part wins over a parameter. */
interface Node<Leaf> {
  statics: Map<string, Node<Leaf>>;
  parameter: Node<Leaf> | undefined;
  leaf: Leaf | undefined;
}
export interface Match<Leaf> {
  leaf: Leaf;
  /** The values of the parameters in the order of the pattern, not yet decoded. */
  values: string[];
}

const node = <Leaf>(): Node<Leaf> => ({ statics: new Map(), parameter: undefined, leaf: undefined });

/** The segments of a pattern: `/posts/:id/edit` → `["posts", ":id", "edit"]`. @throws FW_ROUTE_PATTERN */
export function segmentsOf(pattern: string): string[] {
  const segments = pattern.split("/").filter((segment) => segment !== "");
  for (const segment of segments) {
    if (segment === "." || segment === "..")
      throw errors.FW_ROUTE_PATTERN(pattern, `no request ever has "${segment}" in its path`);
    if (!/^(:[a-z_][a-z0-9_]*|[A-Za-z0-9._~@-]+)$/i.test(segment)) {
      throw errors.FW_ROUTE_PATTERN(pattern, `"${segment}" is neither a plain word nor a :parameter`);
    }
  }
  return segments;
}

export const parametersOf = (segments: readonly string[]): string[] =>
  segments.filter((segment) => segment.startsWith(":")).map((segment) => segment.slice(1));

/**
 * A tree of path segments: a look-up costs one Map access a segment, however many routes there are. A leaf represents
 * one pattern of paths, whatever its parameters are called.
 */
export class RouteTable<Leaf extends object> {
  readonly #root = node<Leaf>();

  /** The leaf of a pattern, created for the first route that has it. */
  add(segments: readonly string[], make: () => Leaf): Leaf {
    let at = this.#root;
    for (const segment of segments) at = segment.startsWith(":") ? this.#parameter(at) : this.#static(at, segment);
    at.leaf ??= make();
    return at.leaf;
  }

  /** Finds the leaf of a path, given without its leading slash. */
  find(path: string): Match<Leaf> | undefined {
    if (path === "") return this.#root.leaf && { leaf: this.#root.leaf, values: [] };
    const values: string[] = [];
    const leaf = descend(this.#root, path, 0, values);
    return leaf && { leaf, values };
  }

  #static(at: Node<Leaf>, segment: string): Node<Leaf> {
    const known = at.statics.get(segment) ?? node<Leaf>();
    at.statics.set(segment, known);
    return known;
  }

  #parameter(at: Node<Leaf>): Node<Leaf> {
    at.parameter ??= node<Leaf>();
    return at.parameter;
  }
}

function descend<Leaf>(at: Node<Leaf>, path: string, from: number, values: string[]): Leaf | undefined {
  const slash = path.indexOf("/", from);
  const segment = slash < 0 ? path.slice(from) : path.slice(from, slash);
  if (segment === "") return undefined;
  const fixed = at.statics.get(segment);
  const found = fixed && (slash < 0 ? fixed.leaf : descend(fixed, path, slash + 1, values));
  if (found || !at.parameter) return found;
  const depth = values.push(segment);
  const leaf = slash < 0 ? at.parameter.leaf : descend(at.parameter, path, slash + 1, values);
  if (!leaf) values.length = depth - 1;
  return leaf;
}
