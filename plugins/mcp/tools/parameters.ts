import type { Schema } from "framewright/plugins/openapi";

/** A parameter of an operation, as documents have it. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly schema?: Schema;
  readonly description?: string;
  readonly required?: boolean;
  readonly explode?: boolean;
}

/** The schemas of parameters of the query, nested as their names are: `filter[status][any][]` is `{ filter: { status: { any: [] } } }`. */
export const querySchemas = (parameters: readonly Parameter[]): Record<string, Schema> =>
  treeOf(parameters).properties();

/**
 * The query that these arguments are sent as; empty without any. What would not be sent is refused: a filter that is left out
 * matches everything. @throws TypeError for a name that is not known, and a value of another shape
 */
export function queryOf(parameters: readonly Parameter[], given: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  treeOf(parameters).write(query, given);
  return query.toString();
}

/** The parameters of the query by the parts of their names, which have brackets there and none in arguments. */
function treeOf(parameters: readonly Parameter[]): Names {
  const tree = new Names();
  for (const parameter of parameters)
    if (parameter.in === "query") {
      const parts = parameter.name.replace(/\[\]$/, "").split(/[[\]]+/);
      tree.add(parts.filter(Boolean), parameter);
    }
  return tree;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const takesList = ({ name, explode }: Parameter): boolean => name.endsWith("[]") || explode === false;

/** Names at one level, each with a parameter, or names below it, or both. */
class Names {
  readonly #places = new Map<string, Place>();

  add([first, ...rest]: readonly string[], parameter: Parameter): void {
    const place = this.#places.get(first!) ?? new Place();
    this.#places.set(first!, place);
    place.add(rest, parameter);
  }
  get isEmpty(): boolean {
    return this.#places.size === 0;
  }
  properties(): Record<string, Schema> {
    return Object.fromEntries([...this.#places].map(([name, place]) => [name, place.schema()]));
  }
  toString(): string {
    return [...this.#places.keys()].join(", ");
  }
  /** At the first level others are arguments besides the query; below it there are none. */
  write(query: URLSearchParams, given: Readonly<Record<string, unknown>>, path?: string): void {
    for (const [name, value] of Object.entries(given)) {
      const place = this.#places.get(name);
      const at = path === undefined ? name : `${path}.${name}`;
      if (place) place.write(query, value, at);
      else if (path !== undefined) throw new TypeError(`"${at}" is not known: there are ${this}.`);
    }
  }
}

/** A name with what may be sent for it. */
class Place {
  readonly #own: Parameter[] = [];
  readonly #below = new Names();

  add(rest: readonly string[], parameter: Parameter): void {
    if (rest.length === 0) this.#own.push(parameter);
    else this.#below.add(rest, parameter);
  }
  schema(): Schema {
    const own = this.#own.map(({ schema = {}, description }) => ({
      ...(description ? { description } : {}),
      ...schema,
    }));
    if (this.#below.isEmpty) return own[0] ?? {};
    const nested = { type: "object", properties: this.#below.properties(), additionalProperties: false };
    return own.length === 0 ? nested : { anyOf: [...own, nested] };
  }
  write(query: URLSearchParams, value: unknown, path: string): void {
    if (value === undefined || value === null) return;
    if (isObject(value) && !this.#below.isEmpty) {
      this.#below.write(query, value, path);
      return;
    }
    if (this.#own.length === 0) throw new TypeError(`"${path}" takes an object with some of ${this.#below}.`);
    const parameter = this.#own.find((one) => takesList(one) === Array.isArray(value)) ?? this.#own[0]!;
    if (Array.isArray(value) && !takesList(parameter)) throw new TypeError(`"${path}" takes one value.`);
    const list = [value].flat().map((one) => textOf(path, one));
    const { name } = parameter;
    const isRepeated = name.endsWith("[]");
    if (isRepeated && list.length === 0) throw new TypeError(`"${path}" has no value: leave it out, or name some.`);
    if (isRepeated) for (const one of list) query.append(name, one);
    else if (list.length > 0) query.append(name, list.join(","));
  }
}

function textOf(path: string, value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new TypeError(`"${path}" takes a text, a number or a boolean.`);
}
