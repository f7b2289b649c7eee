import { queryOf } from "framewright/host";
import type { ResourceController } from "../controller.ts";
import type { ListRequest } from "../registration/list_params.ts";

/** The addresses of a list as it was requested, with one parameter changed. */
export class ListUrls {
  readonly base: string;
  readonly #list: ListRequest;
  /** Search, scope and filters; the order follows them. */
  readonly #narrowing: string;

  constructor(controller: ResourceController, list: ListRequest) {
    this.base = controller.listUrl;
    this.#list = list;
    this.#narrowing = narrowingOf(list, list.askedScope);
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
    return this.base + added(this.#narrowing, "sort", this.#sort);
  }
  /** What a form of the list carries along, as names and values. */
  carried(): readonly [string, string][] {
    return this.#sort === undefined ? this.narrowing() : [...this.narrowing(), ["sort", this.#sort]];
  }
  /** The list without a filter. */
  without(name: string): string {
    const filters = new Map([...this.#list.filters].filter(([one]) => one !== name));
    const narrowing = narrowingOf({ ...this.#list, filters }, this.#list.askedScope);
    return this.base + added(narrowing, "sort", this.#sort);
  }
  /** The list with a parameter more. */
  with(name: string, value: string): string {
    return this.base + added(added(this.#narrowing, "sort", this.#sort), name, value);
  }
  scope(scope: string | undefined): string {
    return this.base + added(narrowingOf(this.#list, scope), "sort", this.#sort);
  }
  sort(name: string, direction: "asc" | "desc"): string {
    return this.base + added(this.#narrowing, "sort", direction === "desc" ? `-${name}` : name);
  }
  /** The address of all that is listed, in this order. */
  exported(format: string): string {
    return `${this.base}/export.${format}${added(this.#narrowing, "sort", this.#sort)}`;
  }
  page(page: number, perPage: number | undefined): string {
    const sorted = added(this.#narrowing, "sort", this.#sort);
    return this.base + added(added(sorted, "page", page === 1 ? undefined : page), "per_page", perPage);
  }

  after(cursor: string, perPage: number | undefined, suffix = ""): string {
    const sorted = added(this.#narrowing, "sort", this.#sort);
    return this.base + suffix + added(added(sorted, "after", cursor), "per_page", perPage);
  }

  get #sort(): string | undefined {
    const { sorted, sorts } = this.#list;
    return sorted
      ? sorts.map(({ name, direction }) => (direction === "desc" ? `-${name}` : name)).join(",")
      : undefined;
  }
}

/** Search, scope and filters of a list as the query of an address. */
export function narrowingOf({ search, filters }: ListRequest, scope: string | undefined): string {
  if (search === undefined && scope === undefined && filters.size === 0) return "";
  return queryOf({ q: search, scope, filter: Object.fromEntries(filters) });
}

const added = (query: string, name: string, value: string | number | undefined): string =>
  value === undefined ? query : `${query}${query === "" ? "?" : "&"}${name}=${encodeURIComponent(value)}`;
