import type { Params } from "framewright/host";
import type { BaseModel, Query } from "framewright/plugins/database";
import { isAssociation, isLongText, isSecret } from "../definition/attributes.ts";
import { OWN_ORDER } from "../definition/definition.ts";
import type { FilterGroup, FilterOptions, ListContext, ScopeOptions } from "../definition/definition_options.ts";
import type { Cursor } from "../entry/cursor.ts";
import type { ListReader } from "../operations/list_context.ts";
import { type ConditionGroup, readConditions } from "./conditions.ts";
import { conventionalFilters, listedColumns } from "./list_conventions.ts";
import { refuse } from "./list_errors.ts";
import { type ListSearch, searchOf } from "./list_search.ts";
import { mayFilter, mayScope, maySort } from "./readable_blocks.ts";
import type { Registration } from "./registration.ts";

/** The parameters of a list: every name in it is permitted by the policy and offered by the definition. Its filters are the group at the top. */
export interface ListRequest extends ConditionGroup {
  page: number;
  perPage: number;
  /** The number of rows that the request names; undefined where it is the list's own. */
  askedPerPage: number | undefined;
  sorts: { name: string; direction: "asc" | "desc" }[];
  /** Whether the request named the order; else it is the definition's own. */
  sorted: boolean;
  search: string | undefined;
  /** What the search looks in; undefined where nothing is searched for. */
  searchedIn: ListSearch | undefined;
  scope: string | undefined;
  /** The scope that the request names: `all`, a name, or nothing. */
  askedScope: string | undefined;
  /** The columns that the request names; undefined where they are the list's own. */
  columns: readonly string[] | undefined;
  /** The shape that the request names, with its own suffix: `calendar.week`; undefined for the table. */
  shape?: string | undefined;
  /** Whether the request rules out the default view. */
  isPlain: boolean;
  /** Where the page begins, when it is not found by its number. */
  after?: Cursor | undefined;
  /** Narrows it further, as for one column of a board. */
  within?(rows: Query<BaseModel>): unknown;
}

/** The key of the shape of a list; empty for the table. */
export const shapeKey = ({ shape = "" }: Pick<ListRequest, "shape">): string => shape.split(".", 1)[0]!;

/** What a list offers to the person. */
export interface ListOffer {
  registration: Registration;
  /** The names of the list that the policy permits. */
  permitted: readonly string[];
  /** Those of them that may be sorted by. */
  sortable: readonly string[];
  context: ListReader;
  maySearch(): boolean;
  hasShape(key: string): boolean;
}

/** Beyond this many rows pages have no numbers, and a list is only shown to be longer. */
export const MAX_COUNTED_ROWS = 10_000;
/** The last page that has a number, in a list that is longer than what is counted. */
export const lastNumberedPage = (perPage: number): number => Math.ceil(MAX_COUNTED_ROWS / perPage);

/** How many names a list is ordered by. */
const MAX_SORTS = 5;
const MAX_ROWS_A_PAGE = 100;

/**
 * Reads `q`, `filter[x]`, `match`, `scope`, `sort`, `columns`, `shape`, `page` and `per_page`. A name that is not permitted and one that does not
 * exist are refused alike: neither is an oracle.
 * @throws HttpError 422 naming the parameter, 400 for too many conditions
 */
export function readList(
  params: Params,
  { registration, permitted, sortable: sorts, context, maySearch, hasShape }: ListOffer,
): ListRequest {
  const { definition } = registration;
  const search = params.string("q")?.trim() || undefined;
  if (search !== undefined && !maySearch()) throw refuse("q", "is not offered here");
  const shape = params.string("shape") || undefined;
  if (shape !== undefined && !hasShape(shapeKey({ shape }))) throw refuse("shape", "is not offered here");
  const askedScope = params.string("scope") || undefined;
  const sort = sortText(params);
  const perPage = Math.min(MAX_ROWS_A_PAGE, wholeNumber(params, "per_page", definition.perPage, MAX_ROWS_A_PAGE));
  return {
    page: wholeNumber(params, "page", 1, 1_000_000),
    perPage,
    askedPerPage: params.string("per_page") ? perPage : undefined,
    sorts: readSorts(
      sort ?? definition.order,
      registration,
      sort === undefined ? undefined : { names: sorts, context },
    ),
    sorted: sort !== undefined,
    search,
    searchedIn: search === undefined ? undefined : searchOf(registration, permitted, context),
    ...readConditions(params, registration, () => filtersOf(registration, permitted, context)),
    scope: readScope(askedScope, registration, context),
    askedScope,
    columns: readColumns(params, registration, permitted),
    shape,
    isPlain: params.get("view") === "none",
  };
}

/** `sort=-title,id`, or a list as the panel sends it, where the empty ones count for nothing. */
function sortText(params: Params): string | undefined {
  const given = params.get("sort");
  if (!Array.isArray(given)) return params.string("sort") || undefined;
  return given.filter((one) => typeof one === "string" && one !== "").join() || undefined;
}

/** `columns=title,status`, or a list as check boxes send it. */
function readColumns(params: Params, registration: Registration, permitted: readonly string[]) {
  const given = params.get("columns");
  const listed = Array.isArray(given) ? given : params.string("columns")?.split(",");
  if (listed === undefined || given === "") return undefined;
  const names = [...new Set(listed as readonly string[])];
  if (!names.every((name) => permitted.includes(name))) throw refuse("columns", "names what the list does not show");
  return names.join() === listedColumns(registration, permitted).join() ? undefined : names;
}

function readScope(asked: string | undefined, registration: Registration, context: ListReader) {
  const { definition } = registration;
  const { initialScope } = definition;
  if (asked === undefined && initialScope === undefined) return undefined;
  if (asked === undefined)
    return initialScope !== undefined && offeredOf(definition.scopes, context).has(initialScope)
      ? initialScope // whatever it reads: a list that requests nothing must not have more rows
      : undefined;
  const offered = scopesOf(registration, context);
  if (offered.has(asked)) return asked;
  if (asked !== ALL) throw refuse("scope", "is not offered here");
  return undefined;
}
/** The value of `scope` for all records. */
export const ALL = "all";

/** The scopes that are offered to the person: those that read what the person may read. */
export function scopesOf(registration: Registration, context: ListReader): ReadonlyMap<string, ScopeOptions> {
  const offered = offeredOf(registration.definition.scopes, context);
  const isReadable = (name: string) => mayScope(registration, name, context);
  return [...offered.keys()].every(isReadable) ? offered : new Map([...offered].filter(([name]) => isReadable(name)));
}

/** The filters that are offered to the person: of permitted attributes, and those under a name of their own that read what the person may read. */
export function filtersOf(
  registration: Registration,
  permitted: readonly string[],
  context: ListReader,
): ReadonlyMap<string, FilterOptions | FilterGroup> {
  const further = context.currentUser === undefined ? [] : conventionalFilters(registration, permitted);
  return new Map([...declaredFilters(registration, permitted, context), ...further]);
}
/** Those of them that the definition declares. */
export function declaredFilters(
  registration: Registration,
  permitted: readonly string[],
  context: ListReader,
): [string, FilterOptions | FilterGroup][] {
  const offered = [...offeredOf(registration.definition.filters, context)];
  return offered.filter(([name, filter]) => {
    if (!isAttribute(name, registration)) return mayFilter(registration, name, filter, context);
    const isGuessable = !filter.apply && isSecret(registration.attribute(name)); // part by part, from what is found
    return permitted.includes(name) && !isGuessable && mayFilter(registration, name, filter, context);
  });
}

function offeredOf<T extends { condition?(context: ListContext): boolean }>(
  all: ReadonlyMap<string, T>,
  context: ListContext,
): ReadonlyMap<string, T> {
  const hasConditions = [...all.values()].some(({ condition }) => condition !== undefined);
  return hasConditions ? new Map([...all].filter(([, one]) => one.condition?.(context) ?? true)) : all;
}

function wholeNumber(params: Params, name: string, otherwise: number, most: number): number {
  const text = params.string(name);
  if (text === undefined || text === "") return otherwise;
  if (!/^[1-9]\d{0,6}$/.test(text)) throw refuse(name, "must be a whole number from 1");
  return Math.min(Number(text), most);
}

function readSorts(
  text: string,
  registration: Registration,
  offered: { names: readonly string[]; context: ListReader } | undefined,
): ListRequest["sorts"] {
  return text
    .split(",")
    .slice(0, MAX_SORTS)
    .map((part) => {
      const direction = part.startsWith("-") ? ("desc" as const) : ("asc" as const);
      const name = part.replace(/^-/, "");
      const isOffered =
        !offered || (sortable(name, registration, offered.names) && maySort(registration, name, offered.context));
      if (!isOffered) throw refuse("sort", "names what can't be sorted by");
      return { name, direction };
    });
}

/** Permitted columns can be sorted by, secrets, long text and documents excepted; so can what the definition declares a sort for. */
export function sortable(name: string, registration: Registration, permitted: readonly string[]): boolean {
  const { definition, model } = registration;
  if (model.isKey(name)) return true;
  if (name === OWN_ORDER) return false;
  const own = definition.sorts.get(name);
  if (!permitted.includes(name)) return own?.using !== undefined && !isAttribute(name, registration);
  if (own || model.money[name] !== undefined) return own?.columns?.length !== 0;
  const attribute = registration.attribute(name);
  if (isSecret(attribute) || model.encrypted.has(name) || isLongText(attribute)) return false;
  const { type, isOpaque } = model.columns.get(name) ?? {};
  return type !== undefined && type !== "json" && type !== "binary" && !isOpaque;
}

/** Whether a name is one of the model's, or served by a plugin, which the policy decides about. */
export const isAttribute = (name: string, { model, definition }: Registration): boolean =>
  definition.handlers.has(name) ||
  model.columns.has(name) ||
  isAssociation(model, name) ||
  name in model.money ||
  name in model.class.prototype;
