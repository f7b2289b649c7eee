import { type Params, type TimeZone, utc } from "framewright/host";
import type { BaseModel, Query } from "framewright/plugins/database";
import type { FieldType } from "framewright/plugins/fields";
import { contains, equals, relativeDays } from "framewright/plugins/fields/toolkit";
import type { HandledFilter } from "../definition/attribute_handler.ts";
import type { Attribute } from "../definition/attributes.ts";
import { type FilterOptions, isFilterGroup } from "../definition/definition_options.ts";
import type { FilterKind, Operations } from "../definition/filter_kinds.ts";
import { refuse } from "./list_errors.ts";
import type { Registration } from "./registration.ts";

/** What a filter narrows by; of one with several inputs what was filled in, by input; else by operator. */
export type FilterValue = string | Operations;

const MAX_VALUES = 100;
const ranges = ["is", "from", "to", "empty"];
export const operators: Record<FilterKind, readonly string[]> = {
  choice: ["any", "not", "empty"],
  boolean: ["is", "empty"],
  number: [...ranges, "not"],
  time: [...ranges, "not"],
  date: [...ranges, "in"],
  datetime: [...ranges, "in"],
  text: ["contains", "begins", "ends", "is", "not", "any", "empty"],
};
const kinds: Readonly<Record<string, FilterKind>> = {
  boolean: "boolean",
  date: "date",
  datetime: "datetime",
  time: "time",
  string: "text",
  text: "text",
  uuid: "text",
  integer: "number",
  bigint: "number",
  decimal: "number",
  float: "number",
};

/** How the plugin that serves a name filters by it, unless the definition has a filter of its own. */
export function handledFilter({ definition }: Registration, name: string): HandledFilter | undefined {
  const declared = definition.filters.get(name) ?? {};
  return isFilterGroup(declared) || declared.apply ? undefined : definition.handlers.get(name)?.filter;
}

/** What the values of a name are; undefined where it can only be compared as its type defines, or not at all. */
export function filterKind(registration: Registration, name: string): FilterKind | undefined {
  const { model, definition } = registration;
  const handled = handledFilter(registration, name);
  if (handled) return handled.kind;
  if (model.money[name] !== undefined) return "number";
  const association = model.associations.get(name);
  if (association) return association.kind === "belongsTo" ? "choice" : undefined;
  const column = model.columns.get(name);
  if (!column || model.encrypted.has(name)) return undefined;
  const declared = definition.filters.get(name) ?? {};
  if ("inputs" in declared || declared.apply) return undefined;
  const attribute = registration.attribute(name);
  if (filterType(registration, attribute, declared)?.filter?.apply && declared.as !== "text") return undefined;
  return model.choices[name] || column.values || declared.choices ? "choice" : kinds[column.type];
}

/** The type that decides how a list is filtered: the one that the filter names, else that of its field or its column. */
export function filterType(
  { types }: Registration,
  attribute: Attribute | undefined,
  { as }: Pick<FilterOptions, "as">,
): FieldType | undefined {
  if (as !== undefined) return types.get(as);
  const own = [attribute?.types.input, types.get(attribute?.column?.type ?? "")];
  return own.find((type) => type?.filter && type.filter.onlyNamed !== true);
}

/** Reads `filter[name][operator]`; undefined where nothing was filled in. `chosen`: an operator of its own. @throws HttpError 422 */
export function readOperations(given: Params, kind: FilterKind, chosen?: string): Operations | undefined {
  const read: Record<string, string | readonly string[]> = {};
  for (const key of given.keys()) {
    if (!operators[kind].includes(key) && key !== chosen) throw refuse("filter", "names what can't be filtered by");
    const isList = key === "any" || key === chosen || (key === "not" && typeof given.get(key) === "object");
    const value = isList ? listOf(given, key) : given.string(key);
    if (value !== undefined && value.length > 0) read[key] = value;
  }
  if (read.empty !== undefined && !["0", "1"].includes(read.empty as string))
    throw refuse("filter", "has an empty that is neither 0 nor 1");
  if (read.in !== undefined && relativeDays(String(read.in), new Date(), utc) === undefined)
    throw refuse("filter", "names days that are not known");
  return Object.keys(read).length > 0 ? read : undefined;
}

function listOf(given: Params, key: string): string[] {
  const sent = given.get(key);
  const list = Array.isArray(sent) ? sent : [sent];
  if (!list.every((one) => one === undefined || one === null || typeof one === "string"))
    throw refuse("filter", "has values that are no texts");
  return list.filter((one): one is string => typeof one === "string" && one !== "").slice(0, MAX_VALUES);
}

/** What is on for an attribute as conditions of their own: from and to are one, and so are values and "empty" beside them. */
export function conditionsOf(value: FilterValue): FilterValue[] {
  if (typeof value === "string") return [value];
  const { from, to, any, empty, ...others } = value;
  const parts: Operations[] = Object.entries(others).map(([key, one]) => ({ [key]: one! }));
  if (from !== undefined || to !== undefined)
    parts.push({ ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) });
  if (any !== undefined) parts.push(empty === "1" ? { any, empty } : { any });
  if (empty !== undefined && (any === undefined || empty !== "1")) parts.push({ empty });
  return parts;
}

/** How the values of a filter are compared with a column. */
export interface ComparedColumn {
  column: string;
  kind: FilterKind;
  /** The value as the column stores it. @throws HttpError 422 */
  stored(value: string): unknown;
  /** The beginning of a day, or of one after it, as the column stores it. @throws HttpError 422 */
  day(value: string, days: number): string;
  /** The person's, in which it is today. */
  timeZone: TimeZone;
}

/** Narrows by what was given; choices and "empty" are alternatives, everything else holds together. @throws HttpError 422 */
export function applyOperations(group: Query<BaseModel>, given: Operations, compared: ComparedColumn): void {
  const { column, stored } = compared;
  const { any, empty } = given;
  const { is, contains: part, begins, ends } = given as Record<string, string>;
  if (any !== undefined) {
    const values = [any].flat().map(stored) as string[];
    group.where((one) => {
      one.whereIn(column, values);
      if (empty === "1") one.orWhereNull(column);
    });
  } else if (empty === "1") whereEmpty(group, compared);
  if (empty === "0") whereFilled(group, compared);
  for (const one of [given.not ?? []].flat()) whereOther(group, one, compared);
  if (is !== undefined) whereIs(group, is, compared);
  if (part !== undefined) contains(group, column, part);
  if (begins !== undefined) contains(group, column, begins, "start");
  if (ends !== undefined) contains(group, column, ends, "end");
  applyRange(group, given as Record<string, string>, compared);
}

const whereEmpty = (group: Query<BaseModel>, { column, kind }: ComparedColumn) =>
  group.where((one) => void (kind === "text" ? one.whereNull(column).orWhere(column, "") : one.whereNull(column)));
const whereFilled = (group: Query<BaseModel>, { column, kind }: ComparedColumn) =>
  kind === "text" ? group.whereNotNull(column).whereNot(column, "") : group.whereNotNull(column);
/** Those that have another value, or none. */
const whereOther = (group: Query<BaseModel>, value: string, compared: ComparedColumn) =>
  group.where((one) => {
    one.whereNot((same) => whereIs(same, value, compared)).orWhereNull(compared.column);
  });

/** Of a moment, the day. */
function whereIs(group: Query<BaseModel>, value: string, compared: ComparedColumn): void {
  const isRange = compared.kind === "datetime" || compared.kind === "time";
  if (isRange) whereBetween(group, { from: value, to: value }, compared);
  else equals(group, compared.column, compared.stored(value));
}

function applyRange(group: Query<BaseModel>, given: Record<string, string>, compared: ComparedColumn): void {
  whereBetween(group, given, compared);
  if (given.in !== undefined) whereBetween(group, relativeDays(given.in, new Date(), compared.timeZone)!, compared);
}

type Ends = { readonly from?: string; readonly to?: string };
function whereBetween(
  group: Query<BaseModel>,
  { from, to }: Ends,
  { column, kind, stored, day }: ComparedColumn,
): void {
  if (kind === "datetime") {
    if (from !== undefined) group.where(column, ">=", day(from, 0));
    if (to !== undefined) group.where(column, "<", day(to, 1));
    return;
  }
  const isTime = kind === "time"; // which SQLite keeps as it was written, with seconds or without
  const [first, last] = [from, to].map((end) => (end === undefined ? end : (stored(end) as string)));
  if (first !== undefined) group.where(column, ">=", isTime ? first.replace(/^(..:..):00$/, "$1") : first);
  if (last !== undefined) group.where(column, "<=", isTime ? last.replace(/^..:..$/, "$&:00") : last);
}
