import { queryOf } from "framewright/host";
import { type ConditionGroup, hasConditions, matches } from "../registration/conditions.ts";
import type { ListRequest } from "../registration/list_params.ts";
import type { ResourceRequest } from "../request.ts";

/** The query of a list without parameters, where one without a query opens the default view. */
export const PLAIN_QUERY = "?view=none";

/** The addresses of a list as it was requested, with one parameter changed. */
export class ListUrls {
  readonly base: string;
  readonly #list: ListRequest;
  /** Search, scope and filters; order and columns follow them. */
  readonly #narrowing: string;
  /** Whether an address without a query would open another list than this one. */
  hasDefault: boolean;

  constructor(controller: ResourceRequest, list: ListRequest) {
    this.base = controller.listUrl;
    this.#list = list;
    this.#narrowing = narrowingOf(list, list.askedScope);
    this.hasDefault = list.isPlain;
  }

  /** The address of an action on the listed records. */
  action(url: string): string {
    return url + this.#narrowing;
  }
  /** Search, scope and filters as names and values. */
  narrowing(): readonly [string, string][] {
    return [...new URLSearchParams(this.#narrowing)];
  }
  /** The list as it is, from its first page on. */
  same(): string {
    return this.#address(this.#shown());
  }
  /** The list without parameters. */
  plain(): string {
    return this.#address("");
  }
  /** The list without other parameters, in its shape. */
  cleared(): string {
    return this.#address(added("", "shape", this.#list.shape));
  }
  /** The parameters of the list as the query of an address; empty for none. */
  query(): string {
    return this.#shown();
  }
  /** What a form of the list carries along, as names and values. */
  carried(): readonly [string, string][] {
    return [...new URLSearchParams(this.#shown())];
  }
  /** The list with other conditions. */
  conditions(group: ConditionGroup): string {
    return this.#address(this.#shown(narrowingOf({ ...this.#list, ...group }, this.#list.askedScope)));
  }
  /** The list in another shape; "" for the table. */
  shape(key: string): string {
    return this.#address(this.#shown(this.#narrowing, this.#sort, key));
  }
  /** The list with a parameter more. */
  with(name: string, value: string): string {
    return this.base + added(this.#shown(), name, value);
  }
  scope(scope: string | undefined): string {
    return this.#address(this.#shown(narrowingOf(this.#list, scope)));
  }
  sort(name: string, direction: "asc" | "desc"): string {
    return this.base + this.#shown(this.#narrowing, direction === "desc" ? `-${name}` : name);
  }
  /** The address of all that is listed, in this order. */
  exported(format: string): string {
    return `${this.base}/export.${format}${this.#shown()}`;
  }
  page(page: number, perPage: number | undefined): string {
    const shown = this.#shown();
    return this.#address(added(added(shown, "page", page === 1 ? undefined : page), "per_page", perPage));
  }

  after(cursor: string, perPage: number | undefined, suffix = ""): string {
    const shown = this.#shown();
    return this.base + suffix + added(added(shown, "after", cursor), "per_page", perPage);
  }

  #address(query: string): string {
    return this.base + (query === "" && this.hasDefault ? PLAIN_QUERY : query);
  }
  /** A narrowed list in its order, with its columns and in its shape, as a query. */
  #shown(narrowing = this.#narrowing, sort = this.#sort, shape = this.#list.shape): string {
    const ordered = added(added(narrowing, "sort", sort), "columns", this.#list.columns?.join());
    return added(ordered, "shape", shape || undefined);
  }
  get #sort(): string | undefined {
    const { sorted, sorts } = this.#list;
    return sorted
      ? sorts.map(({ name, direction }) => (direction === "desc" ? `-${name}` : name)).join(",")
      : undefined;
  }
}

/** Search, scope and filters of a list as the query of an address. */
export function narrowingOf(list: ListRequest, scope: string | undefined): string {
  const { search, match } = list;
  const isPlain = !hasConditions(list);
  if (search === undefined && scope === undefined && isPlain) return "";
  const filter = isPlain ? undefined : valuesOf(list);
  return queryOf({ q: search, scope, match: isPlain || match === "all" ? undefined : match, filter });
}

/** Conditions as an address has them, the groups of a kind counted from 1. */
function valuesOf({ filters, groups }: ConditionGroup): Record<string, unknown> {
  const values: Record<string, unknown> = Object.fromEntries(filters);
  for (const kind of matches) {
    const own = groups.filter(({ match }) => match === kind).map((one, at) => [at + 1, valuesOf(one)]);
    if (own.length > 0) values[kind] = Object.fromEntries(own);
  }
  return values;
}

const added = (query: string, name: string, value: string | number | undefined): string =>
  value === undefined ? query : `${query}${query === "" ? "?" : "&"}${name}=${encodeURIComponent(value)}`;
