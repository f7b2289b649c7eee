import { HttpError, type ParamObject, Params, type ParamValue, queryOf } from "framewright/host";
import { requestedList } from "../operations/list_context.ts";
import { type ListRequest, lastNumberedPage } from "../registration/list_params.ts";
import type { ResourceRequest } from "../request.ts";

/** How many rows a panel shows at once. */
export const PANEL_ROWS = 5;
const ASKED = ["q", "sort", "page"] as const;
/** As that of a list; beyond it no page has a number. */
const LAST_PAGE = lastNumberedPage(PANEL_ROWS);

/** The Turbo frame of the rows of a panel. */
export const panelFrame = (name: string): string => `panel-${name}-list`;

/** A panel without parameters: its latest rows. */
export const plainList = (): ListRequest => ({
  page: 1,
  perPage: PANEL_ROWS,
  askedPerPage: undefined,
  sorts: [],
  sorted: false,
  search: undefined,
  searchedIn: undefined,
  match: "all",
  filters: new Map(),
  groups: [],
  scope: undefined,
  askedScope: undefined,
  columns: undefined,
  isPlain: false,
});

/**
 * What the address of a record's page requests of one of its panels, as `comments[q]=…`, `comments[sort]=-title` and
 * `comments[page]=2`; undefined where it requests nothing, or what the list does not have.
 */
export function askedOfPanel(
  panel: ResourceRequest,
  name: string,
  permitted: readonly string[],
): ListRequest | undefined {
  const { request } = panel;
  if (request.search === "") return undefined;
  const given = request.query.get(name);
  if (!isParamObject(given)) return undefined;
  const asked = ASKED.flatMap((one) => (Object.hasOwn(given, one) && given[one] !== "" ? [[one, given[one]!]] : []));
  if (asked.length === 0) return undefined;
  const params = new Params(Object.fromEntries(asked) as ParamObject);
  try {
    const list = requestedList(panel, permitted, params);
    const own = {
      perPage: PANEL_ROWS,
      askedPerPage: undefined,
      scope: undefined,
      page: Math.min(list.page, LAST_PAGE),
    };
    return { ...list, ...own, ...(list.sorted ? {} : { sorts: [] }) };
  } catch (error) {
    if (!(error instanceof HttpError && [400, 422].includes(error.status))) throw error;
    return undefined;
  }
}

const isParamObject = (value: ParamValue | undefined): value is ParamObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The addresses of a panel on the page of its record, with one parameter changed. */
export class PanelUrls {
  readonly #base: string;
  readonly #name: string;
  readonly #list: ListRequest;

  constructor(base: string, name: string, list: ListRequest) {
    this.#base = base;
    this.#name = name;
    this.#list = list;
  }
  /** The page of the record, at the panel. */
  get plain(): string {
    return this.#to({});
  }
  /** How the panel is ordered, as its address sets it; undefined where it sets nothing. */
  get sorted(): string | undefined {
    const { sorted, sorts } = this.#list;
    return sorted ? sorts.map(({ name, direction }) => sortText(name, direction)).join(",") : undefined;
  }
  sort(name: string, direction: "asc" | "desc"): string {
    return this.#to({ q: this.#list.search, sort: sortText(name, direction) });
  }
  page(page: number): string {
    const { search } = this.#list;
    return this.#to({ q: search, sort: this.sorted, page: page === 1 ? undefined : String(page) });
  }
  #to(asked: Record<string, string | undefined>): string {
    return `${this.#base}${queryOf({ [this.#name]: asked })}#panel-${this.#name}`;
  }
}

const sortText = (name: string, direction: "asc" | "desc"): string => (direction === "desc" ? `-${name}` : name);
