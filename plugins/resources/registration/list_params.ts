import { type Params, unprocessable } from "framewright/host";
import {
  type AssociationInfo,
  type BaseModel,
  type ColumnInfo,
  type ModelInfo,
  type Query,
  toCents,
} from "framewright/plugins/database";
import { isSecret } from "../definition/attributes.ts";
import { narrow, operationNames } from "../definition/query_scope.ts";
import type { Cursor } from "../entry/cursor.ts";
import { errors } from "../errors.ts";
import { coerceColumn } from "../operations/read_values.ts";
import type { Registration } from "./registration.ts";

/** The parameters of a list: every name in it is permitted by the policy and offered by the definition. */
export interface ListRequest {
  page: number;
  perPage: number;
  sorts: { name: string; direction: "asc" | "desc" }[];
  /** Whether the request named the order; else it is the definition's own. */
  sorted: boolean;
  search: string | undefined;
  filters: Map<string, string>;
  scope: string | undefined;
  /** Where the page begins, when it is not found by its number. */
  after?: Cursor | undefined;
}

/** Beyond this many rows pages have no numbers, and a list is only shown to be longer. */
export const MAX_COUNTED_ROWS = 10_000;
/** The last page that has a number, in a list that is longer than what is counted. */
export const lastNumberedPage = (perPage: number): number => Math.ceil(MAX_COUNTED_ROWS / perPage);

const MAX_ROWS_A_PAGE = 100;
const refuse = (name: string, text: string) => unprocessable(`${name} ${text}.`, { [name]: [text] });

/**
 * Reads `q`, `filter[x]`, `scope`, `sort`, `page` and `per_page`. A name that is not permitted and one that does not
 * exist are refused alike: neither is an oracle.
 * @throws HttpError 422 naming the parameter
 */
export function readList(params: Params, registration: Registration, permitted: readonly string[]): ListRequest {
  const { definition } = registration;
  const search = params.string("q")?.trim() || undefined;
  if (search !== undefined && !definition.searcher) throw refuse("q", "is not offered here");
  const scope = params.string("scope") || undefined;
  if (scope !== undefined && !definition.scopes.has(scope)) throw refuse("scope", "is not offered here");
  const sort = params.string("sort") || undefined;
  return {
    page: wholeNumber(params, "page", 1, 1_000_000),
    perPage: Math.min(MAX_ROWS_A_PAGE, wholeNumber(params, "per_page", definition.perPage, MAX_ROWS_A_PAGE)),
    sorts: readSorts(sort ?? definition.order, registration, sort === undefined ? undefined : permitted),
    sorted: sort !== undefined,
    search,
    filters: readFilters(params.nested("filter"), registration, permitted),
    scope,
  };
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
  permitted: readonly string[] | undefined,
): ListRequest["sorts"] {
  return text
    .split(",")
    .slice(0, 5)
    .map((part) => {
      const direction = part.startsWith("-") ? ("desc" as const) : ("asc" as const);
      const name = part.replace(/^-/, "");
      const offered = permitted === undefined || sortable(name, registration, permitted);
      if (!offered) throw refuse("sort", "names what can't be sorted by");
      return { name, direction };
    });
}

/** Permitted columns can be sorted by, secrets, long text and documents excepted; so can what the definition declares a sort for. */
export function sortable(name: string, registration: Registration, permitted: readonly string[]): boolean {
  const { definition, model } = registration;
  if (name === "id") return true;
  const own = definition.sorts.get(name);
  if (!permitted.includes(name)) return own?.using !== undefined && !isAttribute(name, model);
  if (own || model.money[name] !== undefined) return true;
  if (isSecret(registration.attribute(name))) return false;
  const type = model.columns.get(name)?.type;
  return type !== undefined && type !== "text" && type !== "json" && type !== "binary";
}

const isAttribute = (name: string, { columns, associations, money, class: cls }: ModelInfo): boolean =>
  columns.has(name) || associations.has(name) || name in money || name in cls.prototype;

function readFilters(given: Params, { definition }: Registration, permitted: readonly string[]): Map<string, string> {
  const filters = new Map<string, string>();
  for (const name of given.keys()) {
    if (!definition.filters.has(name) || !permitted.includes(name))
      throw refuse("filter", "names what can't be filtered by");
    const value = given.string(name);
    if (value !== undefined && value !== "") filters.set(name, value);
  }
  return filters;
}

/** Applies search, filters and scope, each in a group of its own. */
export function applyList(query: Query<BaseModel>, list: ListRequest, registration: Registration): void {
  const { definition, model } = registration;
  const named = definition.constructor.name;
  if (list.search !== undefined) {
    const term = list.search;
    narrow(query, `${named}.search`, (group) => definition.searcher!(group, term));
  }
  if (list.scope !== undefined) {
    const { apply } = definition.scopes.get(list.scope)!;
    const own = model.class.scopes[list.scope] as unknown as (group: Query<BaseModel>) => unknown;
    narrow(query, `${named} scope "${list.scope}"`, (group) => (apply ?? own)(group));
  }
  for (const [name, value] of list.filters) applyFilter(query, name, value, registration);
}

function applyFilter(query: Query<BaseModel>, name: string, value: string, { definition, model }: Registration): void {
  const { apply, as } = definition.filters.get(name)!;
  const label = `${definition.constructor.name} filter "${name}"`;
  if (apply) {
    narrow(query, label, (group) => apply(group, value));
    return;
  }
  const cents = model.money[name];
  const named = cents ?? model.associations.get(name)?.foreignKey ?? name;
  const column = `${model.table}.${named}`;
  const info = model.columns.get(named);
  narrow(query, label, (group) => {
    if (cents !== undefined) return group.where(column, centsOf(value));
    if (as === "text") return contains(group, column, value);
    if (info?.type === "datetime")
      return group.where(column, ">=", dayOf(value, 0)).where(column, "<", dayOf(value, 1));
    return group.where(column, exactly(value, info) as string);
  });
}

/** The value as its column stores it: MySQL would take `1abc` for 1. @throws HttpError 422 */
function exactly(value: string, column: ColumnInfo | undefined): unknown {
  const read = column ? coerceColumn(value, column) : { value };
  if ("problem" in read) throw refuse("filter", "does not fit what it filters by");
  return read.value;
}

function centsOf(value: string): number {
  const cents = toCents(value);
  if (cents === undefined) throw refuse("filter", "is not an amount of money");
  return cents;
}

/** Narrows to rows whose column contains the text, taken literally: `%` and `_` stand for themselves. */
export function contains(group: Query<BaseModel>, column: string, text: string): Query<BaseModel> {
  return group.whereRaw("?? like ? escape '!'", [column, `%${text.replace(/[!%_]/g, (sign) => `!${sign}`)}%`]);
}

/** The beginning of a day, or of one after it, as the database writes it. */
function dayOf(value: string, days: number): string {
  const day = /^\d{4}-\d\d-\d\d/.exec(value)?.[0];
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || day === "9999-12-31") throw refuse("filter", "is not a date"); // no day is after the last one
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().replace("T", " ").replace("Z", "");
}

/** Lets a definition order a list, and nothing else: a condition added here would stand outside every group. */
export function sortUsing(query: Query<BaseModel>, where: string, using: () => unknown): void {
  const before = operationNames(query).length;
  using();
  const said = operationNames(query)
    .slice(before)
    .find((name) => !/^orderBy/i.test(name));
  if (said !== undefined) throw errors.FW_SORT_WIDENS(where, said);
}

/** Orders by a column of the record that each row belongs to; those that belong to none stand where null does. */
function orderByRelated(
  query: Query<BaseModel>,
  { model, target, foreignKey }: AssociationInfo,
  by: string,
  direction: "asc" | "desc",
): void {
  const other = "fw_sorted"; // a name of its own: the target may be the list's own table
  query.orderByRaw(`(select ?? from ?? as ?? where ?? = ??) ${direction}`, [
    `${other}.${by}`,
    target.table,
    other,
    `${other}.id`,
    `${model.table}.${foreignKey}`,
  ]);
}

/** Orders a list; the id decides where the requested order does not, so that pages never overlap. */
export function applyOrder(
  query: Query<BaseModel>,
  sorts: ListRequest["sorts"],
  { definition, model }: Registration,
): void {
  for (const { name, direction } of sorts) {
    const { using, by } = definition.sorts.get(name) ?? {};
    if (using) sortUsing(query, `${definition.constructor.name}.sort("${name}")`, () => using(query, direction));
    else if (by !== undefined) orderByRelated(query, model.associations.get(name)!, by, direction);
    else query.orderBy(`${model.table}.${model.money[name] ?? name}`, direction);
  }
  if (!sorts.some(({ name }) => name === "id")) query.orderBy(`${model.table}.id`, sorts[0]?.direction ?? "desc");
}
