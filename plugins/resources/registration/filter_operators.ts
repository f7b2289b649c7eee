import { type Params, type TimeZone, utc } from "framewright/host";
import type { BaseModel, Query } from "framewright/plugins/database";
import { contains, relativeDays } from "framewright/plugins/fields/toolkit";
import { filterType } from "./filter_type.ts";
import { refuse } from "./list_errors.ts";
import type { Registration } from "./registration.ts";

/** What the values of a filtered attribute are. */
export type FilterKind = "choice" | "boolean" | "number" | "date" | "datetime" | "text";
/** What was said of an attribute, by operator; `any` has several values. */
export type Operations = Readonly<Record<string, string | readonly string[]>>;

const MAX_VALUES = 100;
const ranges = ["from", "to", "empty"];
const operators: Record<FilterKind, readonly string[]> = {
  choice: ["any", "not", "empty"],
  boolean: ["empty"],
  number: [...ranges, "not"],
  date: [...ranges, "in"],
  datetime: [...ranges, "in"],
  text: ["contains", "any", "not", "empty"],
};
const kinds: Readonly<Record<string, FilterKind>> = {
  boolean: "boolean",
  date: "date",
  datetime: "datetime",
  string: "text",
  text: "text",
  uuid: "text",
  integer: "number",
  bigint: "number",
  decimal: "number",
  float: "number",
};

/** What the values of a name are; undefined where it can only be compared as its type says, or not at all. */
export function filterKind(registration: Registration, name: string): FilterKind | undefined {
  const { model, definition } = registration;
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

/** Reads `filter[name][operator]`; undefined where nothing was filled in. @throws HttpError 422 */
export function readOperations(given: Params, kind: FilterKind): Operations | undefined {
  const read: Record<string, string | readonly string[]> = {};
  for (const key of given.keys()) {
    if (!operators[kind].includes(key)) throw refuse("filter", "names what can't be filtered by");
    const value = key === "any" ? listOf(given) : given.string(key);
    if (value !== undefined && value.length > 0) read[key] = value;
  }
  if (read.empty !== undefined && !["0", "1"].includes(read.empty as string))
    throw refuse("filter", "has an empty that is neither 0 nor 1");
  if (read.in !== undefined && relativeDays(String(read.in), new Date(), utc) === undefined)
    throw refuse("filter", "names days that are not known");
  return Object.keys(read).length > 0 ? read : undefined;
}

function listOf(given: Params): string[] {
  const sent = given.get("any");
  const list = Array.isArray(sent) ? sent : [sent];
  if (!list.every((one) => one === undefined || one === null || typeof one === "string"))
    throw refuse("filter", "has values that are no texts");
  return list.filter((one): one is string => typeof one === "string" && one !== "").slice(0, MAX_VALUES);
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

/** Narrows by what was said; choices and "empty" are alternatives, everything else holds together. @throws HttpError 422 */
export function applyOperations(group: Query<BaseModel>, said: Operations, compared: ComparedColumn): void {
  const { column, stored } = compared;
  const { any, not, contains: part, empty } = said as Record<string, string> & { any?: readonly string[] };
  if (any !== undefined) {
    const values = any.map(stored) as string[];
    group.where((one) => {
      one.whereIn(column, values);
      if (empty === "1") one.orWhereNull(column);
    });
  } else if (empty === "1") whereEmpty(group, compared);
  if (empty === "0") whereFilled(group, compared);
  if (not !== undefined) group.where((one) => void one.whereNot(column, stored(not) as string).orWhereNull(column));
  if (part !== undefined) contains(group, column, part);
  applyRange(group, said as Record<string, string>, compared);
}

const whereEmpty = (group: Query<BaseModel>, { column, kind }: ComparedColumn) =>
  group.where((one) => void (kind === "text" ? one.whereNull(column).orWhere(column, "") : one.whereNull(column)));
const whereFilled = (group: Query<BaseModel>, { column, kind }: ComparedColumn) =>
  kind === "text" ? group.whereNotNull(column).whereNot(column, "") : group.whereNotNull(column);

function applyRange(group: Query<BaseModel>, said: Record<string, string>, compared: ComparedColumn): void {
  const { column, kind, stored, day, timeZone } = compared;
  const named = said.in === undefined ? undefined : relativeDays(said.in, new Date(), timeZone);
  for (const { from, to } of [said, ...(named ? [named] : [])]) {
    if (kind === "datetime") {
      if (from !== undefined) group.where(column, ">=", day(from, 0));
      if (to !== undefined) group.where(column, "<", day(to, 1));
    } else {
      if (from !== undefined) group.where(column, ">=", stored(from) as string);
      if (to !== undefined) group.where(column, "<=", stored(to) as string);
    }
  }
}
